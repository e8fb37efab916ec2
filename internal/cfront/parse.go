package cfront

import (
	"context"
	"embed"
	"gulo/internal/timing"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gulo/internal/ctype"
	"gulo/internal/process"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file loads programs and drives the parser modernc.org/cc/v4: configuration, headers, errors.

//go:embed include
var headers embed.FS

// Load checks and parses the files of one program. Bad input gives a
// *source.Error, a missing compiler a *ToolError.
func Load(ctx context.Context, names []string, opt Options) (*Program, error) {
	p, _, err := load(ctx, names, opt)
	return p, err
}

// load is Load and also returns the files that were looked for, by name; a file that was not found is nil.
func load(ctx context.Context, names []string, opt Options) (p *Program, looked map[string]*source.File, err error) {
	if len(names) == 0 {
		return nil, nil, source.Errorf(source.Position{}, "no source file given")
	}
	var files []*source.File
	for _, n := range names {
		f, err := source.ReadFile(n)
		if err != nil {
			return nil, nil, source.Unreadable(n, err)
		}
		if what := noSource(f.Text); what != "" {
			return nil, nil, source.Errorf(source.Position{File: n}, "%s", what)
		}
		if err := checkNesting(f); err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	kept := openAccepted(files)
	asking, stop := context.WithCancel(ctx)
	before := newUnasked(asking, opt.Accept)
	defer before.asking.Wait()
	defer stop()
	var ask []string
	for i, n := range names {
		u := opt.Unit(n)
		if d := kept.digest(&u, files[i]); d != "" {
			before.digest[n] = d
		} else {
			ask = append(ask, n)
		}
	}
	checked := make(chan error, 1)
	if len(ask) >= keepFiles { // gcc is asked about each file before it is parsed, in parseFiles
		for _, n := range ask {
			before.digest[n] = ""
		}
		checked <- nil
	} else {
		process.Go(func() { checked <- Check(ctx, ask, opt) })
		for i, n := range names {
			if before.early != nil && len(files[i].Text) >= keepBytes && slices.Contains(ask, n) {
				before.early[n] = true
			}
		}
	}
	first := opt.Unit(names[0])
	_, confErr := hostOf(&first) // runs gcc too: at the same time
	if err := <-checked; err != nil {
		return nil, nil, err
	}
	if confErr != nil {
		return nil, nil, confErr
	}
	defer timing.Begin(ctx, "parse").End("")
	if p, looked, err = parseFiles(files, nil, opt, before); err != nil {
		if len(ask) >= keepFiles { // gcc says what is wrong with the other files, too
			if all := Check(ctx, ask, opt); all != nil {
				return nil, nil, all
			}
		}
		return nil, nil, err
	}
	for i, n := range names {
		if before.digest[n] == "" {
			u := opt.Unit(n)
			kept.keep(&u, files[i], p.Digest[n])
		}
	}
	kept.tidy()
	before.wait()
	return p, looked, nil
}

// Parse parses files.
// Precondition: gcc has accepted them. The parser may not terminate on text that gcc would refuse.
func Parse(files []*source.File, opt Options) (*Program, error) {
	p, _, err := parseFiles(files, nil, opt, &unasked{})
	return p, err
}

// Edited parses the files of a program with some texts replaced: texts has the new ones by file name, also of
// files that are included.
// Precondition: as Parse.
func Edited(names []string, opt Options, texts map[string]string) (*Program, error) {
	var files, others []*source.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := source.NewFile(name, []byte(texts[name]))
		if err := checkNesting(f); err != nil {
			return nil, err
		}
		others = append(others, f)
	}
	for _, name := range names {
		i := slices.IndexFunc(others, func(f *source.File) bool { return filepath.Clean(f.Name) == filepath.Clean(name) })
		if i >= 0 {
			files = append(files, source.NewFile(name, others[i].Text))
			continue
		}
		f, err := source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	p, _, err := parseFiles(files, others, opt, &unasked{})
	return p, err
}

// parseFiles parses files. others replace files that these may include. It also returns what load returns as looked.
func parseFiles(files, others []*source.File, opt Options, before *unasked) (*Program, map[string]*source.File, error) {
	c := newConverter()
	for _, f := range others {
		c.files[filepath.Clean(f.Name)] = f
	}
	c.unasked, c.nested = before, opt.Nested
	for _, f := range files {
		c.prog.Files = append(c.prog.Files, f)
		c.files[filepath.Clean(f.Name)] = f
	}
	if err := c.parseUnits(files, opt); err != nil {
		return nil, nil, err
	}
	for _, l := range written {
		for _, name := range l.names {
			if f, ok := c.funcs[name]; ok && f.Body == nil {
				if err := c.parseUnits([]*source.File{c.file("@gulo/" + l.file)}, libraryOptions(files, opt)); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	p, err := c.finish()
	if p != nil {
		p.Work = opt.Work
	}
	return p, c.files, err
}

// written lists the library functions that are implemented in C, by the file with their code. A file can call functions
// of those behind it.
var written = []struct {
	file  string
	names []string
}{
	{"allocator.c", []string{"mallinfo", "mallinfo2", "mallopt", "malloc_trim", "malloc_stats", "malloc_info", "mcheck", "mcheck_pedantic", "mcheck_check_all", "mprobe", "mtrace", "muntrace"}},
	{"obstacks.c", []string{"_obstack_begin", "_obstack_begin_1", "_obstack_newchunk", "_obstack_allocated_p", "obstack_free", "_obstack_memory_used", "obstack_vprintf", "obstack_printf"}},
	{"transfers.c", []string{
		"sendfile", "sendfile64", "copy_file_range", "splice", "vmsplice", "process_vm_readv", "process_vm_writev", "preadv2", "pwritev2", "sendmmsg", "recvmmsg", "posix_fallocate", "fallocate",
		"posix_fadvise", "readahead", "sync_file_range", "posix_fallocate64", "fallocate64", "posix_fadvise64", "close_range", "closefrom",
	}},
	{"control.c", []string{
		"prctl", "personality", "clone", "daemon", "setfsuid", "setfsgid", "gethostid", "getdomainname", "ulimit", "sched_rr_get_interval", "posix_openpt", "getpt", "openpty", "forkpty",
		"grantpt", "unlockpt", "login_tty", "ptsname", "ptsname_r", "ttyname_r", "ttyslot", "clock_getcpuclockid", "timespec_getres", "dysize", "ftime", "setutent", "endutent", "getutent",
		"getutid", "getutline", "utmpname",
	}},
	{"services.c", []string{
		"getservbyname", "getservbyport", "getservent", "setservent", "endservent", "getprotobyname", "getprotobynumber", "getprotoent", "setprotoent", "endprotoent", "getnetbyname",
		"getnetbyaddr", "getnetent", "setnetent", "endnetent", "gethostent", "sethostent", "endhostent", "gethostbyname2", "gethostbyaddr", "gethostbyname_r", "hstrerror", "herror", "__h_errno_location",
		"inet_lnaof", "inet_netof", "inet_makeaddr", "inet_network", "ether_aton_r", "ether_aton", "ether_ntoa_r", "ether_ntoa", "ether_ntohost", "ether_hostton",
	}},
	{"requests.c", []string{
		"aio_read", "aio_write", "aio_fsync", "aio_error", "aio_return", "aio_cancel", "aio_suspend", "aio_init", "lio_listio", "aio_read64", "aio_write64", "aio_fsync64", "aio_error64",
		"aio_return64", "aio_cancel64", "aio_suspend64", "lio_listio64",
	}},
	{"scheduling.c", []string{
		"pthread_setname_np", "pthread_getname_np", "pthread_getschedparam", "pthread_setschedparam", "pthread_setschedprio", "pthread_getaffinity_np", "pthread_setaffinity_np",
		"pthread_attr_setaffinity_np", "pthread_attr_getaffinity_np", "pthread_attr_setstack", "pthread_attr_getstack", "pthread_attr_setstackaddr", "pthread_attr_getstackaddr",
		"pthread_getattr_np", "pthread_getattr_default_np", "pthread_setattr_default_np", "pthread_getcpuclockid", "pthread_mutex_consistent", "pthread_mutex_consistent_np",
		"pthread_mutex_getprioceiling", "pthread_mutex_setprioceiling", "pthread_mutexattr_getprioceiling", "pthread_mutexattr_setprioceiling",
	}},
	{"forking.c", []string{"pthread_atfork"}},
	{"timers.c", []string{"timer_create", "timer_gettime", "timer_settime", "timer_getoverrun", "timer_delete"}},
	{"streams.c", []string{
		"tempnam", "tmpnam_r", "tmpfile64", "freopen64", "fgetpos64", "fsetpos64", "mkstemp64", "clearerr_unlocked", "fcloseall", "getw", "putw", "cuserid", "get_current_dir_name", "getwd",
		"lutimes", "futimes", "lchmod", "strfromd", "strfromf", "strfroml", "arc4random_uniform", "strfry", "catopen", "catgets", "catclose", "setmntent", "endmntent", "getmntent_r",
		"getmntent", "addmntent", "hasmntopt",
	}},
	{"words.c", []string{"wordexp", "wordfree"}},
	{"cookies.c", []string{"fopencookie"}},
	{"folders.c", []string{"scandir", "scandir64", "scandirat", "ftw64", "nftw64", "glob64", "globfree64", "alphasort", "alphasort64", "versionsort", "versionsort64", "readdir_r", "readdir64_r", "glob", "globfree", "ftw", "nftw"}},
	{"network.c", []string{"if_nametoindex", "if_indextoname", "if_nameindex", "if_freenameindex", "getifaddrs", "freeifaddrs"}},
	{"wide.c", []string{
		"mbsnrtowcs", "mbsrtowcs", "wcsnrtombs", "wcsrtombs", "wcwidth", "wcswidth", "wmempcpy", "wcschrnul", "wcswcs", "wcsftime", "iswalnum_l",
		"iswalpha_l", "iswblank_l", "iswcntrl_l", "iswdigit_l", "iswgraph_l", "iswlower_l", "iswprint_l", "iswpunct_l", "iswspace_l", "iswupper_l",
		"iswxdigit_l", "wctype_l", "iswctype_l", "towlower_l", "towupper_l", "wctrans_l", "towctrans_l", "wcscoll_l", "wcscasecmp_l",
		"wcsncasecmp_l", "wcsxfrm_l", "wcsftime_l", "wcstol_l", "wcstoll_l", "wcstoul_l", "wcstoull_l", "wcstod_l", "wcstof_l", "wcstold",
		"wcstold_l",
	}},
	{"vectors.c", []string{
		"argz_count", "argz_next", "argz_stringify", "argz_extract", "argz_append", "argz_add", "argz_add_sep", "argz_create", "argz_create_sep",
		"argz_delete", "argz_insert", "argz_replace", "envz_entry", "envz_get", "envz_remove", "envz_add", "envz_merge", "envz_strip",
	}},
	{"messages.c", []string{
		"error", "error_at_line", "psignal", "sigabbrev_np", "sigdescr_np", "strerrordesc_np", "getsubopt", "rpmatch", "l64a", "fcvt_r", "ecvt_r",
		"ecvt", "fcvt", "gcvt", "sigandset", "sigorset", "sigisemptyset", "sighold", "sigrelse", "sigignore", "gsignal", "ssignal", "siggetmask", "sigset", "__xpg_sigpause", "psiginfo",
	}},
	{"system.c", []string{
		"getpriority", "setpriority", "nice", "sched_getaffinity", "sched_setaffinity", "sched_getcpu", "__sched_cpucount", "getcpu", "sched_get_priority_max", "sched_get_priority_min",
		"sched_getscheduler", "sched_getparam", "sched_setscheduler", "sched_setparam", "get_nprocs", "get_nprocs_conf", "get_phys_pages", "get_avphys_pages", "sysinfo",
		"getloadavg", "times", "getauxval", "confstr", "statfs", "fstatfs", "statvfs", "fstatvfs", "sync", "syncfs", "statfs64", "fstatfs64", "statvfs64", "fstatvfs64",
	}},
	{"locks.c", []string{"lockf"}},
	{"semaphores.c", []string{"sem_open", "sem_close", "sem_unlink"}},
	{"relative.c", []string{"renameat2", "eaccess", "euidaccess"}},
	{"random.c", []string{
		"random_r", "srandom_r", "initstate_r", "setstate_r", "drand48_r", "erand48_r", "lrand48_r", "nrand48_r", "mrand48_r", "jrand48_r", "srand48_r", "seed48_r", "lcong48_r",
	}},
	{"iconv.c", []string{"iconv_open", "iconv", "iconv_close"}},
	{"dates.c", []string{"strptime"}},
	{"attributes.c", []string{
		"pthread_attr_setstacksize", "pthread_attr_getstacksize", "pthread_attr_setguardsize", "pthread_attr_getguardsize", "pthread_attr_setscope", "pthread_attr_getscope",
		"pthread_attr_setinheritsched", "pthread_attr_getinheritsched", "pthread_attr_setschedpolicy", "pthread_attr_getschedpolicy", "pthread_attr_setschedparam",
		"pthread_attr_getschedparam", "pthread_mutexattr_gettype", "pthread_mutexattr_setpshared", "pthread_mutexattr_getpshared", "pthread_mutexattr_setprotocol",
		"pthread_mutexattr_getprotocol", "pthread_mutexattr_setrobust", "pthread_mutexattr_getrobust", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
		"pthread_barrierattr_setpshared", "pthread_barrierattr_getpshared", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "pthread_rwlockattr_setpshared",
		"pthread_rwlockattr_getpshared", "pthread_rwlockattr_getkind_np", "pthread_rwlockattr_setkind_np", "pthread_condattr_init", "pthread_condattr_destroy", "pthread_condattr_setclock", "pthread_condattr_getclock", "pthread_condattr_setpshared", "pthread_condattr_getpshared",
		"pthread_getconcurrency", "pthread_setconcurrency",
	}},
	{"prelude.c", []string{"qsort", "bsearch"}},
	{"search.c", []string{"qsort_r", "lfind", "lsearch"}},
	{"getopt.c", []string{"getopt", "getopt_long", "getopt_long_only"}},
	{"lists.c", []string{"insque", "remque", "hcreate", "hdestroy", "hsearch", "hcreate_r", "hdestroy_r", "hsearch_r"}},
	{"trees.c", []string{"tsearch", "tfind", "tdelete", "twalk", "twalk_r", "tdestroy"}},
	{"names.c", []string{"dirname", "__xpg_basename", "fnmatch"}},
	{"units.c", []string{"mbrtoc16", "mbrtoc32", "c16rtomb", "c32rtomb", "htonl", "htons", "ntohl", "ntohs"}},
	{"temporary.c", []string{"mkdtemp", "mkstemps", "mkstemps64", "mkostemp", "mkostemp64", "mkostemps", "mkostemps64", "mktemp"}},
	{"users.c", []string{
		"getpwnam", "getpwuid", "getpwent", "setpwent", "endpwent", "getpwnam_r", "getpwuid_r", "getpwent_r", "getgrnam", "getgrgid", "getgrent", "setgrent", "endgrent",
		"getgrnam_r", "getgrgid_r", "getgrent_r", "getgroups", "getgrouplist", "group_member", "initgroups", "setgroups", "setuid", "seteuid", "setgid", "setegid", "setreuid",
		"setregid", "setresuid", "setresgid", "getresuid", "getresgid", "getlogin", "getlogin_r", "ctermid",
	}},
	{"texts.c", []string{
		"textdomain", "bindtextdomain", "bind_textdomain_codeset", "gettext", "dgettext", "dcgettext", "ngettext", "dngettext", "dcngettext",
		"openlog", "closelog", "setlogmask", "syslog", "vsyslog",
	}},
	{"threads.c", []string{"pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_settype", "pthread_once", "call_once"}},
}

// abi is the machine description that the parser requires; its sizes are not used.
var abi = sync.OnceValues(func() (*cc.ABI, error) { return cc.NewABI("linux", "amd64") })

// parseTokens parses preprocessed text after the declarations of gcc's built-in functions.
func parseTokens(name, builtins string, text []byte) (*cc.AST, error) {
	a, err := abi()
	if err != nil {
		return nil, err
	}
	cfg := &cc.Config{ABI: a, ExpansionLimit: 10_000_000}
	return cc.Parse(cfg, []cc.Source{{Name: "<builtin>", Value: builtins}, {Name: name, Value: text}})
}

// builtin is a line of the declarations of gcc's built-in functions.
type builtin struct {
	name string // of the function, without __builtin_; "" for a line that every unit needs
	line string
}

var builtinLine = regexp.MustCompile(`^\w[^;{]*?\b__builtin_(\w+)\(.*\);$`)

var builtins = sync.OnceValue(func() []builtin {
	b, err := headers.ReadFile("include/builtins.h")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []builtin
	for _, l := range strings.SplitAfter(string(b), "\n") {
		x := builtin{line: l}
		if m := builtinLine.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			x.name = m[1]
		}
		out = append(out, x)
	}
	return out
})

var (
	ccPos    = regexp.MustCompile(`^([^\s:]+):(\d+):(\d+): (.*)$`)
	ccSuffix = regexp.MustCompile(` ?\(?[a-z]+\.go:\d+:[^)]*\)?`)
)

// ccError turns the parser's text into diagnostics.
func (u *unit) ccError(err error) *source.Error {
	e := &source.Error{}
	for _, l := range strings.Split(err.Error(), "\n") {
		m := ccPos.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil || strings.HasPrefix(l, "TODO") {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		e.List = append(e.List, source.Diagnostic{
			Pos:     u.position(m[1], line, col),
			Message: "not supported: " + strings.TrimSpace(ccSuffix.ReplaceAllString(m[4], "")),
			Note:    "gcc accepts this, gulo's own C front end does not",
		})
	}
	if len(e.List) == 0 {
		return source.Errorf(source.Position{File: u.name}, "not supported by the C front end: %v", err)
	}
	return e
}

// resolveAliases sets Func.Alias for functions with __attribute__((alias)).
func (c *converter) resolveAliases() error {
	for _, a := range c.aliases {
		t := c.funcs[a.name]
		if t == nil {
			t = c.funcs[a.unit+":"+a.name]
		}
		if t == nil || t.Body == nil {
			return source.Errorf(a.at.Position(), "an alias of %s, which is not defined here, is not supported", a.name)
		}
		a.f.Alias = t
	}
	return nil
}

// finish completes the program after the last source file: its functions, aliases, globals and choices.
func (c *converter) finish() (*Program, error) {
	p := c.prog
	for _, f := range c.funcOrder {
		if t := f.Alias; f.Body != nil && t != nil { // the label is what the linker calls this very function
			f.Alias = nil
			if t.Body == nil && t.Alias == nil && t != f {
				t.Alias = f
			}
		}
		if f.Body != nil {
			p.Funcs = append(p.Funcs, f)
		}
	}
	if err := c.resolveAliases(); err != nil {
		return nil, err
	}
	p.Choices = choices(p.Funcs, p.Structs)
	defer func() { p.Unions = writtenUnions(p) }()
	sort.SliceStable(p.Constructors, func(i, j int) bool { return p.Constructors[i].Priority < p.Constructors[j].Priority })
	sort.SliceStable(p.Destructors, func(i, j int) bool { return p.Destructors[i].Priority < p.Destructors[j].Priority })
	for _, v := range c.globalOrder {
		if v.library {
			p.Library = append(p.Library, v)
			continue
		}
		if v.Type.Kind == ctype.Array && v.Type.Len < 0 {
			v.Type = ctype.ArrayOf(v.Type.Elem, 1)
		}
		p.Globals = append(p.Globals, v)
	}
	return p, nil
}
