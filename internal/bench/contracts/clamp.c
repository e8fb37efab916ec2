/* A number within bounds.
   pre:  low <= high
   post: result >= low && result <= high
   post: implies(x >= low && x <= high, result == x)
   post: implies(x < low, result == low) */
int clamp(int x, int low, int high)
{
    int r = x;
    if (x < low)
        r = low;
    if (x > high)
        r = high;
    return r;
}
