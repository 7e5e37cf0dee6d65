# What `cmake --install` puts where, and the same layout in the build tree:
#
#   bin/agon                     the command
#   lib/libagon.so               what games and agents meet
#   lib/libagon_arena.so         suites, runs, archives, reports; tables of papers, statistics
#   lib/libagon_analysis.so      game theory, metagames, judges; a build may be without (AGON_ANALYSIS)
#   lib/libagon_serve.so         pages in the browser
#   lib/libagon_commands.so      the commands of agon
#   lib/libagon_c.so             environments and runs, behind include/agon/agon.h
#   lib/agon/agon-worker         what plays games that are kept apart; agon starts it
#   lib/agon/plugins/*.so        games and agents, found beside the command
#   lib/cmake/agon/              the package: find_package(Agon), agon_add_plugin()
#   include/agon/                the SDK
#   share/agon/data/GAME/        data files that settings name; data/llm/: what models are asked about drift
#   share/agon/prompts/GAME/     prompts of a game; prompts/any-game/: those of any, from agents/
#   share/agon/pages/GAME/       pages of a game's stages, for people
#   share/agon/python/           agon_arena: games, agents and importers in Python; agon.py: its alias
#   share/agon/importers/        importers of what others published
#   share/agon/templates/, examples/   what `agon new` begins with; games in both languages
#   share/agon/scenarios/        suites, which commands find as scenarios/X from any folder
#   share/agon/agents/external/samples/   programs that play
#   share/doc/agon/              README.md and docs/; reference/: of the API, if there is Doxygen
#   share/man/man1/agon.1        the manual page
#   share/bash-completion/, share/zsh/   completions
#
# The folders are fixed rather than taken from GNUInstallDirs, because the command looks for plugins
# and data relative to itself: the whole tree can be moved.
include(CMakePackageConfigHelpers)

# The C library only grows, and is found by its plain name.
set_target_properties(agon_c PROPERTIES INSTALL_RPATH "$ORIGIN")
set(libraries agon agon_arena agon_serve agon_commands)
if(AGON_ANALYSIS)
  list(APPEND libraries agon_analysis)
endif()
set_target_properties(${libraries} PROPERTIES
  INSTALL_RPATH "$ORIGIN"
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_source_files_properties(${PROJECT_SOURCE_DIR}/core/src/engine/plugin/search_path.cpp
  TARGET_DIRECTORY agon
  PROPERTIES COMPILE_DEFINITIONS AGON_INSTALLED_PLUGINS="${CMAKE_INSTALL_PREFIX}/lib/agon/plugins")

install(TARGETS ${libraries} EXPORT agon-targets
  LIBRARY DESTINATION lib COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS agon_c EXPORT agon-targets LIBRARY DESTINATION lib COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/agon DESTINATION include COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/agon DESTINATION include COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")

set_target_properties(agon_command PROPERTIES
  EXPORT_NAME command INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS agon_command EXPORT agon-targets RUNTIME DESTINATION bin COMPONENT runtime)

set_target_properties(agon_worker PROPERTIES INSTALL_RPATH "$ORIGIN/..")
install(TARGETS agon_worker RUNTIME DESTINATION lib/agon COMPONENT runtime)

get_property(plugins DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER plugins INCLUDE REGEX "^plugin_")
foreach(plugin IN LISTS plugins)
  set_target_properties(${plugin} PROPERTIES INSTALL_RPATH "$ORIGIN/../..")
  install(TARGETS ${plugin} LIBRARY DESTINATION lib/agon/plugins COMPONENT runtime)
endforeach()

# agon_share(folder name [USE_SOURCE_PERMISSIONS]): the folder becomes share/agon/NAME. The build
# tree has a link to the source, so that an edit counts at once.
function(agon_share folder name)
  cmake_path(GET name PARENT_PATH parent)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/agon/${parent})
  file(CREATE_LINK ${folder} ${PROJECT_BINARY_DIR}/share/agon/${name} SYMBOLIC)
  install(DIRECTORY ${folder}/ DESTINATION share/agon/${name} COMPONENT runtime ${ARGN})
endfunction()

foreach(kind data pages prompts)
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true
    ${PROJECT_SOURCE_DIR}/games/*/${kind} ${PROJECT_SOURCE_DIR}/agents/*/${kind})
  foreach(folder IN LISTS folders)
    cmake_path(GET folder PARENT_PATH owner)
    cmake_path(GET owner FILENAME name)
    if(folder MATCHES "/games/" AND NOT TARGET game_${name})
      continue()  # left out of this build
    endif()
    if(folder MATCHES "/agents/[^/]*/prompts$")
      set(name any-game)
    endif()
    agon_share(${folder} ${kind}/${name})
  endforeach()
endforeach()
foreach(folder scenarios plugins/templates plugins/examples plugins/python plugins/importers
    agents/external/samples)
  cmake_path(GET folder FILENAME name)
  if(name STREQUAL samples)
    set(name ${folder})  # documents name it by its path
  endif()
  agon_share(${PROJECT_SOURCE_DIR}/${folder} ${name} USE_SOURCE_PERMISSIONS
    PATTERN __pycache__ EXCLUDE)
endforeach()

# With the paths that they have in the repository, so that links and what messages name lead there.
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION share/doc/agon COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/agon/docs COMPONENT runtime
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.ipynb")
install(FILES ${schema_files} DESTINATION share/agon/schema COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/agon RENAME copyright
  COMPONENT runtime)

# The package, and the same for plugins that are built against this build tree:
# find_package(Agon) finds it there with Agon_DIR=BUILD/cmake.
set(package lib/cmake/agon)
install(EXPORT agon-targets NAMESPACE Agon:: DESTINATION ${package} COMPONENT development)
export(EXPORT agon-targets NAMESPACE Agon:: FILE ${PROJECT_BINARY_DIR}/cmake/agon-targets.cmake)
configure_package_config_file(agon-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/agon-config.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/agon-config-version.cmake
  COMPATIBILITY SameMinorVersion)
file(COPY AgonPlugin.cmake plugin.map DESTINATION ${PROJECT_BINARY_DIR}/cmake)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/agon-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/agon-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/AgonPlugin.cmake
  ${CMAKE_CURRENT_LIST_DIR}/plugin.map
  DESTINATION ${package} COMPONENT development)
