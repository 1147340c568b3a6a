# SPDX-License-Identifier: Apache-2.0
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

include(${CMAKE_CURRENT_LIST_DIR}/tandemExternal.cmake)
foreach(name cairo deflate mosquitto mujoco opencv tinyxml2 zstd)
  tandem_find_external(${name})
endforeach()

# Only its headers, and those only in one source.
find_path(BOOST_INCLUDE boost/beast/http/parser.hpp REQUIRED)

if(TANDEM_TESTS)
  find_package(doctest REQUIRED)
  include(doctest)
  find_path(RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
endif()
if(TANDEM_BENCH)
  find_package(benchmark REQUIRED)
endif()
