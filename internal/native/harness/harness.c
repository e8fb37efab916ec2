/* Runs a program's main again and again and says what became of it. Everything is read
   from standard input and written to standard output; the program itself is given files
   in memory for its own. A run is a child process, or, in fast.c, a call in one that
   does many. See native.go. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined(GULO_SANITIZED) && defined(__GLIBC__) && defined(SYS_close_range)
#define FAST
#endif

/* Linked with --wrap=main: the program's main keeps its name, and with it the 0 that it returns
   where it ends without a return. */
#define main __wrap_main
#define gulo_main __real_main
extern int gulo_main();

int gulo_g, gulo_h, gulo_q;              /* the edits in force */
long gulo_allowed = -1;                  /* blocks that may be left at the end of a run */
extern int gulo_end(int) __attribute__((weak)); /* guard.c */
long gulo_steps, gulo_limit = 1L << 60;  /* rounds of loops and calls */
unsigned char *gulo_seen;                /* places that were executed, by the number of their first edit */
unsigned char *gulo_on;                  /* by the same number: 0 where no edit is in force; NULL: not known */
static long *counted;                    /* of the last run, seen by the parent */

#ifdef GULO_SANITIZED
const char *__asan_default_options(void) { return "detect_leaks=0:exitcode=86:abort_on_error=0:hard_rss_limit_mb=600:allocator_may_return_null=1:handle_segv=1:detect_stack_use_after_return=0"; }
const char *__ubsan_default_options(void) { return "halt_on_error=1:exitcode=86:print_stacktrace=0"; }
#endif

void gulo_over(void) { _exit(85); }

/* gulo_fill fills its caller's frame, from its end up to top, with the pattern that gcc gives to variables without
   an initial value (-ftrivial-auto-var-init=pattern). tcc's frames have the arguments above the variables. */
__attribute__((noinline)) void gulo_fill(char *top) {
	char *end = (char *)__builtin_frame_address(0) + 2 * sizeof(void *);
	if (end <= top) memset(end, 0xFE, (size_t)(top + 1 - end));
}

struct test {
	int argc;
	char **argv;          /* programs may write to it and to what it points to */
	char *written, *kept; /* where that memory is, and a copy of it */
	size_t size;
	char *in, *want;
	long inlen, wantlen;
	int status; /* -1: any, and the output begins with what is wanted */
	long blocks;
	int judged; /* white space at the ends of lines and of the output does not count */
};

#define MOST_TEXT ((size_t)1 << 16) /* of the arguments of a test */
#define MOST_ERR 2000              /* of what a run prints to stderr */

static struct test *tests;
static int ntests, room;
static long usec = 300000;
static long most_work = -1, per_run, per_round; /* of all runs together, in steps of package budget; -1: no bound */
static int fd_in, fd_out, fd_err, fd_dir;
static rlim_t most_file; /* of the files that the program finds */
static struct test **loaded; /* whose input is in fd_in */

static void fail(const char *what) {
	char b[200];
	int n = snprintf(b, sizeof b, "harness: %s: %s\n", what, strerror(errno));
	if (write(2, b, (size_t)n) < 0) _exit(84);
	_exit(84);
}

static void *shared_memory(size_t n) {
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) fail("mmap");
	return p;
}

/* keep allocates for good, outside of the heap: that is left to the program. */
static void *keep(size_t n) {
	static char *at;
	static size_t left;
	n = (n + 15) & ~(size_t)15;
	if (n > left) {
		left = n > 1 << 20 ? n : 1 << 20;
		at = shared_memory(left);
	}
	void *p = at;
	at += n;
	left -= n;
	return p;
}

/* apart allocates what programs may write to. A write just before or behind it
   meets a guard page, or what is made anew for each run, and not what is kept. One
   mapping holds the memory of many tests, since each makes every fork slower. */
static void *apart(size_t n) {
	static char *at;
	static size_t left;
	n = (n + 15) & ~(size_t)15;
	if (n > left) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		left = n > 1 << 20 ? (n + page - 1) / page * page : 1 << 20;
		at = shared_memory(left + 2 * page);
		if (mprotect(at, page, PROT_NONE) || mprotect(at + page + left, page, PROT_NONE)) fail("mprotect");
		at += page;
	}
	void *p = at;
	at += n;
	left -= n;
	return p;
}

static char *input, *unread;
static long waiting;

static int more(void) {
	ssize_t k = read(0, input, 1 << 16);
	if (k <= 0) return 0;
	unread = input;
	waiting = k;
	return 1;
}

