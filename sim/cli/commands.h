/* The commands of wgsim, each in its own cmd_NAME.c. argv[0] is the command's name; the result is
 * the exit status: 0 clean, 1 findings, 2 could not do it. */
#ifndef SIM_CLI_COMMANDS_H
#define SIM_CLI_COMMANDS_H

int cmd_banks(int argc, char **argv);
int cmd_crosscheck(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_inspect(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_port(int argc, char **argv);
int cmd_progress(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_sweep(int argc, char **argv);

#endif
