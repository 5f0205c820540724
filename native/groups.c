#include "groups.h"

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

int grouped(const int32_t *place, int64_t n, int64_t groups, int64_t *order, int64_t *starts)
{
    for (int64_t g = 0; g <= groups; g++) starts[g] = 0;
    for (int64_t i = 0; i < n; i++) {
        if (place[i] < 0 || place[i] >= groups) return 0;
        starts[place[i] + 1]++;
    }
    for (int64_t g = 0; g < groups; g++) starts[g + 1] += starts[g];
    for (int64_t i = 0; i < n; i++) order[starts[place[i]]++] = i; /* each start moves on to the next one's */
    for (int64_t g = groups; g > 0; g--) starts[g] = starts[g - 1];
    starts[0] = 0;
    return 1;
}
