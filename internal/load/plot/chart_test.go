package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"sherd/internal/load/latency"
)

// parse reads the drawing as XML and returns its texts and how many elements
// of each name it has.
func parse(t *testing.T, svg []byte) (texts []string, elements map[string]int) {
	t.Helper()
	elements = map[string]int{}
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, elements
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		switch v := token.(type) {
		case xml.StartElement:
			elements[v.Name.Local]++
			for _, a := range v.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s has %s=%q", v.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			texts = append(texts, string(v))
		}
	}
}

func TestPercentileChart(t *testing.T) {
	h := latency.New()
	for i := int64(1); i <= 200_000; i++ {
		h.Record(i*100, 1)
	}
	c := Percentiles(`a <b> & "c"` + "\x00")
	c.Add("sherd", h.Summarize(true).Points)
	c.Add("redis-server", h.Summarize(true).Points)
	texts, elements := parse(t, c.SVG())
	if elements["polyline"] != 2 {
		t.Errorf("%d lines, want 2", elements["polyline"])
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{`a <b> & "c"`, "sherd", "redis-server", "50 %", "99.99 %", "10 ms"} {
		if !strings.Contains(all, want) {
			t.Errorf("text %q is missing", want)
		}
	}
}

func TestScalingChart(t *testing.T) {
	c := Lines("scaling", "threads", "operations per second")
	c.AddXY("sherd", []XY{{1, 219_000}, {2, 430_000}, {8, 1_130_000}})
	texts, elements := parse(t, c.SVG())
	if elements["circle"] != 3 || elements["polyline"] != 1 {
		t.Errorf("elements %v", elements)
	}
	if all := strings.Join(texts, "\n"); !strings.Contains(all, "1,000,000") || !strings.Contains(all, "8") {
		t.Errorf("ticks are missing in %q", all)
	}
}

func TestChartsOfNothing(t *testing.T) {
	parse(t, Percentiles("empty").SVG())
	parse(t, Lines("empty", "x", "y").SVG())
	c := Lines("odd", "x", "y")
	c.AddXY("odd", []XY{{math.NaN(), 1}, {1, math.Inf(1)}, {0, 0}})
	_ = c.SVG() // only what is finite has a place
}

func TestLinearAxis(t *testing.T) {
	for _, high := range []float64{.003, 1, 1.4, 2.9, 5, 7.5, 10, 99, 123456} {
		a := linear(high)
		if a.high < high || a.high > high*2 || len(a.ticks) < 3 || len(a.ticks) > 10 {
			t.Errorf("up to %g: axis to %g with %d ticks", high, a.high, len(a.ticks))
		}
	}
}
