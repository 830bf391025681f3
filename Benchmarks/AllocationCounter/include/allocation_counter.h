/// Whether allocations are counted: with the GNU C library alone.
int counts_allocations(void);

/// How often memory has been allocated by this process.
unsigned long allocation_count(void);
