//go:build llvm19

package main

import (
	"os"
	"slices"
	"strings"

	"gulo/internal/rules/gen"

	"tinygo.org/x/go-llvm"
)

// model says what a library function does with memory. Uses of arguments, which
// are numbered from 1:
//
//	z        reads a string unless it is NULL
//	s, s3    reads a string, one of at most so many bytes as argument 3 says
//	c3       reads as s3 does; what is read must not overlap as many bytes at argument 1
//	S, S3    the same of wide characters
//	C3       as c3, of wide characters
//	M        as m, of wide characters
//	r3 w3    reads, writes as many bytes as argument 3 says; r2*3: as the product; r3w: as many wide characters
//	r8:      reads 8 bytes, or another number of them
//	W3/r     writes at most so many; the result tells how many, by the letter behind the
//	         slash (came in rt/src/model.c); V3/w: of wide characters; with ? it may be NULL
//	g3       passes so many bytes out of the program
//	o8       writes 8 bytes unless it is NULL
//	q8       reads 8 bytes unless it is NULL
//	d, f     writes an object of unknown size; f: unless it is NULL
//	h        an object of the library, such as a FILE
//	m        reads up to the byte of argument 2, argument 3 at most
//	u        reads a string up to the character of argument 2
//	n, n3, N reads a decimal number, one with the base of argument 3, one of floating point
//	e1       stores a pointer into the block of argument 1
//	l        stores a pointer that the program owns
//	L        getline's buffer, the size of which is the next argument
//	k        a buffer that the library keeps, unless it is NULL
//	P2       poll's array, of as many elements as argument 2 says
//	I3       an array of as many struct iovec as argument 3 says, of which the memory is passed out of the program
//	Q2       what ioctl is given with the request of argument 2
//	H        a message that sendmsg passes out of it
//	r3x6     reads as many elements of 6 bytes as argument 3 says; w3x6 writes them
//	-        nothing that is checked
//
// Those that only calls of the system have are listed in system.go.
type model struct {
	args    []string
	returns int  // the result points into this argument's block, from 1
	format  int  // the format is this argument, from 1
	list    bool // the arguments of the format are a va_list
	text    bool // it writes the text to argument 1
	copies  int  // strcpy and its kin: copies and flags
	compare int  // strncmp and its kin: compares and flags
}

// Flags of functions that copy or compare strings; the first three are those of
// rt/src/gulo.h.
const (
	appending = 1 << iota
	wide
	noCase
	bounded
	copies
	compares = copies
)

func args(u ...string) model { return model{args: u} }

func returning(k int, u ...string) model { return model{args: u, returns: k} }

func formatted(k int, u ...string) model { return model{args: u, format: k} }

func listed(k int, u ...string) model { return model{args: u, format: k, list: true} }

func returningCopy(flags int) model { return model{returns: 1, copies: copies | flags} }

func compared(flags int) model { return model{compare: compares | flags} }

