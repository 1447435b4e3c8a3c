package command

import (
	"strconv"

	"sherd/internal/persist/rdb"
)

// dumpStep is how many elements are written in a step.
const dumpStep = 2048

// dumpHead is room for the length of a payload that is written before it is known.
const dumpHead = len("$1073741824\r\n")

func runDump(x *Ctx) {
	k := &x.Keys[0]
	e, ok := x.Read(k)
	if !ok {
		x.Null()
		return
	}
	var w rdb.Saver
	if !w.Open(&k.Slice.Heap, e, x.KS.Clock.Now(), x.Conf.CompressStrings) {
		x.Null()
		return
	}
	mark := len(x.Out)
	from := mark + dumpHead
	x.Out = append(x.Out, "$0000000000\r\n"...)
	out, done := w.Step(append(x.Out, w.Type()), dumpStep)
	crc := rdb.Checksum(0, out[from:])
	if !done {
		later := dumping{saver: w, crc: crc, size: len(out) - from, pieces: [][]byte{append([]byte(nil), out[from:]...)}}
		x.Out = out[:mark]
		x.KeepLatched(&later)
		return
	}
	out = rdb.AppendFooter(out, w.Version(), crc)
	// The head takes as much room as its number needs.
	var digits [20]byte
	head := strconv.AppendInt(digits[:0], int64(len(out)-from), 10)
	at := mark + 1 + copy(out[mark+1:], head)
	at += copy(out[at:], "\r\n")
	at += copy(out[at:], out[from:])
	x.Out = append(out[:at], "\r\n"...)
}

// dumping is a DUMP of a long value under way. The payload's length comes first, so
// it is put together in pieces, and handed over when it is complete.
type dumping struct {
	saver  rdb.Saver
	crc    uint64
	size   int
	pieces [][]byte
	whole  bool
}

// Step writes the next elements, or hands over the next piece.
func (d *dumping) Step(x *Ctx) bool {
	if d.whole {
		x.Out = append(x.Out, d.pieces[0]...)
		d.pieces[0] = nil
		if d.pieces = d.pieces[1:]; len(d.pieces) > 0 {
			return false
		}
		x.Out = append(x.Out, "\r\n"...)
		return true
	}
	last := len(d.pieces) - 1
	if len(d.pieces[last]) >= pieceSize {
		d.pieces = append(d.pieces, make([]byte, 0, pieceSize+pieceSize/4))
		last++
	}
	piece := d.pieces[last]
	mark := len(piece)
	piece, done := d.saver.Step(piece, dumpStep)
	d.crc = rdb.Checksum(d.crc, piece[mark:])
	if done {
		piece = rdb.AppendFooter(piece, d.saver.Version(), d.crc)
		d.whole = true
	}
	d.size += len(piece) - mark
	d.pieces[last] = piece
	if done {
		x.Out = append(x.Out, '$')
		x.Out = append(strconv.AppendInt(x.Out, int64(d.size), 10), "\r\n"...)
	}
	return false
}
