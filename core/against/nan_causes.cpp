// Why an array has NaN where the exact numbers have none.
#include "core/against/mistakes.h"
#include "core/infinity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::against {
namespace {

constexpr std::size_t no_place = static_cast<std::size_t>(-1);

/// The parts of an exact pass, and the cells of the given array that want a reason.
struct NanCase {
    const Tensor &query, &key, &value, &scores, &masked;
    DType type; ///< of the given array
    std::int64_t H, L, S;
    bool is_output; ///< the last axis has Ev entries, not one for each key

    std::int64_t key_matrix(std::int64_t matrix) const {
        return matrix / H * key.dim(1) + matrix % H / (H / key.dim(1));
    }
    std::span<const double> row(const Tensor& cells, std::int64_t matrix, std::int64_t i) const {
        const auto width = static_cast<std::size_t>(cells.dim(-1));
        return cells.values().subspan(static_cast<std::size_t>(matrix * L + i) * width, width);
    }
    std::span<const double> key_row(const Tensor& rows, std::int64_t matrix, std::int64_t j) const {
        const auto width = static_cast<std::size_t>(rows.dim(-1));
        return rows.values().subspan(static_cast<std::size_t>(key_matrix(matrix) * S + j) * width, width);
    }
};

bool finite(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

double largest_of(std::span<const double> numbers) {
    double largest = 0.0;
    for (const double number : numbers)
        largest = std::max(largest, std::abs(number));
    return largest;
}

bool is_empty(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    return c.S > 0 && std::ranges::all_of(c.row(c.masked, matrix, i), [](double score) { return score == -infinity; });
}

/// A query or a key that is not finite, read or not: masks are often added to scores that are NaN by then.
bool reads_odd_rows(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    if (!finite(c.row(c.query, matrix, i)))
        return true;
    for (std::int64_t j = 0; j < c.S; ++j)
        if (!finite(c.key_row(c.key, matrix, j)))
            return true;
    return false;
}

/// Weight 0 times a value that is not finite.
bool meets_odd_values(const NanCase& c, std::int64_t matrix, std::int64_t, std::size_t feature) {
    if (!c.is_output)
        return false;
    for (std::int64_t j = 0; j < c.S; ++j) {
        const auto value = c.key_row(c.value, matrix, j);
        if (feature == no_place ? !finite(value) : !std::isfinite(value[feature]))
            return true;
    }
    return false;
}

/// Scores before the scale, as a kernel that scales afterwards holds them.
bool scores_overflow(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    const double most = c.type == DType::Float16 ? 65504.0 : std::numeric_limits<float>::max();
    return c.type != DType::Float64 && largest_of(c.row(c.scores, matrix, i)) > most;
}

/// e^m of float16 above 11.09, of float32 and bfloat16 above 88.72, of float64 above 709.78.
bool exponentials_overflow(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    const auto row = c.row(c.masked, matrix, i);
    const double most = c.type == DType::Float16 ? 11.09 : c.type == DType::Float64 ? 709.78 : 88.72;
    return !row.empty() && *std::max_element(row.begin(), row.end()) > most;
}

struct NanRow {
    std::string_view id;
    const char* words;
    bool (*holds)(const NanCase&, std::int64_t matrix, std::int64_t i, std::size_t feature);
};

const NanRow nan_rows[] = {
    {"empty_rows", ATTNLAB_TEXT("%1 NaN in rows that may read no key: the softmax of −∞ alone is −∞ − (−∞), or 0/0"),
     is_empty},
    {"odd_values", ATTNLAB_TEXT("%1 NaN where values are NaN or infinite: a weight of 0 times such a value is NaN"),
     meets_odd_values},
    {"odd_rows",
     ATTNLAB_TEXT("%1 NaN where a query or key is NaN or infinite: ∞ − ∞ and 0 × ∞ are NaN, and a mask that is added "
                  "does not remove it"),
     reads_odd_rows},
    {"scores_overflow",
     ATTNLAB_TEXT("%1 NaN where scores before the scale are beyond the range of %2: they become ∞, and ∞ − ∞ is NaN"),
     scores_overflow},
    {"exponentials_overflow",
     ATTNLAB_TEXT(
         "%1 NaN where the exponentials of scores are beyond the range of %2, unless the maximum of the row is "
         "subtracted: ∞/∞ is NaN"),
     exponentials_overflow},
};

} // namespace

std::vector<NanCause> causes_of_nan(const Trace& exact, std::string_view stage, const Tensor& given) {
    const auto *query = exact.find("query"), *key = exact.find("key"), *value = exact.find("value");
    const auto *scores = exact.find("scores"), *masked = exact.find("masked"), *right = exact.find(stage);
    const auto numbers = given.values();
    if (!query || !key || !value || !scores || !masked || !right || right->axes.size() < 3 ||
        right->axes[0] != Axis::Batch || !prefix_of(stage).empty() ||
        std::ranges::none_of(numbers, [](double number) { return std::isnan(number); }))
        return {};
    const auto H = masked->value.dim(1), L = masked->value.dim(2);
    const bool by_head = right->axes[1] == Axis::Head && right->axes[2] == Axis::Query;
    if (!by_head && right->axes[1] != Axis::Query)
        return {};
    const NanCase c{query->value,
                    key->value,
                    value->value,
                    scores->value,
                    masked->value,
                    given.dtype(),
                    H,
                    L,
                    masked->value.dim(3),
                    right->axes.back() == Axis::Feature};
    const auto rows = static_cast<std::size_t>(right->value.dim(0) * L * (by_head ? H : 1));
    const auto width = rows == 0 ? 0 : numbers.size() / rows;
    std::vector<bool> explained(numbers.size(), false);
    std::vector<NanCause> causes;
    for (const auto& cause : nan_rows) {
        std::int64_t count = 0;
        bool contradicted = false; // a finite number where the cause holds
        std::vector<std::size_t> cells;
        for (std::size_t k = 0; k < numbers.size() && !contradicted; ++k) {
            const auto row = static_cast<std::int64_t>(k / width), i = row % L;
            if (explained[k] || std::isnan(right->value.values()[k]))
                continue;
            bool holds = false;
            if (by_head)
                holds = cause.holds(c, row / L, i, c.is_output ? k % width : no_place);
            else // heads are mixed
                for (std::int64_t h = 0; h < H; ++h)
                    holds = holds || cause.holds(c, row / L * H + h, i, no_place);
            if (!holds)
                continue;
            contradicted = !std::isnan(numbers[k]);
            ++count;
            cells.push_back(k);
        }
        if (contradicted || count == 0)
            continue;
        for (const auto k : cells)
            explained[k] = true;
        causes.push_back({cause.id, {cause.words, {std::to_string(count), std::string(name_of(given.dtype()))}}});
    }
    std::int64_t left = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k)
        left += std::isnan(numbers[k]) && !std::isnan(right->value.values()[k]) && !explained[k];
    if (left > 0)
        causes.push_back({"unknown",
                          {ATTNLAB_TEXT("%1 NaN without a known cause: no row without a key, no input that is not "
                                        "finite and no overflow of %2 explains them"),
                           {std::to_string(left), std::string(name_of(given.dtype()))}}});
    return causes;
}

} // namespace attnlab::against
