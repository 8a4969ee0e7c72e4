# Toolchain of the preset "other": the architecture that this machine is not, among x86-64 and
# aarch64, with Debian's cross compiler and libraries that tools/other-root.sh has unpacked. What is
# built runs under qemu-user.

set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set(CMAKE_SYSTEM_PROCESSOR x86_64)
elseif(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set(CMAKE_SYSTEM_PROCESSOR aarch64)
else()
    message(FATAL_ERROR "there is no other architecture for ${CMAKE_HOST_SYSTEM_PROCESSOR}")
endif()
set(scree_triplet "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
get_filename_component(scree_root "${CMAKE_CURRENT_LIST_DIR}/../build/other-root" ABSOLUTE)

set(CMAKE_C_COMPILER "${scree_triplet}-gcc")
set(CMAKE_LIBRARY_ARCHITECTURE "${scree_triplet}")
set(CMAKE_FIND_ROOT_PATH "${scree_root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${scree_root}/usr/lib/${scree_triplet}/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${scree_root}")
# Libraries call each other without saying where: the linker and the program must both know.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${scree_root}/usr/lib/${scree_triplet}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")
# A processor with all that qemu knows: what is chosen when a program starts is then run too. The cross
# compiler's C library comes first: one that the system has of that architecture does not go with its
# loader.
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CMAKE_SYSTEM_PROCESSOR}" -cpu max
    -L "/usr/${scree_triplet}" -E "LD_LIBRARY_PATH=/usr/${scree_triplet}/lib:${scree_root}/usr/lib/${scree_triplet}")
