//go:build linux

package uring

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onThread runs the test on a locked thread, for every kind of ring.
func onThread(t *testing.T, test func(t *testing.T, r *Ring)) {
	t.Helper()
	for name, want := range map[string]Features{"all": All, "bare": {}} {
		t.Run(name, func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			test(t, ring(t, want))
		})
	}
}

func pair(t *testing.T) [2]int {
	t.Helper()
	sp, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeBoth(sp) })
	return sp
}

func collect(t *testing.T, r *Ring, n int) []CQE {
	t.Helper()
	cqes, err := r.collect(n)
	if err != nil || len(cqes) != n {
		t.Fatalf("%d completions of %d, %v", len(cqes), n, err)
	}
	return cqes
}

func TestEnterTimeout(t *testing.T) {
	onThread(t, func(t *testing.T, r *Ring) {
		const nap = 5 * time.Millisecond
		begin := time.Now()
		for range 10 {
			if err := r.Enter(nap, false); err != nil {
				t.Fatal(err)
			}
		}
		// A signal may cut some of them short.
		if d := time.Since(begin); d < 5*nap {
			t.Errorf("ten times %v took %v", nap, d)
		}
		if err := r.Enter(0, false); err != nil {
			t.Fatal(err)
		}
		if from, to := r.Completions(); from != to {
			t.Errorf("%d completions out of nothing", to-from)
		}
	})
}

// TestFullRings stages more entries than there is room for, and has more
// completions come than the ring holds: none may be lost.
func TestFullRings(t *testing.T) {
	onThread(t, func(t *testing.T, r *Ring) {
		sp := pair(t)
		const sends = 100 // the rings have 8 and 16
		for i := range sends {
			e := r.Next()
			if e == nil {
				if r.Staged() == 0 {
					t.Fatal("no entry though none is staged")
				}
				if err := r.Flush(); err != nil {
					t.Fatal(err)
				}
				e = r.Next()
			}
			e.Send(int32(sp[0]), uint64(i), []byte{byte(i)})
		}
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
		if r.Staged() != 0 || !r.Overflown() {
			t.Fatalf("%d staged, overflown %v", r.Staged(), r.Overflown())
		}
		for i, c := range collect(t, r, sends) {
			if c.Tag != uint64(i) || c.Res != 1 {
				t.Fatalf("completion %d is %+v", i, c)
			}
		}
		if r.Overflown() {
			t.Error("still overflown")
		}
		got := make([]byte, sends)
		if n, err := unix.Read(sp[1], got); n != sends || err != nil {
			t.Fatalf("read %d, %v", n, err)
		}
	})
}

func TestCancelAndClose(t *testing.T) {
	onThread(t, func(t *testing.T, r *Ring) {
		b, err := r.NewBufRing(1, 2, 4096, false)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		b.Give(0)
		b.Publish()
		sp := pair(t)
		r.Next().Recv(int32(sp[0]), 1, 1, false)
		r.Next().Cancel(99, 2)
		if c := collect(t, r, 1)[0]; c.Tag != 2 || unix.Errno(-c.Res) != unix.ENOENT {
			t.Errorf("cancelling nothing: %+v", c)
		}
		r.Next().Cancel(1, 3)
		if c := collect(t, r, 1)[0]; c.Tag != 1 || unix.Errno(-c.Res) != unix.ECANCELED {
			t.Errorf("cancelled receive: %+v", c)
		}
		fd, err := unix.Dup(sp[0])
		if err != nil {
			t.Fatal(err)
		}
		r.Next().Close(int32(fd), 4)
		r.Next().Close(int32(fd), 5)
		if c := collect(t, r, 1)[0]; c.Tag != 5 || unix.Errno(-c.Res) != unix.EBADF {
			t.Errorf("closing twice: %+v", c)
		}
	})
}

// TestBufRing sends through plain and incremental buffers, more than there are,
// and compares.
func TestBufRing(t *testing.T) {
	features, err := Probe(All)
	if err != nil {
		t.Skip(err)
	}
	for name, incremental := range map[string]bool{"plain": false, "incremental": true} {
		t.Run(name, func(t *testing.T) {
			if incremental && !features.Incremental || !features.MultishotRecv {
				t.Skip("the kernel has it not")
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			r := ring(t, features)
			const count, size = 4, 1000
			b, err := r.NewBufRing(1, count, size, incremental)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			for id := range count {
				b.Give(id)
			}
			b.Publish()
			sp := pair(t)
			r.Next().Recv(int32(sp[0]), 1, 1, true)

			var sent, got []byte
			ranOut := 0
			for i := range 200 {
				message := bytes.Repeat([]byte{byte(i)}, 1+i*7%600)
				sent = append(sent, message...)
				if _, err := unix.Write(sp[1], message); err != nil {
					t.Fatal(err)
				}
				for len(got) < len(sent) {
					cqes, err := r.collect(1)
					if err != nil {
						t.Fatal(err)
					}
					for i := range cqes {
						c := &cqes[i]
						if c.Flags&FlagBuffer != 0 {
							data, id, ours := b.Take(c)
							got = append(got, data...)
							if ours {
								b.Give(id)
							}
						} else if !errors.Is(unix.Errno(-c.Res), unix.ENOBUFS) {
							t.Fatalf("%+v", c)
						} else {
							ranOut++
						}
						if c.Flags&FlagMore == 0 {
							b.Publish()
							r.Next().Recv(int32(sp[0]), 1, 1, true)
						}
					}
				}
				if i%5 == 0 { // late enough for them to run out
					b.Publish()
				}
			}
			if !bytes.Equal(got, sent) {
				t.Error("other bytes arrived than were sent")
			}
			t.Logf("ran out of buffers %d times", ranOut)
		})
	}
}
