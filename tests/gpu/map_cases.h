// Small maps for tests of kernels, and the expected results in float64: cells, or bins of all sizes.
#pragma once

#include "gpu/map.h"
#include "tests/gpu/forward_support.h"

#include <string>
#include <utility>

namespace attnlab::gpu {

/// A map of the only head of a forward: single cells if `cells`, bins otherwise.
struct MapCase {
    ForwardCase forward;
    int bin_rows = 8, bin_columns = 8, row = 0;
    bool sums = true;
    bool cells = false, log2 = false;
};

struct NamedMapCase {
    std::string name;
    MapCase map;
};

class MapData {
public:
    MapData(const MapCase& wanted, const MapKernel& kernel)
        : arguments(), kernel_(kernel), case_(wanted), forward_(wanted.forward, kernel.width, 3) {
        auto& map = arguments;
        map.scores = forward_.arguments;
        const auto rows = static_cast<std::size_t>(wanted.forward.L);
        for (auto* array : {&base_, &log2_sum_, &factor_})
            *array = DeviceArray<float>(rows);
        for (std::size_t row = 0; row < rows; ++row)
            set_scales(row);
        map.base = base_.data(), map.log2_sum = log2_sum_.data(), map.factor = factor_.data();
        map.bin_rows = wanted.bin_rows, map.bin_columns = wanted.bin_columns, map.row = wanted.row;
        map.cells_as_log2 = wanted.log2;
        wide_ = wanted.cells ? wanted.forward.S : bin_columns_of(map);
        high_ = wanted.cells ? wanted.forward.L : blocks() * kernel.bins_of_a_block(wanted.bin_rows);
        const auto all = static_cast<std::size_t>(wide_ * high_);
        largest = DeviceArray<float>(all, untouched);
        sum = DeviceArray<float>(all, untouched);
        kept = DeviceArray<std::uint32_t>(all, 99u);
        if (wanted.cells) {
            map.cells = largest.data();
        } else {
            map.largest = largest.data(), map.kept = kept.data();
            map.sum = wanted.sums ? sum.data() : nullptr;
        }
    }

    /// The error in a launch's result; empty if it is correct.
    std::string wrong() const { return case_.cells ? wrong_cells() : wrong_bins(); }

    MapArguments arguments;
    DeviceArray<float> largest, sum; ///< cells are in `largest`
    DeviceArray<std::uint32_t> kept;
    static constexpr float untouched = 99.0f;

private:
    struct Bin {
        double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
        unsigned kept = 0;
    };

    int blocks() const { return (case_.forward.L + kernel_.rows_of_block - 1) / kernel_.rows_of_block; }
    double tolerance() const { return case_.forward.precision == Precision::Float32 ? 2e-5 : 1e-4; }

    /// Divides lse between them, as row maxima and sums do.
    void set_scales(std::size_t row) {
        const auto lse = forward_.expected(0, 0, static_cast<int>(row)).lse;
        lses_.push_back(lse);
        base_[row] =
            lse == -std::numeric_limits<double>::infinity() ? 0.0f : static_cast<float>(lse * 1.4426950408889634 - 1.5);
        log2_sum_[row] = 1.5f;
        factor_[row] = std::exp2(-1.5f);
    }

    /// Whether a cell is kept, and log2 of its weight.
    std::pair<bool, double> cell(int i, int j) const {
        const double score = forward_.masked_score(0, 0, i, j);
        return {score > -std::numeric_limits<double>::infinity(),
                (score - lses_[static_cast<std::size_t>(i)]) * 1.4426950408889634};
    }

    static std::string text(const char* what, std::size_t at, double got, double expected) {
        return std::string(what) + " " + std::to_string(at) + ": " + std::to_string(got) + ", expected " +
               std::to_string(expected);
    }

    std::string wrong_cells() const {
        for (std::size_t at = 0; at < largest.size(); ++at) {
            const int i = static_cast<int>(at) / wide_, j = static_cast<int>(at) % wide_;
            const auto [is_kept, log2_weight] = cell(i, j);
            const double got = static_cast<double>(largest[at]),
                         expected = is_kept ? (case_.log2 ? log2_weight : std::exp2(log2_weight)) : std::nan("");
            if (std::isnan(got) != std::isnan(expected) || std::abs(got - expected) > tolerance())
                return text("cell", at, got, expected);
        }
        return {};
    }

