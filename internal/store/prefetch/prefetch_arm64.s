#include "textflag.h"

// func Prefetch(p unsafe.Pointer)
TEXT ·Prefetch(SB), NOSPLIT, $0-8
	MOVD	p+0(FP), R0
	PRFM	(R0), PLDL1KEEP
	RET

// func PrefetchAll(ps []unsafe.Pointer)
TEXT ·PrefetchAll(SB), NOSPLIT, $0-24
	MOVD	ps_base+0(FP), R1
	MOVD	ps_len+8(FP), R2
	ADD	R2<<3, R1, R2
	B	check

loop:
	MOVD.P	8(R1), R0
	CBZ	R0, check
	PRFM	(R0), PLDL1KEEP

check:
	CMP	R2, R1
	BLO	loop
	RET

// func PrefetchPairs(ps []unsafe.Pointer, delta uintptr)
TEXT ·PrefetchPairs(SB), NOSPLIT, $0-32
	MOVD	ps_base+0(FP), R1
	MOVD	ps_len+8(FP), R2
	MOVD	delta+24(FP), R3
	ADD	R2<<3, R1, R2
	B	check

loop:
	MOVD.P	8(R1), R0
	CBZ	R0, check
	PRFM	(R0), PLDL1KEEP
	ADD	R3, R0, R4
	PRFM	(R4), PLDL1KEEP

check:
	CMP	R2, R1
	BLO	loop
	RET
