package command

func shutdown(x *Ctx) {
	var save, nosave, abort, other bool
	for _, a := range x.Args[1:] {
		switch {
		case is(a, "NOSAVE") && !save:
			nosave = true
		case is(a, "SAVE") && !nosave:
			save = true
		case is(a, "NOW"), is(a, "FORCE"):
			other = true
		case is(a, "ABORT"):
			abort = true
		default:
			x.Syntax()
			return
		}
	}
	switch {
	case abort && (save || nosave || other):
		x.Syntax()
	case abort:
		x.Error("ERR No shutdown in progress.")
	case save:
		// There are no snapshots yet: better not to stop than to lose what was
		// to be kept.
		x.Error("ERR Errors trying to SHUTDOWN. Check logs.")
	default:
		x.C.CloseAfter = true
		x.Host.Shutdown()
	}
}
