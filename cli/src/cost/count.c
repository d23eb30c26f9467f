/* Counts the instructions that a guest executes between two marks: a plugin for qemu-aarch64 (API versions 1 to 2).
 *
 * `hint #120` begins a region and `hint #121` ends it: hints that no processor and no emulator does anything for. At the
 * end of each, a line with the number of all instructions, of loads and of stores goes to the file named by `out=`.
 *
 * Debian's qemu-user has no header for plugins; what is used of the interface is declared here. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { ADD_U64 = 0, NO_REGISTERS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int operation, void *counter, uint64_t by);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);

EXPORT int qemu_plugin_version = 1;

enum { HINT = 0xd503201f, BEGIN = HINT | 120 << 5, END = HINT | 121 << 5 };
enum { ALL, LOADS, STORES, KINDS };

static uint64_t executed[KINDS], at_begin[KINDS];
static FILE *out;

static void begin(unsigned processor, void *unused) {
    memcpy(at_begin, executed, sizeof executed);
}

static void end(unsigned processor, void *unused) {
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(out, "%" PRIu64 "%c", executed[kind] - at_begin[kind], kind + 1 < KINDS ? ' ' : '\n');
    fflush(out);
}

/* Whether a load or a store reads memory. Of the group's forms, literals always do; pairs, multiple structures and
 * whatever else works on vectors say so in bit 22; single registers in bits 22 and 23. */
static int reads(uint32_t word) {
    int is_vector = word >> 26 & 1, is_literal = (word >> 27 & 7) == 3 && (word >> 24 & 3) == 0;
    int is_pair = (word >> 27 & 7) == 5;
    if (is_literal) return 1;
    return is_pair || is_vector ? word >> 22 & 1 : (word >> 22 & 3) != 0;
}

static void translate(plugin_id id, struct qemu_plugin_tb *block) {
    for (size_t place = 0; place < qemu_plugin_tb_n_insns(block); place++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, place);
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(instruction), sizeof word);
        if (word == BEGIN || word == END) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, word == BEGIN ? begin : end, NO_REGISTERS, NULL);
            continue;
        }
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD_U64, &executed[ALL], 1);
        int is_memory = (word >> 25 & 5) == 4;
        if (is_memory)
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD_U64, &executed[reads(word) ? LOADS : STORES], 1);
    }
}

EXPORT int qemu_plugin_install(plugin_id id, const void *machine, int count, char **arguments) {
    out = stderr;
    for (int place = 0; place < count; place++)
        if (!strncmp(arguments[place], "out=", 4)) out = fopen(arguments[place] + 4, "w");
    if (!out) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
