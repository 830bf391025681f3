#include <stddef.h>
#include <stdint.h>

// libFuzzer ships no header; this is compiler-rt/lib/fuzzer/FuzzerInterface.h's entry for programs with a main of their own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
