# Warnings, the machine's instructions, sanitizers and ccache, for every target.
add_library(attnscope_options INTERFACE)
target_compile_options(attnscope_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# GCC 12 at -O3 warns about std::string operator+ (its bug 105329); nothing of ours is meant.
target_compile_options(attnscope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(ATTNSCOPE_WERROR)
  target_compile_options(attnscope_options INTERFACE -Werror)
endif()
target_include_directories(attnscope_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(attnscope_options INTERFACE ATTNSCOPE_VERSION="${PROJECT_VERSION}")

# One set of instruction flags for the whole program: Eigen's types must be laid out alike in every source.
if(ATTNSCOPE_NATIVE)
  add_compile_options(-march=native)
endif()
# a*b+c must not be fused differently from one build to the next inside one machine's results: off for plain C++
# code, Eigen's kernels use the fused instructions explicitly.
add_compile_options(-ffp-contract=off)

if(ATTNSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${ATTNSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${ATTNSCOPE_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two, ccache compiles anew whatever uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# attnscope_precompile(target header…): sources still include what they use, since most presets build without.
function(attnscope_precompile target)
  if(ATTNSCOPE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <functional> <memory> <optional> <span>
      <string> <string_view> <vector> <nlohmann/json.hpp> ${ARGN})
    # GCC 12 forgets that a precompiled header came from the system, and reports its own false alarms.
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-array-bounds>")
  endif()
endfunction()
