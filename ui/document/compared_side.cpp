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

bool ComparedSide::setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture) const {
    if (side_ == Side::A)
        return document_->setSpecCompletingInputs(std::move(spec), text, gesture);
    auto next = document_->problem();
    next.compared_with = std::move(spec);
    return editCompletingB(*document_, tr("B: %1").arg(text), std::move(next), gesture);
}

bool editCompletingB(Document& document, const QString& text, AttentionProblem next, int gesture) {
    auto outlined = next;
    outline_compared_inputs(outlined, input_seed);
    const auto complete = [](AttentionProblem& problem, const RunControl& control) {
        complete_compared_inputs(problem, input_seed, control);
    };
    return document.editBy(text, std::move(next), document.newNumbers(outlined), complete, gesture);
}

} // namespace attnlab::ui
