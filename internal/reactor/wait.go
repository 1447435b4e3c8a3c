package reactor

import (
	"os"
	"strings"
	"time"
)

// A loop with nothing to do waits in a system call, of which the Go scheduler
// can be told or not.
//
// A long wait tells it (Syscall): the loop's P may be taken and used by others.
// But the runtime's monitor thread then takes an interest: a goroutine that never
// ends its time slice and is found in a system call loses its P after 10 ms, and
// each time the monitor has taken one it looks every 20 µs for a millisecond and
// more. Under load that was 1,500 wake-ups a second, up to a third of the
// server's CPU time where timers and context switches are dear.
//
// A brief wait does not tell it (RawSyscall). The loop looks like running code to
// the scheduler, which is right for a wait of microseconds. Whoever wants to
// stop the world, or scan the stack, sends the thread a signal and repeats it
// every 100 µs; the signal ends the wait, and the next function call is where the
// goroutine stops. The monitor asks for the time slice in the same way after
// 10 ms, so a brief wait that does not come to an end is ended, and the loop
// waits on with a long one: an idle loop is out of the scheduler's way, and costs
// nothing.
//
// docs/decisions/0005-waiting.md has the figures.

// briefWait is how soon a long wait has to have ended for the next one to be
// begun as a brief one.
const briefWait = time.Millisecond

// canWaitBriefly reports whether the runtime interrupts what it takes for
// running code. It does unless somebody has forbidden it.
func canWaitBriefly() bool {
	return !strings.Contains(os.Getenv("GODEBUG"), "asyncpreemptoff=1")
}

// waitBegins is called before a wait that may sleep; the result is when it began,
// if waitEnds has to know.
func (l *Loop) waitBegins() (began time.Time) {
	if !l.brief && l.group.options.BriefWaits {
		began = time.Now()
	}
	return began
}

// waitEnds decides about the next wait. events tells whether the last one brought
// any.
func (l *Loop) waitEnds(began time.Time, events bool) {
	if l.brief {
		l.brief = events
	} else if !began.IsZero() {
		l.brief = events && time.Since(began) < briefWait
	}
}
