/* assert is a plain function here, so that its argument keeps its place in the source. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
void assert(int);
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
