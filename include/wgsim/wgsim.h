/* Host side of wgsim: what a program that embeds the simulator calls. */
#ifndef WGSIM_WGSIM_H
#define WGSIM_WGSIM_H

/* Why a call failed: one line, lower case, no trailing newline. */
struct wgsim_error {
    char message[1024];
};

#endif
