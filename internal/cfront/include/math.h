#ifndef GULO_MATH_H
#define GULO_MATH_H
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL (__builtin_inf())
#define INFINITY ((float)__builtin_inf())
#define NAN ((float)__builtin_nan(""))
double sqrt(double), pow(double, double), fabs(double), floor(double), ceil(double), round(double), trunc(double), fmod(double, double);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
double sinh(double), cosh(double), tanh(double), exp(double), exp2(double), log(double), log2(double), log10(double), log1p(double), expm1(double);
double cbrt(double), hypot(double, double), fmax(double, double), fmin(double, double), rint(double), nearbyint(double);
double ldexp(double, int), frexp(double, int *), modf(double, double *), copysign(double, double);
long lround(double), lrint(double);
float sqrtf(float), fabsf(float), floorf(float), ceilf(float), powf(float, float), fmodf(float, float), roundf(float), truncf(float);
float sinf(float), cosf(float), tanf(float), expf(float), logf(float), fmaxf(float, float), fminf(float, float);
int __gulo_isnan(double), __gulo_isinf(double), __gulo_isfinite(double), __gulo_signbit(double);
#define isnan(x) __gulo_isnan(x)
#define isinf(x) __gulo_isinf(x)
#define isfinite(x) __gulo_isfinite(x)
#define signbit(x) __gulo_signbit(x)
#endif
