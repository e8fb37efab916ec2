/* gulo cannot read this file: it is debugged by its statements. */
#pragma scalar_storage_order big-endian
struct wire { int value; };
#pragma scalar_storage_order default

int odd_sum(int n)
{
    struct wire w = { 0 };
    int i;
    for (i = 0; i < n; i++)
        w.value += i;
    return w.value;
}
