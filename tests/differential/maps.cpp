#include "tests/differential/maps.h"

#include "core/map/attention_map.h"
#include "core/random.h"
#include "tests/differential/compare_stages.h"
#include "tests/tensor_numbers.h"

#include <algorithm>
#include <limits>

namespace attnlab::differential {
namespace {

/// One head of the reference, row by row.
class Head {
public:
    Head(const Computed& computed, const Arithmetic& arithmetic, std::int64_t b, std::int64_t h)
        : bounds_(computed.made.problem, computed.reference, arithmetic), unit_(arithmetic.unit) {
        for (std::int64_t i = 0; i < bounds_.L(); ++i)
            rows_.push_back(bounds_.row(b, h, i));
    }

    bool is_close_call() const {
        return std::any_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.is_close_call; });
    }

    std::int64_t L() const { return bounds_.L(); }
    std::int64_t S() const { return bounds_.S(); }

    std::string difference_of_lse(std::span<const double> lse) const {
        std::string words;
        for (std::size_t i = 0; i < rows_.size() && words.empty(); ++i)
            words = difference("map's lse", {static_cast<std::int64_t>(i)}, lse[i], rows_[i].lse, rows_[i].allowed_lse);
        return words;
    }

    std::string difference_of_cells(const CellRect& cells, const std::vector<float>& weights, bool log2) const {
        std::string words;
        std::size_t at = 0;
        for (auto i = cells.first_row; i < cells.last_row && words.empty(); ++i)
            for (auto j = cells.first_column; j < cells.last_column && words.empty(); ++j) {
                const double got = static_cast<double>(weights[at++]);
                const double expected = weight(i, j), allowed = allowed_weight(i, j);
                if (!log2)
                    words = difference("weight", {i, j}, got, expected, allowed);
                else if (!(expected > 1e-30) || allowed > 0.3 * expected)
                    words = difference("weight by its logarithm", {i, j}, std::exp2(got), expected, allowed);
                else
                    words = difference("logarithm of a weight", {i, j}, got, std::log2(expected),
                                       2.0 * allowed / expected + 8.0 * unit_ * std::abs(std::log2(expected)));
            }
        return words;
    }

    std::string difference_of_bins(const BinGrid& grid, const MapBins& bins) const {
        std::string words;
        for (std::int64_t row = 0; row < grid.rows() && words.empty(); ++row)
            for (std::int64_t column = 0; column < grid.columns() && words.empty(); ++column)
                words = difference_of_bin(row, column, grid.bin(row, column), bins);
        return words;
    }

private:
    double weight(std::int64_t i, std::int64_t j) const {
        const auto& row = rows_[static_cast<std::size_t>(i)];
        const auto at = static_cast<std::size_t>(j);
        return row.kept[at] ? row.weight[at] * bounds_.after() : not_a_number;
    }
    double allowed_weight(std::int64_t i, std::int64_t j) const {
        return rows_[static_cast<std::size_t>(i)].allowed[static_cast<std::size_t>(j)] * bounds_.after() + 0x1p-124;
    }

    std::string difference_of_bin(std::int64_t row, std::int64_t column, const CellRect& cells,
                                  const MapBins& bins) const {
        double kept = 0.0, max = 0.0, sum = 0.0, allowed_max = 0.0, allowed_sum = 0.0;
        for (auto i = cells.first_row; i < cells.last_row; ++i)
            for (auto j = cells.first_column; j < cells.last_column; ++j) {
                if (!rows_[static_cast<std::size_t>(i)].kept[static_cast<std::size_t>(j)])
                    continue;
                const double a = weight(i, j);
                ++kept;
                max = std::isnan(max) || a <= max ? max : a;
                sum += a;
                allowed_max = std::max(allowed_max, allowed_weight(i, j));
                allowed_sum += allowed_weight(i, j);
            }
        const auto at = bins.index(row, column);
        auto words =
            difference("count of the cells of a bin", {row, column}, static_cast<double>(bins.kept[at]), kept, 0.0);
        if (words.empty())
            words = difference("maximum of a bin", {row, column}, static_cast<double>(bins.max(at)),
                               kept > 0.0 ? max : not_a_number, allowed_max + 8.0 * unit_ * max);
        if (words.empty() && !bins.sum.empty())
            words = difference("mean of a bin", {row, column}, static_cast<double>(bins.mean(at)),
                               kept > 0.0 ? sum / kept : not_a_number,
                               (allowed_sum + unit_ * roundings(static_cast<std::int64_t>(kept)) * std::abs(sum)) /
                                   std::max(1.0, kept));
        return words;
    }

