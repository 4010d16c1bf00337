// Rounding to narrower number formats, and their spacing.
#pragma once

#include "core/attention.h"

#include <string>
#include <string_view>

namespace attnlab {

/// The number of `format` nearest to `value`, ties to the one whose last bit is 0. Beyond the largest finite number it
/// is infinite; NaN, infinities and the sign of zero stay. Float64, Int64 and Bool change nothing.
double rounded(double value, DType format);
/// Rounds every number of a tensor; its dtype stays.
Tensor rounded(const Tensor& tensor, DType format);

/// The distance between the two numbers of `format` that enclose |value|, the upper one at a power of two: a unit in
/// the last place. NaN where value is not finite, and for types other than floating point.
double ulp(double value, DType format);

/// "bfloat16:scores", and back. The format alone means `all`; parse_rounding throws Error for anything else.
std::string to_text(const Rounding& rounding);
Rounding parse_rounding(std::string_view text);

/// "inputs", "scores", "weights", "all".
std::string_view name_of(Rounding::Where where);

/// The note of a trace whose numbers are rounded.
Note note_of(const Rounding& rounding);

/// True when `rounding` rounds the numbers stored at `where`.
bool rounds(const std::optional<Rounding>& rounding, Rounding::Where where);

} // namespace attnlab
