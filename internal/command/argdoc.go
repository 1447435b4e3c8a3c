package command

// Shorthand for the argument lists that the declarations give to COMMAND DOCS.

var (
	keyArg   = Arg{Name: "key", Type: "key", KeySpec: 1}
	keysArg  = Arg{Name: "key", Type: "key", KeySpec: 1, Multiple: true}
	valueArg = Arg{Name: "value", Type: "string"}
)

func integerArg(name string) Arg { return Arg{Name: name, Type: "integer"} }
func stringArg(name string) Arg  { return Arg{Name: name, Type: "string"} }

// wordArg is an argument that is a fixed word.
func wordArg(name, word string) Arg { return Arg{Name: name, Type: "pure-token", Token: word} }

// oneofArg is one of several arguments.
func oneofArg(name string, args ...Arg) Arg { return Arg{Name: name, Type: "oneof", Args: args} }

// blockArg is several arguments in a row.
func blockArg(name string, args ...Arg) Arg { return Arg{Name: name, Type: "block", Args: args} }

// after puts a word in front of the argument.
func (a Arg) after(word string) Arg {
	a.Token = word
	return a
}

func (a Arg) optional() Arg {
	a.Optional = true
	return a
}

func (a Arg) multiple() Arg {
	a.Multiple = true
	return a
}

func (a Arg) since(version string) Arg {
	a.Since = version
	return a
}

// lifetimeArgs are EX, PX, EXAT and PXAT.
func lifetimeArgs() []Arg {
	return []Arg{
		integerArg("seconds").after("EX"),
		integerArg("milliseconds").after("PX"),
		{Name: "unix-time-seconds", Type: "unix-time", Token: "EXAT"},
		{Name: "unix-time-milliseconds", Type: "unix-time", Token: "PXAT"},
	}
}

// conditionArgs are IFEQ, IFNE, IFDEQ and IFDNE.
func conditionArgs(since string) []Arg {
	return []Arg{
		stringArg("ifeq-value").after("IFEQ").since(since),
		stringArg("ifne-value").after("IFNE").since(since),
		stringArg("ifdeq-digest").after("IFDEQ").since(since),
		stringArg("ifdne-digest").after("IFDNE").since(since),
	}
}
