#include "core/model/multiply.h"

#include <oneapi/dnnl/dnnl.h>

#include <omp.h>

#include <stdexcept>

namespace attnlab::model {

void multiply(const MatrixPart& a, const MatrixPart& b, bool transposed, float* out, std::int64_t out_stride) {
    omp_set_num_threads(1); // of oneDNN on this thread: the callers share the work among threads themselves
    const auto columns = transposed ? b.rows : b.columns;
    if (a.rows == 0 || columns == 0)
        return;
    const auto status = dnnl_sgemm('N', transposed ? 'T' : 'N', a.rows, columns, a.columns, 1.0F, a.values, a.stride,
                                   b.values, b.stride, 0.0F, out, out_stride);
    if (status != dnnl_success)
        throw std::runtime_error("multiply: oneDNN refuses a product of matrices");
}

} // namespace attnlab::model
