# Writes HEADER, which says the commit of the sources in SOURCE; nothing where they are no git repository.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty=+ --abbrev=8 --exclude=* OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "// Written by app/commit.cmake.\n#pragma once\n#define ATTNLAB_COMMIT \"${commit}\"\n")
