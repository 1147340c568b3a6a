# Debian 12 packages only; nothing is downloaded. Each library is linked in the one folder that may see it.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
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

# OpenCV's CMake files are only in the package that brings all of its modules, so find the four we use ourselves.
find_path(OPENCV_INCLUDE opencv2/calib3d.hpp PATH_SUFFIXES opencv4 REQUIRED)
if(NOT TARGET tandem_opencv)
  add_library(tandem_opencv INTERFACE)
  target_include_directories(tandem_opencv SYSTEM INTERFACE ${OPENCV_INCLUDE})
  foreach(module calib3d features2d imgproc core)
    find_library(OPENCV_${module} opencv_${module} REQUIRED)
    target_link_libraries(tandem_opencv INTERFACE ${OPENCV_${module}})
  endforeach()
endif()

# Only its headers, and those only in one source.
find_path(BOOST_INCLUDE boost/beast/http/parser.hpp REQUIRED)

# Figures; its header is named with its folder, as the include law wants it.
find_path(CAIRO_INCLUDE cairo/cairo.h REQUIRED)
find_library(CAIRO_LIBRARY cairo REQUIRED)

# Checksums of recordings, by the processor's own instructions.
find_path(DEFLATE_INCLUDE libdeflate.h REQUIRED)
find_library(DEFLATE_LIBRARY deflate REQUIRED)

# Chunks of recordings.
find_path(ZSTD_INCLUDE zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)

if(TANDEM_TESTS)
  find_package(doctest REQUIRED)
  include(doctest)
  find_path(RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
endif()
if(TANDEM_BENCH)
  find_package(benchmark REQUIRED)
endif()
