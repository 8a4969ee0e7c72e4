# Toolchain of the preset "musl": this machine with musl in place of glibc, by Debian's musl-gcc.

set(CMAKE_C_COMPILER musl-gcc)
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "aarch64")
    # libgcc's atomics out of line ask glibc what the processor can do.
    set(CMAKE_C_FLAGS_INIT -mno-outline-atomics)
endif()
set(SCREE_PLAIN_TESTS ON) # the machine's cmocka is one for glibc
