package geo

import "math"

const earthRadius = 6372797.560856 // m

// latitudes is the distance of two parallels in m.
func latitudes(a, b float64) float64 {
	return earthRadius * math.Abs(radians(b)-radians(a))
}

// Distance is the distance of two places in m, by the haversine formula.
func Distance(p, q Place) float64 {
	v := math.Sin((radians(q.Longitude) - radians(p.Longitude)) / 2)
	if v == 0 {
		return latitudes(p.Latitude, q.Latitude)
	}
	a, b := radians(p.Latitude), radians(q.Latitude)
	u := math.Sin((b - a) / 2)
	h := float64(u*u) + float64(float64(float64(math.Cos(a)*math.Cos(b))*v)*v)
	return 2 * earthRadius * math.Asin(math.Sqrt(h))
}

// Exact is Distance as the C library computes it.
func Exact(p, q Place) float64 {
	v := sine((radians(q.Longitude) - radians(p.Longitude)) / 2)
	if v == 0 {
		return latitudes(p.Latitude, q.Latitude)
	}
	a, b := radians(p.Latitude), radians(q.Latitude)
	u := sine((b - a) / 2)
	h := float64(u*u) + float64(float64(float64(cosine(a)*cosine(b))*v)*v)
	return 2 * earthRadius * arcsine(math.Sqrt(h))
}
