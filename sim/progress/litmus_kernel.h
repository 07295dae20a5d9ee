/* How a litmus test is laid out for its kernel. */
#ifndef SIM_PROGRESS_LITMUS_KERNEL_H
#define SIM_PROGRESS_LITMUS_KERNEL_H

enum litmus_op { LITMUS_STORE, LITMUS_CHECK_BRANCH, LITMUS_EXCHANGE_BRANCH };

/* Words of an instruction: op, location, value to check or store, value to exchange, target. The
 * code begins with two words a thread: where its instructions start, in words, and how many there
 * are. */
enum { LITMUS_WORDS = 5 };

enum litmus_var { LITMUS_CODE, LITMUS_MEMORY };

#endif
