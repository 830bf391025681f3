/// Returns 1 if allocations are counted, which needs the GNU C library; otherwise 0.
int counts_allocations(void);

/// The number of allocations in this process.
unsigned long allocation_count(void);
