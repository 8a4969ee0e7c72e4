/* The verbs of the program: one file each. argv[0] is the verb; the result is the exit code. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

int cli_run_scene(int argc, char** argv);
int cli_scenes(int argc, char** argv);
int cli_view(int argc, char** argv);
int cli_export(int argc, char** argv);
int cli_repose(int argc, char** argv);
int cli_lcp(int argc, char** argv);
int cli_stability(int argc, char** argv);
int cli_foundation(int argc, char** argv);
int cli_rockfall_verb(int argc, char** argv);
int cli_solve(int argc, char** argv);
int cli_certify(int argc, char** argv);
int cli_convert(int argc, char** argv);
int cli_solvers(int argc, char** argv);
int cli_identify(int argc, char** argv);
int cli_info(int argc, char** argv);
int cli_bench(int argc, char** argv);
int cli_version(int argc, char** argv);

#endif
