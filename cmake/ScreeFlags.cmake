# How every target of this project is compiled.

set(scree_warnings
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Wformat=2
    -Wimplicit-fallthrough -Wpointer-arith)

if(MINGW) # its isfinite() narrows in a branch that is never taken
    list(APPEND scree_warnings -Wno-float-conversion)
endif()

# Results must not depend on the compiler's taste in rounding: products and sums are never fused,
# and fast-math is never used.
set(scree_arithmetic -ffp-contract=off)

# Both "address,undefined" and "address;undefined" are accepted.
string(REPLACE ";" "," scree_sanitizers "${SCREE_SANITIZE}")
set(scree_instrumentation "")
if(SCREE_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "SCREE_FUZZ needs clang, because it uses libFuzzer")
    endif()
    string(PREPEND scree_sanitizers "fuzzer-no-link,")
    string(REGEX REPLACE ",$" "" scree_sanitizers "${scree_sanitizers}")
endif()
if(scree_sanitizers)
    set(scree_instrumentation
        "-fsanitize=${scree_sanitizers}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Null pointers, ends of objects and pointers that lead astray are what the address sanitizer sees as
    # well, when they are used: asking twice costs a third of the time. The fuzzers ask everything.
    if(scree_sanitizers STREQUAL "address,undefined")
        list(APPEND scree_instrumentation
            -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
endif()

function(scree_set_flags target)
    target_compile_options(${target} PRIVATE
        ${scree_warnings} ${scree_arithmetic} ${scree_instrumentation}
        "$<$<BOOL:${SCREE_WERROR}>:-Werror>")
    target_link_options(${target} PRIVATE ${scree_instrumentation})
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17
        C_STANDARD_REQUIRED ON
        C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden)
endfunction()
