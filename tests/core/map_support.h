// The common part of the tests of maps.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/map/attention_map.h"
#include "flash_support.h"

#include <span>

namespace attnlab::test {

/// The effect of float32 rounding of scores of size 1 to 10 on weights, which are at most 1, and on their logarithms.
inline constexpr double tolerance = 3e-6;
inline constexpr double log_tolerance = 2e-5;

inline std::shared_ptr<const MapInputs> inputs_of_map(const AttentionProblem& problem,
                                                      flash::Precision precision = flash::Precision::Float32) {
    return std::make_shared<const MapInputs>(problem, nullptr, precision);
}

/// The reference's weights of one head, and the kept cells.
struct Expected {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> weights;
    std::vector<bool> kept;

    Expected(const AttentionProblem& problem, const Trace& trace, std::int64_t b, std::int64_t h) {
        const auto& all = stage(trace, "weights");
        rows = all.dim(2);
        columns = all.dim(3);
        const auto bias = attention_bias(resolve(problem));
        const auto* blocked = trace.find("blocked");
        const auto first = (b * all.dim(1) + h) * rows * columns;
        for (auto cell = first; cell < first + rows * columns; ++cell) {
            weights.push_back(all.data()[cell]);
            kept.push_back(!(blocked && blocked->value.data()[cell] != 0.0) &&
                           !(bias.size() > 0 && bias.data()[cell] == -infinity));
        }
    }

    struct Bin {
        double max = 0.0, sum = 0.0, kept = 0.0;
    };
    Bin bin(const CellRect& cells) const {
        Bin result;
        for (auto i = cells.first_row; i < cells.last_row; ++i)
            for (auto j = cells.first_column; j < cells.last_column; ++j)
                if (const auto at = static_cast<std::size_t>(i * columns + j); kept[at]) {
                    result.max = std::isnan(weights[at]) ? weights[at] : std::max(result.max, weights[at]);
                    result.sum += weights[at];
                    ++result.kept;
                }
        return result;
    }
};

/// Fails the test when the two numbers differ.
inline void check(const char* what, std::int64_t row, std::int64_t column, double got, double expected, double within) {
    if (close(got, expected, within))
        return;
    QFAIL(qPrintable(QStringLiteral("%1 at %2, %3 with %4: %5, expected %6")
                         .arg(what)
                         .arg(row)
                         .arg(column)
                         .arg(QString::fromStdString(flash::instruction_set()))
                         .arg(got, 0, 'g', 9)
                         .arg(expected, 0, 'g', 17)));
}

/// Two maps are the same bit for bit, NaN included.
inline bool same(std::span<const float> a, std::span<const float> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

} // namespace attnlab::test
