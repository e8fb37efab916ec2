#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A desk calculator with fractions: one line per task,  "1/2 + 3/4".
// Operators: + - * / and ? (compare).

typedef struct fraction
{
    long num;
    long den;
} Fraction;

static long gcd(long a, long b)
{
    if (a < 0)
        a = -a;
    while (b != 0)
    {
        long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* lowest terms, the denominator positive */
static Fraction normal(long num, long den)
{
    Fraction f;
    long g = gcd(num, den);
    f.num = num / g;
    f.den = den / g;
    return f;
}

static Fraction add(Fraction a, Fraction b)
{
    return normal(a.num * b.den + b.num * a.den, a.den * b.den);
}

static Fraction negate(Fraction a)
{
    a.num = -a.num;
    return a;
}

static Fraction multiply(Fraction a, Fraction b)
{
    return normal(a.num * b.num, a.den * b.den);
}

static Fraction divide(Fraction a, Fraction b)
{
    return normal(a.num * b.den, a.den * b.num);
}

static int compare(Fraction a, Fraction b)
{
    long left = a.num * b.den;
    long right = b.num * a.den;
    return (left > right) - (left < right);
}

static void print(Fraction f)
{
    long whole = f.num / f.den;
    long rest = f.num % f.den;

    if (rest == 0)
        printf("%ld\n", whole);
    else if (whole == 0)
        printf("%ld/%ld\n", f.num, f.den);
    else
        printf("%ld %ld/%ld\n", whole, labs(rest), f.den);
}

static Fraction parse(const char *s)
{
    long n = 0, d = 1;
    sscanf(s, "%ld/%ld", &n, &d);
    return normal(n, d == 0 ? 1 : d);
}

int main(void)
{
    char left[24], op[4], right[24];

    while (scanf("%23s %3s %23s", left, op, right) == 3)
    {
        Fraction a = parse(left), b = parse(right);
        switch (op[0])
        {
        case '+':
            print(add(a, b));
            break;
        case '-':
            print(add(b, negate(a)));
            break;
        case '*':
            print(multiply(a, b));
            break;
        case '/':
            if (b.num == 0)
                printf("division by zero\n");
            else
                print(divide(a, b));
            break;
        case '?':
            printf("%s\n", compare(a, b) < 0 ? "less" : compare(a, b) > 0 ? "more" : "same");
            break;
        default:
            printf("no such operator: %s\n", op);
            return 1;
        }
    }
    return 0;
}
