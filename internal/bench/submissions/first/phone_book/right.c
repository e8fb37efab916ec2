#include <stdio.h>
#include <string.h>

typedef struct contact {
    char name[30];
    char phone[20];
} Contact;

Contact book[20];

int find(int n, char name[])
{
    int i;
    for (i = 0; i < n; i++) {
        if (strcmp(book[i].name, name) == 0)
            return i;
        
    }
    return -1;
}

int main()
{
    int n, i;
    char name[30];

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%s %s", book[i].name, book[i].phone);
    while (scanf("%s", name) == 1) {
        i = find(n, name);
        if (i >= 0)
            printf("%s\n", book[i].phone);
        else
            printf("not found\n");
    }
    return 0;
}
