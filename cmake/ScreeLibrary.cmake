# scree_add_library(NAME SUMMARY ... ROOMS ... [WITHOUT REGEX] [SOURCES ...] [DEPENDS ...]
# [PC_REQUIRES ...] [PC_LIBRARIES ...]) makes NAME_shared and NAME_static from the C files of rooms of
# src/, those that match WITHOUT left out, and of SOURCES. Every library but scree stands on scree. In packages and as an alias NAME is scree::scree,
# or scree::io for scree_io; with _static at its end it is the static one. What the package needs to
# know is kept in properties of NAME_shared, see ScreeInstall.cmake.

# What a library shows: scree_ to everybody, scri_ to the libraries of the very same version.
set(scree_symbol_map "${PROJECT_BINARY_DIR}/generated/symbols.map")
file(CONFIGURE OUTPUT "${scree_symbol_map}" @ONLY CONTENT
"SCREE_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ { global: scree_*; local: *; };
SCREE_PRIVATE_@PROJECT_VERSION@ { global: scri_*; };
")

set(scree_libraries "")

function(scree_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SUMMARY;WITHOUT"
        "ROOMS;SOURCES;DEPENDS;PC_REQUIRES;PC_LIBRARIES")
    list(TRANSFORM arg_ROOMS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1/*.c"
        OUTPUT_VARIABLE patterns)
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    if(arg_WITHOUT)
        list(FILTER sources EXCLUDE REGEX "${arg_WITHOUT}")
    endif()
    list(APPEND sources ${arg_SOURCES})

    # Compiled once, position independent, for both libraries.
    add_library(${name}_objects OBJECT ${sources})
    scree_set_flags(${name}_objects)
    set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${name}_objects PRIVATE
        "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name}_objects PRIVATE ${arg_DEPENDS} ${scree_system})
    target_compile_definitions(${name}_objects PRIVATE SCREE_BUILDING)
    # Nobody replaces our functions: calls within a library stay there, and may be inlined.
    target_compile_options(${name}_objects PRIVATE -fno-semantic-interposition)

    string(REGEX REPLACE "^scree_" "" short "${name}")
    foreach(kind IN ITEMS shared static)
        string(TOUPPER ${kind} KIND)
        set(library ${name}_${kind})
        add_library(${library} ${KIND} $<TARGET_OBJECTS:${name}_objects>)
        scree_set_flags(${library})
        target_include_directories(${library} PUBLIC
            "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
            "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
        target_link_libraries(${library} PRIVATE ${arg_DEPENDS} ${scree_system})
        if(NOT name STREQUAL "scree")
            target_link_libraries(${library} PUBLIC scree_${kind})
        endif()
        set_target_properties(${library} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
    endforeach()
    # Before 1.0 a step of MINOR may break callers, so that it counts in the name they look for.
    set_target_properties(${name}_shared PROPERTIES
        EXPORT_NAME ${short}
        VERSION "${PROJECT_VERSION}"
        SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
        SCREE_SUMMARY "${arg_SUMMARY}"
        SCREE_PC_REQUIRES "${arg_PC_REQUIRES}"
        SCREE_PC_LIBRARIES "${arg_PC_LIBRARIES}")
    set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${short}_static)
    if(NOT WIN32 AND NOT APPLE)
        target_link_options(${name}_shared PRIVATE "-Wl,--version-script=${scree_symbol_map}"
            -Wl,-Bsymbolic-functions)
        if(NOT scree_instrumentation) # runtimes of sanitizers come with the program
            target_link_options(${name}_shared PRIVATE -Wl,--no-undefined -Wl,--as-needed)
        endif()
    endif()
    add_library(scree::${short} ALIAS ${name}_shared)
    add_library(scree::${short}_static ALIAS ${name}_static)

    list(APPEND scree_libraries ${name})
    set(scree_libraries "${scree_libraries}" PARENT_SCOPE)
    list(APPEND scree_rooms ${arg_ROOMS})
    set(scree_rooms "${scree_rooms}" PARENT_SCOPE)
endfunction()