static void get(void *p, size_t n) {
	char *c = p;
	while (n > 0) {
		if (waiting == 0 && !more()) fail("read");
		size_t k = n < (size_t)waiting ? n : (size_t)waiting;
		memcpy(c, unread, k);
		c += k;
		n -= k;
		unread += k;
		waiting -= (long)k;
	}
}

static int line(char *buf, size_t n) {
	size_t i = 0;
	for (;;) {
		if (waiting == 0 && !more()) return 0;
		char c = *unread++;
		waiting--;
		if (c == '\n') break;
		if (i + 1 < n) buf[i++] = c;
	}
	buf[i] = 0;
	return 1;
}

static char *bytes(long n) {
	char *p = keep((size_t)n + 1);
	get(p, (size_t)n);
	p[n] = 0;
	return p;
}

/* judged removes, in place, the white space that judges do not count, and returns the length that is left. */
__attribute__((optimize("O1"))) static long judged(char *p, long n) {
	long k = 0;
	for (long i = 0; i <= n; i++) {
		if (i == n || p[i] == '\n')
			while (k > 0 && (p[k - 1] == ' ' || p[k - 1] == '\t' || p[k - 1] == '\r' || p[k - 1] == '\v' || p[k - 1] == '\f')) k--;
		if (i < n) p[k++] = p[i];
	}
	while (k > 0 && p[k - 1] == '\n') k--;
	return k;
}

static void add_test(int argc, long inlen, long wantlen, int status, long blocks, int loose) {
	if (ntests == room) {
		room = 2 * room + 64;
		struct test *t = keep(sizeof *t * (size_t)room);
		if (ntests > 0) memcpy(t, tests, sizeof *t * (size_t)ntests);
		tests = t;
	}
	struct test *t = &tests[ntests++];
	t->argc = argc + 1;
	/* Arguments are read into memory that is not restored
	   after runs, and then put behind the pointers to them. */
	static char *text;
	if (!text) text = shared_memory(MOST_TEXT);
	size_t n = 0, starts[argc + 1];
	for (int i = 0; i < argc; i++) {
		char b[32];
		line(b, sizeof b);
		size_t k = (size_t)atol(b);
		if (k >= MOST_TEXT - n) fail("arguments");
		starts[i] = n;
		get(text + n, k);
		text[n + k] = 0;
		n += k + 1;
	}
	size_t pointers = sizeof *t->argv * ((size_t)argc + 2);
	t->size = pointers + n;
	t->written = apart(t->size);
	t->kept = keep(t->size);
	char **argv = (char **)t->kept;
	argv[0] = "program";
	for (int i = 0; i < argc; i++) argv[i + 1] = t->written + pointers + starts[i];
	argv[argc + 1] = NULL;
	memcpy(t->kept + pointers, text, n);
	t->argv = (char **)t->written;
	t->in = bytes(t->inlen = inlen);
	t->want = bytes(t->wantlen = wantlen);
	t->status = status;
	t->blocks = blocks;
	if ((t->judged = loose)) t->wantlen = judged(t->want, wantlen);
}

static char *answers; /* not written yet */
static size_t nanswers;

static void flush(void) {
	for (size_t k = 0; k < nanswers;) {
		ssize_t w = write(1, answers + k, nanswers - k);
		if (w <= 0) fail("write");
		k += (size_t)w;
	}
	nanswers = 0;
}

static void put(const char *p, size_t n) {
	while (n > 0) {
		size_t k = (1 << 16) - nanswers < n ? (1 << 16) - nanswers : n;
		memcpy(answers + nanswers, p, k);
		nanswers += k;
		p += k;
		n -= k;
		if (nanswers == 1 << 16) flush();
	}
}

static void say(const char *format, ...) {
	char b[200];
	va_list l;
	va_start(l, format);
	int n = vsnprintf(b, sizeof b, format, l);
	va_end(l);
	put(b, (size_t)n);
}

/* memory_file makes a file with a number that programs do not get for theirs. */
static int memory_file(const char *name) {
	int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0) fail("memfd_create");
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 50);
	if (high < 0) return fd;
	close(fd);
	return high;
}

static void empty(int fd) {
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)) fail("ftruncate");
}

#include "gulo_files.c"

