package dash

// Kind is the type of a value.
type Kind uint8

// The kinds of value a key may hold. The numbers are those of the RDB format's
// object types, so that they need no translation.
const (
	String Kind = 0
	List   Kind = 1
	Set    Kind = 2
	ZSet   Kind = 3
	Hash   Kind = 4
	Stream Kind = 6
)

// String returns the name TYPE reports.
func (k Kind) String() string {
	switch k {
	case String:
		return "string"
	case List:
		return "list"
	case Set:
		return "set"
	case ZSet:
		return "zset"
	case Hash:
		return "hash"
	case Stream:
		return "stream"
	}
	return "none"
}
