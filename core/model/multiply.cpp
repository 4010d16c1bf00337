#include "core/model/multiply.h"

#include <oneapi/dnnl/dnnl.h>

#include <omp.h>

#include <stdexcept>

namespace attnlab::model {

void multiply(const MatrixPart& a, const MatrixPart& b, bool transposed, float* out, std::int64_t out_stride) {
    // The callers share the work among the threads of core/flash/helpers.h; a team of oneDNN's for each of them would
    // spin beside these.
    omp_set_num_threads(1);
    const auto columns = transposed ? b.rows : b.columns;
    if (a.rows == 0 || columns == 0)
        return;
    const auto status = dnnl_sgemm('N', transposed ? 'T' : 'N', a.rows, columns, a.columns, 1.0F, a.values, a.stride,
                                   b.values, b.stride, 0.0F, out, out_stride);
    if (status != dnnl_success)
        throw std::runtime_error("multiply: oneDNN refuses a product of matrices");
}

} // namespace attnlab::model
