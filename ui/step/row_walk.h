// One query's row on its way from products to the output, step by step: plain numbers of a trace, no widgets.
#pragma once

#include "core/attention.h"
#include "ui/plot/matrix_data.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attnlab::ui {

using TracePtr = std::shared_ptr<const Trace>;

/// What happens in a step.
enum class StepOperation {
    Products,    ///< the terms of each score
    Score,       ///< their sum, or the score as the mechanism gives it
    Scale,       ///< scores -> scaled
    Position,    ///< + position_bias
    Bias,        ///< + an additive mask
    Mask,        ///< the fill in blocked cells
    Shift,       ///< − the largest of the row
    Exponential, ///< its exponential
    RowSum,      ///< their sum
    Divide,      ///< over that sum
    Weights, ///< the weights where they are not that share: scaled after softmax, or made by a schedule of their own
    Dropout, ///< weights -> weights_dropped
    Mix,     ///< weights times values
};

/// What texts call the parts of the way: "products", "sum", "scale", "mask", "exp", "row_sum", "divide", "mix".
const QStringList& stepIds();
/// The id of the part that an operation belongs to: a position belongs to "mask", a shift to "exp".
QString stepIdOf(StepOperation operation);

/// Which pass of a trace, and which of its matrices.
struct StepPass {
    std::string prefix; ///< see prefix_of; empty for most traces
    int batch = 0;
    int head = 0;
    bool operator==(const StepPass&) const = default;
};

/// The pass of the weights has scores, weights and an output made of values: its rows can be walked.
bool canWalk(const Trace& trace, const StepPass& pass);

/// One number for each key after an operation.
struct RowLine {
    StepOperation operation;
    std::vector<double> values;
    const Stage* stage = nullptr; ///< whose row it is; null for what is written out between two stages
};

struct WalkStep {
    StepOperation operation = StepOperation::Products;
    /// Products: terms added by then; RowSum and Mix: keys added by then. All of them where a step is of a whole row.
    std::int64_t reached = 0;
    bool operator==(const WalkStep&) const = default;
};

/// The numbers of one row. Everything is read off the trace's stages but the shift, its exponential and their sum,
/// which no stage holds.
class RowWalk {
public:
    RowWalk() = default;
    /// Empty where the pass cannot be walked or has no such row.
    RowWalk(TracePtr trace, StepPass pass, std::int64_t query);

    bool empty() const { return lines_.empty(); }
    const Trace& trace() const { return *trace_; }
    const StepPass& pass() const { return pass_; }
    std::int64_t query() const { return query_; }
    std::int64_t queries() const { return weights_.view().rows; }
    std::int64_t keys() const { return weights_.view().columns; }
    /// Labels of queries and keys.
    const MatrixData& labels() const { return weights_; }
    const Stage& weightsStage() const { return *weights_stage_; }
    const Stage& scoresStage() const { return *scores_stage_; }
    const Stage& outputStage() const { return *output_stage_; }

    const std::vector<RowLine>& lines() const { return lines_; }
    /// Null when the way of this row has no such operation.
    const RowLine* line(StepOperation operation) const;
    /// The line that an operation starts from; null for the first.
    const RowLine* before(StepOperation operation) const;
    double value(StepOperation operation, std::int64_t key) const;

    bool isBlocked(std::int64_t key) const;
    /// Every key stands at -inf: there is nothing to take an exponential of.
    bool isFullyMasked() const { return fully_masked_; }
    /// Whether the softmax of this row is one sum over its keys.
    bool hasRowSum() const { return line(StepOperation::Exponential) != nullptr; }
    double maximum() const { return maximum_; }
    double rowSum() const { return sum_; }
    /// Of the first `reached` keys; rowSum() for all.
    double rowSumOf(std::int64_t reached) const;

    /// Empty where the score is no sum of terms.
    std::vector<ScoreTerm> terms(std::int64_t key) const;
    std::int64_t termCount() const { return term_count_; }
    /// The terms are q_c k_c: left and right are the query's and the key's own entries.
    bool hasProducts() const { return products_; }

    /// The weights that the values are mixed with: those after dropout where there is dropout.
    std::span<const double> mixed() const;
    std::int64_t features() const { return values_.view().columns; }
    double valueOf(std::int64_t key, std::int64_t feature) const { return values_.view()(key, feature); }
    /// Of the first `reached` keys; the trace's own output for all.
    double output(std::int64_t feature, std::int64_t reached) const;
    /// The output is the sum of weights times values; not so where a mechanism has another schedule.
    bool isMixed() const { return mixes_; }

    /// Keys that the mechanism appended to those it was given (bias_k, a key of zeros), at the end.
    std::int64_t appendedKeys() const { return appended_; }
    /// Query heads that share this key and value head; 1 for most.
    std::int64_t headsOfAGroup() const { return group_; }

    /// The steps in order. `by_terms`: products come term by term, the sum and the mix key by key (a few at a time
    /// where they are many), instead of all at once.
    std::vector<WalkStep> steps(bool by_terms) const;

private:
    void readScores();
    void readMask();
    void readSoftmax();
    void readOutput();
    const Stage* stage(const char* name) const;
    std::vector<double> rowOf(const Stage& stage) const;
    void add(StepOperation operation, std::vector<double> values, const Stage* stage = nullptr);

    TracePtr trace_;
    StepPass pass_;
    std::int64_t query_ = 0;
    const Stage* scores_stage_ = nullptr;
    const Stage* weights_stage_ = nullptr;
    const Stage* output_stage_ = nullptr;
    MatrixData weights_, values_, output_;
    MatrixData masked_; ///< for which cells are blocked
    std::vector<RowLine> lines_;
    ScoreTerms terms_;
    std::int64_t term_count_ = 0, appended_ = 0, group_ = 1;
    bool products_ = false, fully_masked_ = false, mixes_ = true;
    double maximum_ = 0.0, sum_ = 0.0;
};

/// The first step of what `id` names (the exponential for "exp") or, where the row has none, of its part or what comes
/// after it; the last step when there is nothing after it.
int stepAt(const std::vector<WalkStep>& steps, const QString& id);

} // namespace attnlab::ui
