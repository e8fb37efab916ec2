/* The middle of three numbers.
   post: (result == a || result == b || result == c)
         && (result >= a) + (result >= b) + (result >= c) >= 2 && (result <= a) + (result <= b) + (result <= c) >= 2 */
int middle(int a, int b, int c)
{
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (b <= c)
        return b;
    if (a <= c)
        return c;
    return a;
}
