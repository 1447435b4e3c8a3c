//go:build linux

package uring

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Each of these fills in an entry that Next returned. tag comes back with the
// completions.

// Accept accepts connections from a listening socket, many when multishot,
// into close-on-exec descriptors.
func (e *SQE) Accept(fd int, tag uint64, multishot bool) {
	e.opcode = opAccept
	e.fd = int32(fd)
	e.opFlags = unix.SOCK_CLOEXEC
	e.userData = tag
	if multishot {
		e.ioprio = acceptMultishot
	}
}

// Recv receives into buffers of group, again and again when multishot, which
// ends with an error, the end of the stream or when the buffers run out.
func (e *SQE) Recv(fd int32, tag uint64, group uint16, multishot bool) {
	e.opcode = opRecv
	e.flags = sqeBufferSelect
	e.fd = fd
	e.userData = tag
	e.bufGroup = group
	if multishot {
		e.ioprio = recvMultishot
	}
}

// Send writes b, less than 4 GiB, waiting for room as long as it takes. The
// result may be less than all on kernels before 6.0.
func (e *SQE) Send(fd int32, tag uint64, b []byte) {
	e.send(fd, tag, b)
	e.opFlags = unix.MSG_WAITALL | unix.MSG_NOSIGNAL
}

// SendQuiet writes as much of b as there is room for, during the Enter that
// submits it. There is a completion only when that was not all of it: with the
// number of bytes, or EAGAIN for none. See Features.QuietSend.
func (e *SQE) SendQuiet(fd int32, tag uint64, b []byte) {
	e.send(fd, tag, b)
	e.flags = sqeCQESkipSuccess
	e.opFlags = unix.MSG_WAITALL | unix.MSG_DONTWAIT | unix.MSG_NOSIGNAL
}

func (e *SQE) send(fd int32, tag uint64, b []byte) {
	e.opcode = opSend
	e.fd = fd
	e.addr = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	e.len = uint32(len(b))
	e.userData = tag
}

// PollMultishot completes whenever fd becomes readable.
func (e *SQE) PollMultishot(fd int, tag uint64) {
	e.opcode = opPollAdd
	e.fd = int32(fd)
	e.len = pollAddMulti
	e.opFlags = unix.POLLIN
	e.userData = tag
}

// Cancel ends the operation with the tag target. It has a completion of its
// own, with tag, only when there is no such operation.
func (e *SQE) Cancel(target, tag uint64) {
	e.opcode = opAsyncCancel
	e.flags = sqeCQESkipSuccess
	e.fd = -1
	e.addr = target
	e.userData = tag
}

// Close closes a descriptor. It has a completion only when it fails.
func (e *SQE) Close(fd int32, tag uint64) {
	e.opcode = opClose
	e.flags = sqeCQESkipSuccess
	e.fd = fd
	e.userData = tag
}
