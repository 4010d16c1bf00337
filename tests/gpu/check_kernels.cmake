# What the assembler says of the kernels in SOURCE, compiled by NVCC for ARCHITECTURE: no spills, no stack, no products
# (wgmma) that wait for each other, no ignored setmaxnreg. Fails otherwise; prints registers and kernels for the record.
execute_process(
  COMMAND ${NVCC} -std=c++17 -O3 -I${ROOT} -gencode=arch=compute_${ARCHITECTURE},code=sm_${ARCHITECTURE} -Xptxas=-v
          --cubin -o ${OUTPUT} ${SOURCE}
  RESULT_VARIABLE code OUTPUT_VARIABLE report ERROR_VARIABLE report)
file(REMOVE ${OUTPUT})
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile:\n${report}")
endif()
string(REGEX MATCHALL "Used [0-9]+ registers" kernels "${report}")
list(LENGTH kernels count)
if(count EQUAL 0)
  message(FATAL_ERROR "There is no kernel in ${SOURCE}")
endif()
list(REMOVE_DUPLICATES kernels)
message(STATUS "${SOURCE}: ${count} kernels, ${kernels}")

# C7508: setmaxnreg ignored; C7510 to C7512: products serialized, for reasons that differ.
string(REGEX MATCHALL "[^\n]*(serialized|setmaxnreg|C7508|C751[0-9])[^\n]*" complaints "${report}")
string(REGEX MATCHALL "[^\n]*[1-9][0-9]* bytes (stack frame|spill stores|spill loads)[^\n]*" spills "${report}")
if(complaints OR spills)
  message(FATAL_ERROR "${complaints}\n${spills}")
endif()
