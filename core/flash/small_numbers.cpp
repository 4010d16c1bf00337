#include "core/flash/small_numbers.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/odd_values.h"
#include "core/flash/panel_mask.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {
namespace {

/// Each of S products of a weight and a value loses at most 2^-126, so an output above this has lost no digit of a
/// float32, up to S = 2^22.
constexpr double smallest_output = 0x1p-80;
/// Queries and keys below this may become 0, as parts of matrix products too.
constexpr double smallest_factor = 0x1p-110;

bool is_small(double number, double limit) { return number != 0.0 && std::abs(number) < limit; }

/// The rows with an infinite number, and those with a small one.
struct RowKinds {
    std::vector<bool> infinite, small;

    bool any_infinite() const { return std::ranges::find(infinite, true) != infinite.end(); }
    bool any_small() const { return std::ranges::find(small, true) != small.end(); }
};

RowKinds kinds_of(std::span<const float> numbers, std::int64_t rows, double small) {
    RowKinds kinds;
    const auto width = rows == 0 ? std::size_t{0} : numbers.size() / static_cast<std::size_t>(rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        const auto own = numbers.subspan(row * width, width);
        kinds.infinite.push_back(std::ranges::any_of(own, [](float number) { return std::isinf(number); }));
        kinds.small.push_back(std::ranges::any_of(own, [&](float number) { return is_small(number, small); }));
    }
    return kinds;
}

} // namespace

SmallNumbers::SmallNumbers(const ResolvedProblem& problem, const attnlab::flash::Shape& shape, const NumberRange& query,
                           const NumberRange& key, const NumberRange& value, const RunControl& control)
    : shape_(shape) {
    if (value.largest > 0.0 && value.largest < ordinary_size)
        exponent_ = -std::ilogb(value.largest);
    if (is_small(std::ldexp(value.smallest, exponent_), smallest_output))
        find_columns(problem, control);
    if (query.odd.count + key.odd.count > 0)
        find_rows(problem, control);
}

void SmallNumbers::find_columns(const ResolvedProblem& problem, const RunControl& control) {
    const auto& tensor = problem.tensors.find("value")->second;
    const double limit = std::ldexp(smallest_output, -exponent_);
    const auto width = static_cast<std::size_t>(shape_.Ev);
    std::vector<double> row(width);
    for (std::int64_t at = 0; at < shape_.B * shape_.Hkv * shape_.S; ++at) {
        control.checkpoint();
        tensor.read(at * shape_.Ev, std::span(row));
        for (std::size_t c = 0; c < width; ++c)
            if (is_small(row[c], limit)) {
                auto& columns = columns_[at / shape_.S];
                columns.resize(width);
                columns[c] = true;
            }
    }
}

void SmallNumbers::find_rows(const ResolvedProblem& problem, const RunControl& control) {
    const double factor = std::abs(scales_of(problem, shape_).scores) * log2_e;
    const double small_query = smallest_factor / std::min(1.0, factor); // infinity for a factor of 0
    const auto heads = shape_.B * shape_.H;
    for (std::int64_t head = 0; head < heads; ++head) {
        const auto keys =
            kinds_of(nonzero_rows_in_float32(problem, "key", key_head(head) * shape_.S, shape_.S, control), shape_.S,
                     smallest_factor);
        const auto queries = kinds_of(nonzero_rows_in_float32(problem, "query", head * shape_.L, shape_.L, control),
                                      shape_.L, small_query);
        const bool infinite_keys = keys.any_infinite(), small_keys = keys.any_small();
        for (std::size_t i = 0; i < queries.small.size(); ++i)
            if ((queries.small[i] && infinite_keys) || (queries.infinite[i] && small_keys)) {
                rows_.resize(static_cast<std::size_t>(heads * shape_.L));
                rows_[static_cast<std::size_t>(head * shape_.L) + i] = true;
            }
    }
}

std::int64_t SmallNumbers::key_head(std::int64_t head) const {
    return head / shape_.H * shape_.Hkv + head % shape_.H / (shape_.H / shape_.Hkv);
}

bool SmallNumbers::affect(std::int64_t row, std::span<const float> output) const {
    if (!rows_.empty() && rows_[static_cast<std::size_t>(row)])
        return true;
    const auto found = columns_.find(columns_.empty() ? 0 : key_head(row / shape_.L));
    if (found == columns_.end())
        return false;
    for (std::size_t c = 0; c < output.size(); ++c)
        if (found->second[c] && std::abs(output[c]) < smallest_output)
            return true;
    return false;
}

} // namespace attnlab::flash
