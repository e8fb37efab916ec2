package rules

// BlockInfo has the values of Begin, End, Size and Time for a block.
type BlockInfo struct {
	Begin uint64 // a pointer to its first byte
	Size  int64
	Time  int64 // when it was made
}

// Event is a timed event of the trace. Its arguments have the sorts in eventSorts; functions are given by number.
type Event struct {
	Time int64
	Kind EventKind
	Args [3]uint64
}

// State is the abstract machine just before a reduction (Figure 8), as far as rules read it. The meaning of pointers
// depends on the engine; only Locate interprets them.
type State interface {
	// Locate returns the block that a pointer was made for and its offset there;
	// ok is false for NULL, for numbers, and for functions.
	Locate(p uint64) (bid uint64, idx int64, ok bool)
	// IsNull reports whether a pointer is NULL or was made from it.
	IsNull(p uint64) bool
	// Block describes a block, even one that has ended.
	Block(bid uint64) (BlockInfo, bool)
	// Member reports whether a block is in H, F, S or G; Blocks lists the blocks of such a set.
	Member(s Set, bid uint64) bool
	Blocks(s Set, yield func(bid uint64) bool)
	// Pointers lists P: the pointers that the program can reach.
	Pointers(yield func(p uint64) bool)
	// Events lists events of a kind from the oldest on or, with back, from the newest. Filter restricts them: Bid to
	// one block (malloc, free), At to one address (write, free), Func to one function (call, ret).
	Events(kind EventKind, back bool, only Filter, yield func(*Event) bool)
	// Value returns the word of memory at a pointer, Contents the bytes of a block.
	Value(p uint64) (uint64, bool)
	Contents(bid uint64) ([]byte, bool)
}

// Filter restricts a list of events; its zero value does not.
type Filter struct {
	Bid   uint64
	At    uint64
	HasAt bool
	Func  uint64
	HasFn bool
}

// Tracker is a set of things that an engine must record so that rules can be evaluated. Only what the rules need is
// recorded (section 4.1).
type Tracker uint16

// Trackers.
const (
	TrackMalloc Tracker = 1 << iota
	TrackFree
	TrackLastWrite // whether an address was written, and when last
	TrackWrites    // all writes
	TrackCalls
	TrackRets
	TrackIfs
	TrackStack    // S, and stack blocks in F
	TrackGlobals  // G
	TrackPointers // P
	TrackChains   // value propagation
)