/* load puts a test's input into its file, and its arguments into place. */
static void load(struct test *t) {
	memcpy(t->written, t->kept, t->size);
	renew();
	gulo_allowed = t->blocks;
	if (*loaded != t) {
		for (long n = 0; n < t->inlen;) { /* over what is there: the file keeps its memory */
			ssize_t k = pwrite(fd_in, t->in + n, (size_t)(t->inlen - n), n);
			if (k <= 0) fail("write");
			n += k;
		}
		if (lseek(fd_in, 0, SEEK_END) > t->inlen && ftruncate(fd_in, t->inlen)) fail("ftruncate");
		*loaded = t;
	}
	lseek(fd_in, 0, SEEK_SET);
}

static void count(void) { *counted = gulo_steps; }

/* spend counts what a run took, in memory that all processes share: native.go charges it to the search. A run
   that was stopped took all that it may; what a run says of itself it may have overwritten. */
static void spend(int status, long steps) {
	const long room = 25 * usec, most = gulo_limit < room ? gulo_limit : room; /* 40 ns a round, as in package budget */
	if (status == 256 + SIGPROF || status == 85 && gulo_limit < room)
		steps = most;
	long *work = counted + 2;
	work[0]++;
	work[1] += steps < 0 ? 0 : steps < most ? steps : most;
}

/* over reports whether the runs took all that they may together. */
static int over(void) { return most_work >= 0 && counted[2] * per_run + counted[3] * per_round > most_work; }

static void child(struct test *t) {
	dup2(fd_in, 0);
	dup2(fd_out, 1);
	dup2(fd_err, 2);
	/* Processor time says the same on a busy machine; the clock catches what sleeps. */
	struct itimerval it = {{0, 0}, {usec / 1000000, usec % 1000000}};
	setitimer(ITIMER_PROF, &it, NULL);
	it.it_value.tv_sec = usec / 100000 + 1;
	setitimer(ITIMER_REAL, &it, NULL);
	struct rlimit cpu = {(rlim_t)(usec / 1000000) + 1, (rlim_t)(usec / 1000000) + 1};
	setrlimit(RLIMIT_CPU, &cpu);
	rlim_t most = (rlim_t)(16 * t->wantlen + (64 << 10)) + 2 * most_file;
	struct rlimit size = {most, most};
	setrlimit(RLIMIT_FSIZE, &size);
	atexit(count);
	gulo_steps = 0;
	exit(gulo_main(t->argc, t->argv, environ));
}

/* ended waits for a child and kills the processes that it leaves behind: what they print
   would be taken for that of another run. The harness adopts such processes (see main). */
static int ended(pid_t p) {
	int st, was = errno;
	while (waitpid(p, &st, 0) < 0)
		if (errno != EINTR) fail("waitpid");
	int tries = 0;
	for (pid_t q; (q = waitpid(-1, NULL, WNOHANG)) >= 0 && tries < 1000;) {
		if (q > 0) continue;
		char path[64], b[4096];
		snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, b, sizeof b - 1);
		if (fd >= 0) close(fd);
		b[n < 0 ? 0 : n] = 0; /* one that is about to end may be missing */
		for (char *c = b, *e; (q = (pid_t)strtol(c, &e, 10)) > 0 && e != c; c = e) kill(q, SIGKILL);
		tries++;
		usleep(50);
	}
	errno = was; /* programs see it */
	return st;
}

/* run runs a test and returns its status: 0-255 an exit, 256+n a signal. */
static int run(struct test *t) {
	load(t);
	empty(fd_out);
	empty(fd_err);
	*counted = 0;
	pid_t p = fork();
	if (p < 0) fail("fork");
	if (p == 0) child(t);
	int st = ended(p);
	st = WIFEXITED(st) ? WEXITSTATUS(st) : 256 + WTERMSIG(st);
	spend(st, *counted);
	return st;
}

/* output maps what a run printed. */
static char *output(int fd, long *n) {
	*n = lseek(fd, 0, SEEK_END);
	if (*n <= 0) return "";
	char *p = mmap(NULL, (size_t)*n, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) fail("mmap");
	return p;
}

static void release(char *p, long n) {
	if (n > 0) munmap(p, (size_t)n);
}

/* hash is a hash of an outcome; what was printed counts only if the run ended by itself. */
__attribute__((optimize("O1"))) static uint64_t hash(int status, const char *p, long n) {
	uint64_t h = (14695981039346656037u ^ (uint64_t)status) * 1099511628211u;
	if (status >= 256 || status == 85) return h;
	for (long i = 0; i < n; i++) h = (h ^ (unsigned char)p[i]) * 1099511628211u;
	return h;
}

static int same(struct test *t, int status, const char *p, long n) {
	if (t->status < 0) return status < 256 && status != 85 && status != 86 && n >= t->wantlen && memcmp(p, t->want, (size_t)t->wantlen) == 0;
	return status == t->status && n == t->wantlen && memcmp(p, t->want, (size_t)n) == 0;
}

