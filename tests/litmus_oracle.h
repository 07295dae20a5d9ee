/* An oracle for litmus tests of workgroup progress: plain C over program counters and memory, which
 * shares no code with what it judges. */
#ifndef TESTS_LITMUS_ORACLE_H
#define TESTS_LITMUS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

enum { ORACLE_THREADS = 2, ORACLE_INSTRUCTIONS = 2, ORACLE_LOCATIONS = 2 };

enum oracle_op { ORACLE_STORE, ORACLE_CHECK, ORACLE_EXCHANGE };

struct oracle_instruction {
    enum oracle_op op;
    int location, value, exchange, target;
};

struct oracle_program {
    struct oracle_thread {
        int count;
        struct oracle_instruction code[ORACLE_INSTRUCTIONS];
    } threads[ORACLE_THREADS];
};

enum { ORACLE_MODELS = 11, ORACLE_UNFAIR = 10 };
/* HSA, OBE, HSA+OBE, LOBE, FAIR; the same strongly fair; UNFAIR. */
extern const char *const oracle_models[ORACLE_MODELS];

/* ends[m]: whether it is sure to end under a model. */
void oracle_decide(const struct oracle_program *program, bool ends[ORACLE_MODELS]);

/* The program in the language of the tests. */
void oracle_print(const struct oracle_program *program, char *text, size_t bytes);

#endif
