# Debian 12 packages only; nothing is downloaded. Each library is linked in the one folder that may see it.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fastcdr REQUIRED)
find_package(fastrtps REQUIRED)

# Debian's mujocoConfig.cmake names a folder of a package it does not depend on, so find the two files ourselves.
find_path(MUJOCO_INCLUDE mujoco/mujoco.h REQUIRED)
find_library(MUJOCO_LIBRARY mujoco REQUIRED)
if(NOT TARGET tandem_mujoco)
  add_library(tandem_mujoco INTERFACE)
  target_include_directories(tandem_mujoco INTERFACE ${MUJOCO_INCLUDE})
  target_link_libraries(tandem_mujoco INTERFACE ${MUJOCO_LIBRARY})
endif()

# Figures; its header is named with its folder, as the include law wants it.
find_path(CAIRO_INCLUDE cairo/cairo.h REQUIRED)
find_library(CAIRO_LIBRARY cairo REQUIRED)

if(TANDEM_TESTS)
  find_package(doctest REQUIRED)
  include(doctest)
  find_path(RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
endif()
if(TANDEM_BENCH)
  find_package(benchmark REQUIRED)
endif()
