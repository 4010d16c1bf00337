#include "ui/document/compared_side.h"

#include "core/compare.h"
#include "core/inputs.h"
#include "ui/document/document.h"

namespace attnlab::ui {

const AttentionSpec& ComparedSide::spec() const {
    const AttentionProblem& problem = document_->problem();
    return side_ == Side::B && problem.compared_with ? *problem.compared_with : problem.spec;
}

void ComparedSide::setSpec(AttentionSpec spec, const QString& text, int gesture) const {
    if (side_ == Side::A) {
        document_->setSpec(std::move(spec), text, gesture);
        return;
    }
    auto next = document_->problem();
    next.compared_with = std::move(spec);
    document_->edit(tr("B: %1").arg(text), std::move(next), gesture);
}

void ComparedSide::setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture) const {
    if (side_ == Side::A) {
        document_->setSpecCompletingInputs(std::move(spec), text, gesture);
        return;
    }
    auto next = document_->problem();
    next.compared_with = std::move(spec);
    complete_compared_inputs(next, input_seed);
    document_->edit(tr("B: %1").arg(text), std::move(next), gesture);
}

} // namespace attnlab::ui
