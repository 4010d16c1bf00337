#include "ui/pages/compare/compare_page.h"

#include "ui/document/document.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/pages/compare/compare_numbers.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/setting_words.h"
#include "ui/widgets/failure.h"
#include "ui/widgets/stale_marks.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// With more cells the comparison takes noticeable time.
constexpr std::int64_t most_at_once = 500'000;

bool hasKeyRows(const Stage& stage) { return !stage.axes.empty() && stage.axes.back() == Axis::Key; }

std::span<const double> cellsOf(const MatrixView& view) {
    return {view.data, static_cast<std::size_t>(view.rows * view.columns)};
}

} // namespace

ComparePage::ComparePage(Document& document, ViewState& view, QWidget* parent)
    : ComparisonPage(view, parent), document_(document), controls_(new CompareControls(document, this)),
      pictures_(new CompareView(view, this)), numbers_(new CompareNumbers(this)), marks_(new StaleMarks(this)),
      job_([this](Outcome outcome) {
          outcome_ = std::move(outcome);
          is_awaited_ = false;
          refresh();
      }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 8);
    column->setSpacing(6);
    column->addWidget(controls_);
    column->addWidget(pictures_, 1);
    column->addWidget(numbers_);
    marks_->cover(pictures_, StaleMarks::Words::Shown);
    marks_->cover(numbers_, StaleMarks::Words::None);
    connect(&view_, &ViewState::hoveredChanged, this, &ComparePage::showRow);
    connect(&view_, &ViewState::pinnedChanged, this, &ComparePage::showRow);
}

void ComparePage::setLow(bool low) {
    controls_->setLow(low);
    numbers_->setLow(low);
}

void ComparePage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    const AttentionProblem& problem = document_.problem();
    spec_a_ = problem.spec;
    spec_b_ = problem.compared_with.value_or(problem.spec);
    compareAgain();
}

ComparePage::Outcome ComparePage::outcomeOf(const Computed& computed, const std::string& stage,
                                            const RunControl& control) {
    Outcome outcome;
    if (!computed.compared)
        return outcome;
    if (computed.compared->error) {
        outcome.problem = *computed.compared->error;
        return outcome;
    }
    const auto problem = failureOf(
        [&] {
            const Trace& other = computed.compared->trace;
            outcome.output = output_gap(computed.trace, other);
            outcome.comparison = std::make_shared<const Comparison>(compare(computed.trace, other, stage, control));
        },
        computing_failed);
    control.checkpoint();
    outcome.problem = problem.value_or(Message());
    return outcome;
}

void ComparePage::compareAgain() {
    stale_ = true;
    is_awaited_ = false;
    job_.cancel();
    if (!isVisible())
        return;
    stale_ = false;
    const Stage* shown = stage();
    if (!shown) {
        outcome_ = {};
        refresh();
        return;
    }
    if (shown->value.size() <= most_at_once) {
        outcome_ = outcomeOf(*computed_, shown->name, {});
        refresh();
        return;
    }
    is_awaited_ = true;
    matrices_.reset(); // what is drawn stays until then
    showRow();
    if (const auto* before = pictures_->a(); !before->isHidden() && before->tableRows() > 0)
        marks_->wait();
    job_.request([computed = computed_, name = shown->name](const RunControl& control) {
        return outcomeOf(*computed, name, control);
    });
}

void ComparePage::refresh() {
    if (stale_ || is_awaited_ || !isVisible())
        return;
    marks_->clear();
    const Stage* shown = stage();
    pictures_->setTitles(tr("A: %1").arg(SettingWords::of(spec_a_, spec_b_)),
                         tr("B: %1").arg(SettingWords::of(spec_b_, spec_a_)), tr("A − B: %1").arg(title()));
    matrices_.reset();
    if (shown && outcome_.comparison)
        matrices_ = comparedMatrices(computed_->trace, computed_->compared->trace, *outcome_.comparison, view_.batch(),
                                     head(), view_.colors());
    if (!matrices_) {
        numbers_->hide();
        showProblem(problemText());
        emit settled();
        return;
    }
    CompareNumbers::Figures figures;
    figures.shown = gap_over(cellsOf(matrices_->difference.view()));
    figures.all = outcome_.comparison->all;
    figures.several = figures.all.cells + figures.all.left_out > figures.shown.cells + figures.shown.left_out;
    figures.output = outcome_.output;
    std::vector<double> divergences;
    if (hasKeyRows(*shown)) {
        figures.a_from_b = row_divergence(matrices_->a.view(), matrices_->b.view());
        figures.b_from_a = row_divergence(matrices_->b.view(), matrices_->a.view());
        const auto rows = figures.a_from_b->rows.values();
        if (figures.a_from_b->finite + figures.a_from_b->infinite > 0)
            divergences.assign(rows.begin(), rows.end());
    }
    pictures_->setMatrices(*matrices_, std::move(divergences));
    numbers_->setFigures(std::move(figures));
    numbers_->show();
    showRow();
    emit settled();
}

QString ComparePage::problemText() const {
    if (computed_ && computed_->compared && computed_->compared->error)
        return tr("Setting B cannot be computed: %1").arg(translated(*computed_->compared->error));
    if (!outcome_.problem.empty())
        return translated(outcome_.problem);
    const Stage* shown = stage();
    return shown ? tr("%1 is empty").arg(textOf(shown->name)) : tr("Nothing computed yet");
}

void ComparePage::showRow() {
    const auto cell = view_.hovered() ? view_.hovered() : view_.pinned();
    const bool there = cell && matrices_ && cell->row < matrices_->a.view().rows;
    numbers_->setRow(there ? cell->row : -1, there ? matrices_->a.rowLabel(cell->row) : QString());
}

ComputedPtr ComparePage::exportedStages() const {
    if (!matrices_)
        return nullptr;
    const Trace& a = computed_->trace;
    const Trace& b = computed_->compared->trace;
    auto result = std::make_shared<Computed>();
    result->trace.query_tokens = a.query_tokens;
    result->trace.key_tokens = a.key_tokens;
    const auto add = [&](const char* prefix, Stage stage) {
        stage.name = prefix + stage.name;
        result->trace.stages.push_back(std::move(stage));
    };
    for (const Stage& stage : a.stages) {
        add("a.", stage);
        const Stage* other = b.find(stage.name);
        if (other && other->value.shape() == stage.value.shape())
            add("difference.", compare(a, b, stage.name).difference);
    }
    for (const Stage& stage : b.stages)
        add("b.", stage);
    return result;
}

} // namespace attnlab::ui
