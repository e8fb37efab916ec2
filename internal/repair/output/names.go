package output

// Names are the descriptions of edits that name a mistake, so that equal mistakes have one name.
var Names = map[string]bool{
	"text that should not be printed": true, "no newline at the end": true, "an extra newline at the end": true, "an extra space at the end": true,
	"a space at the end of the line instead of a newline": true, "wrong spaces or newlines": true, "wrong format for a value": true, "wrong upper or lower case": true,
	"extra words around the value": true, "a separator after the last value": true, "a separator before the first value": true,
	"a missing separator": true, "some text is not printed": true, "output that should not be printed": true, "the result is not printed": true,
	"the result is returned, not printed": true, "the exit status": true, "no initial value": true, "singular and plural mixed up": true, "a case is missing in the if-else chain": true, "scanf expects other characters between the values than the input has": true, "a conversion that does not match its argument": true, "the result is not printed here": true, "taken over from the reference": true, "taken over from another program": true,
	"this variable must be set back in every iteration of the loop": true, "a variable declared in the loop begins anew in every iteration; declare it before the loop": true,
	"what the loop does for each one is not done for the last one, after the loop": true, "a function changes copies of its arguments; it needs their addresses": true,
}
