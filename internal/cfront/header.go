package cfront

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file says what to do about a header that gcc does not find.

// notFound is what gcc says of a missing header, with the line that names it.
var notFound = regexp.MustCompile(`^[^\n]*:\d+:\d+: fatal error: ([^\n]+): No such file or directory\n[^\n#]*#[ \t]*include`)

// windowsHeaders come with compilers for Windows and DOS alone.
var windowsHeaders = strings.Fields("alloc.h bios.h conio.h conio2.h direct.h dos.h graphics.h io.h process.h tchar.h winbgim.h windows.h winsock.h winsock2.h")

// missingHeader says what to do where gcc's text begins with a header that it does not find; "" for any other text.
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
