// The flash forward as a backend: float32 or bfloat16, output and lse only, memory that grows with L and S but never
// with L x S.
#pragma once

#include "core/backend.h"
#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/mechanisms/shared/dot_product_form.h"

namespace attnlab {

/// The result of Precision::Split is float32's.
const Backend& cpu_backend(flash::Precision precision = flash::Precision::Float32);

namespace flash {

/// "cpu · bfloat16 · AVX-512, AMX · 2 threads": a matrix unit is named once it is chosen for the precision.
std::string cpu_title(Precision precision);

/// Says that a precision below float32 is not faster, where no matrix unit computes in it, or it was measured to be no
/// faster in this use.
std::optional<Message> note_without_matrix_unit(Precision precision, MatrixUse use);

/// The message for a variant without such a form.
Message not_a_dot_product(const AttentionSpec& spec);

/// The form of a problem once its queries, keys and values are computed. Throws Error where its variant has no such
/// form.
DotProductForm form_of(const ResolvedProblem& problem);

/// The sizes of a problem of that form.
Shape shape_of(const ResolvedProblem& problem, const DotProductForm& form);

/// "query", "key" or "value" as a problem of scaled_dot_product reads it: queries and keys normalised where the scale
/// requires it. Throws Cancelled.
std::vector<float> in_float32(const ResolvedProblem& problem, std::string_view name, const RunControl& control = {});

/// The same for some of its rows only, indexed across all leading axes.
std::vector<float> rows_in_float32(const ResolvedProblem& problem, std::string_view name, std::int64_t first_row,
                                   std::int64_t rows, const RunControl& control = {});

/// The same for a few rows that are computed with care: numbers below the range of float32 become its smallest one
/// instead of 0, since 0 times infinity is NaN.
std::vector<float> nonzero_rows_in_float32(const ResolvedProblem& problem, std::string_view name,
                                           std::int64_t first_row, std::int64_t rows, const RunControl& control = {});

struct Scales {
    double scores = 1.0;
    double weights = 1.0; ///< after the softmax
    double softcap = 0.0; ///< above 0: a score is softcap tanh(scores q.k / softcap)
};
/// For a scale that is a single factor, or a softcap before the softmax.
Scales scales_of(const ResolvedProblem& problem, const Shape& shape);

/// The masks of a problem as views of its arrays, which must outlive them. `problem` must have passed check_masks(),
/// and refused_masks() must return nullopt.
Masks masks_of(const ResolvedProblem& problem, const Shape& shape);

} // namespace flash
} // namespace attnlab
