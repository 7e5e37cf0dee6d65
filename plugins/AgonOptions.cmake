# Compiler settings that every target of this repository shares.
# -ffp-contract=off: a fused multiply-add would give other last digits on other machines.
add_library(agon_options INTERFACE)
target_compile_options(agon_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  -ffp-contract=off -fno-fast-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
  target_compile_options(agon_options INTERFACE -Wno-restrict)
endif()
if(AGON_SANITIZE)
  target_compile_options(agon_options INTERFACE
    -fsanitize=${AGON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(agon_options INTERFACE -fsanitize=${AGON_SANITIZE})
endif()
