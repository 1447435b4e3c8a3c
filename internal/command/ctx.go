package command

import (
	"net/netip"

	"sherd/internal/config"
	"sherd/internal/shard"
	"sherd/internal/store/dash"
)

// Ctx is one command being executed. A loop has one and uses it for every
// command; nothing of it may be kept.
type Ctx struct {
	Args [][]byte // the command's name first; they alias the receive buffer
	C    *Client
	Cmd  *Command
	Out  []byte // replies are appended
	L    *Local
	KS   *shard.Keyspace
	Conf *config.Settings
	Host Host
	Now  int64 // ms; the shared clock when the command began

	// Keys are the located keys: one for ReachOne, all that the key specs give
	// for ReachMany, in argument order.
	Keys []Key

	later Later
	keep  bool
}

// Key is a located key.
type Key struct {
	Bytes []byte
	Hash  uint64
	Slice *shard.Slice

	// Slot is where the key's entry likely was when the slice had the version Seen;
	// 0 if nobody has looked.
	Slot, Seen uint64
}

// Host is the server around a command, for what only it can do.
type Host interface {
	Config() *config.Store
	Table() *Table
	// Gather runs each on every loop, with that loop's state, and then done on
	// the loop of x. The connection waits for it.
	Gather(x *Ctx, each func(l *Local), done func(x *Ctx))
	// Background runs work on a goroutine of its own, since it may wait for a
	// disk, and then done on the loop of x. The connection waits for it.
	Background(x *Ctx, work func() error, done func(x *Ctx, err error))
	// Facts tells what INFO says of the server as a whole.
	Facts() Facts
	// Journals keeps SLOWLOG and LATENCY.
	Journals() *Journals
	// Shutdown stops the server; it returns before the stop is complete.
	Shutdown()
	// Pause holds back commands until the clock reaches untilMs; 0 ends it.
	Pause(untilMs int64, writesOnly bool)
	// Monitor counts monitoring clients up and down.
	Monitor(c *Client, on bool)
}

// Later is what a command that does not finish at once leaves behind: Step is
// called once a turn until it reports done; the connection's next commands wait
// and other connections are served in between.
type Later interface {
	Step(x *Ctx) (done bool)
}

// Continue makes the connection wait for t. A nil t waits for Gather's done.
func (x *Ctx) Continue(t Later) { x.later = t }

// KeepLatched is Continue for a command of ReachOne, ReachMany or ReachAll that
// keeps what it has latched until t is done. Args and Keys are gone by then: t has
// to remember what it needs.
func (x *Ctx) KeepLatched(t Later) {
	x.later = t
	x.keep = true
}

// TakeKeep tells whether KeepLatched was called and forgets it; for the
// connection.
func (x *Ctx) TakeKeep() bool {
	k := x.keep
	x.keep = false
	return k
}

// TakeLater returns what Continue left and forgets it; for the connection.
func (x *Ctx) TakeLater() Later {
	t := x.later
	x.later = nil
	return t
}

// Table is the table that a key belongs to, in the client's database.
func (x *Ctx) Table(k *Key) *dash.Table { return x.KS.Table(x.C.DB, k.Slice) }

// Background runs what may wait for a disk off the loop.
func (x *Ctx) Background(work func() error, done func(x *Ctx, err error)) {
	x.Host.Background(x, work, done)
}

// Local tells whether the client is on this host.
func (x *Ctx) Local() bool {
	if x.C.Link.IsUnix() {
		return true
	}
	a, err := netip.ParseAddrPort(x.C.Link.RemoteAddr())
	return err == nil && a.Addr().Unmap().IsLoopback()
}
