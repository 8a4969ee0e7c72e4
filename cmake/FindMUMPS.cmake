# MUMPS without MPI and the LAPACK that it calls: target MUMPS::MUMPS. MUMPS brings neither a CMake
# package nor a pkg-config file. Also installed, for those who link the static library.

find_path(MUMPS_INCLUDE_DIR dmumps_c.h PATH_SUFFIXES mumps_seq mumps)
find_library(MUMPS_LIBRARY dmumps_seq)
find_library(MUMPS_LAPACK_LIBRARY lapack)
mark_as_advanced(MUMPS_INCLUDE_DIR MUMPS_LIBRARY MUMPS_LAPACK_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUMPS
    REQUIRED_VARS MUMPS_LIBRARY MUMPS_LAPACK_LIBRARY MUMPS_INCLUDE_DIR)

if(MUMPS_FOUND AND NOT TARGET MUMPS::MUMPS)
    add_library(MUMPS::MUMPS UNKNOWN IMPORTED)
    set_target_properties(MUMPS::MUMPS PROPERTIES
        IMPORTED_LOCATION "${MUMPS_LIBRARY}"
        INTERFACE_LINK_LIBRARIES "${MUMPS_LAPACK_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${MUMPS_INCLUDE_DIR}")
endif()
