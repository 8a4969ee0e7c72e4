/* Ends what base/wider_begin.h has begun. */
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC pop_options
#endif
