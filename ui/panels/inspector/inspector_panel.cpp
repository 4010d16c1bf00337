#include "ui/panels/inspector/inspector_panel.h"

#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/inspector/arithmetic_view.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/key_grid/key_picture.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <QAction>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int inspector_narrowest = 280, widest = 340, lowest = 80;
constexpr int heading_letters = 9; ///< assumed length of a token label in the heading

} // namespace

InspectorPanel::InspectorPanel(ViewState& view, QWidget* parent) : QWidget(parent), view_(view) {
    build();
    connect(&view_, &ViewState::stageChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::sliceChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::colorsChanged, this, &InspectorPanel::traceChanged);
    connect(&view_, &ViewState::pinnedChanged, this, &InspectorPanel::cellChanged);
    connect(&view_, &ViewState::hoveredChanged, this, [this] {
        if (!view_.pinned())
            cellChanged();
    });
    connect(row_card_, &RowCard::keyHovered, this, &InspectorPanel::hoverKey);
    connect(row_card_, &RowCard::keyClicked, this, &InspectorPanel::pinKey);
    connect(key_picture_->picture(), &KeyPicture::keyClicked, this, &InspectorPanel::pinKey);
    connect(&next_, &QTimer::timeout, this, [this] {
        const Refresh refresh = waiting_.front();
        waiting_.pop_front();
        if (waiting_.empty())
            next_.stop();
        (this->*refresh)();
    });
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Inspector"));
    traceChanged();
}

/// Losing the focus makes a card emit signals that need the whole panel.
InspectorPanel::~InspectorPanel() { hide(); }

void InspectorPanel::build() {
    setMinimumWidth(inspector_narrowest);
    setMaximumWidth(widest);
    auto* content = new QWidget;
    scroll_ = new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, this);

    cell_card_ = new CellCard(content);
    key_picture_ = new KeyPictureCard(content);
    row_card_ = new RowCard(content);
    measures_card_ = new MeasuresCard(content);
    scores_card_ = new ScoresCard(content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    for (QWidget* card :
         std::initializer_list<QWidget*>{cell_card_, key_picture_, row_card_, measures_card_, scores_card_})
        column->addWidget(card);
    column->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    side_ = new ElidedLabel(this);
    side_->setText(tr("Showing A. B is only in the comparison."));
    side_->setToolTip(tr("The page Compare shows A, B and the difference; every other part of the window shows A"));
    side_->setForegroundRole(QPalette::PlaceholderText);
    side_->setIndent(4);
    side_->hide();
    layout->addWidget(side_);
    layout->addWidget(scroll_);

    addAction(cell_card_->copyAction());
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setFocusPolicy(Qt::ClickFocus); // Tab goes to the texts, which show the focus
}

void InspectorPanel::setTrace(ComputedPtr computed, const AttentionProblem& problem, std::optional<int> row,
                              const std::optional<ColorScale>& map) {
    map_scale_ = map;
    if (problem.spec.variant != problem_.spec.variant)
        cell_card_->ladder()->forgetRoom();
    before_.setNext(row ? nullptr : computed, problem);
    computed_ = std::move(computed);
    problem_ = problem;
    first_row_ = row.value_or(0);
    one_row_ = row.has_value();
    measures_card_->setMeasures(computed_ ? computed_->trace.measures : std::vector<Measure>());
    key_picture_->setProblem(problem);
    side_->setVisible(computed_ && problem.compared_with);
    traceChanged();
}

void InspectorPanel::compareNextWithNow() { before_.beginAnew(); }

void InspectorPanel::forgetBefore() {
    if (!before_.result())
        return;
    before_.forget();
    traceChanged();
}

void InspectorPanel::setHeadScores(const std::optional<RowProblems::ScoreMoments>& scores) {
    head_scores_ = scores;
    if (one_row_)
        refreshScores();
}

const Stage* InspectorPanel::stage() const {
    return computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
}

/// True when the columns of the chosen stage are keys.
bool InspectorPanel::keysAcross() const { return !stage()->axes.empty() && stage()->axes.back() == Axis::Key; }

/// The same, and the columns are those of the weights: a view may leave some out.
bool InspectorPanel::columnsAreThoseOfWeights() const {
    return keysAcross() && (!row_weights_ || !shown_ || shown_->view().columns == row_weights_->view().columns);
}

