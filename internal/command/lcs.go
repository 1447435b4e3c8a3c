package command

import (
	"encoding/binary"
	"math"
	"math/bits"

	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// LCS finds a longest common subsequence of two strings. Of several it has to
// be the one that Redis finds, which walks back through the table of lengths
// L(i, j) of all prefixes. The walk only ever asks whether L(i-1, j) exceeds
// L(i, j-1) where the bytes differ, and that is so exactly when
// L(i, j) > L(i, j-1): one bit per cell. Those bits are what Hyyrö's
// bit-parallel algorithm computes, 64 cells at a time, so the table takes 1/32
// of the memory and a fraction of the time that lengths would.
//
//	row i, a bit per byte of b: 0 where L(i, j) > L(i, j-1)
//	row 0 is all ones
//	row i = (row + (row AND m)) OR (row AND NOT m)   m: where b has a[i-1]
//
// What takes long is done in steps, on copies of the strings, after the latches
// have been released.
type lcs struct {
	a, b    []byte
	lengths bool // LEN: no need to walk back
	indexes bool // IDX
	withLen bool // WITHMATCHLEN
	minLen  int64

	phase lcsPhase
	at    int // progress within the phase

	masks   []uint64 // words per distinct byte of a
	maskOf  [256]int32
	words   int      // of a row
	row     []uint64 // the row being computed
	rows    [][]byte // all rows, several to a piece
	rowSize int      // bytes
	perRows int      // rows to a piece

	i, j    int // the walk back
	length  int
	result  []byte
	matches []lcsMatch
	open    lcsMatch
	isOpen  bool
}

// lcsMatch is a run of equal bytes: a[aFrom:aFrom+n] is b[bFrom:bFrom+n].
type lcsMatch struct{ aFrom, bFrom, n int }

type lcsPhase uint8

const (
	lcsMasks lcsPhase = iota
	lcsRows
	lcsWalk
	lcsDone
)

// lcsBudget is about how many elementary operations a step may take.
const lcsBudget = 100_000

func runLCS(x *Ctx) {
	var v [2][]byte
	for i := range v {
		if e, ok := x.Read(&x.Keys[i]); ok {
			if e.Kind() != dash.String {
				x.Error("ERR The specified keys must contain string values")
				return
			}
			v[i] = e.Value()
		}
	}
	l := lcs{a: v[0], b: v[1]}
	if !l.options(x) || !l.fits(x) {
		return
	}
	l.begin()
	if l.cost() <= lcsBudget {
		l.Step(x)
		return
	}
	l.a = append([]byte(nil), l.a...)
	l.b = append([]byte(nil), l.b...)
	later := l
	x.Continue(&later)
}

func (l *lcs) options(x *Ctx) bool {
	for i := 3; i < len(x.Args); i++ {
		switch a := x.Args[i]; {
		case is(a, "IDX"):
			l.indexes = true
		case is(a, "LEN"):
			l.lengths = true
		case is(a, "WITHMATCHLEN"):
			l.withLen = true
		case is(a, "MINMATCHLEN") && i+1 < len(x.Args):
			i++
			n, ok := resp.ParseInt64(x.Args[i])
			if !ok {
				x.Error(errNotInteger)
				return false
			}
			l.minLen = max(n, 0)
		default:
			x.Syntax()
			return false
		}
	}
	if l.indexes && l.lengths {
		x.Error("ERR If you want both the length and indexes, please just use IDX.")
		return false
	}
	return true
}

// fits applies Redis' bounds: a table of lengths has to fit proto-max-bulk-len.
func (l *lcs) fits(x *Ctx) bool {
	if len(l.a) >= math.MaxUint32-1 || len(l.b) >= math.MaxUint32-1 {
		x.Error("ERR String too long for LCS")
		return false
	}
	hi, cells := bits.Mul64(uint64(len(l.a)+1), uint64(len(l.b)+1))
	if hi != 0 || cells > math.MaxUint64/4 {
		x.Error("ERR Insufficient memory, failed allocating transient memory for LCS")
		return false
	}
	if cells*4 > uint64(x.Conf.ProtoMaxBulkBytes) {
		x.Error("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len")
		return false
	}
	return true
}

func (l *lcs) begin() {
	l.words = (len(l.b) + 63) / 64
	l.rowSize = (len(l.b) + 7) / 8
	l.perRows = max(1, (256<<10)/max(l.rowSize, 1))
	l.i, l.j = len(l.a), len(l.b)
	if len(l.a) == 0 || len(l.b) == 0 {
		l.phase = lcsDone
	}
}

// cost is about how many elementary operations all of it takes.
func (l *lcs) cost() int { return len(l.a)*(l.words+2) + 2*len(l.b) }

// Step goes on for one budget.
func (l *lcs) Step(x *Ctx) bool {
	for left := lcsBudget; left > 0; {
		switch l.phase {
		case lcsMasks:
			left -= l.buildMasks(left)
		case lcsRows:
			left -= l.buildRows(left)
		case lcsWalk:
			left -= l.walkBack(left)
		case lcsDone:
			l.reply(x)
			return true
		}
	}
	return false
}

// buildMasks notes where b has each byte that occurs in a.
func (l *lcs) buildMasks(budget int) (spent int) {
	if l.masks == nil {
		n := int32(0)
		for _, c := range l.a {
			if l.maskOf[c] == 0 {
				n++
				l.maskOf[c] = n // one more than the index
			}
		}
		l.masks = make([]uint64, int(n)*l.words)
		l.row = make([]uint64, l.words)
		for i := range l.row {
			l.row[i] = ^uint64(0)
		}
	}
	end := min(l.at+budget, len(l.b))
	for j := l.at; j < end; j++ {
		if m := l.maskOf[l.b[j]]; m != 0 {
			l.masks[int(m-1)*l.words+j>>6] |= 1 << (j & 63)
		}
	}
	spent = end - l.at
	if l.at = end; end == len(l.b) {
		l.phase, l.at = lcsRows, 0
	}
	return spent
}

// buildRows computes rows and, unless only the length is asked for, keeps them.
func (l *lcs) buildRows(budget int) (spent int) {
	for ; l.at < len(l.a) && spent < budget; l.at++ {
		m := l.masks[int(l.maskOf[l.a[l.at]]-1)*l.words:][:l.words]
		var carry uint64
		for w, v := range l.row {
			var sum uint64
			sum, carry = bits.Add64(v, v&m[w], carry)
			l.row[w] = sum | v&^m[w]
		}
		spent += l.words + 1
		if !l.lengths {
			l.keepRow(l.at)
		}
	}
	if l.at == len(l.a) {
		l.length = len(l.b)
		for w, v := range l.row {
			if rest := len(l.b) - w*64; rest < 64 {
				v &= 1<<rest - 1
			}
			l.length -= bits.OnesCount64(v)
		}
		l.phase = lcsWalk
		if l.lengths {
			l.phase = lcsDone
		} else if !l.indexes {
			l.result = make([]byte, l.length)
		}
		l.at = l.length
	}
	return spent
}

// keepRow stores the current row. Rows lie close together, whole words are
// written, and the next row overwrites what the last word has too much.
func (l *lcs) keepRow(i int) {
	if i%l.perRows == 0 {
		n := min(l.perRows, len(l.a)-i)
		l.rows = append(l.rows, make([]byte, n*l.rowSize+8))
	}
	p := l.rows[i/l.perRows][i%l.perRows*l.rowSize:]
	for w, v := range l.row {
		binary.LittleEndian.PutUint64(p[w*8:], v)
	}
}

// walkBack finds the subsequence from its end.
func (l *lcs) walkBack(budget int) (spent int) {
	for l.i > 0 && l.j > 0 && spent < budget {
		spent++
		i, j := l.i-1, l.j-1
		if l.a[i] == l.b[j] {
			l.at--
			if !l.indexes {
				l.result[l.at] = l.a[i]
			} else if l.isOpen {
				l.open.aFrom, l.open.bFrom = i, j
				l.open.n++
			} else {
				l.open, l.isOpen = lcsMatch{i, j, 1}, true
			}
			l.i, l.j = i, j
			continue
		}
		l.closeMatch()
		if l.rows[i/l.perRows][i%l.perRows*l.rowSize+j>>3]>>(j&7)&1 == 0 {
			l.i = i
		} else {
			l.j = j
		}
	}
	if l.i == 0 || l.j == 0 {
		l.closeMatch()
		l.phase = lcsDone
	}
	return spent
}

func (l *lcs) closeMatch() {
	if l.isOpen && int64(l.open.n) >= l.minLen {
		l.matches = append(l.matches, l.open)
	}
	l.isOpen = false
}

func (l *lcs) reply(x *Ctx) {
	switch {
	case l.lengths:
		x.Int(int64(l.length))
	case !l.indexes:
		x.Bulk(l.result)
	default:
		x.Map(2)
		x.BulkString("matches")
		x.Array(len(l.matches))
		for _, m := range l.matches {
			if l.withLen {
				x.Array(3)
			} else {
				x.Array(2)
			}
			x.Array(2)
			x.Int(int64(m.aFrom))
			x.Int(int64(m.aFrom + m.n - 1))
			x.Array(2)
			x.Int(int64(m.bFrom))
			x.Int(int64(m.bFrom + m.n - 1))
			if l.withLen {
				x.Int(int64(m.n))
			}
		}
		x.BulkString("len")
		x.Int(int64(l.length))
	}
}
