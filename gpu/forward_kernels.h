// The forward on a device: arguments and results of a kernel, and its selection at run time. Plain C++17 without CUDA
// headers, so that device code, host code and tests share the structs.
#pragma once

#include "gpu/device.h"

#include <cstdint>
#include <functional>

namespace attnlab::gpu {

/// The number type of queries, keys and values. Float32 results have the accuracy of float32 arithmetic.
enum class Precision { Float32, BFloat16, Float16 };

/// A (B,H,rows,width) array on the device. Strides are in elements; the elements of a row are contiguous, rows start at
/// multiples of 16 bytes.
struct Rows {
    void* data = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

/// Query i keeps key j when i - before <= j and (j <= i + after or j < prefix). Positions are relative to the whole
/// problem.
struct Band {
    static constexpr int unlimited = (1 << 30) - 1;
    int before = unlimited;
    int after = unlimited;
    int prefix = 0;
};

/// Query i of batch b keeps the keys j < lengths[b * batch_stride + i * row_stride], j relative to the whole problem.
/// Null: all.
struct ValidLengths {
    const std::int32_t* lengths = nullptr;
    std::int64_t batch_stride = 0, row_stride = 0;
};

/// A bit for each cell (b,h,i,j): bit j % 32 of word j / 32 of a row, 1 where the cell is kept. Strides are in words,
/// 0 where the array repeats; bits beyond the last key are 0. Null: everything is kept.
struct KeptBits {
    const std::uint32_t* words = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

/// A float32 for each cell, added to the scaled score: -inf or within +-1e38, so that the sum with a score is finite in
/// base 2. Strides in elements, 0 where it repeats. Null: nothing.
struct Bias {
    const float* values = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

/// The treatment of a blocked cell: skipped (weight 0, and its key need not be read), its score replaced by `fill`, or
/// `fill`, within +-1e38, added to score and bias.
enum class Blocked { Skipped, Replaced, Added };

/// One launch: some query rows and some keys of a problem. In natural units: kernels apply log2(e) themselves.
struct ForwardArguments {
    Precision precision = Precision::Float32;
    /// L and S are those of this launch, below 2^30. E and Ev are the widths in memory: padding by the caller is 0.
    int B = 1, H = 1, Hkv = 1, L = 0, S = 0, E = 0, Ev = 0;
    Rows query, key, value; ///< query head h reads key and value head h / (H / Hkv)

    float scale = 1.0f;        ///< multiplies the scores
    float softcap = 0.0f;      ///< above 0: score = softcap tanh(scale q.k / softcap)
    float output_scale = 1.0f; ///< multiplies the output

    /// The cells that are read: those kept by all of these. Arrays are indexed by row and key of this launch; band and
    /// lengths use positions in the problem, first_row + i and first_key + j.
    int first_row = 0, first_key = 0;
    Band band;
    ValidLengths valid_lengths;
    KeptBits key_padding; ///< head_stride = row_stride = 0
    KeptBits kept;
    Bias bias;
    Blocked blocked = Blocked::Skipped;
    float fill = 0.0f;

    /// (B,H,L,Ev). A row that reads no key has output 0 and lse -inf.
    Rows output;
    bool output_is_float32 = true; ///< otherwise in `precision`
    float* lse = nullptr;          ///< (B,H,L), natural logarithm

    /// Exclusive memory of scratch_bytes(), aligned to 256 bytes.
    void* scratch = nullptr;
};

/// A row of the table of kernels.
struct ForwardKernel {
    const char* name;
    int least_capability, most_capability; ///< inclusive
    Precision precision;
    int width;    ///< the required E = Ev; 0: any E and Ev
    double speed; ///< approximate operations per second, relative to the others of the table: used for choosing
    /// True when it supports these arguments, with its own E and Ev. Ignores the values of pointers.
    bool (*supports)(const ForwardArguments&);
    /// Queues the work on a cudaStream_t and returns a cudaError_t, 0 for success.
    int (*launch)(const ForwardArguments&, const Device&, void* stream);
    /// Bytes of scratch memory for each number of queries, keys and values.
    int scratch_bytes_of_a_number = 0;
};

struct ForwardKernels {
    const ForwardKernel* rows = nullptr;
    int count = 0;

    const ForwardKernel* begin() const { return rows; }
    const ForwardKernel* end() const { return rows + count; }
};

/// All kernels of this build; none without nvcc.
ForwardKernels forward_kernels();

/// True for the kernels of a device.
using ForwardPredicate = std::function<bool(const ForwardKernel&)>;

/// The kernel that probably finishes first: it supports the capability, and `arguments` with E and Ev padded to its
/// width, and has the smallest width / speed; the first of several. Null if there is none. Only kernels for which
/// `trusted` is true, where it is not null.
const ForwardKernel* choose(ForwardKernels kernels, int capability, const ForwardArguments& arguments,
                            const ForwardPredicate& trusted = {});

/// True when a device has kernels that use its tensor cores. On others the cores of the processor are faster.
bool has_fast_kernels(ForwardKernels kernels, const Device& device);

/// True when `one` is preferred to `other`: tensor cores first, then more multiprocessors.
bool is_faster(ForwardKernels kernels, const Device& one, const Device& other);

/// The arguments with E and Ev padded for `kernel`.
ForwardArguments padded_for(const ForwardKernel& kernel, ForwardArguments arguments);

/// The bytes of `scratch` that a launch with these arguments requires, with the kernel's E and Ev.
std::size_t scratch_bytes(const ForwardKernel& kernel, const ForwardArguments& arguments);

} // namespace attnlab::gpu
