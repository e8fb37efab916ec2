package output

// Names are the words of edits that name what is wrong, so that like mistakes have one name.
var Names = map[string]bool{
	"a text that nobody asked for": true, "no newline at the end": true, "a newline too many at the end": true, "a blank too many at the end": true,
	"a blank at the end of the line, and no newline": true, "other white space": true, "another format of a value": true, "upper and lower case": true,
	"words around the value that nobody asked for": true, "a separator behind the last one": true, "a separator before the first one": true,
	"a separator that is not printed": true, "text that is not printed": true, "output that nobody asked for": true, "the result is not printed": true,
	"the result is returned, not printed": true, "the exit status": true, "no initial value": true, "the singular for one": true, "a case is missing in the chain of conditions": true, "what scanf waits for between the values is not what stands there": true, "a conversion that does not fit its value": true, "the result is not printed here": true, "taken over from the reference": true,
}
