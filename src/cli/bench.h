/* The benchmarks of scree bench: one file each. argv[0] is the benchmark's name. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

int cli_bench_packing(int argc, char** argv);
int cli_bench_problems(int argc, char** argv);
int cli_bench_sweep(int argc, char** argv);

#endif
