// The driver's function is loaded at run time, so that the program also starts without a driver.
#include "gpu/hopper/tensor_map.h"

#include <cuda_runtime_api.h>
#include <cudaTypedefs.h>

namespace attnlab::gpu::hopper {
namespace {

PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    const auto code =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    if (code != cudaSuccess || found != cudaDriverEntryPointSuccess)
        return nullptr;
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

/// A dimension of length 1 may have any stride, including ones that the driver rejects.
std::int64_t stride_of(std::int64_t length, std::int64_t stride, std::int64_t packed) {
    return length > 1 ? stride : packed;
}

} // namespace

int make_tensor_map(const TileSource& source, CUtensorMap& map) {
    static const auto encode = encode_function();
    if (!encode)
        return cudaErrorSymbolNotFound;
    const auto row = stride_of(source.rows, source.row_stride, source.columns);
    const auto head = stride_of(source.heads, source.head_stride, row * source.rows);
    const auto batch = stride_of(source.batches, source.batch_stride, head * source.heads);
    const cuuint64_t lengths[] = {static_cast<cuuint64_t>(source.columns), static_cast<cuuint64_t>(source.rows),
                                  static_cast<cuuint64_t>(source.heads), static_cast<cuuint64_t>(source.batches)};
    const cuuint64_t strides[] = {static_cast<cuuint64_t>(row) * 2, static_cast<cuuint64_t>(head) * 2,
                                  static_cast<cuuint64_t>(batch) * 2};
    const cuuint32_t box[] = {panel_columns, static_cast<cuuint32_t>(source.box_rows), 1, 1};
    const cuuint32_t steps[] = {1, 1, 1, 1};
    const auto type = source.bfloat16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    const auto code = encode(&map, type, 4, const_cast<void*>(source.numbers), lengths, strides, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return code == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace attnlab::gpu::hopper
