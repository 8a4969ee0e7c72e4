# Headers, libraries, the CMake package and one pkg-config file for each library.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/scree")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

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

foreach(library IN LISTS scree_libraries)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/${library}"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(TARGETS ${library}_shared ${library}_static EXPORT ${library}_targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(EXPORT ${library}_targets
        NAMESPACE scree:: FILE ${library}-targets.cmake DESTINATION "${package_dir}")

    foreach(property IN ITEMS SUMMARY PC_REQUIRES PC_LIBRARIES)
        get_target_property(pc_${property} ${library}_shared SCREE_${property})
        list(JOIN pc_${property} " " pc_${property})
    endforeach()
    set(pc_name ${library})
    set(pc_needs "scree = ${PROJECT_VERSION}")
    if(library STREQUAL "scree")
        set(pc_needs "")
    endif()
    configure_file(cmake/scree.pc.in generated/${library}.pc @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/generated/${library}.pc" DESTINATION "${pkgconfig_dir}")
endforeach()

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

# What the help texts cite.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    FILES_MATCHING PATTERN "*.md" PATTERN "images/*")
if(TARGET scree_program)
    install(FILES "${PROJECT_SOURCE_DIR}/docs/scree.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
