package geo

import "math"

// Bounds of places.
const (
	MaxLongitude = 180
	MaxLatitude  = 85.05112878

	// MaxStep is the step of a stored hash.
	MaxStep = 26
)

// Place is a point of the earth, in degrees.
type Place struct{ Longitude, Latitude float64 }

// Valid tells whether a place can be stored.
func (p Place) Valid() bool {
	return p.Longitude >= -MaxLongitude && p.Longitude <= MaxLongitude &&
		p.Latitude >= -MaxLatitude && p.Latitude <= MaxLatitude
}

// cell is a hash of some step.
type cell struct {
	bits uint64
	step uint
}

// area is what lies between two meridians and two parallels, in degrees.
type area struct{ west, south, east, north float64 }

// spread puts a zero before each of the low 32 bits.
func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// gather takes every other bit, from the lowest on.
func gather(x uint64) uint64 {
	x &= 0x5555555555555555
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return (x | x>>16) & 0x00000000ffffffff
}

// cellOf is the cell of a place in a world whose latitudes end at ±top.
func cellOf(p Place, top float64, step uint) cell {
	lat := (p.Latitude + top) / (top + top)
	lon := (p.Longitude + MaxLongitude) / (2 * MaxLongitude)
	size := float64(uint64(1) << step)
	x, y := uint32(uint64(lon*size)), uint32(uint64(lat*size))
	return cell{spread(uint64(y)) | spread(uint64(x))<<1, step}
}

// Encode is the hash of a valid place.
func Encode(p Place) uint64 { return cellOf(p, MaxLatitude, MaxStep).bits }

// Decode is the middle of a hash's cell.
func Decode(hash uint64) Place {
	a := cell{hash, MaxStep}.area()
	return Place{
		min(max((a.west+a.east)/2, -MaxLongitude), MaxLongitude),
		min(max((a.south+a.north)/2, -MaxLatitude), MaxLatitude),
	}
}

// area is what a cell covers.
func (c cell) area() area {
	const (
		latScale = MaxLatitude - -MaxLatitude
		lonScale = MaxLongitude - -MaxLongitude
	)
	y, x := uint32(gather(c.bits)), uint32(gather(c.bits>>1))
	size := float64(uint64(1) << c.step)
	// The conversions keep a processor from adding before it has rounded.
	return area{
		west:  -MaxLongitude + float64(float64(x)/size*lonScale),
		south: -MaxLatitude + float64(float64(y)/size*latScale),
		east:  -MaxLongitude + float64(float64(x+1)/size*lonScale),
		north: -MaxLatitude + float64(float64(y+1)/size*latScale),
	}
}

// move is the cell that lies so many to the east and to the north; at the edges
// of the world it goes on at the other side. A place on the very edge, in the north
// or the east, has a number that is one too large: it keeps it, as in Redis, as long
// as the cell is not moved in that direction.
func (c cell) move(east, north int) cell {
	mask := uint64(1)<<c.step - 1
	x, y := gather(c.bits>>1), gather(c.bits)
	if east != 0 {
		x = (x + uint64(east)) & mask
	}
	if north != 0 {
		y = (y + uint64(north)) & mask
	}
	return cell{spread(y) | spread(x)<<1, c.step}
}

// Range is the hashes from Min on, up to but not including Max.
type Range struct{ Min, Max float64 }

func (c cell) hashes() Range {
	shift := 2 * (MaxStep - c.step)
	return Range{float64(c.bits << shift), float64((c.bits + 1) << shift)}
}

// AppendText appends the geohash of 11 characters that the world knows, whose
// latitudes end at ±90; its last character has no bits and is always 0.
func AppendText(b []byte, hash uint64) []byte {
	const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"
	bits := cellOf(Decode(hash), 90, MaxStep).bits
	for i := range 10 {
		b = append(b, alphabet[bits>>(52-5*(i+1))&31])
	}
	return append(b, '0')
}

// degree is one in radians, rounded as C does: π first.
const degree = float64(math.Pi) / 180

func radians(degrees float64) float64 { return degrees * degree }
func degrees(radians float64) float64 { return radians / degree }
