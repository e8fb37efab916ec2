/* Runs without a new process for each: one child calls the program's main again and
   again. After every run all memory that can be written (data of the program and of
   the libraries, the heap, the stack) is restored, and what ends a run (exit, a signal,
   too many steps) jumps back. A run costs microseconds and not a fork.

   A program that does what cannot be undone so (processes, threads, signal handlers, sleeping)
   is noticed, and each of its runs costs a fork. A child that the program destroys is replaced.
   On the first tests, runs here are compared with runs in processes of their own. */

#define OUT_SIZE (1 << 16)
#define MOST_OUT (16 * OUT_SIZE)     /* of what a run prints */
#define MOST_SHOWN ((size_t)64 * OUT_SIZE) /* of what runs print that are shown together */
#define STACK_KEPT (64 << 10)
#define STACK_SIZE ((8 << 20) + STACK_KEPT)
#define HUGE_PAGE (2 << 20)
#define HEAP_READY (64 << 10)
#define HEAP_KEPT 8
#define SMALL 16
#define MOST_REGIONS 64

struct region {
	char *at, *copy;
	size_t size;
	char *zero; /* pages that hold nothing; NULL: all is copied */
};

/* state outlives runs: it lies in shared memory, which is not restored. */
static struct state {
	volatile int job, test; /* at work on */
	volatile int unfit;     /* the program does what cannot be undone */
	volatile int undecided; /* too few tests were compared (see compare) */
	volatile int fit;       /* enough were */
	volatile long ticks;    /* of the timer in this run */
	volatile long steps;    /* of a run that ended */
	volatile int paused;    /* the answers that are known are to be written */
	long most;              /* ticks that a run may take */
	jmp_buf back;
	int on; /* a run is going on */
	long page;
	struct region regions[MOST_REGIONS];
	int nregions;
	char *top; /* of the heap */
	char *stack;
	char *out; /* buffer of the program's stdout */
	char err[MOST_ERR]; /* what a run printed to stderr */
	long nerr;
	char *shown; /* what runs printed that are shown */
	size_t nshown;
	int fd_out, fd_err;
	void (*ends[32])(void);
	int nends;
};

/* A run may write wildly to our variables that lie behind its own. The one that is
   read before they are restored lies in a page that cannot be written during runs. */
static union {
	struct state *state;
	char room[4096];
} gulo_fixed __attribute__((aligned(4096)));
#define st8 (gulo_fixed.state)

#ifdef FAST
extern void __real_exit(int) __attribute__((noreturn));
extern void __real__exit(int) __attribute__((noreturn));
extern int __real_atexit(void (*f)(void));

static int unfit(void) {
	if (st8 && st8->on) {
		st8->unfit = 1;
		__real__exit(0);
	}
	return 0;
}

static void leave(int status) { longjmp(st8->back, status + 1); }

void __wrap_exit(int code) {
	if (st8 && st8->on) {
		while (st8->nends > 0) st8->ends[--st8->nends]();
		st8->steps = gulo_steps;
		leave((gulo_end ? gulo_end(code) : code) & 255);
	}
	if (gulo_end) code = gulo_end(code);
	__real_exit(code);
}

void __wrap__exit(int code) {
	if (st8 && st8->on) { /* what is in the buffer is not printed */
		stdout->_IO_write_ptr = stdout->_IO_write_base;
		leave(code & 255);
	}
	__real__exit(code);
}

void __wrap__Exit(int code) { __wrap__exit(code); }

int __wrap_atexit(void (*f)(void)) {
	if (!st8 || !st8->on) return __real_atexit(f);
	if (st8->nends == 32) unfit();
	st8->ends[st8->nends++] = f;
	return 0;
}

/* A call of one of these makes a program unfit. */
#define UNFIT(name) \
	extern long __real_##name(long, long, long, long, long, long); \
	long __wrap_##name(long a, long b, long c, long d, long e, long f) { unfit(); return __real_##name(a, b, c, d, e, f); }
UNFIT(fork) UNFIT(system) UNFIT(popen) UNFIT(signal) UNFIT(sigaction) UNFIT(setitimer) UNFIT(alarm)
UNFIT(sleep) UNFIT(usleep) UNFIT(nanosleep) UNFIT(pause) UNFIT(pthread_create) UNFIT(mmap) UNFIT(dup2)

static void caught(int sig) {
	if (sig == SIGPROF && (!st8->on || ++st8->ticks < st8->most)) return;
	if (!st8->on) __real__exit(83);
	leave(256 + sig);
}

/* pagemap is what the kernel says of 512 pages. */
struct pagemap {
	int fd;
	uint64_t first, entries[512];
	ssize_t size;
};

/* untouched reports whether the kernel has given an anonymous page no memory yet: it holds zeros. To look
   at the pages of a large array one by one would take longer than most runs. */
