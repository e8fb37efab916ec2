/* Runs a program's main again and again, each time in a child process, and says what
   became of it. Everything is read from standard input and written to standard output;
   the program itself is given files in memory for its own. See native.go. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#undef main
extern int gulo_main();

int gulo_g, gulo_h, gulo_q;              /* the edits in force */
long gulo_steps, gulo_limit = 1L << 60;  /* rounds of loops and calls */
static long *counted;                    /* of the last run, seen by the parent */

#ifdef GULO_SANITIZED
const char *__asan_default_options(void) { return "detect_leaks=0:exitcode=86:abort_on_error=0:hard_rss_limit_mb=600:allocator_may_return_null=1:handle_segv=1:detect_stack_use_after_return=0"; }
const char *__ubsan_default_options(void) { return "halt_on_error=1:exitcode=86:print_stacktrace=0"; }
#endif

void gulo_over(void) { _exit(85); }

struct test {
	int argc;
	char **argv;
	char *in, *want;
	long inlen, wantlen;
	int status;
};

static struct test *tests;
static int ntests;
static long usec = 300000;
static int fd_in, fd_out, fd_err;

static void fail(const char *what) {
	fprintf(stderr, "harness: %s: %s\n", what, strerror(errno));
	exit(84);
}

static void get(void *p, size_t n) {
	char *c = p;
	while (n > 0) {
		ssize_t k = read(0, c, n);
		if (k <= 0) fail("read");
		c += k;
		n -= (size_t)k;
	}
}

static int line(char *buf, size_t n) {
	size_t i = 0;
	for (;;) {
		char c;
		ssize_t k = read(0, &c, 1);
		if (k <= 0) return 0;
		if (c == '\n') break;
		if (i + 1 < n) buf[i++] = c;
	}
	buf[i] = 0;
	return 1;
}

static char *bytes(long n) {
	char *p = malloc((size_t)n + 1);
	if (!p) fail("malloc");
	get(p, (size_t)n);
	p[n] = 0;
	return p;
}

static void add_test(int argc, long inlen, long wantlen, int status) {
	tests = realloc(tests, sizeof *tests * (size_t)(ntests + 1));
	struct test *t = &tests[ntests++];
	t->argc = argc + 1;
	t->argv = calloc((size_t)argc + 2, sizeof *t->argv);
	t->argv[0] = "program";
	for (int i = 0; i < argc; i++) {
		char b[32];
		line(b, sizeof b);
		t->argv[i + 1] = bytes(atol(b));
	}
	t->in = bytes(t->inlen = inlen);
	t->want = bytes(t->wantlen = wantlen);
	t->status = status;
}

static int memory_file(const char *name) {
	int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0) fail("memfd_create");
	return fd;
}

static void empty(int fd) {
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)) fail("ftruncate");
}

static void count(void) { *counted = gulo_steps; }

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
	rlim_t most = (rlim_t)(16 * t->wantlen + (64 << 10));
	struct rlimit size = {most, most};
	setrlimit(RLIMIT_FSIZE, &size);
	atexit(count);
	gulo_steps = 0;
	exit(gulo_main(t->argc, t->argv, environ));
}

/* run runs a test and returns its status: 0-255 an exit, 256+n a signal. */
static int run(struct test *t) {
	static struct test *loaded;
	if (loaded != t) {
		empty(fd_in);
		for (long n = 0; n < t->inlen;) {
			ssize_t k = write(fd_in, t->in + n, (size_t)(t->inlen - n));
			if (k <= 0) fail("write");
			n += k;
		}
		loaded = t;
	}
	lseek(fd_in, 0, SEEK_SET);
	empty(fd_out);
	empty(fd_err);
	pid_t p = fork();
	if (p < 0) fail("fork");
	if (p == 0) child(t);
	int st;
	while (waitpid(p, &st, 0) < 0)
		if (errno != EINTR) fail("waitpid");
	return WIFEXITED(st) ? WEXITSTATUS(st) : 256 + WTERMSIG(st);
}

/* output maps what a run printed. */
static char *output(int fd, long *n) {
	*n = lseek(fd, 0, SEEK_END);
	if (*n <= 0) return "";
	char *p = mmap(NULL, (size_t)*n, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) fail("mmap");
	return p;
}

static void release(char *p, long n) {
	if (n > 0) munmap(p, (size_t)n);
}

static uint64_t hash(int status, const char *p, long n) {
	uint64_t h = 14695981039346656037u ^ (uint64_t)status;
	for (long i = 0; i < n; i++) h = (h ^ (unsigned char)p[i]) * 1099511628211u;
	return h;
}

/* met runs a test and compares; *h tells outcomes apart. */
static int met(struct test *t, uint64_t *h) {
	int st = run(t);
	long n;
	char *p = output(fd_out, &n);
	int ok = st == t->status && n == t->wantlen && memcmp(p, t->want, (size_t)n) == 0;
	*h = hash(st, p, n);
	release(p, n);
	return ok;
}

/* print runs a test and prints all about it. */
static void print(int i) {
	*counted = 0;
	int st = run(&tests[i]);
	long n, m;
	char *p = output(fd_out, &n), *e = output(fd_err, &m);
	long shown = m < 2000 ? m : 2000;
	printf("r %d %d %ld %ld %ld\n", i, st, n, shown, *counted);
	fwrite(p, 1, (size_t)n, stdout);
	fwrite(e, 1, (size_t)shown, stdout);
	putchar('\n');
	release(p, n);
	release(e, m);
}

/* screen runs tests until one is not met. */
static void screen(int g, int h) {
	gulo_g = g;
	gulo_h = h;
	uint64_t first = 0, x;
	int i;
	for (i = 0; i < ntests; i++) {
		int ok = met(&tests[i], &x);
		if (i == 0) first = x;
		if (!ok) break;
	}
	printf("s %d %d %d %llx\n", g, h, i, (unsigned long long)first);
}

/* profile runs all tests: which are met, and what tells this edit from others. */
static void profile(int g, int h) {
	gulo_g = g;
	gulo_h = h;
	uint64_t all = 0, x;
	char *bits = malloc((size_t)ntests + 1);
	if (!bits) fail("malloc");
	for (int i = 0; i < ntests; i++) { /* nothing is printed before all children are made */
		bits[i] = met(&tests[i], &x) ? '1' : '0';
		all = all * 1099511628211u + x;
	}
	bits[ntests] = 0;
	printf("p %d %d %s", g, h, bits);
	free(bits);
	printf(" %llx\n", (unsigned long long)all);
}

int main(void) {
	char b[200];
	counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counted == MAP_FAILED) fail("mmap");
	fd_in = memory_file("in");
	fd_out = memory_file("out");
	fd_err = memory_file("err");
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	while (line(b, sizeof b)) {
		int g, h, n, status;
		long x, y;
		fflush(stdout); /* before any fork */
		if (sscanf(b, "test %d %ld %ld %d", &n, &x, &y, &status) == 4)
			add_test(n, x, y, status);
		else if (sscanf(b, "usec %ld", &x) == 1)
			usec = x;
		else if (sscanf(b, "steps %ld", &x) == 1)
			gulo_limit = x;
		else if (sscanf(b, "print %d", &n) == 1)
			print(n);
		else if (sscanf(b, "screen %d %d", &g, &h) == 2)
			screen(g, h);
		else if (sscanf(b, "profile %d %d", &g, &h) == 2)
			profile(g, h);
	}
	fflush(stdout);
	return 0;
}