const Stage* InspectorPanel::rowWeights() const {
    const Stage* shown = stage();
    const Stage* weights = computed_ ? weightsBeside(computed_->trace, shown) : nullptr;
    const bool rows_are_queries =
        shown && (endsWithAxes(*shown, Axis::Query, Axis::Key) || endsWithAxes(*shown, Axis::Query, Axis::Feature) ||
                  (!shown->axes.empty() && shown->axes.back() == Axis::Query));
    const bool joins_rows =
        shown && weights && shortNameOf(*shown) == "view" && shown->value.dim(-2) != weights->value.dim(-2); // of words
    return rows_are_queries && !joins_rows && weights && weights->axes.size() >= 2 ? weights : nullptr;
}

/// The same weights of an earlier result, if they have the same shape.
std::optional<MatrixData> InspectorPanel::weightsOf(const ComputedPtr& earlier) const {
    const Stage* weights = earlier && row_weights_ ? earlier->trace.find(rowWeights()->name) : nullptr;
    auto slice = weights ? sliceOf(earlier->trace, *weights, view_.batch(), head()) : std::nullopt;
    const bool fits = slice && slice->view().rows == row_weights_->view().rows &&
                      slice->view().columns == row_weights_->view().columns;
    return fits ? std::move(slice) : std::nullopt;
}

int InspectorPanel::head() const { return computed_ ? headWithin(computed_->trace, view_.head()) : 0; }

std::optional<Cell> InspectorPanel::cell() const {
    for (auto candidate : {view_.pinned(), view_.hovered()}) {
        if (!shown_ || !candidate)
            continue;
        candidate->row -= first_row_;
        if (candidate->row >= 0 && candidate->column >= 0 && candidate->row < shown_->view().rows &&
            candidate->column < shown_->view().columns)
            return candidate;
    }
    return std::nullopt;
}

/// True when the pointed-at row's trace is being computed.
bool InspectorPanel::awaitsRow() const {
    const auto candidate = view_.pinned() ? view_.pinned() : view_.hovered();
    return one_row_ && candidate && candidate->row != first_row_;
}

void InspectorPanel::traceChanged() {
    const auto slice = [this](const Stage* of) {
        return of ? sliceOf(computed_->trace, *of, view_.batch(), head()) : std::nullopt;
    };
    shown_ = slice(stage());
    row_weights_ = slice(rowWeights());
    if (const Stage* weights = rowWeights())
        weights_scale_ = map_scale_ ? *map_scale_ : shownScale(computed_->trace, *weights, view_.batch(), view_);
    if (row_weights_ && !weights_scale_.held)
        before_.forgetFirst();
    before_weights_ = weightsOf(before_.result());
    if (before_weights_ && before_weights_->values == row_weights_->values) // a view changes no weights
        before_weights_.reset();
    first_weights_ = before_.first() == before_.result() ? before_weights_ : weightsOf(before_.first());
    if (!awaitsRow())
        refreshCell();
    refreshSoon(true);
}

void InspectorPanel::cellChanged() {
    if (awaitsRow())
        return;
    refreshCell();
    refreshSoon(false);
}

/// Refreshes the row, and with `scores` the scores: at once, unless rows of a large map arrive too fast.
void InspectorPanel::refreshSoon(bool scores) {
    const Refresh last = &InspectorPanel::refreshScores;
    const bool scores_wait = std::find(waiting_.begin(), waiting_.end(), last) != waiting_.end();
    waiting_ = {&InspectorPanel::refreshRow, &InspectorPanel::refreshNumbers};
    if (scores || scores_wait)
        waiting_.push_back(last);
    if (one_row_) {
        next_.start(0);
        return;
    }
    next_.stop();
    for (const Refresh refresh : std::exchange(waiting_, {}))
        (this->*refresh)();
}

