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
// is a whole GET.
func bitFieldUse(args [][]byte) KeyFlags {
	for i := 2; i < len(args); i++ {
		switch left := len(args) - i - 1; {
		case is(args[i], "GET") && left >= 2:
			i += 2
		case is(args[i], "OVERFLOW") && left >= 1:
			i++
		default:
			return RW | Access | Update // whatever it is
		}
	}
	return RO | Access
}
