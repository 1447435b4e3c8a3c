package geo

import "math"

// Kind is the kind of a shape.
type Kind uint8

// Kinds of shapes.
const (
	Circle Kind = iota
	Box
	Polygon
)

// Shape is what places are looked for in. Lengths are in m.
type Shape struct {
	Kind          Kind
	Center        Place // of a polygon SetVertices finds it
	Radius        float64
	Width, Height float64
	vertices      []Place
	bounds        area // of the polygon
}

// SetVertices makes the shape a polygon, which closes itself. Its center is where
// the mean of the vertices, as points of a ball, lies under the surface.
func (s *Shape) SetVertices(v []Place) {
	s.Kind = Polygon
	s.vertices = v
	s.bounds = area{v[0].Longitude, v[0].Latitude, v[0].Longitude, v[0].Latitude}
	var x, y, z float64
	for _, p := range v {
		lon, lat := radians(p.Longitude), radians(p.Latitude)
		x += math.Cos(lat) * math.Cos(lon)
		y += math.Cos(lat) * math.Sin(lon)
		z += math.Sin(lat)
		s.bounds.west = min(s.bounds.west, p.Longitude)
		s.bounds.east = max(s.bounds.east, p.Longitude)
		s.bounds.south = min(s.bounds.south, p.Latitude)
		s.bounds.north = max(s.bounds.north, p.Latitude)
	}
	s.Center = Place{degrees(math.Atan2(y, x)), degrees(math.Atan2(z, math.Hypot(x, y)))}
}

// edge is how near, as a part of the distance, a place has to be to an edge for
// Distance not to be trusted.
const edge = 1e-12

// within tells whether two places are no farther from one another than m, and if
// so, about how far they are. Most that are farther lie on parallels that are, too,
// and need no sine.
func within(p, q Place, m float64) (float64, bool) {
	if latitudes(p.Latitude, q.Latitude)-m > 2*edge*earthRadius {
		return 0, false
	}
	d := Distance(p, q)
	if math.Abs(d-m) <= edge*earthRadius {
		return d, Exact(p, q) <= m
	}
	return d, d <= m
}

// Contains tells whether a place is within the shape and about how far it is from
// the center, in m.
func (s *Shape) Contains(p Place) (distance float64, ok bool) {
	switch s.Kind {
	case Circle:
		return within(s.Center, p, s.Radius)
	case Box:
		if latitudes(p.Latitude, s.Center.Latitude) > s.Height/2 {
			return 0, false
		}
		if _, ok := within(p, Place{s.Center.Longitude, p.Latitude}, s.Width/2); !ok {
			return 0, false
		}
	default:
		if !s.surrounds(p) {
			return 0, false
		}
	}
	return Distance(s.Center, p), true
}

// surrounds counts the polygon's edges that a ray from the place to the east
// crosses: the place is inside if they are odd.
func (s *Shape) surrounds(p Place) bool {
	inside := false
	b := s.vertices[len(s.vertices)-1]
	for _, a := range s.vertices {
		if (a.Latitude > p.Latitude) != (b.Latitude > p.Latitude) &&
			p.Longitude < (b.Longitude-a.Longitude)*(p.Latitude-a.Latitude)/(b.Latitude-a.Latitude)+a.Longitude {
			inside = !inside
		}
		b = a
	}
	return inside
}

// box is the bounds of a shape: where meridians lie closer together, which is
// nearer to the pole, it takes more of them.
func (s *Shape) box() area {
	if s.Kind == Polygon {
		return s.bounds
	}
	height, width := s.Radius, s.Radius
	if s.Kind == Box {
		height, width = s.Height/2, s.Width/2
	}
	c := s.Center
	lat := degrees(height / earthRadius)
	far := c.Latitude + lat
	if c.Latitude < 0 {
		far = c.Latitude - lat
	}
	lon := degrees(width / earthRadius / math.Cos(radians(far)))
	return area{c.Longitude - lon, c.Latitude - lat, c.Longitude + lon, c.Latitude + lat}
}

// reach is how far from the center the shape may extend, in m.
func (s *Shape) reach() float64 {
	switch s.Kind {
	case Circle:
		return s.Radius
	case Box:
		w, h := s.Width/2, s.Height/2
		return math.Sqrt(w*w + h*h)
	}
	far := 0.0
	for _, p := range s.vertices {
		far = max(far, Distance(s.Center, p))
	}
	return far
}
