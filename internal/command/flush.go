package command

func runDBSize(x *Ctx) {
	n := int64(0)
	for i := range x.KS.Slices() {
		n += int64(x.KS.Table(x.C.DB, x.KS.Slice(i)).Len())
	}
	x.Int(n)
}

func runFlushDB(x *Ctx) {
	if !x.flushOptions() {
		return
	}
	for i := range x.KS.Slices() {
		x.L.Stats.Dirty += int64(x.KS.Empty(x.C.DB, x.KS.Slice(i)))
	}
	x.OK()
}

func runFlushAll(x *Ctx) {
	if !x.flushOptions() {
		return
	}
	for i := range x.KS.Slices() {
		x.L.Stats.Dirty += int64(x.KS.EmptyAll(x.KS.Slice(i)))
	}
	x.OK()
}

// flushOptions checks the words of FLUSHDB and FLUSHALL. They change nothing:
// either way the tables are taken away at once and their memory is given back in
// slices of the loops' idle time.
func (x *Ctx) flushOptions() bool {
	if len(x.Args) > 2 || len(x.Args) == 2 && !is(x.Args[1], "SYNC") && !is(x.Args[1], "ASYNC") {
		x.Syntax()
		return false
	}
	return true
}
