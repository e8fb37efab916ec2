package check

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// This file declares library functions that a program forgets to declare, if gcc knows them as built-in: with gcc,
// malloc returns a pointer even without stdlib.h. clang with -fno-builtin follows C89: the function returns an int,
// which is half of a pointer. gcc's page on other built-in functions lists them.

// builtins are the functions that gcc knows and for which it matters: they take or return something other than int and
// pointers to char.
var builtins = builtinTable(`
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void *aligned_alloc(unsigned long, unsigned long);
void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); void *memchr(const void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long); void *mempcpy(void *, const void *, unsigned long);
unsigned long strlen(const char *); unsigned long strspn(const char *, const char *); unsigned long strcspn(const char *, const char *);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, unsigned long); char *strcat(char *, const char *); char *strncat(char *, const char *, unsigned long);
char *stpcpy(char *, const char *); char *stpncpy(char *, const char *, unsigned long); int strncmp(const char *, const char *, unsigned long); int strncasecmp(const char *, const char *, unsigned long);
char *strchr(const char *, int); char *strrchr(const char *, int); char *strstr(const char *, const char *); char *strpbrk(const char *, const char *); char *index(const char *, int); char *rindex(const char *, int);
char *strdup(const char *); char *strndup(const char *, unsigned long); long labs(long); long long llabs(long long);
double sqrt(double); double pow(double, double); double fabs(double); double floor(double); double ceil(double); double round(double); double trunc(double); double rint(double); double fmod(double, double); double cbrt(double);
double hypot(double, double); double exp(double); double exp2(double); double log(double); double log2(double); double log10(double); double sin(double); double cos(double); double tan(double); double asin(double);
double acos(double); double atan(double); double atan2(double, double); double sinh(double); double cosh(double); double tanh(double); double fmax(double, double); double fmin(double, double); double ldexp(double, int);
float sqrtf(float); float powf(float, float); float fabsf(float); float floorf(float); float ceilf(float);`)

var builtinName = regexp.MustCompile(`(\w+)\(`)

func builtinTable(text string) map[string]string {
	out := map[string]string{}
	for _, d := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if m := builtinName.FindStringSubmatch(d); m != nil {
			out[m[1]] = strings.TrimSpace(d) + ";\n"
		}
	}
	return out
}

// undeclared matches clang's message about a function that a program calls and does not declare.
var undeclared = regexp.MustCompile(`call to undeclared function '(\w+)'`)

// frontEnd compiles a C file to bitcode. If it uses undeclared functions that gcc knows, it is compiled again with
// declarations for them. If these contradict a later declaration in the program, the first result is used.
func frontEnd(ctx context.Context, dir, file, bitcode string, flags []string) error {
	args := func(out string, more ...string) []string {
		return append(append(append([]string{}, flags...), more...), "-emit-llvm", "-c", file, "-o", out)
	}
	said, err := saying(ctx, dir, nil, Clang, args(bitcode)...)
	if err != nil {
		return err
	}
	text := ""
	for _, m := range undeclared.FindAllStringSubmatch(said, -1) {
		if d := builtins[m[1]]; !strings.Contains(text, d) {
			text += d
		}
	}
	if text == "" {
		return nil
	}
	header, again := filepath.Join(filepath.Dir(bitcode), "declared.h"), bitcode+".declared"
	if err := os.WriteFile(header, []byte(text), 0o600); err != nil {
		return &ToolError{err.Error()}
	}
	if run(ctx, dir, nil, Clang, args(again, "-include", header)...) == nil {
		return os.Rename(again, bitcode)
	}
	return ctx.Err()
}
