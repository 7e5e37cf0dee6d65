# Compiler settings that every target of this repository shares.
# -ffp-contract=off: a fused multiply-add would give other last digits on other machines.
add_library(agon_options INTERFACE)
target_compile_options(agon_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -ffp-contract=off -fno-fast-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
  target_compile_options(agon_options INTERFACE -Wno-restrict)
  # Without the whole optimiser, or with sanitizers in between, it does not see that an empty
  # std::optional is never read. The release build keeps this warning.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR AGON_SANITIZE)
    target_compile_options(agon_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # It takes any reference that a function with a temporary argument returns for one to that.
  target_compile_options(agon_options INTERFACE -Wno-dangling-reference)
  # Nor does it see, with -O1, that an empty std::optional is never read. g++ 12 keeps this warning.
  target_compile_options(agon_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(AGON_SANITIZE)
  target_compile_options(agon_options INTERFACE
    -fsanitize=${AGON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(agon_options INTERFACE -fsanitize=${AGON_SANITIZE})
endif()

# agon_compile_together(target [BY_FIRST_WORD] [FOLDERS "folder folder..."...]): compiles the files of
# a folder as one, or those of several folders, or of those of them whose names share the first word,
# because more than half of the time went into reading the same headers and making the same templates
# again and again. So helpers of one group must not share a name. A compiler takes some 0.5 GB and
# what the files add: folders that would take more than 1.2 GB together stay apart.
function(agon_compile_together target)
  cmake_parse_arguments(arg "BY_FIRST_WORD" "" "FOLDERS" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH group)
    cmake_path(GET group FILENAME group)
    cmake_path(GET source STEM word)
    if(arg_BY_FIRST_WORD AND word MATCHES "^([^_]+)_")
      set(group ${CMAKE_MATCH_1})
    endif()
    foreach(folders IN LISTS arg_FOLDERS)
      string(REPLACE " " ";" folders ${folders})
      if(group IN_LIST folders)
        list(JOIN folders _ group)
      endif()
    endforeach()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${AGON_UNITY} UNITY_BUILD_MODE GROUP)
  if(AGON_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It takes the joined files for headers, whose types must not have members of local types.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# agon_precompile(target headers... | REUSE_FROM other): reads these headers once for all files of
# the target. Only where files are compiled together: one by one, a file shows that it includes
# what it uses. Kits are not to be among the headers, as including one is using it.
function(agon_precompile target)
  if(AGON_UNITY AND ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  elseif(AGON_UNITY)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(AGON_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What is precompiled is no system header to it any more: it tells its false alarms about
    # std::string. A build file by file keeps these warnings.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endfunction()
