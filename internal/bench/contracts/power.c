/* A power of two or three by multiplication.
   pre:  base >= 0 && base <= 3 && e >= 0 && e <= 6
   post: implies(e == 0, result == 1) && implies(e == 1, result == base) && implies(e == 2, result == base * base)
   post: implies(e == 3, result == base * base * base) && implies(e == 4, result == base * base * base * base)
   post: implies(e == 5, result == base * base * base * base * base) */
int power(int base, int e)
{
    int p = 1;
    int i = 0;
    while (i < e) {
        p = p * base;
        i = i + 1;
    }
    return p;
}
