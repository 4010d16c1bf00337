// The processor's matrix unit (AMX): its kernel, if any, and where a measurement has shown that it is faster.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/matrix_kernel.h"
#include "core/message.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::flash {

/// The kernel of the unit, null without one. Before AMX is used for the first time, a small problem is computed with it
/// and without: where the results differ, it is not used. ATTNLAB_AMX=0 in the environment switches it off; with
/// ATTNLAB_AMX=1 it computes every problem, faster or not, for tests. Thread-safe.
const MatrixKernel* matrix_kernel();

/// Why there is none; nullopt where there is one.
std::optional<Message> matrix_unit_unavailable_reason();

/// Compares a kernel with the vector kernels on small problems of every precision; returns what differs, or an empty
/// text.
std::string wrong_results_of(const MatrixKernel& kernel);

/// Uses this kernel (or none) instead, until it is called with nullopt. For tests; not to be called while something is
/// computed.
void use_matrix_kernel(std::optional<const MatrixKernel*> kernel);

// Where the matrix unit is used: only where a measurement on this machine has shown that it is faster than vectors.

/// A forward has values; a map needs scores alone.
enum class MatrixUse { Forward, Map };

/// "forward", "map"
std::string_view name_of(MatrixUse use);

/// What was measured of the unit in a precision and use.
struct MatrixChoice {
    Precision precision = Precision::Float32;
    MatrixUse use = MatrixUse::Forward;
    double gain = 0.0; ///< time of vectors / time of the unit, the least of the measured shapes; 0: unknown
    std::optional<Message> failure; ///< of the measurement

    static constexpr double least_gain = 1.1; ///< less is within what machines differ by from one hour to the next
    bool is_used() const { return gain >= least_gain; }
    /// Why it is not used.
    Message why_not(std::string_view unit) const;
};

/// Seconds that a shape took by vectors and by the unit, one after the other.
struct MatrixRound {
    double vectors = 0.0, matrices = 0.0;
};

/// The choice from the rounds of each shape: the unit is used if for every shape the median gain is at least
/// least_gain, and three of four rounds have a gain above 1. With few rounds, times that are not positive numbers, or
/// rounds that disagree, there is a failure and the unit is not used.
MatrixChoice judged(Precision precision, MatrixUse use, std::span<const std::vector<MatrixRound>> shapes);

/// Returns the seconds that `run` takes.
using Stopwatch = std::function<double(const std::function<void()>& run)>;

/// Measures in at most about 0.03 s. An exception of the run becomes a failure.
MatrixChoice measured(const MatrixKernel& kernel, Precision precision, MatrixUse use, const Stopwatch& seconds_of);

/// Whether the unit is to compute this problem. The first call for a precision and use may measure, so this is for
/// worker threads. The answer depends on sizes and masks, not on the rows of a part or the number of threads. Small
/// problems, and shapes unlike the measured ones, are left to vectors without a measurement. Thread-safe.
bool chooses_matrices(const MatrixKernel& kernel, const Problem& problem);

/// The choice for a precision and use, measured if it is not known. Thread-safe.
MatrixChoice choice_of(const MatrixKernel& kernel, Precision precision, MatrixUse use);
/// The same if it is known already in this process: returns at once, for any thread.
std::optional<MatrixChoice> known_choice(Precision precision, MatrixUse use);

/// Keeps choices in a file, so that they are measured once for a machine and the same numbers come from every process.
/// `build` identifies the program; a choice of another build, processor or number of threads is not used. A file that
/// cannot be read or written only means that each process measures. To be called before anything is computed.
void keep_choices(std::filesystem::path file, std::string build);
/// Forgets what is known, in the file too; measures by `seconds_of`, or if empty by a clock.
void forget_choices(Stopwatch seconds_of = {});

} // namespace attnlab::flash