static int untouched(struct pagemap *m, const char *at) {
	const uint64_t k = (uint64_t)at / (uint64_t)st8->page;
	if (m->fd < 0) return 0;
	if (k < m->first || (ssize_t)((k - m->first + 1) * sizeof *m->entries) > m->size) {
		m->first = k;
		m->size = pread(m->fd, m->entries, sizeof m->entries, (off_t)(k * sizeof *m->entries));
		if (m->size < (ssize_t)sizeof *m->entries) return 0;
	}
	return m->entries[k - m->first] >> 62 == 0; /* neither present nor swapped out */
}

/* save remembers all memory that can be written. */
__attribute__((optimize("O1"))) static void save(void) {
	struct { char *a, *b; int file; } found[MOST_REGIONS];
	int n = 0, fd = open("/proc/self/maps", O_RDONLY);
	char *text = st8->out; /* nothing may be taken from the heap */
	ssize_t len = 0, k;
	while ((k = read(fd, text + len, OUT_SIZE - 1 - (size_t)len)) > 0) len += k;
	close(fd);
	if (len <= 0 || len == OUT_SIZE - 1) {
		st8->unfit = 1;
		return;
	}
	text[len] = 0;
	for (char *l = text, *next; *l; l = next) {
		next = strchr(l, '\n');
		if (!next) break;
		*next++ = 0;
		unsigned long a, b, inode = 0;
		char mode[8];
		if (sscanf(l, "%lx-%lx %7s %*s %*s %lu", &a, &b, mode, &inode) < 3) continue;
		if (mode[0] != 'r' || mode[1] != 'w' || mode[3] != 'p' || strstr(l, "[stack") || (char *)a >= st8->stack && (char *)a < st8->stack + STACK_SIZE) continue;
		if (n == MOST_REGIONS) {
			st8->unfit = 1;
			break;
		}
		found[n].a = (char *)a;
		found[n].b = (char *)b;
		found[n++].file = inode != 0;
	}
	st8->top = sbrk(0);
	const long page = st8->page;
	struct pagemap map = {.fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)};
	for (int i = 0; i < n; i++) {
		struct region *r = &st8->regions[i];
		r->at = found[i].a;
		r->size = (size_t)(found[i].b - found[i].a);
		r->copy = shared_memory(r->size);
		r->zero = NULL;
		if (!found[i].file) {
			r->zero = shared_memory(r->size / (size_t)page);
			for (size_t k = 0; k < r->size / (size_t)page; k++) {
				if ((r->zero[k] = untouched(&map, r->at + k * (size_t)page))) continue;
				const uint64_t *p = (uint64_t *)(r->at + k * (size_t)page);
				size_t j = 0;
				while (j < (size_t)page / sizeof *p && p[j] == 0) j++;
				r->zero[k] = j == (size_t)page / sizeof *p;
			}
		}
	}
	if (map.fd >= 0) close(map.fd);
	st8->nregions = n;
	/* Nothing is called from here that could change what is copied. */
	for (int i = 0; i < n; i++) {
		struct region *r = &st8->regions[i];
		if (!r->zero) {
			__builtin_memcpy(r->copy, r->at, r->size);
			continue;
		}
		for (size_t k = 0; k < r->size / (size_t)page; k++)
			if (!r->zero[k]) __builtin_memcpy(r->copy + k * (size_t)page, r->at + k * (size_t)page, (size_t)page);
	}
}

static void restore(void) {
	const long page = st8->page;
	char *top = sbrk(0);
	for (int i = 0; i < st8->nregions; i++) {
		struct region *r = &st8->regions[i];
		if (!r->zero) {
			__builtin_memcpy(r->at, r->copy, r->size);
			continue;
		}
		size_t pages = r->size / (size_t)page, most = pages <= SMALL ? SMALL : HEAP_KEPT;
		for (size_t k = 0; k < pages;) {
			size_t from = k;
			if (!r->zero[k]) {
				__builtin_memcpy(r->at + k * (size_t)page, r->copy + k * (size_t)page, (size_t)page);
				k++;
				continue;
			}
			const char *next = memchr(r->zero + k, 0, pages - k);
			k = next ? (size_t)(next - r->zero) : pages;
			if (from < most) { /* used by most runs: to map it anew takes longer */
				size_t to = k < most ? k : most;
				memset(r->at + from * (size_t)page, 0, (to - from) * (size_t)page);
				if ((from = to) == k) continue;
			}
			madvise(r->at + from * (size_t)page, (k - from) * (size_t)page, MADV_DONTNEED);
		}
	}
	if (top != st8->top) syscall(SYS_brk, st8->top);
	memset(st8->stack + STACK_SIZE - STACK_KEPT, 0, STACK_KEPT);
	madvise(st8->stack, STACK_SIZE - STACK_KEPT, MADV_DONTNEED);
}

