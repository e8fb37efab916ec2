/* The working folder, which is restored before every run: it holds the files that the
   program is given, as they were, and no others. What a run has not touched stays; a
   file that was written to has another time than the one that it is given here. */

struct given {
	char *name, *data; /* data is NULL for a folder */
	long size;
	ino_t ino;
	mode_t mode;
};

static struct given *given; /* in memory that outlives runs, as what it holds */
static int ngiven, given_room;
static int files_known; /* the command files was given; without it the folder is left alone */

static int working_folder(void) {
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) fail("open");
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 50);
	if (high < 0) return fd;
	close(fd);
	return high;
}

/* add_file reads a name and what is in the file; folders come before their files, with a size of -1. */
static void add_file(int namelen, long size) {
	if (ngiven == given_room) {
		given_room = 2 * given_room + 16;
		struct given *g = keep(sizeof *g * (size_t)given_room);
		if (ngiven > 0) memcpy(g, given, sizeof *g * (size_t)ngiven);
		given = g;
	}
	struct given *g = &given[ngiven++];
	memset(g, 0, sizeof *g);
	g->name = bytes(namelen);
	g->size = size;
	if (size >= 0) g->data = bytes(size);
	if (size > (long)most_file) most_file = (rlim_t)size;
}

static struct given *known(const char *name) {
	for (int i = 0; i < ngiven; i++)
		if (strcmp(given[i].name, name) == 0) return &given[i];
	return NULL;
}

struct entry { /* as getdents64 tells it: readdir would take memory from the program's heap */
	uint64_t ino;
	int64_t off;
	unsigned short len;
	unsigned char type;
	char name[];
};

#define FOLDER 4 /* the type of an entry */
#define LONGEST 1000 /* path */

/* sweep removes what is not given from a folder; all: everything. */
static void sweep(int fd, const char *prefix, int all) {
	char b[2048], path[LONGEST];
	int removed;
	do {
		removed = 0;
		lseek(fd, 0, SEEK_SET);
		for (long n; (n = syscall(SYS_getdents64, fd, b, sizeof b)) > 0;)
			for (long at = 0; at < n; at += ((struct entry *)(b + at))->len) {
				struct entry *e = (struct entry *)(b + at);
				if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0) continue;
				int k = snprintf(path, sizeof path, "%s%s", prefix, e->name);
				if (k >= (int)sizeof path - 1) fail("a path");
				struct given *g = all ? NULL : known(path);
				if (g && (g->data == NULL) != (e->type == FOLDER)) g = NULL;
				if (g && g->data) continue;
				if (e->type != FOLDER) {
					if (unlinkat(fd, e->name, 0) == 0) removed = 1;
					continue;
				}
				fchmodat(fd, e->name, 0755, 0);
				int in = openat(fd, e->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
				if (in >= 0) {
					path[k] = '/';
					path[k + 1] = 0;
					sweep(in, path, !g);
					close(in);
				}
				if (!g && unlinkat(fd, e->name, AT_REMOVEDIR) == 0) removed = 1;
			}
	} while (removed);
}

static void write_file(struct given *g) {
	unlinkat(fd_dir, g->name, 0);
	int fd = openat(fd_dir, g->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) fail("a file of the program");
	for (long n = 0; n < g->size;) {
		ssize_t k = write(fd, g->data + n, (size_t)(g->size - n));
		if (k <= 0) fail("a file of the program");
		n += k;
	}
	struct stat st;
	static const struct timespec none[2];
	if (futimens(fd, none) || fstat(fd, &st)) fail("a file of the program");
	g->ino = st.st_ino;
	g->mode = st.st_mode;
	close(fd);
}

/* renew restores the folder. */
static void renew(void) {
	if (!files_known) return;
	int was = errno; /* programs see it */
	if (fchdir(fd_dir)) fail("fchdir");
	fchmod(fd_dir, 0755);
	sweep(fd_dir, "", 0);
	for (int i = 0; i < ngiven; i++) {
		struct given *g = &given[i];
		struct stat st;
		int there = fstatat(fd_dir, g->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
		if (!g->data) {
			if (!there && mkdirat(fd_dir, g->name, 0755)) fail("a folder of the program");
			continue;
		}
		if (!there || st.st_ino != g->ino || st.st_mode != g->mode || st.st_size != g->size || st.st_nlink != 1 || st.st_mtim.tv_sec || st.st_mtim.tv_nsec) write_file(g);
	}
	errno = was;
}
