/* From here to base/wider_end.h the compiler may use vectors of SCRI_VECTOR_BITS: 256, which is
 * AVX2, or 512, which is AVX-512. On processors other than x86-64 it makes no difference. What is
 * compiled so must not be called before base/processor.h has said that it may. */
#if defined(__x86_64__) && defined(__clang__) && SCRI_VECTOR_BITS == 256
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))), \
                             apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC push_options
/* its search for sums and differences side by side fuses products, whatever -ffp-contract says */
#pragma GCC optimize("no-tree-slp-vectorize")
#if SCRI_VECTOR_BITS == 256
#pragma GCC target("avx2")
#else
#pragma GCC target("avx512f,avx512dq,avx512vl")
#endif
#endif
