#define f(x) [x]
#define g f
#define EMPTY
#define CAT(a,b) a##b
#define XCAT(a,b) CAT(a,b)
#define STR(x...) #x
#define XSTR(x...) STR(x)
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define foo foo a
foo bar foo
#define h(x) x h
h(h)(1)(2)
g(1) g
(2)
f (f)(3) f(f)(f(4))
#define z z[0]
#define q(x) x+q(x)
q(q(1)) z
CAT(x,) CAT(,y) CAT(,) CAT(1.,e+3) CAT(L,"a") XCAT(__LI,NE__) XCAT(<,<)=
STR(a  +  "b\n" '\'' , c) XSTR(__LINE__ , f(1)) STR() STR( /* */ )
#define e1(fmt, ...) p(fmt, ## __VA_ARGS__)
#define e2(fmt, args...) p(fmt, ## args)
#define e3(...) p(__VA_ARGS__ __VA_OPT__(, x ## __VA_ARGS__) end)
e1("a") e1("a",) e1("a", 1, 2) e2("b") e2("b", CAT(1,2)) e3() e3(1) e3(1,2)
#define e4(x, ...) p(x __VA_OPT__(,) __VA_ARGS__)
e4(1) e4(1,2)
#define LPAREN (
#define RPAREN )
#define F(x, y) x + y
#define ELLIP_FUNC(...) __VA_ARGS__
ELLIP_FUNC(F, LPAREN, 'a', 'b', RPAREN);
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
#if defined(X) || !defined X && 0x10 == 16 && 'a' == 97 && '\377' < 0 && -1 > 0u && (2 || 1/0) && (1 ? 2 : (1/0)) && 1 <= 2 == 1
yes
#elif 1
no
#endif
#ifdef __has_include
#if __has_include(<stdio.h>) && __has_include("nonesuch.h") == 0
inc
#endif
#endif
#define HX defined(__linux__) && !defined(Q)
#if HX
hx
#endif
__COUNTER__ __COUNTER__ 
#line 100 "other.c"
__LINE__ __FILE__
# 7 "third.c"
__LINE__ __FILE__ f(
__LINE__
)
#if 0
don't "x
#else
a\
b /* c
 */ d // e \
 f
#endif
<: :> %: x->y x-->y x+++y >>= ... .. . .5e+3.x 0x1p-3f
#define obj_like_paren (1)
obj_like_paren
#undef f
f(1)
_Pragma("pack(1)") k
#define s(x) #x x
s(@) s("\\")
#include_next <stdio.h>
#pragma push_macro("g")
#undef g
#define g 5
g
#pragma pop_macro("g")
g
