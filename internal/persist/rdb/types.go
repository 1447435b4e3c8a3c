package rdb

// The byte that a value begins with.
const (
	typeString         = 0
	typeList           = 1
	typeSet            = 2
	typeZSet           = 3 // scores as text
	typeHash           = 4
	typeZSet2          = 5
	typeModule1        = 6
	typeModule2        = 7
	typeHashZipmap     = 9
	typeListZiplist    = 10
	typeSetIntset      = 11
	typeZSetZiplist    = 12
	typeHashZiplist    = 13
	typeListZiplists   = 14
	typeStream1        = 15
	typeHashPacked     = 16
	typeZSetPacked     = 17
	typeListNodes      = 18
	typeStream2        = 19
	typeSetPacked      = 20
	typeStream3        = 21
	typeHash22         = 22 // Redis before 7.4: typeHashDated with absolute deadlines; Valkey: see loadTriples
	typeHashPackedEx0  = 23 // Redis before 7.4: typeHashPackedEx without the first deadline
	typeHashDated      = 24
	typeHashPackedEx   = 25
	typeSetDated       = 200 // members with deadlines: a form of ours, since no other server has one
	typeStreamReleased = 201 // typeStream3 with pending entries that are nobody's, likewise
)

// The versions of the format.
const (
	versionPlain  = 10 // what Redis 7.0 reads
	versionDated  = 12 // with deadlines of fields
	versionMost   = 12
	versionValkey = 80
)

// readable tells whether values of a version are understood.
func readable(version int) bool { return version <= versionMost || version == versionValkey }

// Forms of a node of a list.
const (
	nodePlain  = 1 // one element
	nodePacked = 2 // a listpack
)
