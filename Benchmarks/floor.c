// A lower bound for readers of definitions: reads every file and has libcmark parse it, on one core.
//
// usage: floor PATH…     files, and folders whose *.md are read
//
// Fails if there is nothing to parse.

#include <cmark.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int blocks;

static void fail(const char *path) {
    perror(path);
    exit(2);
}

static void parse(const char *path, off_t size) {
    FILE *file = fopen(path, "rb");
    char *text = malloc((size_t)size + 1);
    if (!file || !text || fread(text, 1, (size_t)size, file) != (size_t)size) fail(path);
    fclose(file);
    cmark_node *document = cmark_parse_document(text, (size_t)size, CMARK_OPT_DEFAULT);
    blocks += cmark_node_first_child(document) != NULL;
    cmark_node_free(document);
    free(text);
}

static void visit(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) fail(path);
    if (!S_ISDIR(status.st_mode)) {
        parse(path, status.st_size);
        return;
    }
    DIR *folder = opendir(path);
    if (!folder) fail(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 3, ".md") != 0) continue;
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        visit(inside);
    }
    closedir(folder);
}

int main(int count, char **paths) {
    for (int index = 1; index < count; index++) visit(paths[index]);
    if (!blocks) fprintf(stderr, "floor: nothing to parse\n");
    return blocks ? 0 : 2;
}
