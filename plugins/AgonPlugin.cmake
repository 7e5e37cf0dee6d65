# agon_add_plugin(name sources...): a shared library that `agon` can load.
#
# The module shows just the two symbols that AGON_PLUGIN makes and one for each kit that it uses:
# everything else stays its own, so that two plugins never share a type or a static by accident. It
# needs libagon_arena and libagon_analysis only if it uses the kit for analysis (--as-needed). It is
# never unloaded, because what it threw or returned may outlive the match (-z nodelete).
function(agon_add_plugin name)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Agon::agon Agon::arena)
  if(TARGET Agon::analysis)  # a build may be without
    target_link_libraries(${name} PRIVATE Agon::analysis)
  endif()
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  # Games are played millions of times: who asked for no build type did not ask for a slow one.
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${name} PRIVATE -O2)
  endif()
  target_link_options(${name} PRIVATE
    LINKER:--version-script=${exports} LINKER:-z,nodelete LINKER:--as-needed)
  if(NOT AGON_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:--no-undefined)
  endif()
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${exports})
endfunction()
