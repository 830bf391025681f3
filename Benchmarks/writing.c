// A lower bound for writing files: creates a file for each line `SIZE PATH` of standard input.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void makeFolders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0755) != 0 && errno != EEXIST) { perror(path); exit(1); }
        *slash = '/';
    }
}

int main(void) {
    static char bytes[1 << 16];
    memset(bytes, 'x', sizeof bytes);
    char path[4096];
    long size;
    while (scanf("%ld %4095s", &size, path) == 2) {
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (file < 0 && errno == ENOENT) {
            makeFolders(path);
            file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        }
        if (file < 0) { perror(path); return 1; }
        while (size > 0) {
            ssize_t count = write(file, bytes, size < (long)sizeof bytes ? (size_t)size : sizeof bytes);
            if (count <= 0) { perror(path); return 1; }
            size -= count;
        }
        close(file);
    }
    return 0;
}
