// Package heap is the store's memory. It lies off the Go heap, so the collector
// neither scans nor counts it, and it is given out as offsets, so blocks can be
// moved and the address range can be checked.
//
// # Terms
//
//	arena    the address space of a server: reserved at once, made accessible in
//	         steps, never unmapped before Close
//	chunk    64 KiB of the arena; free, or held by one heap
//	unit     512 bytes; a chunk has 128
//	span     1 to 16 units in a row with up to 64 blocks of one size class
//	block    what Alloc returns
//	heap     an allocator that holds chunks; there is one for each slice
//	Ref      where a block is: its distance from the arena's base, in words of
//	         8 bytes; 35 bits reach 256 GiB; 0 is nil, because chunk 0 is never used
//
// A heap is used under its slice's latch, so nothing in it is atomic, no block is
// ever freed by somebody else's thread, and Used is exact at every moment. Heaps
// meet only where they take chunks and give them back: in chunkMap, a bitmap that
// is changed by compare-and-swap, so that a thread the scheduler has parked there
// makes nobody wait.
//
// # Sizes
//
//	  8 …   256   multiples of 8
//	288 … 32768   eight steps to each power of two
//	      above   multiples of 4 KiB
//
// Blocks whose size is a multiple of 512, up to 32 KiB, are runs of units without a
// span: so the segments of a table, 4096, 4608, 5120 … bytes, fit exactly. Larger
// ones are runs of whole chunks; what remains of the last chunk is address space
// only. All others share spans.
//
// # A chunk
//
//	units   0      …      c     c+1          …                       127
//	       ┌───────────┬───────────┬──────┬─────────────┬────────────┬──┐
//	       │ spans     │ header    │ span │ block 4608  │ span       │  │ free
//	       └───────────┴───────────┴──────┴─────────────┴────────────┴──┘
//	                    ╰ 1 KiB: 128 bytes that say whose each unit is;
//	                      bitmaps of free and of fresh (untouched) units;
//	                      34 span records of 24 bytes
//	       span record: │ free: a bit per block │ next, prev │ first unit, units,
//	                    │ blocks, class │
//
// The header's place c is 2 × (chunk index mod 32): were it always the first, the
// headers of all chunks, and in them the words that every Alloc and Free needs,
// would share a few sets of the processor's caches. Records that do not fit take
// further units. A chunk is filled from its header's page on, and the heap's own
// state (the lists of spans with a free block by class, and of chunks by their
// longest run of free units) is a unit of its first chunk. So a heap of a few
// small objects and a table's first segment touches one page.
//
// Alloc takes the lowest free bit of the first span on its class's list. Free finds
// the span through the byte of the block's unit and the bit by a multiplication. A
// new span is as large as an eighth of what its class has, so small heaps are dense
// in spite of many classes, and it fills a hole rather than start a new chunk.
//
// # What is never true
//
// Each is tested by Check, which the tests call after every step:
//   - a unit that is free and someone's, or part of two spans or blocks;
//   - a span with a free block that is not on its class's list, a full one that is;
//   - an empty span, except as the only one on its list in a class that has others;
//   - an empty chunk, except for one spare and the one with the state;
//   - a block handed out of a chunk that is being evacuated;
//   - Used, Held or Idle that differ from what counting everything gives.
//
// Builds with the tag invariants check the arguments of Free and fill what is free
// with poison. Race builds take the arena from the Go heap, because the detector
// sees nothing else.
//
// # How memory goes back
//
//   - A span that becomes empty frees its units, a chunk that becomes empty goes to
//     the arena, where every heap can take it; one of each is kept for the next
//     need, but no span of a class that has no other.
//   - Heap.Trim gives these up and returns the free pages inside of chunks.
//   - PlanEvacuation marks sparse chunks; the owner moves their blocks (evacuate.go).
//   - Detach empties a heap in constant time, Detached.Free gives back in slices.
//   - Arena.Trim, in the background, returns the memory behind free chunks, in
//     batches, because every such call interrupts all cores.
//
// Memory that went back stays readable and reads as zeros: an optimistic reader with
// a stale or torn Ref may look at it. Memory is not cleared when it is allocated: a
// block holds whatever was there, and zeros only if it is fresh.
//
// # Pages
//
// Pages are not prefaulted and are small, both because it was measured:
// docs/decisions/0003-heap.md. Options.HugePages changes the second.
//
// # Costs
//
// Measured on a 2-core EPYC VM that was busy with other things; times are scaled
// to its full speed by BenchmarkYardstick. A pair of Alloc and Free, warm: 12 ns
// for 48 bytes, 16 ns where it fills and opens a span each time, 50 ns for 1 KiB
// and 80 ns for 4608 bytes of units.
// 512 heaps with 10,000 blocks of 48 bytes each: Held is 1.024 times Used, and
// 49.3 bytes are resident per block. With sizes from 40 to 63 bytes, 2,000, 10,000
// and 50,000 to a heap, Held is 1.10, 1.034 and 1.020 times Used, from 24 to 103
// bytes 1.14, 1.06 and 1.027, from 64 to 1023 bytes 1.09, 1.05 and 1.03. A heap of
// three blocks has 4 KiB resident. After a random 90 % of 10,000 blocks of 48 bytes
// were freed in each of many heaps, evacuation leaves 1.11 times Used resident, of
// 10.2; of ten size classes 1.19, of one large heap 1.11. A plan takes 2 µs for such
// a heap, moving a block 20 ns.
package heap