    const Bounds bounds_;
    const double unit_;
    std::vector<ReferenceRow> rows_;
};

class Looks {
public:
    explicit Looks(std::uint64_t seed) : random_(seed) {}

    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(random_.uniform() * static_cast<double>(count));
    }
    CellRect part_of(std::int64_t L, std::int64_t S) {
        const auto first_row = below(L), first_column = below(S);
        return {first_row, first_row + 1 + below(L - first_row), first_column,
                first_column + 1 + below(S - first_column)};
    }

private:
    Random random_;
};

std::string difference_of(const AttentionMap& map, const Head& head, Looks& looks) {
    const auto cells = looks.part_of(head.L(), head.S());
    std::vector<float> weights(static_cast<std::size_t>(cells.rows() * cells.columns()));
    auto words = head.difference_of_lse(map.lse());
    for (const bool log2 : {false, true}) {
        if (!words.empty())
            return words;
        map.weights(cells, weights.data(), log2 ? AttentionMap::Form::Log2 : AttentionMap::Form::Weight);
        words = head.difference_of_cells(cells, weights, log2);
    }
    for (const Pool pool : {Pool::Max, Pool::Mean}) {
        if (!words.empty())
            return words;
        const BinGrid grid{looks.part_of(head.L(), head.S()), 1 + looks.below(20), 1 + looks.below(70)};
        words = head.difference_of_bins(grid, map.pool(grid, pool));
    }
    return words;
}

} // namespace

std::optional<Verdict> verdict_on_maps(const Computed& computed, const MapEngine* engine, const Arithmetic& arithmetic,
                                       flash::Precision precision) {
    const auto& problem = computed.made.problem;
    const auto refused = [](const Error& error) { return Verdict{Verdict::Kind::UnsupportedChoice, error.what()}; };
    const auto disagreed = [](std::string words) { return Verdict{Verdict::Kind::Disagreed, std::move(words)}; };
    const auto why = MapInputs::why_not(problem);
    std::shared_ptr<const MapInputs> inputs;
    try {
        inputs = std::make_shared<const MapInputs>(problem, engine, precision);
        if (why)
            return disagreed("opens what it refuses: " + why->english());
        if (!computed.error.empty())
            return disagreed("opens what the reference refuses: " + computed.error);
    } catch (const Error& error) {
        return why || !computed.error.empty() ? refused(error)
                                              : disagreed(std::string("refused late: ") + error.what());
    }
    if (inputs->batches() * inputs->heads() * inputs->rows() * inputs->columns() == 0)
        return std::nullopt;
    Looks looks(computed.made.choices);
    const auto b = looks.below(inputs->batches()), h = looks.below(inputs->heads());
    try {
        const AttentionMap map(inputs, b, h);
        const Head head(computed, arithmetic, b, h);
        if (head.is_close_call())
            return std::nullopt;
        auto words = difference_of(map, head, looks);
        if (words.empty()) {
            const BinGrid grid{map.all(), 1 + looks.below(9), 1 + looks.below(40)};
            words = head.difference_of_bins(grid, pool_of_head(inputs, b, h, grid, Pool::Max).bins);
        }
        return words.empty() ? Verdict{}
                             : disagreed(words + " of head " + std::to_string(h) + " of batch " + std::to_string(b));
    } catch (const Error& error) { // the numbers of this head are refused
        return refused(error);
    }
}

} // namespace attnlab::differential
