package ctype

// This file defines the addresses of the abstract machine. They look like those of a program on
// x86-64 Linux. They are below 2^47, for programs that keep data in the upper 17 bits of a
// pointer, or pointers in the payload of a NaN. They are multiples of 16, so that low bits are
// free for tags. They differ in their lower bits, so that hashes of pointers spread. The stack
// lies above everything else.
//
// The address of a block depends only on its id. Memory is divided into cells. Most cells hold
// one block and have much more room than it needs, so an address some way before or after a
// block still belongs to it. The first wideCells ids have cells of 4 GiB, the others
// of 128 KiB. A block larger than its cell takes several cells and the ids of all of them.

// StackBlock is set in the id of a block of the stack.
const StackBlock uint32 = 1 << 31

const (
	stackBase   Word = 1 << 46
	wideShift        = 32
	wideCells        = 1 << 13
	narrowShift      = 17
	narrowBase  Word = wideCells << wideShift
	narrowRoom  Word = 1 << 15 // least number of bytes of a narrow cell before its block
	// Each block begins step bytes further into its cell than the one with the id before, in narrow
	// cells modulo jitter. step is an odd multiple of 16.
	step        = 48
	jitter Word = 1 << 14
)

// MaxCells is the number of cells, of the stack or of the rest.
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

// Cell returns the number of the cell that an address is in. Cells of the stack have the same numbers as the others.
func Cell(w Word) Word {
	if w &= stackBase - 1; w < narrowBase {
		return (w + 1<<(wideShift-1)) >> wideShift
	}
	return (w-narrowBase+narrowRoom)>>narrowShift + wideCells
}

// Cells returns the number of cells that a block of a size takes.
func Cells(block uint32, size int64) int {
	at := Base(block)
	return int(Cell(at+Word(size)) - Cell(at) + 1)
}

// noBlock is an id that no block has.
const noBlock = StackBlock - 1

// MakePointer returns the pointer to an offset of a block. Block 0 holds no object: pointers into it are
// null and small integers.
func MakePointer(block uint32, offset int32) Word { return Base(block) + Word(int64(offset)) }

// SplitPointer returns the block and the offset of a pointer. It finds the block if the pointer is not too
// far outside: 2^31 bytes for the first wideCells blocks, 32 KiB for others. For a pointer into a
// later cell of a large block, it returns the id of that cell.
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
