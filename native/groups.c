#include "groups.h"
#include <stdlib.h>

/* Each place that is written to should be near: so many groups and no more are filled side by side. */
#ifndef SIDE_BY_SIDE
#define SIDE_BY_SIDE 256
#endif

int64_t packed(const Ids *ids, int64_t room, uint8_t *text, int64_t *at)
{
    int64_t size = 0;
    for (int64_t i = 0; i < ids->n; i++) {
        if (!within(ids, i) || ids->length[i] > room - size) return -1;
        memcpy(text + size, ids->text + ids->at[i], (size_t)ids->length[i]);
        at[i] = size;
        size += ids->length[i];
    }
    return size;
}

/* Add up how many lines each group has, for starts[g + 1] = lines of group g. */
static void added_up(int64_t groups, int64_t *starts)
{
    for (int64_t g = 0; g < groups; g++) starts[g + 1] += starts[g];
}

/* Each start has moved on to the next one's while its group was filled; move them back. */
static void moved_back(int64_t groups, int64_t *starts)
{
    for (int64_t g = groups; g > 0; g--) starts[g] = starts[g - 1];
    starts[0] = 0;
}

/* Neighbouring groups together, at most SIDE_BY_SIDE such families; a line is its group, then its number. */
static void by_family(const int32_t *place, int64_t n, int shift, const int64_t *starts, int64_t groups, uint64_t *line)
{
    int64_t next[SIDE_BY_SIDE];
    for (int64_t f = 0; f < SIDE_BY_SIDE && f << shift < groups; f++) next[f] = starts[f << shift];
    for (int64_t i = 0; i < n; i++) line[next[place[i] >> shift]++] = (uint64_t)place[i] << 32 | (uint64_t)i;
}

/* Fill the groups family by family. 0 where there is no memory for the largest. */
static int in_two_steps(const int32_t *place, int64_t n, int64_t groups, int64_t *order, int64_t *starts)
{
    int shift = 0;
    while (groups > (int64_t)SIDE_BY_SIDE << shift) shift++;
    int64_t size = 1LL << shift, largest = 0;
    for (int64_t g = 0; g < groups; g += size) {
        int64_t lines = starts[g + size < groups ? g + size : groups] - starts[g];
        if (lines > largest) largest = lines;
    }
    uint64_t *family = malloc((size_t)(largest + 1) * sizeof *family);
    if (!family) return 0;
    by_family(place, n, shift, starts, groups, (uint64_t *)order);
    for (int64_t g = 0; g < groups; g += size) {
        int64_t from = starts[g], lines = starts[g + size < groups ? g + size : groups] - from;
        memcpy(family, order + from, (size_t)lines * sizeof *family);
        for (int64_t i = 0; i < lines; i++) order[starts[family[i] >> 32]++] = (uint32_t)family[i];
    }
    free(family);
    moved_back(groups, starts);
    return 1;
}

int grouped(const int32_t *place, int64_t n, int64_t groups, int64_t *order, int64_t *starts)
{
    memset(starts, 0, (size_t)(groups + 1) * sizeof *starts);
    for (int64_t i = 0; i < n; i++) {
        if (place[i] < 0 || place[i] >= groups) return 0;
        starts[place[i] + 1]++;
    }
    added_up(groups, starts);
    if (groups > SIDE_BY_SIDE && n <= UINT32_MAX && in_two_steps(place, n, groups, order, starts)) return 1;
    for (int64_t i = 0; i < n; i++) order[starts[place[i]]++] = i;
    moved_back(groups, starts);
    return 1;
}
