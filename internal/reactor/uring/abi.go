//go:build linux

package uring

import "unsafe"

// The numbers and layouts of include/uapi/linux/io_uring.h.

// Flags of io_uring_setup.
const (
	setupCQSize       = 1 << 3
	setupSubmitAll    = 1 << 7
	setupCoopTaskrun  = 1 << 8
	setupSingleIssuer = 1 << 12
	setupDeferTaskrun = 1 << 13
	setupNoSQArray    = 1 << 16
)

// Feature bits that setup reports.
const (
	featSingleMmap = 1 << 0
	featNoDrop     = 1 << 1
	featFastPoll   = 1 << 5
	featExtArg     = 1 << 8
	featCQESkip    = 1 << 11
	featNoIowait   = 1 << 17
)

// Flags of io_uring_enter.
const (
	enterGetEvents      = 1 << 0
	enterExtArg         = 1 << 3
	enterRegisteredRing = 1 << 4
	enterNoIowait       = 1 << 7
)

// Opcodes of io_uring_register.
const (
	registerRingFds     = 20
	unregisterRingFds   = 21
	registerPbufRing    = 22
	unregisterPbufRing  = 23
	pbufRingIncremental = 1 << 1
)

// Opcodes of entries.
const (
	opPollAdd     = 6
	opAccept      = 13
	opAsyncCancel = 14
	opClose       = 19
	opSend        = 26
	opRecv        = 27
)

// Flags of entries.
const (
	sqeBufferSelect   = 1 << 5
	sqeCQESkipSuccess = 1 << 6

	acceptMultishot = 1 << 0 // in ioprio
	recvMultishot   = 1 << 1 // in ioprio
	pollAddMulti    = 1 << 0 // in len
)

const sqFlagOverflow = 1 << 1 // in the submission ring's flags

// Flags of completions.
const (
	FlagBuffer  = 1 << 0 // a provided buffer was used, see CQE.Buffer
	FlagMore    = 1 << 1 // the operation goes on and will complete again
	FlagBufMore = 1 << 4 // incremental: the buffer has room left and stays the kernel's
)

// offsets of the mapped submission ring (struct io_sqring_offsets).
type sqOffsets struct {
	head, tail, ringMask, ringEntries, flags, dropped, array, resv1 uint32
	userAddr                                                        uint64
}

// offsets of the mapped completion ring (struct io_cqring_offsets).
type cqOffsets struct {
	head, tail, ringMask, ringEntries, overflow, cqes, flags, resv1 uint32
	userAddr                                                        uint64
}

// params is struct io_uring_params.
type params struct {
	sqEntries, cqEntries, flags, sqThreadCPU, sqThreadIdle, features, wqFd uint32
	resv                                                                   [3]uint32
	sqOff                                                                  sqOffsets
	cqOff                                                                  cqOffsets
}

// SQE is struct io_uring_sqe, a submission entry.
type SQE struct {
	opcode      uint8
	flags       uint8
	ioprio      uint16
	fd          int32
	off         uint64
	addr        uint64
	len         uint32
	opFlags     uint32
	userData    uint64
	bufGroup    uint16
	personality uint16
	fileIndex   uint32
	addr3       uint64
	pad         uint64
}

// CQE is struct io_uring_cqe, a completion: the Tag of the operation and its
// result, a negative errno when it failed.
type CQE struct {
	Tag   uint64
	Res   int32
	Flags uint32
}

// Buffer is the number of the provided buffer that was used.
func (c *CQE) Buffer() int { return int(c.Flags >> 16) }

// getEventsArg is struct io_uring_getevents_arg.
type getEventsArg struct {
	sigmask   uint64
	sigmaskSz uint32
	minWait   uint32
	ts        uint64
}

// timespec is struct __kernel_timespec.
type timespec struct{ sec, nsec int64 }

// bufReg is struct io_uring_buf_reg.
type bufReg struct {
	ringAddr    uint64
	ringEntries uint32
	bgid        uint16
	flags       uint16
	resv        [3]uint64
}

// buf is struct io_uring_buf. The resv field of the first one of a ring is the
// ring's tail.
type buf struct {
	addr uint64
	len  uint32
	bid  uint16
	resv uint16
}

// rsrcUpdate is struct io_uring_rsrc_update.
type rsrcUpdate struct {
	offset uint32
	resv   uint32
	data   uint64
}

// The kernel reads and writes these by their sizes.
var (
	_ [120]byte = [unsafe.Sizeof(params{})]byte{}
	_ [64]byte  = [unsafe.Sizeof(SQE{})]byte{}
	_ [16]byte  = [unsafe.Sizeof(CQE{})]byte{}
	_ [24]byte  = [unsafe.Sizeof(getEventsArg{})]byte{}
	_ [40]byte  = [unsafe.Sizeof(bufReg{})]byte{}
	_ [16]byte  = [unsafe.Sizeof(buf{})]byte{}
)
