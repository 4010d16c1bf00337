// Describes a step in words and numbers.
#pragma once

#include "ui/pages/step/row_walk.h"

#include <QCoreApplication>

namespace attnlab::ui {

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
    static QString mixWords(const RowWalk& walk, const WalkStep& step);
};

} // namespace attnlab::ui
