/* gcc calls this in each basic block (-fsanitize-coverage=trace-pc): the run ends in the last of so many. */
static unsigned long left = GULO_BLOCKS;

__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void)
{
    if (--left == 0)
        __builtin_trap();
}
