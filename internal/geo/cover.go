package geo

// mercatorMax is half the equator on a Mercator map, in m.
const mercatorMax = 20037726.37

// stepFor is the step of cells that are about as large as a reach, and larger
// where the map is wider than the earth.
func stepFor(reach, latitude float64) uint {
	if reach == 0 {
		return MaxStep
	}
	step := 1
	for ; reach < mercatorMax; reach *= 2 {
		step++
	}
	step -= 2
	if latitude > 66 || latitude < -66 {
		step--
		if latitude > 80 || latitude < -80 {
			step--
		}
	}
	return uint(min(max(step, 1), MaxStep))
}

// Cover is the ranges of hashes in which the places of a shape lie: its center's
// cell and those around it, without those that the shape cannot reach, in the
// order in which Redis visits them.
func (s *Shape) Cover(to *[9]Range) []Range {
	box := s.box()
	step := stepFor(s.reach(), s.Center.Latitude)
	c := cellOf(s.Center, MaxLatitude, step)
	if step > 1 && !c.surrounds(box) {
		step--
		c = cellOf(s.Center, MaxLatitude, step)
	}
	var no struct{ north, south, east, west bool }
	if step >= 2 {
		a := c.area()
		no.south, no.north = a.south < box.south, a.north > box.north
		no.west, no.east = a.west < box.west, a.east > box.east
	}
	var last cell
	begun := false
	list := to[:0]
	add := func(east, north int) {
		if north > 0 && no.north || north < 0 && no.south || east > 0 && no.east || east < 0 && no.west {
			return
		}
		// Where cells are few, neighbours on both sides may be one.
		n := c.move(east, north)
		if begun && n == last {
			return
		}
		// Redis remembers the cell before only from the second on.
		if east != 0 || north != 0 {
			last, begun = n, true
		}
		list = append(list, n.hashes())
	}
	add(0, 0)
	add(0, 1)
	add(0, -1)
	add(1, 0)
	add(-1, 0)
	add(1, 1)
	add(-1, 1)
	add(1, -1)
	add(-1, -1)
	return list
}

// surrounds tells whether a cell and its neighbours reach as far as a box.
func (c cell) surrounds(box area) bool {
	return c.move(0, 1).area().north >= box.north && c.move(0, -1).area().south <= box.south &&
		c.move(1, 0).area().east >= box.east && c.move(-1, 0).area().west <= box.west
}
