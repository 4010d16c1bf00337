#include "core/explain/reading.h"

#include "core/explain/same_number.h"
#include "core/infinity.h"
#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::explain {
namespace {

constexpr double alike_within = 1e-9; ///< of the largest magnitude
constexpr double one_key = 1.5, nearly_all_keys = 0.95;
constexpr double sharp_evenness = 0.55, several_evenness = 0.80; ///< ln n / ln N

/// The weights of one row, and for each key whether something may be read there.
struct RowNumbers {
    std::vector<double> weights;
    std::vector<char> blocked;
    Precision precision;
};

/// A key is out of reach where the mask says so, or where its score is -inf.
std::vector<char> blocked_keys(const Row& row) {
    const Line* last = row.before(Operation::Shift);
    std::vector<char> blocked(static_cast<std::size_t>(row.keys()));
    for (std::int64_t key = 0; key < row.keys(); ++key)
        blocked[static_cast<std::size_t>(key)] =
            row.is_blocked(key) || (last && row.value(last->operation, key) == -infinity);
    return blocked;
}

RowNumbers numbers_of(const Row& row) {
    if (row.empty())
        return {};
    const auto weights = row.weights();
    return {{weights.begin(), weights.end()}, blocked_keys(row), precision_of({row.weights_stage()->value.dtype()})};
}

void add(RowNumbers& sum, const RowNumbers& one, double part) {
    sum.precision = one.precision;
    sum.blocked.resize(one.weights.size(), 1);
    sum.weights.resize(one.weights.size());
    for (std::size_t key = 0; key < one.weights.size(); ++key) {
        sum.weights[key] += one.weights[key] * part;
        sum.blocked[key] = sum.blocked[key] && one.blocked[key];
    }
}

RowNumbers plain_row(const Stage& stage, std::int64_t leading, std::int64_t query) {
    const auto row = matrix_at(stage.value, leading).row(query);
    return {{row.begin(), row.end()}, std::vector<char>(row.size()), precision_of({stage.value.dtype()})};
}

Reading::Focus focus_of(const Reading& reading) {
    const auto count = static_cast<double>(reading.keys.size());
    const double effective = reading.effective_keys;
    if (count > 1.0 && reading.alike == static_cast<std::int64_t>(reading.keys.size()))
        return Reading::Focus::Equal;
    if (effective < one_key)
        return Reading::Focus::OneKey;
    if (effective >= nearly_all_keys * count)
        return Reading::Focus::NearlyEqual;
    const double evenness = std::log(effective) / std::log(count);
    return evenness <= sharp_evenness     ? Reading::Focus::Sharp
           : evenness <= several_evenness ? Reading::Focus::Several
                                          : Reading::Focus::Broad;
}

Reading::Kind kind_of(const Reading& reading, const RowNumbers& row) {
    const auto& weights = row.weights;
    if (weights.empty())
        return Reading::Kind::None;
    if (std::ranges::any_of(weights, [](double weight) { return !std::isfinite(weight); }))
        return Reading::Kind::NotNumbers;
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
        return std::ranges::all_of(row.blocked, [](char blocked) { return blocked != 0; }) ? Reading::Kind::Blocked
                                                                                           : Reading::Kind::Zero;
    if (reading.negative > 0)
        return Reading::Kind::Signed;
    const auto keys = static_cast<std::int64_t>(weights.size());
    return same_number(reading.sum, 1.0, row.precision, keys, 1.0) ? Reading::Kind::Shares
                                                                   : Reading::Kind::Unnormalised;
}

void sort_keys(Reading& reading, const RowNumbers& row) {
    for (std::size_t key = 0; key < row.weights.size(); ++key) {
        const double weight = row.weights[key];
        if (row.blocked[key] && weight == 0.0)
            continue;
        reading.read_though_blocked += row.blocked[key];
        reading.keys.push_back({static_cast<std::int64_t>(key), weight});
    }
    std::ranges::stable_sort(reading.keys, std::ranges::greater(), &KeyWeight::weight);
}

Reading reading_of(const RowNumbers& row) {
    Reading reading;
    reading.all_keys = static_cast<std::int64_t>(row.weights.size());
    reading.sum = std::accumulate(row.weights.begin(), row.weights.end(), 0.0);
    double size = 0.0;
    for (const double weight : row.weights)
        size = std::max(size, std::abs(weight));
    for (const double weight : row.weights)
        reading.negative += weight < -alike_within * size;
    reading.kind = kind_of(reading, row);
    if (reading.kind == Reading::Kind::None || reading.kind == Reading::Kind::NotNumbers)
        return reading;
    sort_keys(reading, row);
    for (const auto& one : reading.keys)
        reading.alike += one.weight >= reading.largest() - alike_within * size;
    if (reading.kind == Reading::Kind::Shares) {
        reading.effective_keys = row_statistics(row.weights).effective_keys;
        reading.focus = focus_of(reading);
    }
    return reading;
}

} // namespace

Reading reading_of(const Row& row) { return reading_of(numbers_of(row)); }

Reading reading_of(const Trace& trace, const Stage& weights, int batch, int head, std::int64_t query) {
    const auto& shape = weights.value.shape();
    if (shape.size() != 4 || weights.value.size() == 0 || batch < 0 || batch >= shape[0] || head >= shape[1] ||
        query < 0 || query >= shape[2])
        return {};
    const std::string prefix(prefix_of(weights.name));
    const bool own = weights.name == prefix + "weights";
    const auto one = [&](int of) {
        return own ? numbers_of(Row(trace, {prefix, batch, of}, query))
                   : plain_row(weights, batch * shape[1] + of, query);
    };
    if (head >= 0)
        return reading_of(one(head));
    RowNumbers mean;
    for (int of = 0; of < static_cast<int>(shape[1]); ++of)
        add(mean, one(of), 1.0 / static_cast<double>(shape[1]));
    return reading_of(mean);
}

} // namespace attnlab::explain
