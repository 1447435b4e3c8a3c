package command

// Flags of a command, as COMMAND INFO shows them.
type Flags uint32

// The flags and their names in Redis.
const (
	Write Flags = 1 << iota
	ReadOnly
	DenyOOM
	Admin
	PubSub
	NoScript
	Blocking
	Loading
	Stale
	SkipMonitor
	SkipSlowlog
	Asking
	Fast
	NoAuth
	MayReplicate
	NoMulti
	MovableKeys
	AllowBusy
	NoAsyncLoading
	NoMandatoryKeys
	Sentinel
	Protected
	// Changes is set by the table: the command may change the keyspace, be it only,
	// like PFCOUNT, in a way that its readers do not see.
	Changes
)

var flagNames = []struct {
	flag Flags
	name string
}{
	{Write, "write"},
	{ReadOnly, "readonly"},
	{DenyOOM, "denyoom"},
	{Admin, "admin"},
	{PubSub, "pubsub"},
	{NoScript, "noscript"},
	{Blocking, "blocking"},
	{Loading, "loading"},
	{Stale, "stale"},
	{SkipMonitor, "skip_monitor"},
	{SkipSlowlog, "skip_slowlog"},
	{Asking, "asking"},
	{Fast, "fast"},
	{NoAuth, "no_auth"},
	{MayReplicate, "may_replicate"},
	{NoMulti, "no_multi"},
	{MovableKeys, "movablekeys"},
	{AllowBusy, "allow_busy"},
	{NoAsyncLoading, "no_async_loading"},
	{NoMandatoryKeys, "no_mandatory_keys"},
}

// Reach says what a command touches and so what is latched around its Run.
type Reach uint8

const (
	// ReachNone touches no key.
	ReachNone Reach = iota
	// ReachOne touches one key, at the first key spec's begin index.
	ReachOne
	// ReachMany touches all keys that the key specs give; all their slices are
	// latched together.
	ReachMany
	// ReachAll touches the whole keyspace: all slices are latched.
	ReachAll
	// ReachOwn takes the latches it needs itself, in steps (SCAN, KEYS, …).
	ReachOwn
)

// Command is one command, or one subcommand of a container command.
type Command struct {
	Name  string // lower case; a subcommand's own word
	Arity int    // as in Redis: ≥ 0 exactly so many arguments, < 0 at least -Arity
	Flags Flags
	Keys  []KeySpec
	Reach Reach
	// Wide tells of a command of ReachMany whether these arguments make it one of
	// ReachAll.
	Wide func(args [][]byte) bool

	// Run executes the command. It is nil for a container.
	Run func(x *Ctx)
	// Peek, for short reads of one key, answers without a latch, or reports
	// false and leaves the reply and all statistics as they were.
	Peek func(x *Ctx) bool

	Group string // group of COMMAND DOCS: string, generic, connection, server, bitmap …
	Doc   Doc
	Sub   []*Command

	// KeyUse gives the flags of a key spec with VariableFlags for given
	// arguments.
	KeyUse func(args [][]byte) KeyFlags

	// Categories beyond those that follow from flags and group.
	Categories []string
	Tips       []string

	// filled in by the table
	ID       int      // dense index, for statistics
	FullName string   // container|sub
	Parent   *Command // container
	firstKey int      // argument index of the first key, 0 none
	lastKey  int      // as COMMAND INFO: negative counts from the end
	keyStep  int
	ranged   bool // these three tell all keys
}

// Doc is what COMMAND DOCS tells.
type Doc struct {
	Summary    string
	Since      string
	Complexity string
	Args       []Arg
	History    [][2]string
	Deprecated string // version since
	ReplacedBy string
}

// Arg is one argument of COMMAND DOCS.
type Arg struct {
	Name       string
	Type       string // string, integer, double, key, pattern, unix-time, pure-token, oneof, block
	Token      string
	Since      string
	KeySpec    int // index + 1 into Keys; 0 none
	Optional   bool
	Multiple   bool
	MultiToken bool // the token is repeated with each value
	Args       []Arg
}

// KeySpec tells where keys stand among the arguments and what happens to them.
// See Redis' documentation of key specifications.
type KeySpec struct {
	Flags KeyFlags
	// Begin: at argument index Index, or, if Keyword is set, after that word,
	// searched from Index (negative: from the end backwards).
	Index   int
	Keyword string
	// Find: a range from the first key, or, if NumKeys is set, a count.
	Last    int // relative to the begin; negative: from the end of the arguments
	Step    int
	Limit   int // with a negative Last: only the 1/Limit part
	NumKeys bool
	CountAt int // NumKeys: index of the count relative to the begin
	FirstAt int // NumKeys: index of the first key relative to the begin
	Notes   string
}

// KeyFlags say how a key is used.
type KeyFlags uint16

// Key flags and their names in Redis.
const (
	RO KeyFlags = 1 << iota
	RW
	OW
	RM
	Access
	Update
	Insert
	Delete
	NotKey
	Incomplete
	VariableFlags
)

var keyFlagNames = []struct {
	flag KeyFlags
	name string
}{
	{RO, "RO"},
	{RW, "RW"},
	{OW, "OW"},
	{RM, "RM"},
	{Access, "access"},
	{Update, "update"},
	{Insert, "insert"},
	{Delete, "delete"},
	{NotKey, "not_key"},
	{Incomplete, "incomplete"},
	{VariableFlags, "variable_flags"},
}

// one is the key spec of a single key at argument 1.
func one(f KeyFlags) []KeySpec { return []KeySpec{{Flags: f, Index: 1, Last: 0, Step: 1}} }

// upTo is the key spec of keys from argument 1 to the last argument.
func upTo(f KeyFlags, last, step int) []KeySpec {
	return []KeySpec{{Flags: f, Index: 1, Last: last, Step: step}}
}

// Is reports whether all of f are set.
func (c *Command) Is(f Flags) bool { return c.Flags&f == f }

// ArityOK tells whether n arguments, the name included, fit.
func (c *Command) ArityOK(n int) bool {
	if c.Arity >= 0 {
		return n == c.Arity
	}
	return n >= -c.Arity
}
