package rules

// BlockInfo is what Begin, End, Size and Time tell of a block.
type BlockInfo struct {
	Begin uint64 // a pointer to its first byte
	Size  int64
	Time  int64 // when it was made
}

// Event is a timed event of the trace; arguments as eventSorts says, functions
// by number.
type Event struct {
	Time int64
	Kind EventKind
	Args [3]uint64
}

// State is the abstract machine just before a reduction (Figure 8), as far as
// rules look at it. Pointers are the engine's; only Locate tells what they mean.
type State interface {
	// Locate returns the block that a pointer was made for and its offset there;
	// ok is false for NULL, for numbers, and for functions.
	Locate(p uint64) (bid uint64, idx int64, ok bool)
	// IsNull reports whether a pointer is NULL or was made from it.
	IsNull(p uint64) bool
	// Block describes a block, also one that has ended.
	Block(bid uint64) (BlockInfo, bool)
	// Member reports whether a block is in H, F, S or G, Blocks lists them.
	Member(s Set, bid uint64) bool
	Blocks(s Set, yield func(bid uint64) bool)
	// Pointers lists P: the pointers that the program can still reach.
	Pointers(yield func(p uint64) bool)
	// Events lists events of a kind from the oldest on, or back from the newest;
	// of one block when bid is not 0 (malloc, free), of one address when at is
	// not 0 (write, free), of one function when fn is not 0 (call, ret).
	Events(kind EventKind, back bool, only Filter, yield func(*Event) bool)
	// Value is the word of memory that a pointer points to, Contents a block's.
	Value(p uint64) (uint64, bool)
	Contents(bid uint64) ([]byte, bool)
}

// Filter narrows a list of events; the zero values do not.
type Filter struct {
	Bid   uint64
	At    uint64
	HasAt bool
	Func  uint64
	HasFn bool
}

// Tracker is something that an engine must keep so that rules can be evaluated;
// only what the rules need is kept (section 4.1).
type Tracker uint16

// Trackers.
const (
	TrackMalloc Tracker = 1 << iota
	TrackFree
	TrackLastWrite // whether an address was written, and last when
	TrackWrites    // all writes
	TrackCalls
	TrackRets
	TrackIfs
	TrackStack    // S, and stack blocks in F
	TrackGlobals  // G
	TrackPointers // P
	TrackChains   // value propagation
)
