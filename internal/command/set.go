package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// setOptions are the options of SET and MSETEX.
type setOptions struct {
	when  condition
	match []byte // what the condition compares with
	get   bool
	life  lifetime
}

// parse reads the options from args[i:]. It reports false when they are wrong
// or exclude each other. MSETEX takes only NX and XX for a condition, no GET.
func (o *setOptions) parse(args [][]byte, i int, many bool) bool {
	for i < len(args) {
		if c := conditionOf(args[i]); c != always {
			if o.when != always && o.when != c {
				return false
			}
			o.when = c
			if c >= ifEqual {
				if i++; many || i == len(args) {
					return false
				}
				o.match = args[i]
			}
			i++
			continue
		}
		if !many && is(args[i], "GET") {
			o.get = true
			i++
			continue
		}
		l, used := lifetimeOption(args, i)
		if used == 0 || l.how == lifePersist || !o.life.merge(l) {
			return false
		}
		i += used
	}
	return true
}

func runSet(x *Ctx) {
	k := &x.Keys[0]
	value := x.Args[2]
	if len(x.Args) == 3 {
		if x.Store(k, value, 0) {
			x.OK()
		}
		return
	}
	var o setOptions
	if !o.parse(x.Args, 3, false) {
		x.Syntax()
		return
	}
	var deadline int64
	if o.life.sets() {
		var ok bool
		if deadline, ok = x.deadline(o.life); !ok {
			return
		}
		if o.when == always && !o.get && !o.life.absolute() {
			if x.Store(k, value, deadline) {
				x.OK()
			}
			return
		}
	}
	x.setIf(k, value, deadline, &o)
}

// setIf is SET with options that need to see what the key holds.
func (x *Ctx) setIf(k *Key, value []byte, deadline int64, o *setOptions) {
	e, exists := x.Find(k)
	if exists && e.Kind() != dash.String && (o.get || o.when >= ifEqual) {
		x.countLookup(o.get, exists)
		x.WrongType()
		return
	}
	holds, ok := x.holds(o.when, o.match, e, exists)
	if !ok {
		return
	}
	mark := len(x.Out)
	if o.get {
		x.countLookup(true, exists)
		if exists {
			x.Bulk(e.Value())
		} else {
			x.Null()
		}
	}
	if !holds {
		if !o.get {
			x.Null()
		}
		return
	}
	if exists && o.life.how == lifeKeep {
		deadline = e.DeadlineMs()
	}
	end := len(x.Out)
	if !x.put(k, e, exists, value, deadline) {
		x.Out = append(x.Out[:mark], x.Out[end:]...) // the error alone
		return
	}
	if !o.get {
		x.OK()
	}
}

// put stores a string under a key that was looked up. A deadline that has
// passed leaves no key behind.
func (x *Ctx) put(k *Key, e dash.Entry, exists bool, value []byte, deadline int64) bool {
	if deadline != 0 && x.past(deadline) {
		if exists {
			x.Remove(k, e)
		}
		return true
	}
	if exists {
		return x.Replace(k, e, value, deadline)
	}
	return x.Store(k, value, deadline)
}

// countLookup counts a hit or a miss of a writing command that also reads.
func (x *Ctx) countLookup(reads, found bool) {
	switch {
	case !reads:
	case found:
		x.L.Stats.Hits++
	default:
		x.L.Stats.Misses++
	}
}

func runSetEX(x *Ctx)  { x.setWithin(lifeEX) }
func runPSetEX(x *Ctx) { x.setWithin(lifePX) }

func (x *Ctx) setWithin(how lifetimeWord) {
	deadline, ok := x.deadline(lifetime{how, x.Args[2]})
	if ok && x.Store(&x.Keys[0], x.Args[3], deadline) {
		x.OK()
	}
}

func runSetNX(x *Ctx) {
	k := &x.Keys[0]
	if _, exists := x.Find(k); exists {
		x.Bool(false)
		return
	}
	if x.Store(k, x.Args[2], 0) {
		x.Bool(true)
	}
}

func runMSet(x *Ctx) {
	if len(x.Args)&1 == 0 {
		x.Arity()
		return
	}
	for i := range x.Keys {
		if !x.Store(&x.Keys[i], x.Args[2+2*i], 0) {
			return
		}
	}
	x.OK()
}

func runMSetNX(x *Ctx) {
	if len(x.Args)&1 == 0 {
		x.Arity()
		return
	}
	for i := range x.Keys {
		if _, exists := x.Find(&x.Keys[i]); exists {
			x.Bool(false)
			return
		}
	}
	for i := range x.Keys {
		if !x.Store(&x.Keys[i], x.Args[2+2*i], 0) {
			return
		}
	}
	x.Bool(true)
}

func runMSetEX(x *Ctx) {
	n, ok := resp.ParseInt64(x.Args[1])
	if !ok || n <= 0 || n > 1<<31-1 {
		x.Error("ERR invalid numkeys value")
		return
	}
	if n > int64(len(x.Args)-2)/2 {
		x.Error("ERR wrong number of key-value pairs")
		return
	}
	var o setOptions
	if !o.parse(x.Args, 2+2*int(n), true) {
		x.Syntax()
		return
	}
	var deadline int64
	if o.life.sets() {
		if deadline, ok = x.deadline(o.life); !ok {
			return
		}
	}
	if o.when != always {
		for i := range x.Keys {
			if _, exists := x.Find(&x.Keys[i]); exists == (o.when == ifMissing) {
				x.Bool(false)
				return
			}
		}
	}
	for i := range x.Keys {
		k := &x.Keys[i]
		e, exists := x.Find(k)
		if exists && o.life.how == lifeKeep {
			deadline = e.DeadlineMs()
		} else if o.life.how == lifeKeep {
			deadline = 0
		}
		if !x.put(k, e, exists, x.Args[3+2*i], deadline) {
			return
		}
	}
	x.Bool(true)
}
