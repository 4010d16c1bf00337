#include "gpu/hopper/matmul.h"

#include "gpu/hopper/tensor_map.h"
#include "gpu/hopper/wgmma.cuh"

#include "gpu/hopper/matmul_kernel.cuh"

#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {
namespace {

template <class Number, int n, bool b_is_mn_major, bool a_in_registers>
__global__ void __launch_bounds__(warpgroup_threads, 1) matmul_kernel(const __grid_constant__ MatmulParameters p) {
    matmul_block<Number, n, b_is_mn_major, a_in_registers>(p);
}

TileSource matrix(const std::uint16_t* numbers, bool bfloat16, int rows, int columns) {
    TileSource source;
    source.numbers = numbers;
    source.bfloat16 = bfloat16;
    source.columns = source.row_stride = columns;
    source.rows = source.box_rows = rows;
    source.heads = source.batches = 1;
    return source;
}

template <class Number, int n, bool b_is_mn_major, bool a_in_registers>
int launch(const MatmulParameters& parameters, cudaStream_t stream) {
    const auto kernel = matmul_kernel<Number, n, b_is_mn_major, a_in_registers>;
    constexpr int bytes = matmul_shared_bytes<n>();
    if (const auto code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))
        return code;
    kernel<<<1, warpgroup_threads, bytes, stream>>>(parameters);
    return cudaGetLastError();
}

template <class Number, int n>
int launch_form(const Matmul& product, const MatmulParameters& parameters, cudaStream_t stream) {
    if (product.b_is_mn_major)
        return product.a_in_registers ? launch<Number, n, true, true>(parameters, stream)
                                      : launch<Number, n, true, false>(parameters, stream);
    return product.a_in_registers ? launch<Number, n, false, true>(parameters, stream)
                                  : launch<Number, n, false, false>(parameters, stream);
}

template <class Number>
int launch_width(const Matmul& product, const MatmulParameters& p, cudaStream_t stream) {
    switch (product.n) {
    case 64:
        return launch_form<Number, 64>(product, p, stream);
    case 128:
        return launch_form<Number, 128>(product, p, stream);
    case 256:
        return launch_form<Number, 256>(product, p, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

int launch_matmul(const Matmul& product, void* stream) {
    MatmulParameters parameters;
    parameters.rows = product.a;
    parameters.c = product.c;
    const auto a = matrix(product.a, product.bfloat16, matmul_rows, matmul_depth);
    const auto b = product.b_is_mn_major ? matrix(product.b, product.bfloat16, matmul_depth, product.n)
                                         : matrix(product.b, product.bfloat16, product.n, matmul_depth);
    if (const int code = make_tensor_map(a, parameters.a))
        return code;
    if (const int code = make_tensor_map(b, parameters.b))
        return code;
    const auto queue = static_cast<cudaStream_t>(stream);
    return product.bfloat16 ? launch_width<Bfloat16>(product, parameters, queue)
                            : launch_width<Float16>(product, parameters, queue);
}

} // namespace attnlab::gpu::hopper
