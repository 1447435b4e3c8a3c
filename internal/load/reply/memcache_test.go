package reply

import "testing"

func TestMemcacheReplies(t *testing.T) {
	cases := []struct {
		text  string
		class Class
	}{
		{"END\r\n", Null},
		{"VALUE k 0 5\r\nhello\r\nEND\r\n", Fine},
		{"VALUE k 0 5 77\r\nEND\r\n\r\nEND\r\n", Fine}, // data that looks like an end
		{"VALUE a 0 0\r\n\r\nVALUE b 1 1\r\nx\r\nEND\r\n", Fine},
		{"STORED\r\n", Fine},
		{"NOT_STORED\r\n", Fine},
		{"EXISTS\r\n", Fine},
		{"NOT_FOUND\r\n", Null},
		{"DELETED\r\n", Fine},
		{"TOUCHED\r\n", Fine},
		{"OK\r\n", Fine},
		{"7\r\n", Fine},
		{"VERSION 1.6.0\r\n", Fine},
		{"STAT a 1\r\nSTAT b 2\r\nEND\r\n", Fine},
		{"ERROR\r\n", Error},
		{"CLIENT_ERROR bad data chunk\r\n", Error},
		{"SERVER_ERROR out of memory storing object\r\n", Error},
		{"HD\r\n", Fine},
		{"EN\r\n", Null},
		{"NF\r\n", Null},
		{"VA 2 t0\r\n\r\n\r\n", Fine},
		{"MN\r\n", Fine},
	}
	for _, c := range cases {
		for cut := range len(c.text) {
			if n, _ := Memcache([]byte(c.text[:cut])); n != 0 && cut < len(c.text) && cut > 2 {
				t.Errorf("%q cut at %d: taken for %d bytes", c.text, cut, n)
			}
		}
		n, class := Memcache([]byte(c.text + "VALUE next"))
		if n != len(c.text) || class != c.class {
			t.Errorf("%q: %d bytes of class %d, want %d of %d", c.text, n, class, len(c.text), c.class)
		}
	}
	for _, bad := range []string{"\n\n", "VALUE k 0 x\r\n", "VALUE k\r\n", "VA x\r\n"} {
		if _, class := Memcache([]byte(bad)); class != Broken {
			t.Errorf("%q was taken for a reply of class %d", bad, class)
		}
	}
}

func FuzzMemcache(f *testing.F) {
	f.Add([]byte("VALUE k 0 5\r\nhello\r\nEND\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, _ := Memcache(b); n < 0 || n > len(b) {
			t.Fatalf("%d bytes of %d", n, len(b))
		}
	})
}
