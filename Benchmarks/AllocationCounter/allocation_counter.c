// Replaces the allocator of the C library in the program that links it, and counts allocations.
#include "allocation_counter.h"

#include <errno.h>
#include <stddef.h>

static unsigned long count;

unsigned long allocation_count(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

#ifndef __GLIBC__

int counts_allocations(void) { return 0; }

#else

int counts_allocations(void) { return 1; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void note(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    note();
    return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (found == NULL) return ENOMEM;
    *block = found;
    return 0;
}

#endif
