#ifndef CLI_BLAS_H
#define CLI_BLAS_H

/* Keeps the linear algebra library that is loaded, if it has threads, to the calling one. */
void cli_use_one_blas_thread(void);

#endif
