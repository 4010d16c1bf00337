#include "ui/pages/step/step_page.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_kinds.h"

#include <algorithm>

namespace attnlab::ui {

StepPage::StepPage(ViewState& view, QWidget* parent) : StepView(parent), view_(view) {
    connect(&view_, &ViewState::sliceChanged, this, &StepPage::refresh);
    connect(&view_, &ViewState::stageChanged, this, &StepPage::refresh);
    connect(&view_, &ViewState::pinnedChanged, this, &StepPage::followPin);
    connect(this, &StepView::queryChosen, this, &StepPage::pin);
    connect(this, &StepView::keyChosen, this, &StepPage::pin);
}

void StepPage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    refresh();
}

void StepPage::refresh() {
    if (!computed_) {
        setPass(nullptr, {});
        return;
    }
    const Trace& trace = computed_->trace;
    const Stage* weights = weightsBeside(trace, trace.find(view_.stage().toStdString()));
    StepPass pass;
    if (weights)
        pass.prefix = prefix_of(weights->name);
    pass.batch = view_.batch();
    pass.head = std::max(0, headWithin(trace, view_.head()));
    setPass(TracePtr(computed_, &trace), pass);
    followPin();
}

bool StepPage::pinsKeys() const {
    const Stage* stage = computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
    return stage && endsWithAxes(*stage, Axis::Query, Axis::Key);
}

void StepPage::followPin() {
    if (!view_.pinned() || !pinsKeys())
        return;
    setQuery(view_.pinned()->row);
    setKey(view_.pinned()->column);
}

void StepPage::pin() {
    if (pinsKeys())
        view_.setPinned(Cell{query(), key()});
}

} // namespace attnlab::ui