var models = map[string]model{
	// Strings.
	"strlen": args("s"), "strnlen": args("s2"), "strcmp": args("s", "s"), "strncmp": compared(0), "strcasecmp": args("s", "s"), "strncasecmp": compared(noCase),
	"strcoll": args("s", "s"), "strspn": args("s", "s"), "strcspn": args("s", "s"), "strdup": args("s"), "strndup": args("s2"), "strtol": args("n3", "e1"), "strtoul": args("n3", "e1"),
	"strtoll": args("n3", "e1"), "strtoull": args("n3", "e1"), "strtod": args("N", "e1"), "strtof": args("N", "e1"), "strtold": args("N", "e1"), "strtoimax": args("n3", "e1"), "strtoumax": args("n3", "e1"),
	"atoi": args("n"), "atol": args("n"), "atoll": args("n"), "atof": args("N"), "getenv": args("s"), "secure_getenv": args("s"),
	"strchr": returning(1, "u"), "strrchr": returning(1, "s"), "strstr": returning(1, "s", "s"), "strcasestr": returning(1, "s", "s"), "strpbrk": returning(1, "s", "s"), "strchrnul": returning(1, "u"),
	"index": returning(1, "u"), "rindex": returning(1, "s"), "strcpy": returningCopy(0), "strcat": returningCopy(appending), "strncat": returningCopy(appending | bounded), "stpcpy": returningCopy(0), "strncpy": returning(1, "w3", "c3"),
	"strerror": args(), "strsignal": args(), "strverscmp": args("s", "s"), "strxfrm": args("W3/f?", "s"), "__xpg_strerror_r": args("-", "W3/z"),
	"memcmp": args("r3", "r3"), "memchr": returning(1, "m"), "memrchr": returning(1, "r3"), "rawmemchr": returning(1), "memmem": returning(1, "r2", "-", "r4"), "bcmp": args("r3", "r3"), "bzero": args("w2"), "explicit_bzero": args("w2"),
	"stpncpy": returning(1, "w3", "c3"), "swab": args("r3", "w3"), "memfrob": args("w2"), "strptime": returning(1, "s", "s", "f"), "a64l": args("s"), "nan": args("s"), "nanf": args("s"), "fnmatch": args("s", "s"),
	"inet_addr": args("s"), "inet_aton": args("s", "o4"), "getpwnam": args("s"), "getgrnam": args("s"), "gethostbyname": args("s"), "getlogin_r": args("W2/z"), "ttyname_r": args("-", "W3/z"), "bcopy": args("r3", "w3"), "basename": args(), "dirname": args(),

	// Wide strings.
	"wcslen": args("S"), "wcsnlen": args("S2"), "wcscmp": args("S", "S"), "wcscoll": args("S", "S"), "wcscasecmp": args("S", "S"), "wcsncmp": compared(wide), "wcsspn": args("S", "S"), "wcscspn": args("S", "S"),
	"wcschr": returning(1, "S"), "wcsrchr": returning(1, "S"), "wcsstr": returning(1, "S", "S"), "wcspbrk": returning(1, "S", "S"), "wcscpy": returningCopy(wide), "wcscat": returningCopy(wide | appending),
	"wcsncat": returningCopy(wide | appending | bounded), "wcpcpy": returningCopy(wide), "wcsdup": args("S"), "wcstol": args("S", "e1"), "wcstoul": args("S", "e1"), "wcstoll": args("S", "e1"), "wcstoull": args("S", "e1"), "wcstod": args("S", "e1"),
	"wcstombs": args("W3/b?", "S"), "wcsncpy": returning(1, "w3w", "C3"), "wcpncpy": returning(1, "w3w", "C3"), "wcsncasecmp": compared(wide), "wmemcmp": args("r3w", "r3w"), "wmemchr": returning(1, "M"),
	"wcstof": args("S", "e1"), "wcstold": args("S", "e1"), "wcstoimax": args("S", "e1"), "wcstoumax": args("S", "e1"), "wcswidth": args("S2"), "wcsxfrm": args("V3/w?", "S"), "wctype": args("s"), "wctrans": args("s"),
	"mbstowcs": args("V3/w?", "s"), "swprintf": args("V2/F", "-", "S"), "vswprintf": args("V2/F", "-", "S"), "fputws": args("S", "h"), "fgetws": returning(1, "V2/S", "-", "h"), "putwchar": args(), "fputwc": args("-", "h"), "fgetwc": args("h"), "iswalpha": args(), "iswdigit": args(), "iswupper": args(), "iswlower": args(), "iswalnum": args(), "iswpunct": args(),
	"btowc": args(), "wctob": args(),
	"toupper": args(), "tolower": args(), "isalpha": args(), "isdigit": args(), "isspace": args(), "isalnum": args(), "isupper": args(), "islower": args(), "isprint": args(), "ispunct": args(), "isxdigit": args(),
	"iscntrl": args(), "isgraph": args(), "abs": args(), "labs": args(), "__ctype_b_loc": args(), "__ctype_tolower_loc": args(), "__ctype_toupper_loc": args(), "__errno_location": args(),
	"mblen": args("r2"), "mbtowc": args("o4"), "wctomb": args("f"), "wcrtomb": args("f"), "c16rtomb": args("f"), "c32rtomb": args("f"), "wcwidth": args(), "iswprint": args(), "iswspace": args(), "towlower": args(), "towupper": args(),

	// Streams.
	"printf": formatted(1, "s"), "fprintf": formatted(2, "h", "s"), "dprintf": formatted(2, "-", "s"), "sprintf": {args: []string{"-", "s"}, format: 2, text: true},
	"snprintf": formatted(3, "W2/f?", "-", "s"), "asprintf": formatted(2, "l", "s"), "vprintf": listed(1, "s"), "vfprintf": listed(2, "h", "s"), "vdprintf": listed(2, "-", "s"),
	"vsprintf": {args: []string{"-", "s"}, format: 2, list: true, text: true}, "vsnprintf": listed(3, "W2/f?", "-", "s"), "vasprintf": listed(2, "l", "s"), "syslog": formatted(2, "-", "s"),
	"scanf": args("s"), "fscanf": args("h", "s"), "sscanf": args("s", "s"),
	"vscanf": args("s"), "vfscanf": args("h", "s"), "vsscanf": args("s", "s"),
	"puts": args("s"), "fputs": args("s", "h"), "fputs_unlocked": args("s", "-"), "putchar": args(), "putchar_unlocked": args(), "fputc": args("-", "h"), "putc": args("-", "h"), "putc_unlocked": args(), "perror": args("s"),
	"getchar": args(), "fgets": returning(1, "W2/s", "-", "h"), "fgets_unlocked": returning(1, "W2/s", "-", "h"), "fgetc": args("h"), "getc": args("h"), "getc_unlocked": args(), "getchar_unlocked": args(), "ungetc": args("-", "h"),
	"fread": args("W2*3/i", "-", "-", "h"), "fwrite": args("g2*3", "-", "-", "h"), "fwrite_unlocked": args("g2*3", "-", "-", "-"), "fread_unlocked": args("W2*3/i", "-", "-", "-"), "getline": args("L", "-", "h"), "getdelim": args("L", "-", "-", "h"),
	"fopen": args("s", "s"), "fopen64": args("s", "s"), "fdopen": args("-", "s"), "popen": args("s", "s"), "freopen": args("s", "s", "-"), "fclose": args("h"), "pclose": args("h"), "fflush": args("-"), "ferror": args("h"), "feof": args("h"),
	"clearerr": args("h"), "fileno": args("h"), "fseek": args("h"), "fseeko": args("h"), "fseeko64": args("h"), "ftell": args("h"), "ftello": args("h"), "ftello64": args("h"), "rewind": args("h"), "setbuf": args("h", "k"), "setbuffer": args("h", "k"), "setlinebuf": args("h"),
	"setvbuf": args("h", "k"), "tmpfile": args(), "mkstemp": args("s"), "mkdtemp": returning(1, "s"), "fgetpos": args("h", "o16"), "fsetpos": args("h", "-"),

	// Files and the system.
	"opendir": args("s"), "fdopendir": args(), "readdir": args("h"), "readdir64": args("h"), "rewinddir": args("h"), "closedir": args("h"), "dirfd": args("h"), "open": args("s"), "open64": args("s"), "openat": args("-", "s"), "creat": args("s"),
	"close": args(), "read": args("-", "W3/r"), "write": args("-", "g3"), "pread": args("-", "W3/r"), "pwrite": args("-", "g3"), "pread64": args("-", "W3/r"), "pwrite64": args("-", "g3"), "lseek": args(), "lseek64": args(), "dup": args(), "dup2": args(),
	"readlink": args("s", "W3/r"), "readlinkat": args("-", "s", "W4/r"), "getcwd": returning(1, "W2/s?"), "realpath": args("s", "f"), "unlink": args("s"), "unlinkat": args("-", "s"), "remove": args("s"), "rename": args("s", "s"), "link": args("s", "s"), "symlink": args("s", "s"),
	"access": args("s"), "faccessat": args("-", "s"), "mkdir": args("s"), "mkdirat": args("-", "s"), "rmdir": args("s"), "chdir": args("s"), "fchdir": args(), "chmod": args("s"), "fchmod": args(), "chown": args("s"), "lchown": args("s"), "umask": args(), "mknod": args("s"), "mkfifo": args("s"),
	"stat": args("s", "o144"), "lstat": args("s", "o144"), "fstat": args("-", "o144"), "fstatat": args("-", "s", "o144"), "stat64": args("s", "o144"), "lstat64": args("s", "o144"), "fstat64": args("-", "o144"), "fstatat64": args("-", "s", "o144"),
	"truncate": args("s"), "ftruncate": args(), "ftruncate64": args(), "pipe": args("o8"), "pipe2": args("o8"), "isatty": args(), "ttyname": args(), "ioctl": args("-", "-", "Q2"),
	"poll": args("P2"), "writev": args("-", "I3"), "pwritev": args("-", "I3", "-", "-"), "sendmsg": args("-", "H", "-"), "socket": args(), "recv": args("-", "W3/r"), "send": args("-", "g3"), "gethostname": args("W2/z"), "uname": args("o390"), "sysconf": args(), "getpagesize": args(),
	"exit": args(), "abort": args(), "_exit": args(), "fork": args(), "getpid": args(), "getppid": args(), "getuid": args(), "geteuid": args(), "getgid": args(), "getegid": args(), "kill": args(), "raise": args(), "wait": args("o4"), "waitpid": args("-", "o4"), "system": args("s"),
	"setenv": args("s", "s"), "unsetenv": args("s"), "putenv": args("s"), "sleep": args(), "usleep": args(), "alarm": args(), "signal": args(), "sigemptyset": args("o128"), "sigfillset": args("o128"),
	"sigprocmask": args("-", "q8", "o128"), "getrusage": args("-", "o144"), "getrlimit": args("-", "o16"), "setrlimit": args("-", "r16:"), "setlocale": args("-", "-"), "bindtextdomain": args(), "textdomain": args(), "nl_langinfo": args(), "localeconv": args(),

	// Time and numbers.
	"time": args("o8"), "clock": args(), "gettimeofday": args("o16", "f"), "clock_gettime": args("-", "o16"), "localtime": args("r8:"), "gmtime": args("r8:"), "localtime_r": returning(2, "r8:", "o56"), "gmtime_r": returning(2, "r8:", "o56"),
	"mktime": args("f"), "timegm": args("f"), "strftime": args("W2/t", "-", "s", "-"), "wcsftime": args("V2/T", "-", "S", "-"), "getentropy": args("W2/Z"), "getrandom": args("W2/r"), "difftime": args(), "tzset": args(), "nanosleep": args("r16:", "o16"), "ctime": args("r8:"), "ctime_r": returning(2, "r8:", "o26"), "asctime": args("r28:"), "asctime_r": returning(2, "r28:", "o26"), "timespec_get": args("o16"), "clock_getres": args("-", "o16"), "rand": args(), "srand": args(), "random": args(), "srandom": args(), "drand48": args(), "rand_r": args("r4:"), "erand48": args("r6:"), "nrand48": args("r6:"), "jrand48": args("r6:"), "arc4random_buf": args("w2"),
	"frexp": args("-", "o4"), "frexpf": args("-", "o4"), "frexpl": args("-", "o4"), "modff": args("-", "o4"), "modfl": args("-", "o16"), "remquo": args("-", "-", "o4"), "remquof": args("-", "-", "o4"),
	"sincos": args("-", "o8", "o8"), "sincosf": args("-", "o4", "o4"), "lgamma_r": args("-", "o4"), "lgammaf_r": args("-", "o4"), "modf": args("-", "o8"), "sin": args(), "cos": args(), "tan": args(), "exp": args(), "log": args(), "log2": args(), "log10": args(), "pow": args(), "sqrt": args(), "floor": args(), "ceil": args(), "fmod": args(), "fabs": args(), "ldexp": args(), "round": args(),
	"atan": args(), "atan2": args(), "asin": args(), "acos": args(), "sinh": args(), "cosh": args(), "tanh": args(), "cbrt": args(), "hypot": args(), "trunc": args(), "rint": args(), "lround": args(), "nearbyint": args(),

	// Users, networks, signals and events.
	"getpwuid": args(), "getgrgid": args(), "getpwnam_r": args("s", "o48", "f", "-", "o8"), "getpwuid_r": args("-", "o48", "f", "-", "o8"), "getgrnam_r": args("s", "o32", "f", "-", "o8"), "getgrgid_r": args("-", "o32", "f", "-", "o8"),
	"getresuid": args("o4", "o4", "o4"), "getresgid": args("o4", "o4", "o4"), "initgroups": args("s"), "setuid": args(), "setgid": args(), "seteuid": args(), "setegid": args(), "getlogin": args(),
	"getaddrinfo": args("z", "z", "q16", "o8"), "if_nametoindex": args("s"), "gai_strerror": args(),
	"sigtimedwait": args("r8:", "o128", "q16"), "sigwaitinfo": args("r8:", "o128"), "sigwait": args("r8:", "o4"), "sigpending": args("o128"),
	"eventfd": args(), "eventfd_read": args("-", "o8"), "eventfd_write": args(), "timerfd_create": args(), "timerfd_settime": args("-", "-", "r32:", "o32"), "timerfd_gettime": args("-", "o32"), "signalfd": args("-", "r8:"),
	"shmget": args(), "shm_open": args("s"), "shm_unlink": args("s"), "memfd_create": args("s"), "ftok": args("s"), "statfs": args("s", "o120"), "fstatfs": args("-", "o120"), "statvfs": args("s", "o112"), "fstatvfs": args("-", "o112"),
	"sysinfo": args("o112"), "times": args("o32"), "getitimer": args("-", "o32"), "setitimer": args("-", "q32", "o32"), "nice": args(), "getpriority": args(), "setpriority": args(), "sigandset": args("o128", "r128:", "r128:"), "sigorset": args("o128", "r128:", "r128:"), "sigisemptyset": args("r128:"),

	"symlinkat": args("s", "-", "s"), "linkat": args("-", "s", "-", "s"), "flock": args(), "lockf": args(), "statx": args("-", "s", "-", "-", "o256"), "renameat": args("-", "s", "-", "s"), "renameat2": args("-", "s", "-", "s"), "eaccess": args("s"), "euidaccess": args("s"),
	"iconv_open": args("s", "s"), "iconv_close": args(), "dlopen": args("z"), "dlsym": args("-", "s"), "dlclose": args(), "dlerror": args(), "backtrace_symbols_fd": args(), "random_r": args("f", "o4"), "srandom_r": args("-", "f"),
	"drand48_r": args("f", "o8"), "lrand48_r": args("f", "o8"), "mrand48_r": args("f", "o8"), "erand48_r": args("r6:", "f", "o8"), "nrand48_r": args("r6:", "f", "o8"), "jrand48_r": args("r6:", "f", "o8"), "srand48_r": args("-", "o24"),

	// What a process asks of the system, and shares with others. A large struct that is returned is where the first argument points.
	"mallinfo": args("o40"), "mallinfo2": args("o80"), "mallopt": args(), "malloc_trim": args(), "malloc_stats": args(), "malloc_info": args("-", "h"), "mcheck": args(), "mtrace": args(), "muntrace": args(),
	"personality": args(), "gettid": args(), "tgkill": args(), "mkfifoat": args("-", "s"), "mknodat": args("-", "s"), "sendfile": args("-", "-", "f"), "copy_file_range": args("-", "f", "-", "f"),
	"posix_fallocate": args(), "posix_fadvise": args(), "fallocate": args(), "close_range": args(), "closefrom": args(), "get_current_dir_name": args(), "tempnam": args("z", "z"),
	"timer_settime": args("-", "-", "r32:", "o32"), "timer_gettime": args("-", "o32"), "timer_getoverrun": args(), "timer_delete": args(),
	"semget": args(), "msgget": args(), "pthread_cancel": args(), "pthread_setname_np": args("-", "s"), "pthread_getname_np": args("-", "W3/z"),
	"getservbyname": args("s", "z"), "getprotobyname": args("s"), "inet_network": args("s"), "ether_aton": args("s"), "hstrerror": args(), "herror": args("z"),
	"getdomainname": args("W2/z"), "setmntent": args("s", "s"), "getmntent": args("h"), "clock_getcpuclockid": args("-", "o4"),

	// Messages and expressions.
	"gettext": args("z"), "dgettext": args("z", "z"), "dcgettext": args("z", "z"), "ngettext": args("s", "s"), "openlog": args("k"), "closelog": args(), "setlogmask": args(), "psignal": args("-", "z"),
	"regcomp": args("o64", "s"), "regexec": args("r64:", "s", "-", "f"), "if_indextoname": returning(2, "-", "d"),

	// Threads.
	"pthread_create": args("o8", "-"), "pthread_join": args("-", "l"), "pthread_mutex_init": args("f"), "pthread_mutex_lock": args("f"), "pthread_mutex_unlock": args("f"), "pthread_mutex_destroy": args(), "pthread_mutex_trylock": args("f"), "pthread_rwlock_init": args("f"), "pthread_rwlock_rdlock": args("f"), "pthread_rwlock_wrlock": args("f"), "pthread_rwlock_tryrdlock": args("f"), "pthread_rwlock_trywrlock": args("f"),
	"pthread_rwlock_unlock": args("f"), "pthread_barrier_init": args("f"), "pthread_barrier_wait": args("f"), "pthread_self": args(), "pthread_cond_init": args("f"),
	"pthread_cond_wait": args("f", "f"), "pthread_cond_signal": args("f"), "pthread_cond_broadcast": args("f"), "pthread_once": args("f", "-"), "pthread_key_create": args("o4"), "pthread_exit": args(), "pthread_attr_init": args("o56"),
	"pthread_attr_setstacksize": args(), "pthread_attr_getstacksize": args("-", "o8"), "pthread_attr_setguardsize": args(), "pthread_attr_getguardsize": args("-", "o8"), "pthread_attr_getscope": args("-", "o4"), "pthread_attr_getinheritsched": args("-", "o4"), "pthread_attr_getschedpolicy": args("-", "o4"),
	"pthread_attr_setdetachstate": args(), "pthread_attr_getdetachstate": args("-", "o4"), "pthread_attr_getschedparam": args("-", "o4"), "pthread_mutexattr_init": args("o4"), "pthread_mutexattr_settype": args(), "pthread_mutexattr_gettype": args("-", "o4"), "pthread_mutexattr_getprotocol": args("-", "o4"), "pthread_mutexattr_destroy": args(),
	"pthread_setcancelstate": args("-", "o4"), "pthread_setcanceltype": args("-", "o4"), "pthread_testcancel": args(),
	"pthread_attr_destroy": args(), "sem_init": args("o32"), "sem_open": args("s"), "sem_close": args(), "sem_unlink": args("s"), "sem_wait": args(), "sem_post": args(), "sem_getvalue": args("-", "o4"),
}

