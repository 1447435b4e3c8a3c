package command

// runDel is DEL and UNLINK. What a big value costs is the store's affair: it is
// taken out now and freed in slices, for both.
func runDel(x *Ctx) {
	n := int64(0)
	for i := range x.Keys {
		k := &x.Keys[i]
		if e, ok := x.Find(k); ok {
			x.Remove(k, e)
			n++
		}
	}
	x.Int(n)
}

// runExists is EXISTS and TOUCH: it counts keys, repeated ones as often as they
// are named.
func runExists(x *Ctx) {
	n := int64(0)
	for i := range x.Keys {
		if _, ok := x.Read(&x.Keys[i]); ok {
			n++
		}
	}
	x.Int(n)
}

func runType(x *Ctx) {
	if e, ok := x.Read(&x.Keys[0]); ok {
		x.Simple(e.Kind().String())
	} else {
		x.Simple("none")
	}
}
