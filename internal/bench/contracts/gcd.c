/* The greatest common divisor.
   pre:  a > 0 && b > 0
   post: a % result == 0 && b % result == 0 && forall(d, result + 1, a + 1, a % d != 0 || b % d != 0) */
int gcd(int a, int b)
{
    while (a != b) {
        if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    return a;
}
