/* What is asked about edits: which tests a program with one or two of them meets.

   A run does not change with an edit whose place it does not execute. So the program as it is,
   and the one with the edit that many others are tried on top of, are run once, and the places
   are marked that they execute. Only edits of marked places are run. */

#define BATCH 256
#define MOST_COMPARED 5  /* tests that must agree when they are run in both ways */
#define MOST_TRIED 15    /* tests that are run to find them; native.go has the number, too */

#define PAUSE 50 /* ms after which the answers that are known are written */

enum { SCREEN, PROFILE, OUTCOMES, REACH, SHOW };

struct job {
	int g, h, test, kind;
};

struct answer {
	int failing;
	uint64_t first, all;
	char *met; /* of a profile: for each test */
	unsigned char *reached; /* by the number of a place: one of the tests executes it; NULL: never asked */
	int status;             /* of a run that is shown; -1: it is to have a process of its own */
	long steps, nout, nerr;
	char *out;
};

static struct job jobs[BATCH];
static int njobs;
static struct answer *found; /* of jobs, shared */

/* basis holds the runs with one edit, or with none, and what they execute. */
struct basis {
	int g;
	char *known, *met;
	uint64_t *hash;
	unsigned char *marks; /* for each test: places by number */
};

static struct basis basis[2];
static int asked;      /* length of order */
static int *order;     /* of tests; NULL: as they came */
static int prepared;   /* tests that there is room for */
static int quick = -1; /* runs without a process each; -1: not known yet */
static int cut;        /* jobs were left out, since the runs had taken all that they may */

