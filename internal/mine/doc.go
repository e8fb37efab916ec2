// Package mine counts what people correct.
//
// It reads pairs of a wrong program and the same author's corrected one (a corpus of package bench/gate), aligns their
// tokens, and finds the places that differ. For each place it looks for an edit, among those that gulo fix would try,
// that is the correction: exactly, or up to names and values. An edit belongs to a rule, which is named by the file of
// package textedit, or the mistake of package mistakes, that lists it, and by the edit's description.
//
// A rule has two counts: the corrections that it explains, and the edits that it lists in all programs. Its cost is
// -log2 of their smoothed ratio, in bits. Places that no rule explains are sorted by shape: the kind of change, and
// where in the syntax tree it stands.
//
// Layout, comments, braces around a single statement and redundant parentheses do not count. Two kinds of edits are
// left out: those that only the output of failing tests suggests, and those of repair/space, which run on the machine.
package mine
