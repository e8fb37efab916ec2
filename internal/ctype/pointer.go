package ctype

// This file is the addresses of the abstract machine. They look like those of a program on
// x86-64 Linux: below 2^47, so that programs which keep something in the upper 17 bits of a
// pointer, or pointers in the payload of a NaN, find them as they left them; multiples of 16,
// so that low bits are free for tags; different in their low bits, so that hashes of pointers
// spread; and the stack lies above everything else.
//
// A block has an id, and its address follows from that alone. Memory is in cells, most of
// which hold one block and far more room than it takes: what is some way before or behind a
// block is still seen to belong to it. The first wideCells ids have cells of 4 GiB, the others
// of 128 KiB, of which a larger block takes several, and the ids that these have.

// StackBlock is set in the id of a block of the stack.
const StackBlock uint32 = 1 << 31

const (
	stackBase   Word = 1 << 46
	wideShift        = 32
	wideCells        = 1 << 13
	narrowShift      = 17
	narrowBase  Word = wideCells << wideShift
	narrowRoom  Word = 1 << 15 // what a narrow cell has before its blocks
	// A block begins step further in its cell than the one before it, which is an odd number of
	// 16 bytes; in narrow cells modulo jitter.
	step        = 48
	jitter Word = 1 << 14
)

// MaxCells is how many cells there are.
const MaxCells = wideCells + (stackBase-narrowBase)>>narrowShift

// Base returns the address of a block.
func Base(block uint32) Word {
	k := Word(block &^ StackBlock)
	at := Word(block>>31) << 46
	if k < wideCells {
		return at + k<<wideShift + k*step
	}
	k -= wideCells
	return at + narrowBase + k<<narrowShift + k*step&(jitter-1)
}

// Cell returns the number of the cell that an address is in, whether in the stack or not.
func Cell(w Word) Word {
	if w &= stackBase - 1; w < narrowBase {
		return (w + 1<<(wideShift-1)) >> wideShift
	}
	return (w-narrowBase+narrowRoom)>>narrowShift + wideCells
}

// Cells returns how many cells a block takes.
func Cells(block uint32, size int64) int {
	at := Base(block)
	return int(Cell(at+Word(size)) - Cell(at) + 1)
}

// noBlock is the id of no block.
const noBlock = StackBlock - 1

// MakePointer returns the pointer to an offset of a block. Block 0 holds no object: small
// integers are null-like pointers.
func MakePointer(block uint32, offset int32) Word { return Base(block) + Word(int64(offset)) }

// SplitPointer returns the block and the offset of a pointer, which is one within its cell or
// close by: 2^31 bytes for the first wideCells blocks, 32 KiB for others. A pointer into a
// cell that a large block takes besides its first has the id of that cell.
func SplitPointer(w Word) (block uint32, offset int32) {
	switch {
	case w+1<<31 < 1<<32:
		return 0, int32(w)
	case w>>47 != 0:
		return noBlock, int32(w)
	}
	id := uint32(Cell(w)) | uint32(w>>46)<<31
	return id, int32(w - Base(id))
}