// ending are modelled functions that may free something, or wait while other threads do.
var ending = map[string]bool{
	"fclose": true, "freopen": true, "pclose": true, "closedir": true, "getline": true, "getdelim": true,
	"pthread_create": true, "pthread_join": true, "pthread_mutex_lock": true, "pthread_mutex_unlock": true, "pthread_cond_wait": true, "pthread_cond_signal": true,
	"pthread_cond_broadcast": true, "pthread_once": true, "sem_wait": true, "sem_post": true, "semop": true, "msgsnd": true,
	"sigwait": true, "sigwaitinfo": true, "sigtimedwait": true, "eventfd_read": true, "nanosleep": true, "sleep": true, "usleep": true, "poll": true, "select": true, "raise": true, "kill": true,
}

// allocating are library functions whose result is to be freed with free, beside
// those of the allocator (calls.go): the manual pages of libc say so of them.
var allocating = map[string]bool{
	"strdup": true, "strndup": true, "wcsdup": true, "realpath": true, "canonicalize_file_name": true, "get_current_dir_name": true, "tempnam": true,
	"backtrace_symbols": true, "getcwd": true,
}

// readLibrary reads the names of functions that are not the program's own: called
// without meta words, and taken to write what their arguments point to when they
// have no model.
func readLibrary(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, n := range strings.Fields(string(text)) {
		out[n] = true
	}
	return out, nil
}

