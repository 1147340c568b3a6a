# SPDX-License-Identifier: Apache-2.0
# Runs one fuzz target for TANDEM_FUZZ_SECONDS (4 by default) from a fixed seed; new inputs go to the build folder.
set(seconds 4)
if(DEFINED ENV{TANDEM_FUZZ_SECONDS})
  set(seconds $ENV{TANDEM_FUZZ_SECONDS})
endif()
file(MAKE_DIRECTORY ${FOUND})
set(corpora ${FOUND})
if(EXISTS ${CORPUS})
  list(APPEND corpora ${CORPUS})
endif()
execute_process(COMMAND ${TARGET} -seed=1 -max_total_time=${seconds} -rss_limit_mb=1024 -malloc_limit_mb=256
  -timeout=25 -print_final_stats=1 -artifact_prefix=${FOUND}/ ${corpora} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${TARGET} found something: see ${FOUND}")
endif()
