// One query's row from products to the output, step by step: the steps, their numbers, and sentences about them.
// Without widgets.
#pragma once

#include "core/explain/row.h"
#include "ui/drawing/matrix_data.h"

#include <memory>
#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <span>
#include <vector>

namespace attnlab::ui {

using TracePtr = std::shared_ptr<const Trace>;
using StepOperation = explain::Operation;
using StepPass = explain::PassPlace;

/// The ids of the parts in texts: "products", "sum", "scale", "mask", "exp", "row_sum", "divide", "mix".
const QStringList& stepIds();
/// The id of the part of an operation: a position belongs to "mask", a shift to "exp".
QString stepIdOf(StepOperation operation);

/// True when the pass has scores, weights and an output made of values, so that its rows can be shown step by step.
inline bool canWalk(const Trace& trace, const StepPass& pass) { return explain::is_whole(trace, pass); }

/// One number for each key after an operation.
struct RowLine {
    StepOperation operation;
    std::vector<double> values;
    const Stage* stage = nullptr; ///< the stage that contains the row; null for a line between two stages
};

struct WalkStep {
    StepOperation operation = StepOperation::Products;
    /// Products: terms added so far; RowSum and Mix: keys added so far. All of them for a step of a whole row.
    std::int64_t reached = 0;
    bool operator==(const WalkStep&) const = default;
};

/// An explain::Row with its labels, trace and numbers.
class RowWalk {
public:
    RowWalk() = default;
    /// Empty where the pass has no steps or no such row.
    RowWalk(TracePtr trace, const StepPass& pass, std::int64_t query);

    bool empty() const { return lines_.empty(); }
    const explain::Row& row() const { return row_; }
    const Trace& trace() const { return *trace_; }
    const StepPass& pass() const { return row_.place(); }
    std::int64_t query() const { return row_.query(); }
    std::int64_t queries() const { return row_.queries(); }
    std::int64_t keys() const { return row_.keys(); }
    /// Labels of queries and keys.
    const MatrixData& labels() const { return labels_; }
    const Stage& weightsStage() const { return *row_.weights_stage(); }
    const Stage& scoresStage() const { return *row_.scores_stage(); }
    const Stage& outputStage() const { return *row_.output_stage(); }

    const std::vector<RowLine>& lines() const { return lines_; }
    /// Null when this row has no such operation.
    const RowLine* line(StepOperation operation) const;
    /// The line that an operation starts from; null for the first.
    const RowLine* before(StepOperation operation) const;
    double value(StepOperation operation, std::int64_t key) const { return row_.value(operation, key); }

    bool isBlocked(std::int64_t key) const { return row_.is_blocked(key); }
    bool isFullyMasked() const { return row_.is_fully_masked(); }
    bool hasRowSum() const { return row_.has_row_sum(); }
    double maximum() const { return row_.maximum(); }
    double rowSum() const { return row_.row_sum(); }
    /// Of the first `reached` keys; rowSum() for all.
    double rowSumOf(std::int64_t reached) const { return row_.row_sum_of(reached); }

    /// Empty where the score is not a sum of terms.
    std::vector<ScoreTerm> terms(std::int64_t key) const { return row_.terms(key); }
    std::int64_t termCount() const { return term_count_; }
    /// The terms are q_c k_c: left and right are the query's and the key's own entries.
    bool hasProducts() const { return row_.has_products() && term_count_ > 0; }

    /// The weights of the values: after dropout, if any.
    std::span<const double> mixed() const { return row_.mixed(); }
    std::int64_t features() const { return row_.features(); }
    double valueOf(std::int64_t key, std::int64_t feature) const { return row_.feature(key, feature); }
    /// Of the first `reached` keys; the trace's own output for all.
    double output(std::int64_t feature, std::int64_t reached) const {
        return row_.output(feature, mixes_ ? reached : keys());
    }
    /// True when the output is the sum of weights times values; false for mechanisms with another schedule.
    bool isMixed() const { return mixes_; }

    /// The number of keys that the mechanism appended at the end (bias_k, a key of zeros).
    std::int64_t appendedKeys() const { return row_.appended_keys(); }
    /// The number of query heads that share this key and value head; 1 for most.
    std::int64_t headsOfAGroup() const { return row_.heads_of_a_group(); }

    /// The steps in order. `by_terms`: products term by term, the sum and the mix key by key (a few at a time for
    /// many), instead of all at once.
    std::vector<WalkStep> steps(bool by_terms) const;

private:
    TracePtr trace_;
    explain::Row row_;
    MatrixData labels_;
    std::vector<RowLine> lines_;
    std::int64_t term_count_ = 0;
    bool mixes_ = false;
};

/// The first step of `id` (the exponential for "exp") or, if the row has none, of its part or the next one; otherwise
/// the last step.
int stepAt(const std::vector<WalkStep>& steps, const QString& id);

/// Describes a step in words and numbers.
class StepWords {
    Q_DECLARE_TR_FUNCTIONS(StepWords)
public:
    /// "÷ √4", "exp", "÷ row sum".
    static QString title(const RowWalk& walk, StepOperation operation);
    /// The arithmetic of one key, or of the whole row for steps of that: "exp(1.5 − 2) = 0.6065".
    static QString arithmetic(const RowWalk& walk, const WalkStep& step, std::int64_t key);
    /// One or two sentences on the operation and its reason, and anything unusual about this row.
    static QString sentences(const RowWalk& walk, const WalkStep& step, std::int64_t key);

private:
    static QString products(const RowWalk& walk, const WalkStep& step, std::int64_t key);
    static QString score(const RowWalk& walk, std::int64_t key);
    static QString change(const RowWalk& walk, StepOperation operation, std::int64_t key);
    static QString rowSum(const RowWalk& walk, const WalkStep& step);
    static QString mix(const RowWalk& walk, const WalkStep& step);
    static QString purpose(const RowWalk& walk, const WalkStep& step, std::int64_t key);
    /// What the scale does to the differences between scores, which decide the weights.
    static QString scaleWords(const RowWalk& walk);
    static QString maskWords(const RowWalk& walk, std::int64_t key);
    static QString weightsWords(const RowWalk& walk);
    /// With another normaliser than softmax.
    static QString normaliserWords(const RowWalk& walk);
    static QString mixWords(const RowWalk& walk, const WalkStep& step);
    static QString dropoutWords(const RowWalk& walk);
    /// Why a row has no exponentials that are numbers; empty for others.
    static QString notNumbersWords(const RowWalk& walk);
};

} // namespace attnlab::ui