// plain is a function's name without what headers and the library's own macros put
// before it: __isoc99_scanf is scanf, __strdup strdup.
func plain(name string) string {
	rest := name
	for _, p := range []string{"__isoc99_", "__isoc23_", "__"} {
		if r, ok := strings.CutPrefix(name, p); ok {
			rest = r
			break
		}
	}
	if _, ok := models[name]; ok {
		return name
	}
	return rest
}

// modelOf returns what is known of a library function.
func modelOf(name string) (model, bool) {
	m, ok := models[plain(name)]
	return m, ok
}

// ofLibrary reports whether a function is the C library's: an allocator, one that a header of the system declares, or
// one that the compiler knows without a declaration. The name alone does not tell, since a program may have a link or
// an index of its own in another file. For a function that the program itself declares with a name of the library's,
// it is found out at run time (taken.go).
func (x *module) ofLibrary(f llvm.Value) bool {
	if !f.IsDeclaration() {
		return false
	}
	return slices.Contains(gen.Allocator, f.Name()) || x.redeclared[f] || fromSystem(f)
}

// fromSystem reports whether a header of the system declares a function, or no source text does.
func fromSystem(f llvm.Value) bool {
	d := f.Subprogram()
	if d.IsNil() {
		return true
	}
	name := d.ScopeFile().FileFilename()
	return strings.HasPrefix(name, "/usr/include/") || strings.HasPrefix(name, "/usr/lib/")
}

func (x *module) fromLibrary(name string) bool { return x.modelled(name) || x.library[name] }

// modelled reports whether it is known what a library function does.
func (x *module) modelled(name string) bool {
	_, known := modelOf(name)
	_, done := replacements[plain(name)]
	return known || done
}
