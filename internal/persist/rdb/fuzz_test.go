package rdb

import (
	"testing"

	"sherd/internal/store/stream"
)

func id(ms uint64) stream.ID { return stream.ID{Ms: ms} }

// FuzzRestore reads a value into a heap: if that succeeds it is whole, and can be
// written and read again; if not, nothing is left.
func FuzzRestore(f *testing.F) {
	for i, c := range goldens {
		f.Add(c.form, c.version == versionValkey, i%2 == 0, []byte(c.body))
	}
	f.Fuzz(func(t *testing.T, form byte, valkey, small bool, body []byte) {
		if len(body) > 1<<14 {
			return
		}
		version := versionMost
		if valkey {
			version = versionValkey
		}
		lim := tight
		if small {
			lim = stock
		}
		lim.String = 1 << 20
		r := newRoom(t, 64<<20)
		l, err := r.load(form, version, body, lim, 50, false)
		if err == nil {
			if err := r.check(l); err != nil {
				t.Fatal(err)
			}
			want := r.show(l)
			lim.String = 1 << 30
			form, version, p := r.save(l, 1, small, 7)
			again, err := r.load(form, version, p, lim, 7, false)
			if err != nil {
				t.Fatalf("written as form %d: %v: %s", form, err, want)
			}
			if err := r.check(again); err != nil {
				t.Fatal(err)
			}
			r.free(again)
		}
		r.free(l)
		if used := r.h.Used() - r.table.TableBytes(); used != 0 {
			t.Fatalf("%d bytes are left (%v)", used, err)
		}
	})
}
