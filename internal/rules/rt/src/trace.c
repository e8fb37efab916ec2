/* What a program executes, for dynamic slices: records in the file that GULO_TRACE
   names, until a rule fires. Programs are built for it only when asked. */
#include "gulo.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_RECORDS (1ull << 28)

static u64 (*records)[2];
static u64 record_count;
static int trace_fd = -1, trace_tried;

static void open_trace(void)
{
    const char *path = getenv("GULO_TRACE");
    trace_tried = 1;
    if (!path)
        return;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)(MOST_RECORDS * sizeof *records)) != 0)
        gulo_die("cannot write the file that GULO_TRACE names");
    void *p = mmap(NULL, MOST_RECORDS * sizeof *records, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED)
        gulo_die("cannot map the file that GULO_TRACE names");
    trace_fd = fd;
    records = p;
}

void gulo_trace(u64 what, u64 value)
{
    if (!trace_tried)
        open_trace();
    if (!records || record_count == MOST_RECORDS)
        return;
    records[record_count][0] = what;
    records[record_count++][1] = value;
}

/* gulo_trace_end keeps what was written; nothing that follows is. */
void gulo_trace_end(void)
{
    if (!records)
        return;
    records = NULL;
    (void)!ftruncate(trace_fd, (off_t)(record_count * 16));
    close(trace_fd);
}

__attribute__((destructor)) static void at_end(void) { gulo_trace_end(); }
