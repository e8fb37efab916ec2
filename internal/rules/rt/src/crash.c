/* A crash that no rule foresees is reported with its place, which the debug information has: a signal of the processor
   in the program or in a library function that it calls. */
#define _GNU_SOURCE
#include "gulo.h"
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define LOOKED_AT 4096 /* words of the stack */
#define CANDIDATES 8   /* places that are looked up, as this runtime, which has no debug information, has code, too */
#define HANDLER_STACK (1 << 16)
#define NEAR_STACK (1 << 16)

static u64 base, text_begin, text_end; /* of the program's own code */

static int own(struct dl_phdr_info *i, size_t size, void *unused)
{
    (void)size, (void)unused;
    base = i->dlpi_addr;
    for (int k = 0; k < i->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &i->dlpi_phdr[k];
        if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
            text_begin = base + p->p_vaddr;
            text_end = text_begin + p->p_memsz;
        }
    }
    return 1; /* the program comes first */
}

/* Instructions in the program's code that crashed or, in a library function, that may have called it: addresses on the
   stack that lie in the program's code, those further in first. Returns how many. */
static int where(const mcontext_t *m, u64 *found)
{
    u64 pc = (u64)m->gregs[REG_RIP], sp = (u64)m->gregs[REG_RSP] & ~7ull, page = (u64)sysconf(_SC_PAGESIZE);
    unsigned char there;
    int n = 0;
    if (pc - text_begin < text_end - text_begin)
        found[n++] = pc;
    for (u64 k = 0; k < LOOKED_AT && n < CANDIDATES; k++, sp += 8) {
        if ((!k || sp % page == 0) && mincore((void *)(sp & ~(page - 1)), page, &there) != 0)
            break;
        u64 w = *(u64 *)sp;
        if (w - text_begin < text_end - text_begin)
            found[n++] = w - 1;
    }
    return n;
}

/* Asks a tool for the place of an instruction: the function on one line, file:line on the next. */
static int placed(const char *const *command, u64 pc, char *text, size_t size)
{
    char program[4096], address[32];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1), got = 0;
    int ends[2], status = -1;
    if (n < 0 || pipe(ends) != 0)
        return 0;
    program[n] = 0;
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)(pc - base));
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        close(2);
        execlp(command[0], command[0], command[1], command[2], program, address, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t k; (size_t)got < size - 1 && (k = read(ends[0], text + got, size - 1 - (size_t)got)) > 0;)
        got += k;
    close(ends[0]);
    text[got] = 0;
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status == 0;
}

static int parsed(char *text, gulo_site *s)
{
    char *line = strchr(text, '\n');
    if (!line)
        return 0;
    *line++ = 0;
    line[strcspn(line, "\n ")] = 0;
    char *colon = strrchr(line, ':');
    if (!colon || !atoi(colon + 1))
        return 0;
    *colon = 0;
    static gulo_unit in;
    in = (gulo_unit){line, text};
    *s = (gulo_site){.in = &in, .what = "", .line = (u32)atoi(colon + 1), .column = 1};
    return 1;
}

static void crashed(int signal, siginfo_t *info, void *context)
{
    static const char *const tools[][3] = {{"addr2line", "-f", "-e"}, {"llvm-symbolizer-19", "--output-style=GNU", "-fe"}, {"llvm-symbolizer", "--output-style=GNU", "-fe"}};
    static char text[8192], say[160];
    const mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
    u64 at = (u64)info->si_addr, pc[CANDIDATES];
    const char *kind = "wild_pointer_deref";
    gulo_site s;
    if (info->si_code <= 0) /* another process or the program itself sent it */
        return;
    if (signal == SIGFPE) {
        kind = "division_by_zero";
        snprintf(say, sizeof say, "%s", info->si_code == FPE_INTDIV ? "the program divides by zero" : "an arithmetic operation has no result");
    } else if (at - ((u64)m->gregs[REG_RSP] - NEAR_STACK) < 2 * NEAR_STACK) {
        kind = "stack_exhausted";
        snprintf(say, sizeof say, "the stack is full: too many nested calls, or too large variables in them");
    } else if (info->si_code == SI_KERNEL) {
        snprintf(say, sizeof say, "access through a pointer that is no address; where it came from is not known");
    } else if (at < GULO_NULL_PAGE) {
        kind = "null_pointer_deref";
        snprintf(say, sizeof say, "access to address %#llx; where the pointer came from is not known", (unsigned long long)at);
    } else {
        snprintf(say, sizeof say, "access to address %#llx, where it is not allowed; where the pointer came from is not known", (unsigned long long)at);
    }
    int n = where(m, pc);
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof tools / sizeof *tools; k++)
            if (placed(tools[k], pc[i], text, sizeof text)) {
                if (!parsed(text, &s))
                    break;
                gulo_fault(kind, say, &s);
                return;
            }
}

__attribute__((constructor(104))) static void begin(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
    const char *wanted = getenv("GULO_CRASHES");
    if (wanted && strcmp(wanted, "0") == 0)
        return;
    void *room = mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction now, ours = {.sa_sigaction = crashed, .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK)};
    if (room != MAP_FAILED)
        sigaltstack(&(stack_t){.ss_sp = room, .ss_size = HANDLER_STACK}, NULL);
    dl_iterate_phdr(own, NULL);
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        if (sigaction(signals[k], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(signals[k], &ours, NULL);
}
