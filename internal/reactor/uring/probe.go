//go:build linux

package uring

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// All is everything there is to want.
var All = Features{
	SingleIssuer: true, DeferTaskrun: true, NoSQArray: true, RegisteredRing: true, NoIowait: true,
	MultishotAccept: true, MultishotRecv: true, Incremental: true, QuietSend: true,
}

// Probe finds out which of want this kernel can do, by doing it on a ring and a
// socket pair of its own, and fails when the kernel forbids io_uring or has not
// even buffer rings. It takes well under a millisecond.
func Probe(want Features) (Features, error) {
	type result struct {
		got Features
		err error
	}
	done := make(chan result)
	go func() {
		// A ring is of the thread that made it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		got, err := probe(want)
		done <- result{got, err}
	}()
	r := <-done
	return r.got, r.err
}

func probe(want Features) (got Features, err error) {
	r, err := New(8, 32, want)
	if err != nil {
		return got, err
	}
	defer r.Close()
	got = r.features
	got.MultishotAccept = want.MultishotAccept // came with buffer rings

	// A plain buffer ring is what everything rests on.
	plain, err := probeRecv(r, want, false)
	if err != nil {
		return got, err
	}
	got.MultishotRecv = want.MultishotRecv && plain
	if want.Incremental && got.MultishotRecv {
		inc, err := probeRecv(r, want, true)
		got.Incremental = err == nil && inc
	}
	got.QuietSend = want.QuietSend && probeQuietSend(r)
	return got, nil
}

var errProbe = errors.New("io_uring probe: unexpected completion")

// collect enters the ring until it has n completions, and copies them.
func (r *Ring) collect(n int) ([]CQE, error) {
	var out []CQE
	for range 100 {
		if err := r.Enter(10*time.Millisecond, false); err != nil {
			return out, err
		}
		from, to := r.Completions()
		for ; from != to; from++ {
			out = append(out, *r.At(from))
		}
		r.Seen(to)
		if len(out) >= n {
			return out, nil
		}
	}
	return out, errProbe
}

// probeRecv receives two messages and the end of the stream with one multishot
// receive and reports whether all was as it should be. An error means that
// there are no buffer rings of the kind.
func probeRecv(r *Ring, want Features, incremental bool) (bool, error) {
	const group, size = 7, 64
	ring, err := r.NewBufRing(group, 4, size, incremental)
	if err != nil {
		return false, err
	}
	defer ring.Close()
	if !want.MultishotRecv {
		return false, nil
	}
	for id := range 4 {
		ring.Give(id)
	}
	ring.Publish()

	sp, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false, fmt.Errorf("io_uring probe: %w", err)
	}
	defer closeBoth(sp)
	r.Next().Recv(int32(sp[0]), 1, group, true)
	for i, message := range []string{"one", "two"} {
		if _, err := unix.Write(sp[1], []byte(message)); err != nil {
			return false, err
		}
		cqes, err := r.collect(1)
		if err != nil || len(cqes) != 1 {
			return false, nil //nolint:nilerr // it does not work: that is the answer
		}
		c := &cqes[0]
		if c.Res != 3 || c.Flags&(FlagBuffer|FlagMore) != FlagBuffer|FlagMore {
			return false, nil
		}
		data, id, ours := ring.Take(c)
		wantID, wantOurs := i, true
		if incremental {
			wantID, wantOurs = 0, false
		}
		if string(data) != message || id != wantID || ours != wantOurs {
			return false, nil
		}
	}
	_ = unix.Shutdown(sp[1], unix.SHUT_WR)
	cqes, err := r.collect(1)
	return err == nil && len(cqes) == 1 && cqes[0].Res == 0 && cqes[0].Flags&FlagMore == 0, nil
}

// probeQuietSend fills a socket's buffer with quiet sends: those that are taken
// whole must be silent, the one that is not must say how much was, and the next
// one EAGAIN.
func probeQuietSend(r *Ring) bool {
	sp, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer closeBoth(sp)
	_ = unix.SetsockoptInt(sp[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 16<<10)
	block := bytes.Repeat([]byte("0123456789abcdef"), 4<<10) // much more than the buffer
	r.Next().SendQuiet(int32(sp[0]), 1, block[:16])
	r.Next().SendQuiet(int32(sp[0]), 2, block)
	r.Next().SendQuiet(int32(sp[0]), 3, block)
	cqes, err := r.collect(2)
	runtime.KeepAlive(block)
	if err != nil || len(cqes) != 2 || r.Staged() != 0 {
		return false
	}
	sent := 16 + int(cqes[0].Res)
	if cqes[0].Tag != 2 || cqes[0].Res <= 0 || int(cqes[0].Res) >= len(block) ||
		cqes[1].Tag != 3 || cqes[1].Res != -int32(unix.EAGAIN) {
		return false
	}
	// What it says it took must be what arrived.
	arrived := 0
	for {
		n, _, err := unix.Recvfrom(sp[1], block, unix.MSG_DONTWAIT)
		if err != nil || n == 0 {
			break
		}
		arrived += n
	}
	return arrived == sent
}

func closeBoth(sp [2]int) {
	_ = unix.Close(sp[0])
	_ = unix.Close(sp[1])
}
