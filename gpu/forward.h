// The forward on a device: what a kernel is given, what it has to write, and how one is chosen at run time. Plain C++17
// without any CUDA header, so that device code, host code and tests read the same structs.
#pragma once

#include "gpu/device.h"

#include <cstdint>

namespace attnlab::gpu {

/// What queries, keys and values are stored as. Float32 results have the accuracy of float32 arithmetic.
enum class Precision { Float32, BFloat16, Float16 };

/// A (B,H,rows,width) array on the device. Strides are in elements; the elements of a row lie side by side, rows start
/// at multiples of 16 bytes.
struct Rows {
    void* data = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

/// Query i keeps key j when i - before <= j and (j <= i + after or j < prefix). Positions are those of the whole
/// problem.
struct Band {
    static constexpr int unlimited = (1 << 30) - 1;
    int before = unlimited;
    int after = unlimited;
    int prefix = 0;
};

/// Query i of batch b keeps the keys j < lengths[b * batch_stride + i * row_stride], j counted in the whole problem.
/// Null: all of them.
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

/// A float32 for each cell, added to the scaled score: -inf or within +-1e38, so that what base 2 makes of it and a
/// score is finite. Strides in elements, 0 where it repeats. Null: nothing.
struct Bias {
    const float* values = nullptr;
    std::int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

/// What becomes of a blocked cell: nothing at all (weight 0, and its key need not be read), `fill` instead of its
/// score, or `fill`, within +-1e38, added to score and bias.
enum class Blocked { Skipped, Replaced, Added };

/// One launch: some query rows and some keys of a problem. Natural units: log2(e) is the kernel's own business.
struct ForwardArguments {
    Precision precision = Precision::Float32;
    /// L and S are those of this launch, below 2^30. E and Ev are the widths in memory: what the caller padded has
    /// zeros beyond the real ones.
    int B = 1, H = 1, Hkv = 1, L = 0, S = 0, E = 0, Ev = 0;
    Rows query, key, value; ///< query head h reads key and value head h / (H / Hkv)

    float scale = 1.0f;        ///< multiplies the scores
    float softcap = 0.0f;      ///< above 0: score = softcap tanh(scale q.k / softcap)
    float output_scale = 1.0f; ///< multiplies the output

    /// Which cells are read: those that all of these keep. Arrays are indexed by row and key of this launch; band and
    /// lengths speak of the problem's, which are first_row + i and first_key + j.
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

    /// What the kernel has to itself: scratch_bytes() of it, from a multiple of 256 bytes on.
    void* scratch = nullptr;
};

/// A row of the table of kernels.
struct ForwardKernel {
    const char* name;
    int least_capability, most_capability; ///< both included
    Precision precision;
    int width;    ///< E = Ev that it wants; 0: it takes any E and Ev
    double speed; ///< about how many operations a second, beside the others of the table: decides who is chosen
    /// Whether it can do these arguments, whose E and Ev are its own. Looks at everything but the pointers' values.
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

/// All that this program was built with; none without nvcc.
ForwardKernels forward_kernels();

/// The kernel that is likely to be done first: it runs on a device of this capability, takes `arguments` once E and Ev
/// are padded to its width, and has the smallest width / speed; the first of several. Null where there is none.
const ForwardKernel* choose(ForwardKernels kernels, int capability, const ForwardArguments& arguments);

/// The arguments with E and Ev as `kernel` wants them.
ForwardArguments padded_for(const ForwardKernel& kernel, ForwardArguments arguments);

/// What a launch with these arguments, whose E and Ev are the kernel's, wants to have in `scratch`.
std::size_t scratch_bytes(const ForwardKernel& kernel, const ForwardArguments& arguments);

} // namespace attnlab::gpu
