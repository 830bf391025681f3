// Prints the top-level blocks that cmark-gfm finds in documents. This is a separate program because libcmark and
// libcmark-gfm export the same symbols.
//
// Standard input: documents, each a 32-bit length (in this machine's byte order) and that many bytes.
// Standard output: a line for each fact, with fields separated by tabs, and "." after each document:
//   <type> <line> [<detail>…]        a block; "?" if cmark-gfm does not know the line
//   row <line> <cell>…               a row, after its table; \ and control bytes in cells are \xNN
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_escaped(const char *text) {
    for (const unsigned char *byte = (const unsigned char *)(text ? text : ""); *byte; byte++) {
        if (*byte < 0x20 || *byte == '\\') printf("\\x%02x", *byte);
        else putchar(*byte);
    }
}

static void print_table(cmark_node *table, int line_known) {
    uint16_t columns = cmark_gfm_extensions_get_table_columns(table);
    uint8_t *alignments = cmark_gfm_extensions_get_table_alignments(table);
    if (line_known) printf("table\t%d\t", cmark_node_get_start_line(table));
    else printf("table\t?\t");
    for (int i = 0; i < columns; i++) putchar(alignments[i] ? alignments[i] : '-');
    putchar('\n');
    for (cmark_node *row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
        if (cmark_gfm_extensions_get_table_row_is_header(row)) printf("row\t?");
        else printf("row\t%d", cmark_node_get_start_line(row));
        for (cmark_node *cell = cmark_node_first_child(row); cell; cell = cmark_node_next(cell)) {
            putchar('\t');
            // A cell that the row lacks has uninitialized content.
            if (cmark_node_first_child(cell)) print_escaped(cmark_node_get_string_content(cell));
        }
        putchar('\n');
    }
}

static void print_blocks(cmark_node *root) {
    int inserted = 0;
    for (cmark_node *node = cmark_node_first_child(root); node; node = cmark_node_next(node)) {
        const char *type = cmark_node_get_type_string(node);
        int line = cmark_node_get_start_line(node);
        if (!strcmp(type, "table")) {
            print_table(node, !inserted);
        } else if (line == 0) {
            // A table was cut from this paragraph and has its line.
            printf("%s\t?\n", type);
        } else {
            printf("%s\t%d", type, line);
            if (!strcmp(type, "heading")) printf("\t%d", cmark_node_get_heading_level(node));
            if (!strcmp(type, "list")) {
                for (cmark_node *item = cmark_node_first_child(node); item; item = cmark_node_next(item))
                    printf("\t%d", cmark_node_get_start_line(item));
            }
            putchar('\n');
        }
        inserted = line == 0;
    }
    puts(".");
}

int main(void) {
    cmark_gfm_core_extensions_ensure_registered();
    cmark_syntax_extension *tables = cmark_find_syntax_extension("table");
    if (!tables) return 1;
    uint32_t length;
    while (fread(&length, sizeof length, 1, stdin) == 1) {
        char *text = malloc(length + 1);
        if (!text || fread(text, 1, length, stdin) != length) return 1;
        cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
        cmark_parser_attach_syntax_extension(parser, tables);
        cmark_parser_feed(parser, text, length);
        cmark_node *root = cmark_parser_finish(parser);
        print_blocks(root);
        cmark_node_free(root);
        cmark_parser_free(parser);
        free(text);
    }
    return 0;
}