    std::vector<Bin> expected_bins() const {
        std::vector<Bin> bins(static_cast<std::size_t>(wide_ * high_));
        const int of_a_block = kernel_.bins_of_a_block(case_.bin_rows);
        for (int i = 0; i < case_.forward.L; ++i)
            for (int j = 0; j < case_.forward.S; ++j) {
                const auto [is_kept, log2_weight] = cell(i, j);
                if (!is_kept)
                    continue;
                const int block = i / kernel_.rows_of_block;
                const int first = (case_.row + block * kernel_.rows_of_block) / case_.bin_rows;
                const int row = block * of_a_block + (case_.row + i) / case_.bin_rows - first;
                auto& bin = bins.at(static_cast<std::size_t>(row * wide_ + j / case_.bin_columns));
                bin.largest = std::max(bin.largest, log2_weight);
                bin.sum += std::exp2(log2_weight);
                ++bin.kept;
            }
        return bins;
    }

    std::string wrong_bins() const {
        const auto bins = expected_bins();
        for (std::size_t at = 0; at < bins.size(); ++at) {
            const auto& bin = bins[at];
            const double most = static_cast<double>(largest[at]), all = static_cast<double>(sum[at]);
            if (kept[at] != bin.kept)
                return text("kept cells of bin", at, kept[at], bin.kept);
            if (bin.kept == 0 ? most != bin.largest : !(std::abs(most - bin.largest) < tolerance()))
                return text("maximum of bin", at, most, bin.largest);
            if (case_.sums ? !(std::abs(all - bin.sum) <= tolerance() * (1e-3 + bin.sum))
                           : all != static_cast<double>(untouched))
                return text("sum of bin", at, all, bin.sum);
        }
        return {};
    }

    const MapKernel& kernel_;
    const MapCase case_;
    ForwardData forward_;
    DeviceArray<float> base_, log2_sum_, factor_;
    std::vector<double> lses_;
    int wide_ = 0, high_ = 0;
};

/// Masks, bins that coincide with tiles and that do not, cells.
inline std::vector<NamedMapCase> map_cases(Precision precision, int width) {
    std::vector<NamedMapCase> cases;
    const auto add = [&](const std::string& name, MapCase map, auto change) {
        auto& c = map.forward;
        c.precision = precision;
        c.E = c.Ev = width > 20 ? width - 12 : width;
        change(map);
        cases.push_back({name, map});
    };
    const auto masked = [&](const std::string& what, const MapCase& map) {
        add(what + ", no mask", map, [](MapCase&) {});
        add(what + ", causal", map, [](MapCase& m) { m.forward.band.after = 0; });
        add(what + ", window", map, [](MapCase& m) { m.forward.band.before = m.forward.band.after = 9; });
        add(what + ", padding", map, [](MapCase& m) { m.forward.padding = true, m.forward.S += 119; });
        add(what + ", lengths", map, [](MapCase& m) { m.forward.lengths_by_row = true; });
        add(what + ", bits and bias", map, [](MapCase& m) { m.forward.kept = m.forward.bias = true; });
        add(what + ", part of a larger problem", map,
            [](MapCase& m) { m.forward.first_row = 50, m.forward.first_key = 64, m.forward.band.after = 0; });
    };
    const ForwardCase small{.L = 75, .S = 140};
    masked("bins", {.forward = small});
    masked("cells", {.forward = small, .cells = true});
    masked("logarithms", {.forward = small, .cells = true, .log2 = true});
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, std::pair{1, 7}, std::pair{3, 5}, std::pair{64, 64}, std::pair{100, 200}, std::pair{17, 64},
          std::pair{256, 32}, std::pair{16, 128}, std::pair{1000, 96}, std::pair{5, 256}})
        for (const bool sums : {true, false})
            for (const bool causal : {true, false})
                add("bins of " + std::to_string(rows) + " x " + std::to_string(columns) + (causal ? ", causal" : "") +
                        (sums ? "" : ", maxima alone"),
                    {.forward = small, .bin_rows = rows, .bin_columns = columns, .sums = sums}, [&](MapCase& m) {
                        m.forward.L = 150, m.forward.S = 400;
                        if (causal)
                            m.forward.band.after = 100;
                    });
    add("rows that begin within a bin", {.forward = small, .bin_rows = 20, .bin_columns = 16, .row = 7},
        [](MapCase& m) { m.forward.band.after = 0; });
    add("many rows that begin within a bin", {.forward = small, .bin_rows = 40, .bin_columns = 64, .row = 33},
        [](MapCase& m) { m.forward.L = 300; });
    add("several blocks", {.forward = small, .bin_rows = 256, .bin_columns = 256},
        [](MapCase& m) { m.forward.L = 700, m.forward.S = 1000, m.forward.band.after = 300; });
    add("negative scale", {.forward = small, .bin_rows = 64, .bin_columns = 64},
        [](MapCase& m) { m.forward.scale = -0.4f; });
    return cases;
}

} // namespace attnlab::gpu