/* met runs a test in a child and reports whether it is met; *h is the hash of the outcome. */
static int met(struct test *t, uint64_t *h) {
	int st = run(t);
	long n;
	char *p = output(fd_out, &n);
	long left = t->judged ? judged(p, n) : n;
	int ok = same(t, st, p, left);
	*h = hash(st, p, left);
	release(p, n);
	return ok;
}

/* tell says all about a run: its output, and behind it what it printed to stderr. */
static void tell(int i, int status, long steps, const char *p, long n, const char *e, long m) {
	say("r %d %d %ld %ld %ld\n", i, status, n, m, steps);
	put(p, (size_t)n);
	put(e, (size_t)m);
	put("\n", 1);
}

static int *site;      /* number of an edit's place */
static int nsites;     /* edits, plus one */
static unsigned char *on; /* by place */

/* choose puts edits in force (0 for none). With seen the places that are executed are marked there. */
static void choose(int g, int h, unsigned char *seen) {
	if (gulo_on) on[site[gulo_g]] = on[site[gulo_h]] = 0;
	gulo_g = g;
	gulo_h = h;
	gulo_seen = seen;
	gulo_on = on && !seen && g < nsites && h < nsites ? on : NULL;
	if (gulo_on && g) on[site[g]] = 1;
	if (gulo_on && h) on[site[h]] = 1;
}

/* print runs a test in a child and says all about it. */
static void print(int g, int h, int i) {
	flush();
	choose(g, h, NULL);
	int st = run(&tests[i]);
	choose(0, 0, NULL);
	long n, m;
	char *p = output(fd_out, &n), *e = output(fd_err, &m);
	tell(i, st, *counted, p, tests[i].judged ? judged(p, n) : n, e, m < MOST_ERR ? m : MOST_ERR);
	release(p, n);
	release(e, m);
}

#include "gulo_fast.c"
#include "gulo_jobs.c"

int main(void) {
	char b[200];
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	/* One mapping for all of it, since each makes every fork slower. */
	counted = shared_memory((2 << 16) + 64);
	loaded = (struct test **)(counted + 1);
	input = (char *)counted + 64;
	answers = input + (1 << 16);
	fd_in = memory_file("in");
	fd_out = memory_file("out");
	fd_err = memory_file("err");
	fd_dir = working_folder();
	while (line(b, sizeof b)) {
		int g, h, n, status, loose;
		long x, y, z;
		int screen = sscanf(b, "screen %d %d", &g, &h) == 2;
		if (screen || sscanf(b, "profile %d %d", &g, &h) == 2) {
			add_job(g, h, 0, screen ? SCREEN : PROFILE);
			continue;
		}
		if (sscanf(b, "reach %d %d", &g, &h) == 2) {
			add_job(g, h, 0, REACH);
			continue;
		}
		g = h = 0;
		if (sscanf(b, "print %d", &n) == 1 || sscanf(b, "show %d %d %d", &g, &h, &n) == 3) {
			add_job(g, h, n, SHOW);
			continue;
		}
		if (strcmp(b, "outcomes") == 0) {
			add_job(0, 0, 0, OUTCOMES);
			continue;
		}
		do_jobs();
		if (strcmp(b, "fit") == 0) /* an earlier process of the program found it out on these tests */
			quick = 1;
		else if (sscanf(b, "test %d %ld %ld %d %ld %d", &n, &x, &y, &status, &z, &loose) == 6)
			add_test(n, x, y, status, z, loose);
		else if (sscanf(b, "file %d %ld", &n, &x) == 2)
			add_file(n, x);
		else if (strcmp(b, "files") == 0)
			files_known = 1;
		else if (sscanf(b, "usec %ld", &x) == 1)
			usec = x;
		else if (sscanf(b, "steps %ld", &x) == 1)
			gulo_limit = x;
		else if (sscanf(b, "work %ld %ld %ld", &x, &y, &z) == 3) {
			most_work = x;
			per_run = y;
			per_round = z;
		}
		else if (sscanf(b, "sites %d", &n) == 1)
			read_sites(n);
		else if (sscanf(b, "order %d", &n) == 1)
			read_order(n);
		else if (sscanf(b, "base %d", &g) == 1)
			set_base(g);
	}
	do_jobs();
	if (fit()) say("fit\n");
	if (cut) say("cut\n");
	say("w %ld %ld\n", counted[2], counted[3]);
	flush();
	return 0;
}
