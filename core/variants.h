// The one visible table of mechanisms. Adding one: a file in core/variants and a line in variants.cpp.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/parameter.h"

#include <span>
#include <string_view>

namespace attnlab {

struct Variant {
    std::string_view id;
    const char* title;               ///< translated
    const char* family;              ///< heading in pickers (translated)
    std::string_view formula;        ///< plain text; the typeset one is resources/formulas/<id>.svg
    const char* help;                ///< two or three sentences (translated)
    std::string_view source;         ///< where the formula comes from
    std::string_view default_scale;  ///< id of a scale mode
    std::span<const Input> inputs;
    std::span<const Parameter> parameters;
    /// Computes every stage in float64. Throws Error (bad problem), Cancelled, std::bad_alloc.
    Trace (*run)(const AttentionProblem&, const RunControl&);
};

std::span<const Variant> variants();
/// Throws Error naming the known ids.
const Variant& variant(std::string_view id);

/// The spec's scale selection with the variant's default filled in and all parameters complete.
Selection effective_scale(const AttentionSpec& spec);

} // namespace attnlab
