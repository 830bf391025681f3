#include <stddef.h>
#include <stdint.h>

// libFuzzer does not install a header. This declaration, from compiler-rt/lib/fuzzer/FuzzerInterface.h, is for programs
// with a separate main function.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
