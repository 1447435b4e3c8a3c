// Package plot draws line charts as SVG: latency percentiles, with an axis on
// which every further nine takes the same room, and scaling over threads.
package plot

import (
	"fmt"
	"math"
	"strings"

	"sherd/internal/load/latency"
)

// Chart is a line chart.
type Chart struct {
	title, x, y string
	percentiles bool // x is a quantile, drawn as log10(1/(1-q)); y is logarithmic
	series      []series
}

type series struct {
	name   string
	points []XY
}

// XY is a point.
type XY struct{ X, Y float64 }

// Percentiles returns an empty chart of latency, in microseconds, over
// quantiles.
func Percentiles(title string) *Chart {
	return &Chart{title: title, x: "percentile", y: "latency", percentiles: true}
}

// Lines returns an empty chart with linear axes that begin at zero.
func Lines(title, x, y string) *Chart { return &Chart{title: title, x: x, y: y} }

// Add adds a curve of percentiles.
func (c *Chart) Add(name string, points []latency.Point) {
	s := series{name: name}
	for _, p := range points {
		if p.Quantile < 1 { // the maximum has no place on the axis
			s.points = append(s.points, XY{-math.Log10(1 - p.Quantile), p.Micros})
		}
	}
	c.series = append(c.series, s)
}

// AddXY adds a line with marks at its points.
func (c *Chart) AddXY(name string, points []XY) {
	c.series = append(c.series, series{name, points})
}

// Series is how many lines the chart has.
func (c *Chart) Series() int { return len(c.series) }

// The drawing's measures, in pixels.
const (
	width, height                    = 860, 480
	left, right, top, bottom         = 80, 190, 50, 60
	plotWidth                        = width - left - right
	plotHeight                       = height - top - bottom
	fontSize, lineHeight, legendLeft = 13, 20, width - right + 16
)

// colors are told apart by most people, colour-blind ones too (Okabe and Ito).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"}

// SVG draws the chart.
func (c *Chart) SVG() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="%d">`+"\n",
		width, height, width, height, fontSize)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	text(&b, left, 28, "start", "16", c.title)
	x, y := c.axes()
	for _, t := range x.ticks {
		at := left + x.place(t.value)*plotWidth
		rule(&b, at, top, at, top+plotHeight)
		text(&b, at, top+plotHeight+18, "middle", "", t.label)
	}
	for _, t := range y.ticks {
		at := top + (1-y.place(t.value))*plotHeight
		rule(&b, left, at, left+plotWidth, at)
		text(&b, left-8, at+4, "end", "", t.label)
	}
	text(&b, left+plotWidth/2, height-14, "middle", "", c.x)
	fmt.Fprintf(&b, `<text transform="translate(18 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", top+plotHeight/2, escape(c.y))
	for i, s := range c.series {
		color := colors[i%len(colors)]
		dash := ""
		if i >= len(colors) {
			dash = ` stroke-dasharray="6 3"`
		}
		var line strings.Builder
		for _, p := range s.points {
			px, py := left+x.place(p.X)*plotWidth, top+(1-y.place(p.Y))*plotHeight
			fmt.Fprintf(&line, "%.1f,%.1f ", px, py)
			if !c.percentiles {
				fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`+"\n", px, py, color)
			}
		}
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2"%s points="%s"/>`+"\n", color, dash, strings.TrimSpace(line.String()))
		at := float64(top + 8 + i*lineHeight)
		fmt.Fprintf(&b, `<line x1="%d" y1="%.0f" x2="%d" y2="%.0f" stroke="%s" stroke-width="3"%s/>`+"\n", legendLeft, at, legendLeft+22, at, color, dash)
		text(&b, legendLeft+28, at+4, "start", "", s.name)
	}
	fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#333"/>`+"\n", left, top, plotWidth, plotHeight)
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func rule(b *strings.Builder, x1, y1, x2, y2 float64) {
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", x1, y1, x2, y2)
}

func text(b *strings.Builder, x, y float64, anchor, size, s string) {
	if size != "" {
		size = ` font-size="` + size + `"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, size, escape(s))
}

// escape makes s fit for XML: the characters with a meaning are spelled out,
// those XML cannot hold are left out.
func escape(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(strings.ToValidUTF8(s, "?")))
}
