// Package mine counts what people correct.
//
// It reads pairs of a wrong program and the same author's corrected one (a corpus of package bench/gate), aligns their tokens,
// and finds places that differ. For each place it asks the space of edits that gulo fix searches which edit is the correction: exactly,
// or up to names and values. An edit belongs to a rule: the file of package textedit that lists it, or the
// mistake of package mistakes, and what the edit says of itself.
//
// Counts of a rule are the corrections that it explains and the edits that it lists in all programs. Its cost is
// -log2 of their smoothed ratio, in bits. Places that no rule explains are sorted by shape: what kind
// of change it is, and where in the tree it stands.
//
// Layout, comments, braces around a single statement and parentheses that change nothing do not count. Edits that only the output of failing tests suggests
// are not asked, nor those of repair/space, which run on the machine.
package mine
