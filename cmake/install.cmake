# SPDX-License-Identifier: Apache-2.0
# `cmake --install` in three parts: program (with man pages, completions and examples), development (what others find
# with find_package(tandem COMPONENTS ...) or pkg-config) and python (tandem/python).
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tandem)
get_property(libraries GLOBAL PROPERTY TANDEM_LIBRARIES)

# A component is a folder below tandem/: its libraries, the components and packages that they link.
set(components "")
foreach(library ${libraries})
  get_target_property(folder ${library} SOURCE_DIR)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tandem)
  string(REGEX REPLACE "/.*" "" component ${folder})
  list(APPEND components ${component})
  list(APPEND ${component}_libraries ${library})
  set(component_of_${library} ${component})
endforeach()
list(REMOVE_DUPLICATES components)  # lowest first, as tandem/CMakeLists.txt adds them

set(component_lines "set(tandem_components ${components})\n")
foreach(component ${components})
  set(needs "")
  set(packages "")
  set(externals "")
  foreach(library ${${component}_libraries})
    get_target_property(linked ${library} LINK_LIBRARIES)
    foreach(item ${linked})
      if(item MATCHES "^tandem::(.*)")
        list(APPEND needs ${component_of_tandem_${CMAKE_MATCH_1}})
      elseif(item MATCHES "^tandem_external::(.*)")
        list(APPEND externals ${CMAKE_MATCH_1})
      elseif(NOT item MATCHES "[$<>]")
        string(REGEX REPLACE "::.*" "" package ${item})
        list(APPEND packages ${package})
        list(APPEND ${component}_linked ${item})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_ITEM needs ${component})
  foreach(kind needs packages externals)
    list(REMOVE_DUPLICATES ${kind})
    string(APPEND component_lines "set(tandem_${component}_${kind} ${${kind}})\n")
  endforeach()
  set(${component}_needs ${needs})
  set(${component}_externals ${externals})
  install(TARGETS ${${component}_libraries} EXPORT tandem_${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT tandem_${component} NAMESPACE tandem:: FILE tandem-${component}.cmake
    DESTINATION ${package_folder} COMPONENT development)
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tandemConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tandemConfig.cmake INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tandemConfig.cmake ${PROJECT_BINARY_DIR}/tandemConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/tandemExternal.cmake DESTINATION ${package_folder} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tandem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
include(${CMAKE_CURRENT_LIST_DIR}/pkg_config.cmake)

if(TARGET tandem)
  # What ./run has built can be installed, also a library that neither the program nor the Python module links.
  add_dependencies(tandem ${libraries})
  install(TARGETS tandem RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # Written by the program itself, from the tree that --help prints.
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    function(written folder file)
      file(MAKE_DIRECTORY \"\${prefix}/\${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:tandem>\" \${ARGN} OUTPUT_FILE \"\${prefix}/\${folder}/\${file}\"
        COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    written(${CMAKE_INSTALL_DATADIR}/bash-completion/completions tandem completion bash)
    written(${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions _tandem completion zsh)
    written(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d tandem.fish completion fish)
    execute_process(COMMAND \"$<TARGET_FILE:tandem>\" manual --out \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
    PATTERN "__pycache__" EXCLUDE)
  # For colcon build where ROS 2 is installed: docs/ros_workspace.md.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/ros DESTINATION ${CMAKE_INSTALL_DATADIR}/tandem COMPONENT program
    USE_SOURCE_PERMISSIONS PATTERN "__pycache__" EXCLUDE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program
    FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.yaml" PATTERN "pictures" EXCLUDE)
endif()
