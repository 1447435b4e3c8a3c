package consistency

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"sherd/internal/testserver"
)

// A workload says what a history is made of.
type workload struct {
	clients int // 1 to maxClients, per group
	groups  int
	batches int // pipelines that each client sends
	depth   int // commands in a pipeline, at most
}

// weights of the commands. Reads of many keys are frequent: each pins the
// whole state, which is what finds faults and what keeps the search short.
var weights = [numCodes]int{
	get: 6, mget: 16, exists: 3, dbsize: 2, set: 4, setnx: 2, setxx: 2, getset: 4, getdel: 2, incr: 5, incrby: 3, del: 3, mset: 10, msetnx: 3,
	rename: 4, renamenx: 2, copyKey: 2, copyReplace: 3, copyDB: 2, move: 2, swapdb: 1, flushdb: 1,
}

var weightSum = func() (sum int) {
	for _, w := range weights {
		sum += w
	}
	return sum
}()

// randomCall fills in what the command needs; value gives numbers that nobody
// else writes.
func randomCall(r *rand.Rand, c *call, value func() int64) {
	at := r.IntN(weightSum)
	for c.code = 0; at >= weights[c.code]; c.code++ {
		at -= weights[c.code]
	}
	perm := r.Perm(numKeys)
	switch c.code {
	case dbsize, swapdb, flushdb:
	case mget:
		c.keys = perm[:2+r.IntN(numKeys-1)]
		if r.IntN(2) == 0 {
			c.keys = perm
		}
	case exists, del:
		c.keys = perm[:1+r.IntN(3)]
	case mset:
		c.keys = perm[:2+r.IntN(numKeys-1)]
	case msetnx:
		c.keys = perm[:2+r.IntN(2)]
	case rename, renamenx, copyKey, copyReplace, copyDB:
		c.keys = perm[:2]
	default:
		c.keys = perm[:1]
	}
	switch c.code {
	case set, setnx, setxx, getset, incrby, mset, msetnx:
		for range c.keys {
			c.values = append(c.values, value())
		}
	}
}

// record runs a workload against the server at addr and returns the history
// of each group. episode makes the names of the keys.
func record(addr string, w workload, r *rand.Rand, episode int) ([][]porcupine.Operation, error) {
	begin := time.Now()
	histories := make([][][]porcupine.Operation, w.groups)
	errs := make(chan error, w.groups*w.clients)
	var running sync.WaitGroup
	start := make(chan struct{})
	for g := range w.groups {
		histories[g] = make([][]porcupine.Operation, w.clients)
		for id := range w.clients {
			cl := &client{workload: w, group: g, id: id, prefix: fmt.Sprintf("e%d:g%d:k", episode, g), begin: begin, Rand: rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))}
			if err := cl.connect(addr); err != nil {
				return nil, err
			}
			running.Go(func() {
				defer func() { _ = cl.Close() }()
				<-start
				var err error
				histories[g][id], err = cl.run()
				errs <- err
			})
		}
	}
	close(start)
	running.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return nil, err
		}
	}
	joined := make([][]porcupine.Operation, w.groups)
	for g := range histories {
		for _, h := range histories[g] {
			joined[g] = append(joined[g], h...)
		}
	}
	return joined, nil
}

// A client is one connection of a workload.
type client struct {
	*testserver.Client
	*rand.Rand
	workload
	group, id int
	prefix    string
	begin     time.Time
	written   int64
}

func (cl *client) connect(addr string) (err error) {
	if cl.Client, err = testserver.Connect("tcp", addr); err != nil {
		return err
	}
	_, err = cl.Try("SELECT", strconv.Itoa(2*cl.group+cl.id%2))
	return err
}

// value is a number nobody else writes: INCR and INCRBY are far too few to
// turn one client's number into another's.
func (cl *client) value() int64 {
	cl.written++
	return (cl.written*maxClients + int64(cl.id)) * 1_000_000
}

func (cl *client) run() ([]porcupine.Operation, error) {
	var history []porcupine.Operation
	seq := 0
	for range cl.batches {
		n := 1 + cl.IntN(cl.depth)
		first := len(history)
		for range n {
			c := &call{client: cl.id, seq: seq, group: cl.group, db: cl.id % 2}
			seq++
			randomCall(cl.Rand, c, cl.value)
			cl.Queue(c.args(cl.prefix)...)
			history = append(history, porcupine.Operation{ClientId: cl.id, Input: c})
		}
		sent := time.Since(cl.begin).Nanoseconds()
		if err := cl.Flush(); err != nil {
			return nil, err
		}
		for i := first; i < len(history); i++ {
			v, err := cl.Receive()
			if err != nil {
				return nil, err
			}
			res, err := parse(v)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", history[i].Input.(*call).args(cl.prefix), err)
			}
			history[i].Call, history[i].Output, history[i].Return = sent, res, time.Since(cl.begin).Nanoseconds()
		}
	}
	return history, nil
}
