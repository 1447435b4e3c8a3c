#include "textflag.h"

// func Prefetch(p unsafe.Pointer)
TEXT ·Prefetch(SB), NOSPLIT, $0-8
	MOVQ	p+0(FP), AX
	PREFETCHT0	(AX)
	RET

// func PrefetchAll(ps []unsafe.Pointer)
TEXT ·PrefetchAll(SB), NOSPLIT, $0-24
	MOVQ	ps_base+0(FP), SI
	MOVQ	ps_len+8(FP), CX
	LEAQ	(SI)(CX*8), DI
	JMP	check

loop:
	MOVQ	(SI), AX
	ADDQ	$8, SI
	TESTQ	AX, AX
	JZ	check
	PREFETCHT0	(AX)

check:
	CMPQ	SI, DI
	JB	loop
	RET

// func PrefetchPairs(ps []unsafe.Pointer, delta uintptr)
TEXT ·PrefetchPairs(SB), NOSPLIT, $0-32
	MOVQ	ps_base+0(FP), SI
	MOVQ	ps_len+8(FP), CX
	MOVQ	delta+24(FP), BX
	LEAQ	(SI)(CX*8), DI
	JMP	check

loop:
	MOVQ	(SI), AX
	ADDQ	$8, SI
	TESTQ	AX, AX
	JZ	check
	PREFETCHT0	(AX)
	PREFETCHT0	(AX)(BX*1)

check:
	CMPQ	SI, DI
	JB	loop
	RET
