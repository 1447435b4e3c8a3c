// Package value is the containers behind one face: what the keyspace has to do
// with a value without knowing what it holds. Strings are the table's own
// affair and never come here.
package value

import (
	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/stream"
	"sherd/internal/store/zset"
)

// Handle is a container: its kind, its encoding, which is the kind's own, and
// where its root is.
type Handle struct {
	Kind     dash.Kind
	Encoding uint8
	Ref      heap.Ref
}

// Of returns the container of an entry that is not a string.
func Of(e dash.Entry) Handle { return Handle{e.Kind(), e.Encoding(), e.Ref()} }

// Free frees about budget blocks of a container and returns what is left of it,
// to be freed later; its Ref is 0 when nothing is. What was begun can only be
// gone on with.
func (v Handle) Free(h *heap.Heap, budget int) Handle {
	switch v.Kind {
	case dash.ZSet:
		v.Ref = zset.Free(h, v.Encoding, v.Ref, budget)
	case dash.Set:
		v.Ref = set.Free(h, v.Encoding, v.Ref, budget)
	case dash.Hash:
		v.Ref = hash.Free(h, v.Encoding, v.Ref, budget)
	case dash.List:
		v.Ref = list.Free(h, v.Encoding, v.Ref, budget)
	case dash.Stream:
		v.Ref = stream.Free(h, v.Encoding, v.Ref, budget)
	}
	return v
}

// Copy makes a copy of a container in another heap, or the same. False: out of
// memory, and nothing is left behind.
func (v Handle) Copy(to, from *heap.Heap) (Handle, bool) {
	switch v.Kind {
	case dash.ZSet:
		r, ok := zset.Copy(to, from, v.Encoding, v.Ref)
		return Handle{v.Kind, v.Encoding, r}, ok
	case dash.Set:
		r, ok := set.Copy(to, from, v.Encoding, v.Ref)
		return Handle{v.Kind, v.Encoding, r}, ok
	case dash.Hash:
		r, ok := hash.Copy(to, from, v.Encoding, v.Ref)
		return Handle{v.Kind, v.Encoding, r}, ok
	case dash.List:
		r, ok := list.Copy(to, from, v.Encoding, v.Ref)
		return Handle{v.Kind, v.Encoding, r}, ok
	case dash.Stream:
		r, ok := stream.Copy(to, from, v.Encoding, v.Ref)
		return Handle{v.Kind, v.Encoding, r}, ok
	}
	return v, false
}

// SizeBytes is the memory that a container takes, in class sizes.
func (v Handle) SizeBytes(a *heap.Arena) int64 {
	switch v.Kind {
	case dash.ZSet:
		return zset.SizeBytes(a, v.Encoding, v.Ref)
	case dash.Set:
		return set.SizeBytes(a, v.Encoding, v.Ref)
	case dash.Hash:
		return hash.SizeBytes(a, v.Encoding, v.Ref)
	case dash.List:
		return list.SizeBytes(a, v.Encoding, v.Ref)
	case dash.Stream:
		return stream.SizeBytes(a, v.Encoding, v.Ref)
	}
	return 0
}

// EncodingName is what OBJECT ENCODING says.
func (v Handle) EncodingName() string {
	switch v.Kind {
	case dash.ZSet:
		return zset.EncodingName(v.Encoding)
	case dash.Set:
		return set.EncodingName(v.Encoding)
	case dash.Hash:
		return hash.EncodingName(v.Encoding)
	case dash.List:
		return list.EncodingName(v.Encoding)
	case dash.Stream:
		return stream.EncodingName(v.Encoding)
	}
	return "unknown"
}

// HasRoomForDeadlines tells whether the container is of a form in which elements may
// have deadlines of their own.
func (v Handle) HasRoomForDeadlines() bool {
	return v.Kind == dash.Hash && v.Encoding != hash.Packed || v.Kind == dash.Set && v.Encoding == set.Hashed
}

// NextDeadline is a time before which no deadline of an element passes; 0: none ever
// does.
func (v Handle) NextDeadline(h *heap.Heap) int64 {
	switch {
	case !v.HasRoomForDeadlines():
		return 0
	case v.Kind == dash.Hash:
		s := hash.Open(h, v.Encoding, v.Ref, 0)
		return s.NextDeadline()
	}
	s := set.Open(h, v.Encoding, v.Ref)
	return s.NextDeadline()
}

// Expire removes elements whose deadline has passed, looking at about budget pieces
// of a large container, and returns where it is now; its Ref is 0 if nothing is left
// of it. next is a time before which no other is due, 0 if there is none; more tells
// that others are due already.
func (v Handle) Expire(h *heap.Heap, nowMs int64, budget int) (now Handle, removed int, next int64, more bool) {
	switch {
	case !v.HasRoomForDeadlines():
	case v.Kind == dash.Hash:
		s := hash.Open(h, v.Encoding, v.Ref, nowMs)
		removed, next, more = s.Expire(budget)
		if v.Ref = s.Ref(); s.Held() == 0 {
			s.Free()
			v.Ref = 0
		}
	default:
		s := set.OpenAt(h, v.Encoding, v.Ref, nowMs)
		removed, next, more = s.Expire(budget)
		if v.Ref = s.Ref(); s.Held() == 0 {
			s.Free()
			v.Ref = 0
		}
	}
	return v, removed, next, more
}
