package cfront

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file gives advice about headers that gcc does not find and about files that are not C.

// notFound matches what gcc says about a missing header, with the line that includes it.
var notFound = regexp.MustCompile(`^[^\n]*:\d+:\d+: fatal error: ([^\n]+): No such file or directory\n[^\n#]*#[ \t]*include`)

// windowsHeaders come with compilers for Windows and DOS alone.
var windowsHeaders = strings.Fields("alloc.h bios.h conio.h conio2.h direct.h dos.h graphics.h io.h process.h tchar.h winbgim.h windows.h winsock.h winsock2.h")

// ofC matches what gcc says about a word that begins a declaration only in C++.
var ofC = regexp.MustCompile(`: error: unknown type name '(class|namespace|template|using)'`)

// noSource returns a message about a file that is not source text (a binary, UTF-16), "" for any other.
func noSource(text []byte) string {
	head := text[:min(len(text), 512)]
	switch {
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return "it is a compiled program or a part of one; name the C files that it was made of"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "it is written in UTF-16, which gcc does not read; save it as UTF-8"
	case bytes.IndexByte(head, 0) >= 0 && bytes.ContainsFunc(head, func(r rune) bool { return 0 < r && r < '\t' || '\r' < r && r < ' ' }):
		return "it is no text; name C files"
	}
	return ""
}

// advice returns what to do about gcc's text if it is about a missing header or about C++, "" for any other text.
func advice(text string) string {
	if m := ofC.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s begins a declaration in C++; gulo takes C", m[1])
	}
	return missingHeader(text)
}

// missingHeader returns what to do if gcc's text begins with a missing header, "" for any other text.
func missingHeader(text string) string {
	// The line that says through which files the header was reached stands before it.
	for strings.HasPrefix(text, "In file included from ") || strings.HasPrefix(text, "                 from ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	m := notFound.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	name := m[1]
	switch {
	case slices.Contains(windowsHeaders, strings.ToLower(name)):
		return fmt.Sprintf("%s is a header for Windows, and gcc has none here; take its #include out, and the calls that need it, or name a folder that has such a header with -I", name)
	case name == "bits/stdc++.h" || !strings.Contains(name, "."):
		return fmt.Sprintf("%s is a header of C++; gulo takes C", name)
	}
	return fmt.Sprintf("name the folder that has %s with -I", name)
}
