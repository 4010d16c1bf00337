// Which unit for matrices of bfloat16 the engine uses, if any.
#pragma once

#include "core/flash/matrix_kernel.h"
#include "core/message.h"

#include <optional>
#include <string>

namespace attnlab::flash {

/// The kernel of the unit, null without one. Before AMX is used for the first time, a small problem is computed with it
/// and without: where the results differ, it is not used. ATTNLAB_AMX=0 in the environment switches it off; with
/// ATTNLAB_AMX=1 it computes every problem, faster or not, for tests. Thread-safe.
const MatrixKernel* matrix_kernel();

/// Why there is none; nullopt where there is one.
std::optional<Message> why_no_matrix_unit();

/// Compares a kernel with the vector kernels on small problems of every precision; returns what differs, or an empty
/// text.
std::string wrong_results_of(const MatrixKernel& kernel);

/// Uses this kernel (or none) instead, until it is called with nullopt. For tests; not to be called while something is
/// computed.
void use_matrix_kernel(std::optional<const MatrixKernel*> kernel);

} // namespace attnlab::flash
