/* pack: ids behind each other. group: the lines of each group in their order. */

#ifndef RANKPROOF_GROUPS_H
#define RANKPROOF_GROUPS_H

#include "texts.h"

/* Copy the ids behind each other into `text`; at[i] is where id i begins. How many bytes they are; -1 where an id lies
   outside of its text, or the room is too small. */
int64_t packed(const Ids *ids, int64_t room, uint8_t *text, int64_t *at);

/* The lines of group g are order[starts[g]:starts[g + 1]]. 0 where a place is no group. */
int grouped(const int32_t *place, int64_t n, int64_t groups, int64_t *order, int64_t *starts);

#endif