void InspectorPanel::refreshCell() {
    const auto chosen = cell();
    const Stage* shown = stage();
    if (!chosen || !shown) {
        cell_card_->setNoCell();
        return;
    }
    const MatrixData& matrix = *shown_;
    const QString row = matrix.rowLabel(chosen->row), column = matrix.columnLabel(chosen->column);
    const bool one_column = matrix.view().columns == 1 && matrix.column_title.isEmpty();
    const auto name_of = [&](const QString& of_row, const QString& of_column) {
        return one_column     ? of_row
               : keysAcross() ? tr("%1 → %2", "query token → key token").arg(of_row, of_column)
                              : tr("%1, %2 %3", "row label, column axis, column label")
                                    .arg(of_row, matrix.column_title, of_column);
    };
    const auto brief = [&](const QString& label) { return shortenedLabel(label, fontMetrics(), heading_letters); };
    const QString place = tr("row %1, column %2, from 0").arg(first_row_ + chosen->row).arg(chosen->column);
    cell_card_->setCell({name_of(row, column), name_of(brief(row), brief(column))}, place,
                        arithmeticOf(computed_->trace, *shown, view_.batch(), head(), *chosen));
}

/// The chosen cell, if there are weights of its row.
std::optional<Cell> InspectorPanel::cellOfRow() const {
    const auto chosen = cell();
    return row_weights_ && chosen && chosen->row < row_weights_->view().rows ? chosen : std::nullopt;
}

void InspectorPanel::refreshRow() {
    if (awaitsRow())
        return;
    const auto chosen = cellOfRow();
    const auto key = chosen && columnsAreThoseOfWeights() ? std::optional(chosen->column) : std::nullopt;
    row_card_->setBefore(before_weights_, before_.setting());
    row_card_->setReach(chosen && first_weights_ ? first_weights_->view().row(chosen->row) : std::span<const double>());
    if (chosen)
        row_card_->setRow(*row_weights_, chosen->row, key, weights_scale_);
    showWithin(row_card_, chosen.has_value());
    key_picture_->setRow(chosen ? &*row_weights_ : nullptr, chosen ? chosen->row : 0, key, weights_scale_);
}

void InspectorPanel::refreshNumbers() {
    if (const auto chosen = cellOfRow(); chosen && !awaitsRow())
        row_card_->setNumbers(row_weights_->view().row(chosen->row),
                              problem_.spec.normaliser.id.empty() && problem_.spec.decay.id.empty());
}

void InspectorPanel::refreshScores() {
    if (const Stage* weights = computed_ ? weightsBeside(computed_->trace, stage()) : nullptr)
        scores_card_->setScores(computed_->trace, *weights, view_.batch(), head(), problem_.spec,
                                {one_row_, one_row_ ? head_scores_ : std::nullopt});
    else
        scores_card_->setNoScores();
}

void InspectorPanel::pinKey(int key) {
    if (const auto chosen = cell(); chosen && columnsAreThoseOfWeights())
        view_.setPinned(Cell{first_row_ + chosen->row, key});
}

void InspectorPanel::hoverKey(std::optional<int> key) {
    const auto chosen = cell();
    if (!chosen || !columnsAreThoseOfWeights() || !view_.pinned())
        return; // without a pin, the displayed row would change as the mouse moves here
    view_.setHovered(key ? std::optional<Cell>({first_row_ + chosen->row, *key}) : std::nullopt);
}

QSize InspectorPanel::sizeHint() const { return {300, 600}; }
QSize InspectorPanel::minimumSizeHint() const { return {inspector_narrowest, lowest}; }

namespace {

constexpr std::int64_t most_cells = 1 << 20; ///< of the scores of a result that is kept in memory

bool isSmall(const Trace& trace) {
    std::int64_t cells = 0;
    for (const Stage& stage : trace.stages)
        cells = std::max(cells, stage.value.size());
    return cells <= most_cells;
}

} // namespace

void ResultBefore::setNext(const ComputedPtr& computed, const AttentionProblem& problem) {
    if (!computed || !shown_ || !keepsColors(shown_from_, shown_from_.spec, problem, problem.spec)) {
        before_.reset();
        first_.reset();
    } else if ((!before_ || begins_anew_) && shown_from_.spec != problem.spec && isSmall(shown_->trace)) {
        before_ = shown_;
        before_from_ = shown_from_.spec;
        begins_anew_ = false;
        if (!first_)
            first_ = shown_;
    }
    if (before_ && before_from_ == problem.spec)
        before_.reset();
    shown_ = computed;
    shown_from_ = problem;
}

QString ResultBefore::setting() const {
    if (!before_)
        return {};
    const std::array settings{before_from_, shown_from_.spec};
    return SettingWords::ofEach(settings).front();
}

} // namespace attnlab::ui
