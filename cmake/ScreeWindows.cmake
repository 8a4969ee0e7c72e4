# Toolchain of the preset "windows": x86-64 Windows by mingw-w64. What is built runs under wine, where
# there is one for x86-64.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(SCREE_WINE NAMES wine64 wine NO_CMAKE_FIND_ROOT_PATH)
set(SCREE_PLAIN_TESTS ON) # there is no cmocka
if(SCREE_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${SCREE_WINE}")
endif()
