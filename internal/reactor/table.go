package reactor

// table numbers what operations in the kernel refer to. A slot's number and
// generation are the tag of an operation; a completion whose generation is not
// the slot's belongs to a connection that is gone and is dropped. Owned by the
// loop.
type table struct {
	slots []slot
	free  []uint32
	n     int
}

type slot struct {
	conn *Conn
	gen  uint32
}

func (t *table) add(c *Conn) {
	if n := len(t.free); n > 0 {
		c.slot = t.free[n-1]
		t.free = t.free[:n-1]
	} else {
		c.slot = uint32(len(t.slots))
		t.slots = append(t.slots, slot{})
	}
	s := &t.slots[c.slot]
	s.conn = c
	c.gen = s.gen
	t.n++
}

// remove frees c's slot for a later connection under a new generation.
func (t *table) remove(c *Conn) {
	s := &t.slots[c.slot]
	s.conn = nil
	s.gen = (s.gen + 1) & genMask
	t.free = append(t.free, c.slot)
	t.n--
	if t.n == 0 && len(t.slots) > 1024 {
		// The generations are lost with the slots. That is safe: every operation
		// of a connection has ended before its slot is given back, the tags are
		// the second line.
		t.slots, t.free = nil, nil
	}
}

// get returns the connection of a tag, nil when it is gone.
func (t *table) get(slot, gen uint32) *Conn {
	if slot >= uint32(len(t.slots)) {
		return nil
	}
	s := &t.slots[slot]
	if s.gen != gen {
		return nil
	}
	return s.conn
}

// genMask bounds generations to what fits beside the slot in a tag.
const genMask = 1<<24 - 1
