/* What the processor has that not every one of its kind has; asked when the program runs. */
#ifndef SCRI_PROCESSOR_H
#define SCRI_PROCESSOR_H

/* Bytes of its vectors: 16, 32 with AVX2, 64 with AVX-512. */
int scri_processor_vector(void);

/* Bytes of the widest that compiled code may use: on processors whose wider vectors the compiler
 * makes of narrow ones, any. */
int scri_processor_most_vector(void);

#endif
