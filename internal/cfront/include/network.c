/* The interfaces of the network: the loopback alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

unsigned if_nametoindex(const char *name)
{
    if (strcmp(name, "lo") == 0)
        return 1;
    errno = ENODEV;
    return 0;
}

char *if_indextoname(unsigned i, char *name)
{
    if (i == 1)
        return strcpy(name, "lo");
    errno = ENXIO;
    return NULL;
}

struct if_nameindex *if_nameindex(void)
{
    struct if_nameindex *list = malloc(2 * sizeof *list + 3);
    list[0].if_index = 1;
    list[0].if_name = strcpy((char *)(list + 2), "lo");
    list[1].if_index = 0;
    list[1].if_name = NULL;
    return list;
}

void if_freenameindex(struct if_nameindex *list) { free(list); }

struct gulo_interface {
    struct ifaddrs is;
    char name[8];
    struct sockaddr_in address, mask, broadcast;
};

int getifaddrs(struct ifaddrs **list)
{
    struct gulo_interface *x = calloc(1, sizeof *x);
    strcpy(x->name, "lo");
    x->is.ifa_name = x->name;
    x->is.ifa_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING;
    x->address.sin_family = x->mask.sin_family = x->broadcast.sin_family = AF_INET;
    x->address.sin_addr.s_addr = x->broadcast.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    x->mask.sin_addr.s_addr = htonl(0xff000000);
    x->is.ifa_addr = (struct sockaddr *)&x->address;
    x->is.ifa_netmask = (struct sockaddr *)&x->mask;
    x->is.ifa_broadaddr = (struct sockaddr *)&x->broadcast;
    *list = &x->is;
    return 0;
}

void freeifaddrs(struct ifaddrs *list) { free(list); }
