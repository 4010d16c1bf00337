// The result before a setting changed, for outlines of earlier numbers beside the present ones.
#pragma once

#include "ui/document/computation.h"

#include <QString>

namespace attnlab::ui {

/// It is kept as long as colours keep their range: until other inputs, another mechanism, or the same setting again.
class ResultBefore {
public:
    /// The result that is shown next, of this problem; null: none.
    void setNext(const ComputedPtr& computed, const AttentionProblem& problem);
    void forget() { before_.reset(); }

    /// Null: the setting has not changed.
    const ComputedPtr& result() const { return before_; }
    /// What its setting has else: "1/√d"; empty without a result.
    QString setting() const;

private:
    ComputedPtr shown_, before_;
    AttentionProblem shown_from_;
    AttentionSpec before_from_;
};

} // namespace attnlab::ui
