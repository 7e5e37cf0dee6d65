# Compiler settings that every target of this repository shares.
# -ffp-contract=off: a fused multiply-add would give other last digits on other machines.
add_library(agon_options INTERFACE)
target_compile_options(agon_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  -ffp-contract=off -fno-fast-math)
if(AGON_SANITIZE)
  target_compile_options(agon_options INTERFACE
    -fsanitize=${AGON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(agon_options INTERFACE -fsanitize=${AGON_SANITIZE})
endif()
