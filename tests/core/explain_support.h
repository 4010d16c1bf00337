// The common part of the tests of explanations: every number of a row is recomputed from the stages around it or from
// the inputs, in long double and independently of core/explain.
#pragma once

#include "core/explain/row.h"
#include "core/explain/trace_numbers.h"
#include "tests/core/engine_support.h"
#include "tests/core/independent.h"

#include <QString>

#include <cmath>

namespace attnlab::test {

using explain::Operation;
using explain::Row;

inline bool identical(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Equal except for a few roundings of numbers of magnitude `size`.
inline bool nearly(long double got, long double expected, long double size = 1.0L) {
    return got == expected || (std::isnan(got) && std::isnan(expected)) ||
           std::fabs(got - expected) <= 1e-12L * (size + std::fabs(expected));
}

/// A row of a stage (B,H,L,S), or null.
inline const double* row_of(const Trace& trace, const Row& row, const std::string& name) {
    const Stage* stage = trace.find(row.place().prefix + name);
    if (!stage || stage->value.rank() != 4 || stage->value.dim(-1) != row.keys())
        return nullptr;
    const auto& value = stage->value;
    return value.data() +
           ((row.place().batch * value.dim(1) + row.place().head) * value.dim(2) + row.query()) * value.dim(3);
}

/// Describes the first error in the explanation of a row; empty if it is correct. `bias` is the expected addition of
/// the masks to the score of a key.
class RowCheck {
public:
    RowCheck(const Trace& trace, const Row& row) : trace_(trace), row_(row) {}

    template <class Bias>
    QString wrong(Bias bias) {
        masked_ = row_of(trace_, row_, "masked");
        for (std::int64_t key = 0; key < row_.keys() && wrong_.isEmpty(); ++key) {
            stages(key);
            terms(key);
            sums(key, bias(key));
        }
        if (masked_)
            softmax();
        if (row_.features() > 0)
            mix();
        return wrong_;
    }

private:
    void expect(bool holds, const char* what, std::int64_t key = -1) {
        if (!holds && wrong_.isEmpty())
            wrong_ = QStringLiteral("%1 of key %2, query %3, head %4 of batch %5")
                         .arg(QLatin1String(what))
                         .arg(key)
                         .arg(row_.query())
                         .arg(row_.place().head)
                         .arg(row_.place().batch);
    }

    /// Numbers of stages are reported exactly.
    void stages(std::int64_t key) {
        const std::pair<const char*, Operation> named[] = {
            {"scores", Operation::Score}, {"scaled", Operation::Scale}, {"weights_dropped", Operation::Dropout}};
        for (const auto& [name, operation] : named) {
            const double* numbers = row_of(trace_, row_, name);
            expect((numbers != nullptr) == (row_.line(operation) != nullptr), name, key);
            expect(!numbers || identical(row_.value(operation, key), numbers[key]), name, key);
        }
        for (const char* name : {"scores", "scaled", "masked", "weights", "weights_dropped"})
            if (const double* numbers = row_of(trace_, row_, name)) {
                const auto* line = row_.line_of(*trace_.find(row_.place().prefix + name));
                expect(line && identical(row_.value(line->operation, key), numbers[key]), "line_of", key);
            }
        for (const auto& line : row_.lines())
            expect(
                identical(row_.values(line.operation)[static_cast<std::size_t>(key)], row_.value(line.operation, key)),
                "values", key);
        const double* blocked = row_of(trace_, row_, "blocked");
        expect(row_.is_blocked(key) == (blocked && blocked[key] != 0.0), "blocked", key);
        const double* dropped = row_of(trace_, row_, "weights_dropped");
        expect(identical(row_.mixed(key), (dropped ? dropped : row_of(trace_, row_, "weights"))[key]), "mixed", key);
    }

    void terms(std::int64_t key) {
        long double sum = 0.0L, size = 1.0L;
        const auto terms = row_.terms(key);
        for (const auto& term : terms) {
            expect(nearly(term.product, static_cast<long double>(term.left) * term.right), "product", key);
            sum += term.product;
            size += std::fabs(term.product);
        }
        expect(terms.empty() || nearly(row_.value(Operation::Score, key), sum, size), "sum of terms", key);
    }

    /// Position, bias and fill, one after the other.
    void sums(std::int64_t key, double bias) {
        const double* position = row_of(trace_, row_, "position_bias");
        long double now = row_.value(Operation::Scale, key);
        expect((row_.line(Operation::Position) != nullptr) == (position && masked_), "position");
        if (row_.line(Operation::Position)) {
            expect(identical(row_.added(Operation::Position, key), position[key]), "added position", key);
            now += position[key];
            if (!row_.line(Operation::Bias) || row_.is_blocked(key))
                expect(nearly(row_.value(Operation::Position, key), now), "position", key);
        }
        if (row_.line(Operation::Bias)) {
            expect(identical(row_.added(Operation::Bias, key), bias), "added bias", key);
            now = bias == -infinity ? -infinity : now + bias;
            expect(nearly(row_.value(Operation::Bias, key), now), "bias", key);
        } else {
            expect(bias == 0.0, "bias that is not said", key);
        }
        if (row_.line(Operation::Mask))
            expect(identical(row_.value(Operation::Mask, key), masked_[key]), "mask", key);
        if (masked_ && !row_.is_blocked(key))
            expect(nearly(masked_[key], now), "all that was added", key);
    }

    void softmax() {
        double largest = -infinity;
        for (std::int64_t key = 0; key < row_.keys(); ++key)
            largest = std::isnan(masked_[key]) || std::isnan(largest) ? not_a_number : std::max(largest, masked_[key]);
        const double* weights = row_of(trace_, row_, "weights");
        expect(row_.is_fully_masked() == (largest == -infinity), "fully masked");
        if (row_.is_fully_masked())
            for (std::int64_t key = 0; key < row_.keys(); ++key)
                expect(weights[key] == 0.0 && !row_.has_row_sum(), "weights of a fully masked row", key);
        expect(row_.has_row_sum() == (!row_.is_fully_masked() && trace_.find(row_.place().prefix + "lse")), "row sum");
        if (!row_.has_row_sum())
            return;
        expect(identical(row_.maximum(), largest), "maximum");
        long double sum = 0.0L;
        for (std::int64_t key = 0; key < row_.keys(); ++key) {
            expect(nearly(row_.row_sum_of(key), sum, sum), "row sum so far", key);
            const long double exponential = std::exp(static_cast<long double>(masked_[key]) - largest);
            expect(identical(row_.value(Operation::Shift, key), masked_[key] - largest), "shift", key);
            expect(nearly(row_.value(Operation::Exponential, key), exponential, 0.0L), "exponential", key);
            sum += exponential;
        }
        expect(nearly(row_.row_sum() - row_.sum_beyond_keys(), sum, sum), "row sum");
        bool plain = true;
        for (std::int64_t key = 0; key < row_.keys(); ++key) {
            const long double share =
                std::exp(static_cast<long double>(masked_[key]) - largest) / (sum + row_.sum_beyond_keys());
            expect(nearly(row_.value(Operation::Divide, key), share), "share", key);
            plain = plain && nearly(weights[key], share);
        }
        expect(plain == !row_.line(Operation::Weights), "weights that are the shares");
        const auto last = plain ? Operation::Divide : Operation::Weights;
        for (std::int64_t key = 0; key < row_.keys(); ++key)
            expect(identical(row_.value(last, key), weights[key]), "weight", key);
    }

    void mix() {
        const Stage& value = *trace_.find(row_.place().prefix + "value");
        const auto heads = trace_.find(row_.place().prefix + "weights")->value.dim(1);
        expect(row_.heads_of_a_group() == heads / value.value.dim(1), "heads of a group");
        for (std::int64_t feature = 0; feature < row_.features(); ++feature) {
            long double sum = 0.0L, size = 0.0L;
            for (std::int64_t key = 0; key < row_.keys(); ++key) {
                expect(nearly(row_.output(feature, key), sum, size), "output so far", key);
                const double own = value.value.at(
                    {row_.place().batch, row_.place().head / (heads / value.value.dim(1)), key, feature});
                expect(identical(row_.feature(key, feature), own), "value", key);
                const bool read = masked_ ? masked_[key] != -infinity : !row_.is_blocked(key);
                const double part = read ? row_.mixed(key) * own : 0.0;
                expect(identical(row_.part(key, feature), part), "part", key);
                sum += part;
                size += std::fabs(part);
            }
            if (!row_.output_stage())
                continue;
            const Tensor& output = row_.output_stage()->value;
            const double own = output.rank() == 4
                                   ? output.at({row_.place().batch, row_.place().head, row_.query(), feature})
                                   : output.at({row_.place().batch, row_.query(), feature});
            expect(identical(row_.output(feature, row_.keys()), own), "output");
            expect(row_.is_mix(*row_.output_stage(), feature) == nearly(own, sum, size), "is a mix");
        }
    }

    const Trace& trace_;
    const Row& row_;
    const double* masked_ = nullptr;
    QString wrong_;
};

/// Checks every row of a pass with the bias `bias(batch, head, query, key)`; returns the first error.
template <class Bias>
QString wrong_in(const Trace& trace, const std::string& prefix, Bias bias) {
    const Stage* weights = trace.find(prefix + "weights");
    if (!weights)
        return QStringLiteral("no weights");
    const auto& shape = weights->value.shape();
    for (int b = 0; b < shape[0]; ++b)
        for (int h = 0; h < shape[1]; ++h)
            for (std::int64_t i = 0; i < shape[2]; ++i) {
                const Row row(trace, {prefix, b, h}, i);
                if (row.empty() || row.keys() != shape[3] || row.queries() != shape[2])
                    return QStringLiteral("no row %1").arg(i);
                auto wrong = RowCheck(trace, row).wrong([&](std::int64_t j) { return bias(b, h, i, j); });
                if (!wrong.isEmpty())
                    return wrong;
            }
    return {};
}

inline QString wrong_in(const Trace& trace, const std::string& prefix = {}) {
    return wrong_in(trace, prefix, [](auto, auto, auto, auto) { return 0.0; });
}

} // namespace attnlab::test
