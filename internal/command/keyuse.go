package command

// setUse is how SET uses its key: it is read only for GET.
func setUse(args [][]byte) KeyFlags {
	for _, a := range args[min(3, len(args)):] {
		if is(a, "GET") {
			return RW | Access | Update
		}
	}
	return OW | Update
}

// bitFieldUse is how BITFIELD uses its key: it is only read if every operation
// is a GET.
func bitFieldUse(args [][]byte) KeyFlags {
	for i := 2; i < len(args); i++ {
		switch a := args[i]; {
		case is(a, "GET"):
			i += 2
		case is(a, "SET"), is(a, "INCRBY"):
			return RW | Access | Update
		case is(a, "OVERFLOW"):
			i++
		}
	}
	return RO | Access
}
