#include "ui/model/difference_view.h"

#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/segment_switch.h"
#include "ui/widgets/text.h"

#include <QBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int least_for_three = 36; ///< lines, as a width
constexpr std::int64_t most_compared_at_once = 256;

} // namespace

DifferenceView::DifferenceView(QWidget* parent)
    : HeadView(parent), view_(new CompareView(state_)), narrow_(new QWidget), choice_(new SegmentSwitch),
      single_(new HeatmapView), job_([this](const std::shared_ptr<ComparedHead>& made) { show(std::move(*made)); }) {
    view_->setPrefersStack(true);
    choice_->setUsesScrollButtons(false);
    for (const QString& name : {tr("A"), tr("B"), tr("B − A")})
        choice_->addTab(name);
    choice_->setAccessibleName(tr("Which of the matrices is shown"));
    choice_->setCurrentIndex(2);
    auto* one = new QVBoxLayout(narrow_);
    one->setContentsMargins(0, 0, 0, 0);
    one->addWidget(choice_, 0, Qt::AlignLeft);
    one->addWidget(single_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    column->addWidget(narrow_);
    narrow_->hide();
    connect(choice_, &QTabBar::currentChanged, this, &DifferenceView::showSingle);
    connect(single_, &HeatmapView::cellHovered, single_, &HeatmapView::setCrosshair);
    connect(single_, &HeatmapView::cellClicked, &state_, &ViewState::setPinned);
    connect(&state_, &ViewState::pinnedChanged, single_, &HeatmapView::setPinned);
    connect(&state_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        if (cell)
            emit rowChosen(cell->row);
    });
    connect(&job_, &LatestJobBase::progressed, this,
            [this](double done) { showNothing(tr("Comparing this head… %1").arg(progressText(done))); });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) { showNothing(translated(why)); });
}

void DifferenceView::setHead(const HeadOnShowPtr& head, const QString& message) {
    head_ = head && head->result->compared ? head : nullptr;
    job_.cancel();
    if (!head_) {
        showNothing(message);
        return;
    }
    const auto& pass = *head_->result->comparedHeads(head_->place);
    const auto side = std::max(std::min(pass.a->queries, pass.b->queries), std::min(pass.a->keys, pass.b->keys));
    if (side <= most_compared_at_once) {
        show(comparedHead(pass, head_->place.head, 1));
        return;
    }
    showNothing({});
    job_.request([head, step = (side + most_cells_a_side - 1) / most_cells_a_side](const RunControl& control) {
        const auto& compared = *head->result->comparedHeads(head->place);
        return std::make_shared<ComparedHead>(comparedHead(compared, head->place.head, step, control));
    });
}

void DifferenceView::showNothing(const QString& message) {
    shown_.reset();
    view_->setProblem({}, {}, message);
    single_->setMessage(message);
    showSingle();
    emit noteChanged();
}

void DifferenceView::show(ComparedHead compared) {
    shown_ = std::move(compared);
    single_->setMessage({});
    const bool texts = head_->result->compared->of == ComparedRuns::Of::Texts;
    view_->setTitles(texts ? tr("A: the first text") : tr("A: all heads on"),
                     texts ? tr("B: the second text") : tr("B: heads switched off"), tr("B − A"));
    state_.keepWithin(shown_->matrices.a.view().rows, shown_->matrices.a.view().columns);
    auto rows = shown_->divergences;
    if (std::ranges::all_of(rows, [](double row) { return std::isnan(row); }))
        rows.clear();
    view_->setMatrices(shown_->matrices, std::move(rows));
    for (int i = 0; i < choice_->count(); ++i)
        choice_->setTabToolTip(i, view_->title(static_cast<std::size_t>(i)));
    showSingle();
    emit noteChanged();
}

void DifferenceView::showSingle() {
    if (!shown_) {
        single_->setMatrix({}, {});
        return;
    }
    const auto& matrices = shown_->matrices;
    const int index = choice_->currentIndex();
    single_->setMatrix(index == 0   ? matrices.a
                       : index == 1 ? matrices.b
                                    : matrices.difference,
                       index == 2 ? matrices.gaps : matrices.values);
    single_->setPinned(state_.pinned());
    single_->setAccessibleName(view_->title(static_cast<std::size_t>(index)));
}

void DifferenceView::resizeEvent(QResizeEvent* event) {
    HeadView::resizeEvent(event);
    const bool narrow = width() < least_for_three * fontMetrics().height();
    view_->setVisible(!narrow);
    narrow_->setVisible(narrow);
}

void DifferenceView::setRow(std::optional<int> query, const explain::Reading& reading) {
    if (!shown_)
        return;
    const QSignalBlocker blocked(this); // the row is chosen already
    const auto rows = shown_->matrices.a.view().rows, columns = shown_->matrices.a.view().columns;
    const bool inside = query && *query < rows && !reading.keys.empty() && reading.keys.front().key < columns;
    state_.setPinned(inside ? std::optional(Cell{*query, static_cast<int>(reading.keys.front().key)}) : std::nullopt);
}

QString DifferenceView::note() const {
    if (!shown_)
        return {};
    const auto& pass = *head_->result->comparedHeads(head_->place);
    const QString distance = numberText(pass.distances[static_cast<std::size_t>(head_->place.head)], 3);
    if (head_->result->compared->of == ComparedRuns::Of::SwitchedOff)
        return tr("half of |B − A| in a row, on average: %1").arg(distance);
    return tr("the first %1 × %2 tokens, by position · half of |B − A| in a row, on average: %3")
        .arg(std::min(pass.a->queries, pass.b->queries))
        .arg(std::min(pass.a->keys, pass.b->keys))
        .arg(distance);
}

std::optional<Figure> DifferenceView::figure() const {
    return shown_ ? std::optional(Figure{shown_->matrices.panels(view_->title(0), view_->title(1), view_->title(2)),
                                         shown_->matrices.values})
                  : std::nullopt;
}

std::optional<MatrixData> DifferenceView::matrix() const {
    return shown_ ? std::optional(shown_->matrices.difference) : std::nullopt;
}

} // namespace attnlab::ui
