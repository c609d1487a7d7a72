# Writes FILE with the commit of SOURCE as VTOPO_COMMIT, empty outside of a repository; leaves a file
# alone that says so already, so that nothing is compiled again.
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=7 --exclude=*
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-prefix
  OUTPUT_VARIABLE inside ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed OR NOT inside STREQUAL "")  # sources without .git within another repository
  set(commit "")
endif()
set(text "#define VTOPO_COMMIT \"${commit}\"\n")
if(EXISTS "${FILE}")
  file(READ "${FILE}" before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE "${FILE}" "${text}")
endif()
