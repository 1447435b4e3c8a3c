package command

import "time"

// wallMicros is the time in microseconds since the epoch: the system's, or the
// set clock's when the server runs on one.
func wallMicros(x *Ctx) int64 {
	if x.KS.Clock.Manual() {
		return x.KS.Clock.Now() * 1000
	}
	return time.Now().UnixMicro()
}
