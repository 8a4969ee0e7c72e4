# Headers, libraries, the CMake package and the pkg-config file.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/scree")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS scree_shared scree_static EXPORT scree_targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT scree_targets
    NAMESPACE scree:: FILE scree-targets.cmake DESTINATION "${package_dir}")

configure_package_config_file(cmake/scree-config.cmake.in
    "${PROJECT_BINARY_DIR}/generated/scree-config.cmake"
    INSTALL_DESTINATION "${package_dir}")
# While the major number is 0 a new minor number may break callers: see VERSIONING.md.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/scree-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/generated/scree-config.cmake"
    "${PROJECT_BINARY_DIR}/generated/scree-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindMUMPS.cmake"
    DESTINATION "${package_dir}")

# The prefix is written relative to the file, so that the tree can be installed anywhere and moved.
# An absolute CMAKE_INSTALL_LIBDIR or CMAKE_INSTALL_INCLUDEDIR cannot be moved and stays as it is.
cmake_path(ABSOLUTE_PATH pkgconfig_dir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
    OUTPUT_VARIABLE pkgconfig_full_dir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${pkgconfig_full_dir}"
    OUTPUT_VARIABLE up)
set(pc_prefix "\${pcfiledir}/${up}")
set(pc_libdir "\${prefix}")
cmake_path(APPEND pc_libdir "${CMAKE_INSTALL_LIBDIR}")
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/scree.pc.in generated/scree.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/scree.pc" DESTINATION "${pkgconfig_dir}")