static struct test *current;
static ucontext_t there; /* at the beginning of a run */
static void begin_main(void) {
	int code = gulo_main(current->argc, current->argv, environ);
	__wrap_exit(code);
}

/* fast runs a test in this process; *p and *n are what it printed; state has its steps, and the beginning
   of what it printed to stderr. */
static int fast(struct test *t, int g, int h, unsigned char *seen, char **p, long *n) {
	dup2(fd_in, 0);
	dup2(fd_out, 1);
	dup2(fd_err, 2);
	load(t);
	choose(g, h, seen);
	gulo_steps = 0;
	current = t;
	st8->ticks = 0;
	st8->steps = 0;
	st8->nends = 0;
	int status = setjmp(st8->back) - 1;
	if (status < 0) {
		st8->on = 1;
		setcontext(&there);
	}
	st8->on = 0;
	const long steps = gulo_steps;
	if (status >= 256) {
		sigset_t none;
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	off_t at = lseek(st8->fd_out, 0, SEEK_CUR);
	if (at == 0 && stdout->_IO_buf_base == st8->out && status < 256) {
		*p = stdout->_IO_write_base;
		*n = stdout->_IO_write_ptr - stdout->_IO_write_base;
		if (*n < 0 || *n > OUT_SIZE) *n = 0;
	} else {
		if (status < 256) fflush(stdout);
		*n = lseek(st8->fd_out, 0, SEEK_END);
		*n = *n > MOST_OUT ? MOST_OUT : *n;
		*p = st8->out + OUT_SIZE;
		*n = pread(st8->fd_out, *p, (size_t)*n, 0);
		if (*n < 0) *n = 0;
		empty(st8->fd_out);
	}
	if (t->judged) *n = judged(*p, *n);
	st8->nerr = 0;
	if (lseek(st8->fd_err, 0, SEEK_CUR) > 0) {
		st8->nerr = pread(st8->fd_err, st8->err, MOST_ERR, 0);
		if (st8->nerr < 0) st8->nerr = 0;
		empty(st8->fd_err);
	}
	syscall(SYS_close_range, 3, 49, 0);
	restore();
	spend(status, steps); /* not before: a run may have overwritten the limits */
	return status;
}

/* settle makes a process ready for runs in it. */
static void settle(void) {
	st8->page = sysconf(_SC_PAGESIZE);
	st8->stack = mmap(NULL, STACK_SIZE + 2 * HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (st8->stack == MAP_FAILED) fail("mmap");
	st8->stack += HUGE_PAGE - ((uintptr_t)st8->stack & (HUGE_PAGE - 1)); /* guards on both sides */
	if (mprotect(st8->stack, STACK_SIZE, PROT_READ | PROT_WRITE)) fail("mprotect");
	/* A run that uses more of the stack than most mostly calls itself without end: that takes thousands of pages, or four. */
	madvise(st8->stack, STACK_SIZE - STACK_KEPT, MADV_HUGEPAGE);
	/* A run may overwrite what the handler reads. A signal in the handler ends the process,
	   and a page below its stack keeps it from writing to memory that others share. */
	stack_t alt = {.ss_sp = (char *)shared_memory((1 << 16) + (size_t)st8->page) + st8->page, .ss_size = 1 << 16};
	if (mprotect((char *)alt.ss_sp - st8->page, (size_t)st8->page, PROT_NONE)) fail("mprotect");
	sigaltstack(&alt, NULL);
	static const int sigs[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGXFSZ, SIGTRAP, SIGSYS, SIGPIPE};
	struct sigaction sa = {.sa_handler = caught, .sa_flags = SA_ONSTACK};
	for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++) sigaction(sigs[i], &sa, NULL);
	long most = 0;
	for (int i = 0; i < ntests; i++)
		if (tests[i].wantlen > most) most = tests[i].wantlen;
	struct rlimit size;
	getrlimit(RLIMIT_FSIZE, &size);
	size.rlim_cur = (rlim_t)(16 * most + (64 << 10)) + 2 * most_file;
	setrlimit(RLIMIT_FSIZE, &size);
	struct itimerval it = {{0, 10000}, {0, 10000}};
	setitimer(ITIMER_PROF, &it, NULL);
	st8->most = usec / 10000 + 2;
	st8->fd_out = fd_out;
	st8->fd_err = fd_err;
	if (mprotect(&gulo_fixed, sizeof gulo_fixed, PROT_READ)) fail("mprotect");
	empty(fd_out);
	empty(fd_err);
	setvbuf(stdout, st8->out, _IOFBF, OUT_SIZE);
	getcontext(&there);
	there.uc_stack.ss_sp = st8->stack;
	there.uc_stack.ss_size = STACK_SIZE;
	there.uc_link = NULL;
	makecontext(&there, begin_main, 0);
	free(malloc(HEAP_READY)); /* so that most runs need no more from the kernel */
	save();
}
#endif
