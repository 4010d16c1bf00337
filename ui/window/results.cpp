#include "ui/window/results.h"

#include "core/edit/resize.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/window/status_line.h"

namespace attnlab::ui {
namespace {

const QString problem_topic = QStringLiteral("problem");

} // namespace

Results::Results(Document& document, ViewState& view, Backends backends, const Reports& reports, QObject* parent)
    : QObject(parent), document_(document), view_(view), report_(reports), computation_(backends), large_(view) {
    connectNumbers();
    connectMap();
    connect(&document_, &Document::problemChanged, this, &Results::compute);
}

void Results::connectNumbers() {
    connect(&computation_, &Computation::started, &report_.status, &StatusLine::begin);
    connect(&computation_, &Computation::started, this, [this] { setCancelled(false); });
    connect(&computation_, &Computation::progressed, &report_.status, &StatusLine::setProgress);
    connect(&report_.status, &StatusLine::cancelRequested, &computation_, &Computation::cancel);
    connect(&computation_, &Computation::cancelled, this, [this] {
        if (!large_.isComputing())
            report_.status.end();
        if (!large_.isOpen()) {
            const Message why = computed_ ? ATTNLAB_TEXT("Cancelled: the views show the result before")
                                          : ATTNLAB_TEXT("Cancelled: there is no result");
            report_.status.setFailed(why);
            report_.overlay.setHasPicture(computed_ != nullptr);
            report_.overlay.abandon(
                [this] {
                    return PictureState{PictureState::Look::Empty, stateWords(), tr("The computation was cancelled."),
                                        tr("Compute")};
                },
                [this] { resume(); });
            report_.messages.showMessage(MessageBar::Kind::Notice, why);
            report_.messages.offer([] { return tr("Compute"); }, [this] { resume(); });
            setCancelled(true);
        }
        emit settled();
    });
    connect(&computation_, &Computation::failed, this, [this](const Message& why) {
        report_.status.end();
        report_.status.setNoResult(why);
        showFailure(why);
        emit settled();
    });
    connect(&report_.messages, &MessageBar::closed, this, [this](const QString& topic) {
        if (topic == problem_topic && !report_.overlay.isCurrent())
            report_.overlay.abandon(
                [this] {
                    return PictureState{PictureState::Look::Error, stateWords(), translated(failure_),
                                        tr("Show the message")};
                },
                [this] { showFailure(failure_); });
    });
    connect(&computation_, &Computation::finished, this,
            [this](const ComputedPtr& computed, const AttentionProblem& problem) {
                if (!computation_.isRunning())
                    report_.status.end();
                report_.messages.clear(problem_topic);
                show(computed, problem);
                computation_.isRunning() ? report_.overlay.followed() : report_.overlay.clear();
                emit settled();
            });
}

void Results::connectMap() {
    connect(&large_, &LargeInputs::started, &report_.status, &StatusLine::begin);
    for (const auto computes_again : {&LargeInputs::choiceChanged, &LargeInputs::resumed, &LargeInputs::closed})
        connect(&large_, computes_again, this, [this] { setCancelled(false); });
    connect(&large_, &LargeInputs::cancelled, this, [this] {
        report_.status.end();
        report_.status.setFailed(ATTNLAB_TEXT("Cancelled: the map is incomplete"));
        setCancelled(true);
        emit settled();
    });
    connect(&large_, &LargeInputs::progressed, &report_.status, &StatusLine::setProgress);
    connect(&report_.status, &StatusLine::cancelRequested, &large_, &LargeInputs::cancel);
    connect(&large_, &LargeInputs::ready, this, [this](const QString& engine) {
        report_.status.end();
        report_.status.setMap(engine, large_.sizes());
        emit settled();
    });
    connect(&large_, &LargeInputs::started, &report_.status, [this] { report_.status.setNotes({}); });
    connect(&large_, &LargeInputs::warned, &report_.status, &StatusLine::setNotes);
    connect(&large_, &LargeInputs::failed, this, &Results::mapFailed);
    connect(&large_, &LargeInputs::noted, this,
            [this](const Message& note) { report_.messages.showMessage(MessageBar::Kind::Notice, note); });
}

QString Results::stateWords() const { return computed_ ? OutdatedOverlay::words() : tr("There is no result"); }

/// The picture says why, and the message what can be done; once it is closed, the picture brings it back.
void Results::showFailure(const Message& why) {
    failure_ = why;
    report_.overlay.setHasPicture(computed_ != nullptr);
    report_.overlay.abandon([this] {
        return PictureState{PictureState::Look::Error, stateWords(), translated(failure_)};
    });
    report_.messages.showMessage(MessageBar::Kind::Error, why, problem_topic);
    offerInputsThatFit();
}

int Results::heads() const {
    return large_.isOpen() ? static_cast<int>(large_.heads()) : computed_ ? sizeOf(computed_->trace).heads : 0;
}

void Results::recompute() { compute(document_.problem()); }

void Results::resume() {
    if (!cancelled_)
        return;
    large_.isOpen() ? large_.resume() : recompute();
}

void Results::setCancelled(bool cancelled) {
    if (cancelled_ == cancelled)
        return;
    cancelled_ = cancelled;
    if (!cancelled)
        report_.status.setFailed({});
    emit cancelledChanged(cancelled);
}

void Results::showAgain() {
    if (large_.isOpen()) {
        showMap(true);
        emit changed(nullptr);
        large_.readRow();
    } else if (computed_) {
        emit changed(computed_);
    }
}

void Results::compute(const AttentionProblem& problem) {
    const bool map = large_.open(problem);
    showMap(map);
    if (!map) {
        report_.overlay.setHasPicture(computed_ != nullptr);
        report_.overlay.wait();
        computation_.request(problem);
        return;
    }
    report_.overlay.clear(); // a map starts empty
    computation_.cancel();
    setCancelled(false);
    computed_.reset();
    computed_from_ = {};
    view_.setHeld({});
    emit changed(nullptr);
    report_.status.setMap(large_.engine(), large_.sizes());
    report_.messages.clear(problem_topic);
    if (large_.isComplete()) // the map before, where only the setting B differs
        emit settled();
}

void Results::show(const ComputedPtr& computed, const AttentionProblem& problem) {
    holdColors(problem);
    computed_ = computed;
    computed_from_ = problem;
    fitView(computed->trace);
    emit changed(computed);
    report_.status.setComputed(computed);
}

/// Before the result of `problem`: keeps the ranges of the result on show, and those that it keeps itself, where the
/// next one differs only in its scale, masks or position.
void Results::holdColors(const AttentionProblem& problem) {
    if (view_.held().opened) {
        HeldColors held = view_.held();
        held.opened = false;
        held.a.now = problem.spec;
        held.b.now = problem.compared_with.value_or(AttentionSpec());
        return view_.setHeld(std::move(held));
    }
    HeldColors held;
    const bool both = computed_ && computed_->compared && !computed_->compared->error && problem.compared_with;
    if (computed_ && keepsColors(computed_from_, computed_from_.spec, problem, problem.spec)) {
        held.a = view_.held().a;
        holdRanges(held.a, computed_->trace, computed_from_.spec);
        held.a.now = problem.spec;
    }
    // What begins or ends with B like A is another comparison.
    const bool same =
        both && *computed_from_.compared_with != computed_from_.spec && *problem.compared_with != problem.spec;
    if (same && keepsColors(computed_from_, *computed_from_.compared_with, problem, *problem.compared_with)) {
        held.b = view_.held().b;
        holdRanges(held.b, computed_->compared->trace, *computed_from_.compared_with);
        held.b.now = *problem.compared_with;
    }
    view_.setHeld(std::move(held));
}

/// Adapts the view to a problem with fewer batches, heads or tokens.
void Results::fitView(const Trace& trace) {
    const auto size = sizeOf(trace);
    if (view_.batch() >= size.batches)
        view_.setBatch(0);
    view_.keepHead(size.heads);
    const Stage* stage = stageToShow(trace, view_.stage().toStdString());
    if (stage)
        view_.setStage(QString::fromStdString(stage->name));
    const auto slice = stage ? sliceOf(trace, *stage, view_.batch(), view_.head()) : std::nullopt;
    view_.keepWithin(slice ? slice->view().rows : 0, slice ? slice->view().columns : 0);
}

void Results::showMap(bool map) {
    emit mapShown(map);
    if (!map)
        return;
    const MatrixAxes axes = large_.source()->axes();
    view_.keepWithin(axes.rows.count, axes.columns.count);
}

void Results::mapFailed(const Message& why) {
    report_.status.end();
    large_.close();
    showMap(false);
    report_.messages.showMessage(MessageBar::Kind::Notice, why);
    report_.overlay.wait();
    computation_.request(document_.problem()); // not as a map, if memory suffices
}

/// A new number of heads may not divide the width of the projections, or differ from that in an array of biases: offers
/// to replace these inputs.
void Results::offerInputsThatFit() {
    const auto fitted = outline_fitted_inputs(document_.problem());
    if (!fitted)
        return;
    const auto fit = [this, numbers = document_.newNumbers(fitted->problem)](const QString& text) {
        bool fits = false;
        const auto make = [&fits](AttentionProblem& next, const RunControl& control) {
            if (auto found = fitted_inputs(next, control)) {
                next = std::move(found->problem);
                fits = true;
            }
        };
        return document_.editBy(text, document_.problem(), numbers, make) && fits;
    };
    if (!fitted->made.empty()) { // numbers that no file holds must never look as if one did
        QStringList names;
        for (const auto& name : fitted->made)
            names << QStringLiteral("%1 (%2)").arg(textOf(name), shapeText(fitted->problem.tensors.at(name).shape()));
        const QString made = names.join(QStringLiteral(", "));
        report_.messages.offer([made] { return tr("Make up %1").arg(made); },
                               [this, made, fit] {
                                   if (fit(tr("Make up %1").arg(made)))
                                       report_.messages.showMessage(MessageBar::Kind::Notice,
                                                                    tr("Random numbers, from no file: %1").arg(made));
                               });
        return;
    }
    const auto resize = [names = textsOf(fitted->resized)] {
        return tr("Resize %1").arg(names.join(QStringLiteral(", ")));
    };
    const bool weights = !fitted->remade.empty();
    const auto words = [weights, resize] { return weights ? tr("Make weights that fit") : resize(); };
    report_.messages.offer(words, [fit, weights, resize] { fit(weights ? tr("New weights") : resize()); });
}

} // namespace attnlab::ui
