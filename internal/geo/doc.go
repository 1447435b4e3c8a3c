// Package geo is the geometry behind the GEO commands: places as 52-bit numbers,
// distances, and the ranges of such numbers that cover a shape. It gives what Redis
// gives, to the last digit: the numbers are stored and its clients compare them.
//
// # Terms
//
//	place    longitude and latitude in degrees; latitudes end at ±85.05112878, as
//	         in the Mercator maps of the web
//	hash     both coordinates, each as a fraction of its range in 26 bits, their
//	         bits taking turns: longitude has the odd, higher ones
//	step     the bits of a coordinate: a hash cut to fewer is a cell, and all
//	         places in it are one range of hashes
//	cover    up to nine cells, one and its neighbours, that hold a shape
//
// # Distances
//
// The earth is a sphere of 6,372,797.560856 m. Redis computes with the C library's
// sine, cosine and arcsine, which round correctly in all but very few cases;
// Go's are off by a bit now and then. Exact computes them in twice the precision.
// It takes longer, so it is for distances that are shown or stored; whether a
// place is within a shape, Distance tells, except very near the edge.
//
// # Costs
//
// Encode and Decode take some 10 ns, Distance 60 ns, Exact about a microsecond.
package geo