static void read_sites(int n) {
	char b[32];
	site = keep(sizeof *site * (size_t)(n + 1));
	for (int i = 1; i <= n && line(b, sizeof b); i++) site[i] = atoi(b);
	nsites = n + 1;
	/* private, so that it is restored after a run together with what else belongs to the choice */
	on = mmap(NULL, (size_t)n + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (on == MAP_FAILED) fail("mmap");
	gulo_on = NULL;
	prepared = 0;
}

static void room_for(struct basis *b, int g) {
	size_t n = (size_t)ntests;
	b->g = g;
	b->hash = shared_memory(n * (sizeof *b->hash + 2 + (size_t)nsites + 1));
	b->known = (char *)(b->hash + n);
	b->met = b->known + n;
	b->marks = (unsigned char *)b->met + n;
}

static void prepare(void) {
	if (prepared == ntests) return;
	prepared = ntests;
	found = shared_memory(sizeof *found * BATCH);
	char *met = shared_memory(BATCH * (size_t)ntests); /* one mapping, since each costs every fork */
	for (int i = 0; i < BATCH; i++) found[i].met = met + (size_t)i * (size_t)ntests;
	room_for(&basis[0], 0);
	room_for(&basis[1], basis[1].g);
}

/* read_order reads the numbers of the tests that are asked for from now on. */
static void read_order(int n) {
	char b[32];
	static int room;
	if (room < ntests) order = keep(sizeof *order * (size_t)(room = ntests));
	asked = n;
	for (int i = 0; i < n && i < ntests && line(b, sizeof b); i++) order[i] = atoi(b);
}

static void set_base(int g) {
	basis[1].g = g;
	if (prepared) memset(basis[1].known, 0, (size_t)prepared);
	if (prepared) memset(basis[1].marks, 0, (size_t)prepared * (size_t)(nsites + 1));
}

/* try runs a test with edits and reports whether it is met; *x is the hash of its outcome. */
static int try(int i, int g, int h, unsigned char *seen, uint64_t *x, int here) {
	struct test *t = &tests[i];
#ifdef FAST
	if (here) {
		char *p;
		long n;
		st8->test = i;
		int st = fast(t, g, h, seen, &p, &n);
		*x = hash(st, p, n);
		return same(t, st, p, n);
	}
#endif
	(void)here;
	choose(g, h, seen);
	return met(t, x);
}

/* know runs a test for a basis that has no run of it yet. */
static void know(struct basis *b, int i, int here) {
	if (b->known[i]) return;
	uint64_t x;
	b->met[i] = (char)try(i, b->g, 0, b->marks + (size_t)i * (size_t)nsites, &x, here);
	b->hash[i] = x;
	b->known[i] = 1;
}

/* becomes reports whether a test is met with edits; *x is the hash of its outcome. */
static int becomes(int i, int g, int h, uint64_t *x, int here) {
	if (nsites > 0 && g < nsites && h < nsites) {
		struct basis *b = &basis[0];
		know(b, i, here);
		unsigned char *m = b->marks + (size_t)i * (size_t)nsites;
		if ((g == 0 || !m[site[g]]) && (h == 0 || !m[site[h]])) {
			*x = b->hash[i];
			return b->met[i];
		}
		b = &basis[1];
		if (h != 0 && g == b->g) {
			know(b, i, here);
			m = b->marks + (size_t)i * (size_t)nsites;
			if (!m[site[h]]) {
				*x = b->hash[i];
				return b->met[i];
			}
		}
	}
	return try(i, g, h, NULL, x, here);
}

/* show runs a test here and keeps what it printed, as far as there is room. */
static void show(struct job *j, struct answer *a, int here) {
	a->status = -1;
#ifdef FAST
	if (!here) return;
	char *p;
	long n;
	st8->test = j->test;
	int st = fast(&tests[j->test], j->g, j->h, NULL, &p, &n);
	size_t size = (size_t)n + (size_t)st8->nerr;
	if (n == MOST_OUT || size > MOST_SHOWN - st8->nshown) return;
	a->out = st8->shown + st8->nshown;
	memcpy(a->out, p, (size_t)n);
	memcpy(a->out + n, st8->err, (size_t)st8->nerr);
	st8->nshown += size;
	a->nout = n;
	a->nerr = st8->nerr;
	a->steps = st8->steps;
	a->status = st;
#else
	(void)j;
	(void)here;
#endif
}

static void do_job(int k, int here) {
	struct job *j = &jobs[k];
	struct answer *a = &found[k];
	uint64_t x;
	if (j->kind == SHOW) {
		show(j, a, here);
		return;
	}
	if (j->kind == OUTCOMES) { /* together runs a test that destroys the process once more, in one of its own */
		for (int i = 0; i < ntests; i++) know(&basis[0], i, here);
		return;
	}
	int n = order ? asked : ntests;
	if (j->kind == REACH) {
		memset(a->reached, 0, (size_t)nsites);
		for (int i = 0; i < n; i++) try(order ? order[i] : i, j->g, j->h, a->reached, &x, here);
		return;
	}
	a->failing = n;
	a->all = 0;
	for (int i = 0; i < n; i++) {
		int ok = becomes(order ? order[i] : i, j->g, j->h, &x, here);
		if (i == 0) a->first = x;
		a->all = a->all * 1099511628211u + x;
		a->met[i] = (char)ok;
		if (ok) continue;
		if (a->failing == n) a->failing = i;
		if (j->kind == SCREEN) return;
	}
}

#ifdef FAST
static uint64_t *plain; /* outcomes of the first tests without edits, each in a process of its own */
static char *plainly;   /* whether they are met */
static int nplain;

/* run_plainly runs the first n tests without edits, each in a process of its own. */
static void run_plainly(int n) {
	if (!plain) {
		plain = keep(sizeof *plain * (size_t)ntests);
		plainly = keep((size_t)ntests);
	}
	for (; nplain < n; nplain++) plainly[nplain] = (char)try(nplain, 0, 0, NULL, &plain[nplain], 0);
}

/* compare finds out whether runs in this process do what runs with a process
   each do. Tests that are met neither way may differ, as where a program reads
   what it has not written. If too few agree, undecided asks for more tests. */
static void compare(void) {
	int agree = 0, differ = 0;
	for (int i = 0; i < nplain && agree < MOST_COMPARED && !st8->unfit; i++) {
		uint64_t x;
		int ok = try(i, 0, 0, NULL, &x, 1);
		if (ok != plainly[i]) st8->unfit = 1;
		if (x == plain[i]) agree++;
		else differ++;
	}
	if (agree < MOST_COMPARED && nplain < ntests && nplain < MOST_TRIED) st8->undecided = 1;
	else if (differ > agree) st8->unfit = 1;
	else st8->fit = !st8->unfit;
}

/* worker does jobs in this process. */
static void worker(int from) {
	settle();
	if (quick < 0) compare();
	struct timespec t, now;
	clock_gettime(CLOCK_MONOTONIC, &t);
	int k = from;
	while (k < njobs && !st8->unfit && !st8->undecided && !st8->paused && (k == from || !over())) {
		st8->job = k;
		do_job(k, 1);
		if (jobs[k++].kind != SHOW || st8->unfit) continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		st8->paused = (now.tv_sec - t.tv_sec) * 1000 + (now.tv_nsec - t.tv_nsec) / 1000000 >= PAUSE;
	}
	if (!st8->unfit && !st8->undecided) st8->job = k;
	__real__exit(0);
}

/* most_deaths bounds how often a process is lost before forks do all. */
static const int most_deaths = 200;

/* together does jobs, beginning at from, in processes that do many; it returns the first job not done. */
static int together(int from) {
	static int deaths;
	const int first = from;
	if (!st8) {
		st8 = shared_memory(sizeof *st8);
		st8->out = shared_memory(OUT_SIZE + MOST_OUT + MOST_SHOWN);
		st8->shown = st8->out + OUT_SIZE + MOST_OUT;
	}
	st8->nshown = 0;
	if (quick < 0) run_plainly(ntests < MOST_COMPARED ? ntests : MOST_COMPARED);
	while (from < njobs) {
		st8->job = from;
		st8->test = 0;
		pid_t p = fork();
		if (p < 0) fail("fork");
		if (p == 0) worker(from);
		ended(p);
		st8->on = 0;
		*loaded = NULL;
		int at = st8->job;
		if (at < from || at > njobs || st8->test < 0 || st8->test >= ntests) { /* a run has written to it */
			quick = 0;
			return from;
		}
		from = at;
		int paused = st8->paused || at > first && over();
		st8->paused = 0;
		if (st8->undecided) {
			st8->undecided = 0;
			run_plainly(ntests < MOST_TRIED ? ntests : MOST_TRIED);
			continue;
		}
		if (st8->unfit || deaths > most_deaths) {
			quick = 0;
			return from;
		}
		if (from < njobs && !paused) { /* destroyed by what it ran */
			deaths++;
			if (jobs[from].kind == OUTCOMES)
				know(&basis[0], st8->test, 0);
			else
				do_job(from++, 0);
		}
		quick = 1;
		if (paused) return from;
	}
	return njobs;
}
#endif

/* fit says whether one process is known to do many runs as they should be. */
static int fit(void) {
#ifdef FAST
	return quick == 1 && st8 && st8->fit;
#else
	return 0;
#endif
}

/* answer writes the answer to a job. */
static void answer(struct job *j, struct answer *a) {
	int n = order ? asked : ntests;
	switch (j->kind) {
	case OUTCOMES:
		say("o %d", ntests);
		for (int i = 0; i < ntests; i++) say(" %llx", (unsigned long long)basis[0].hash[i]);
		say("\n");
		break;
	case REACH:
		say("m %d %d ", j->g, j->h);
		for (int i = 0; i < nsites; i++) put(a->reached[i] ? "1" : "0", 1);
		say("\n");
		break;
	case SHOW:
		if (a->status < 0)
			print(j->g, j->h, j->test);
		else
			tell(j->test, a->status, a->steps, a->out, a->nout, a->out + a->nout, a->nerr);
		break;
	case SCREEN:
		say("s %d %d %d %llx\n", j->g, j->h, a->failing, (unsigned long long)a->first);
		break;
	case PROFILE:
		say("p %d %d ", j->g, j->h);
		for (int i = 0; i < n; i++) put(a->met[i] ? "1" : "0", 1);
		say(" %llx\n", (unsigned long long)a->all);
	}
}

static int any; /* a job was asked for: one is done at least */

static void do_jobs(void) {
	if (njobs == 0) return;
	prepare();
	for (int k = 0; k < njobs; k++)
		if (jobs[k].kind == REACH && !found[k].reached) found[k].reached = shared_memory((size_t)nsites + 1);
	flush();
	for (int k = 0; k < njobs;) {
		int done = k, end = njobs;
#ifdef FAST
		if (quick != 0 && ntests > 0) {
			done = together(k);
			if (quick != 0) end = done; /* the others follow in the next round */
		}
#endif
		for (; k < end && !cut; k++) {
			if (k >= done) do_job(k, 0);
			answer(&jobs[k], &found[k]);
			cut = k + 1 >= done && k + 1 < njobs && over();
		}
		flush();
		if (cut) break;
	}
	njobs = 0;
}

/* alone reports whether a run to be shown gets a process of its
   own: to find out that it need not would take more runs. */
static int alone(void) {
#ifdef FAST
	return quick == 0 || quick < 0 && ntests <= MOST_COMPARED;
#else
	return 1;
#endif
}

static void add_job(int g, int h, int test, int kind) {
	if (cut || (cut = any && over())) return;
	any = 1;
	if (kind == SHOW && alone()) {
		do_jobs();
		print(g, h, test);
		return;
	}
	jobs[njobs++] = (struct job){g, h, test, kind};
	if (njobs == BATCH || kind == OUTCOMES) do_jobs();
}
