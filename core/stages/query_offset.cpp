#include "core/stages/query_offset.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

bool is_aligned_bottom_right(const AttentionSpec& spec) { return std::ranges::any_of(spec.masks, is_bottom_right); }

Error beside_bottom_right(std::string offset) {
    return Error(
        {ATTNLAB_TEXT("query_offset: is %1, and causal:bottom_right is an offset as well (S - L); expected one "
                      "of them. causal alone follows query_offset"),
         {std::move(offset)}});
}

std::string place_text(std::size_t b) { return to_string(Shape{static_cast<std::int64_t>(b)}); }

std::string limit_text() { return to_text(farthest_query_offset); }

/// "[3, 5, 5, …]"
std::string numbers_text(const Tensor& array) {
    constexpr std::int64_t most = 4;
    std::string text = "[";
    for (std::int64_t b = 0; b < std::min(most, array.size()); ++b)
        text += (b > 0 ? ", " : "") + to_text(array.data()[b]);
    return text + (array.size() > most ? ", …]" : "]");
}

} // namespace

bool is_bottom_right(const Selection& mask) {
    const auto* alignment = mask.parameters.find("alignment");
    return alignment && *alignment == ParameterValue(std::string("bottom_right"));
}

std::optional<std::int64_t> QueryOffsets::common() const {
    if (!array_)
        return all_;
    const auto values = array_->values();
    if (values.empty())
        return 0;
    if (std::ranges::any_of(values, [&](double value) { return value != values.front(); }))
        return std::nullopt;
    return static_cast<std::int64_t>(values.front());
}

QueryOffsets query_offsets(const AttentionSpec& spec, const TensorMap& tensors) {
    check_query_offset(spec);
    const auto found = tensors.find(query_offset_input.name);
    if (found == tensors.end())
        return QueryOffsets(spec.query_offset.value_or(0), spec.query_offset.has_value());
    const auto& array = found->second;
    const auto values = array.values();
    for (std::size_t b = 0; b < values.size(); ++b) {
        const double value = values[b];
        if (!(std::abs(value) <= farthest_query_offset) || value != std::floor(value))
            throw Error({ATTNLAB_TEXT("query_offset: has %1 at %2, expected integers from -%3 to %3"),
                         {to_text(value), place_text(b), limit_text()}});
        if (spec.query_offset && value != static_cast<double>(*spec.query_offset))
            throw Error(
                {ATTNLAB_TEXT("query_offset: the array has %1 at %2, the setting --query-offset is %3; expected "
                              "one of them, or the same number in both"),
                 {to_text(value), place_text(b), std::to_string(*spec.query_offset)}});
    }
    if (is_aligned_bottom_right(spec))
        throw beside_bottom_right(numbers_text(array));
    return QueryOffsets(array);
}

void check_query_offset(const AttentionSpec& spec) {
    if (!spec.query_offset)
        return;
    if (std::abs(static_cast<double>(*spec.query_offset)) > farthest_query_offset)
        throw Error({ATTNLAB_TEXT("query_offset: is %1, expected an integer from -%2 to %2"),
                     {std::to_string(*spec.query_offset), limit_text()}});
    if (is_aligned_bottom_right(spec))
        throw beside_bottom_right(std::to_string(*spec.query_offset));
}

} // namespace attnlab
