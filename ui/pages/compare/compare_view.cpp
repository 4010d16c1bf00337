#include "ui/pages/compare/compare_view.h"

#include "ui/drawing/figures/figure_margins.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <QEvent>
#include <QPainter>

namespace attnlab::ui {
namespace {

/// A cell that only one of both blocks has a difference to show, so it is not blocked, but marked.
void blockWhereBothBlock(MatrixData& difference, const MatrixData& a, const MatrixData& b) {
    difference.blocked = {};
    difference.blocked_leading = 0;
    difference.shows_leaks = false;
    if (a.blocked.size() == 0 && b.blocked.size() == 0)
        return;
    const auto view = difference.view();
    Tensor both({view.rows, view.columns}, 0.0, DType::Bool), one = both;
    auto in_both = both.mutable_values().begin(), in_one = one.mutable_values().begin();
    bool has_one = false;
    for (std::int64_t i = 0; i < view.rows; ++i)
        for (std::int64_t j = 0; j < view.columns; ++j) {
            const bool of_a = a.isBlocked(i, j), of_b = b.isBlocked(i, j);
            *in_both++ = of_a && of_b ? 1.0 : 0.0;
            *in_one++ = of_a != of_b ? 1.0 : 0.0;
            has_one = has_one || of_a != of_b;
        }
    if (a.blocked.size() > 0 && b.blocked.size() > 0)
        difference.blocked = std::move(both);
    if (has_one)
        difference.blocked_in_one = std::move(one);
}

/// Sequential maps have no sign: differences keep the diverging one regardless of the choice for the values.
ColorScale scaleOfGaps(const Stage& difference, int batch, bool has_batches) {
    const auto values = difference.value.values();
    const auto batches = static_cast<std::size_t>(has_batches ? difference.value.dim(0) : 1);
    const std::size_t size = values.size() / batches;
    ValueRange range;
    range.include(values.subspan(static_cast<std::size_t>(has_batches ? batch : 0) * size, size));
    return colorScale({}, range, true);
}

} // namespace

FigurePanels ComparedMatrices::panels(const QString& title_a, const QString& title_b,
                                      const QString& title_of_difference) const {
    FigurePanels result;
    const auto margins = [this](const MatrixData& matrix) -> std::function<FigureMargins()> {
        if (!are_weights)
            return nullptr;
        return [matrix] { return marginsOfWeights(matrix); };
    };
    result.push_back({a, title_a, std::nullopt, margins(a)});
    result.push_back({b, title_b, std::nullopt, margins(b)});
    result.push_back({difference, title_of_difference, gaps});
    return result;
}

std::optional<ComparedMatrices> comparedMatrices(const Trace& a, const Trace& b, const Comparison& comparison,
                                                 int batch, int head, const ColorChoice& choice,
                                                 const HeldColors* held) {
    const Stage* of_a = a.find(comparison.difference.name);
    const Stage* of_b = b.find(comparison.difference.name);
    if (!of_a || !of_b)
        return std::nullopt;
    auto matrix_a = sliceOf(a, *of_a, batch, head);
    auto matrix_b = sliceOf(b, *of_b, batch, head);
    auto difference = sliceOf(a, comparison.difference, batch, head);
    if (!matrix_a || !matrix_b || !difference)
        return std::nullopt;
    blockWhereBothBlock(*difference, *matrix_a, *matrix_b);
    const bool has_batches = !of_a->axes.empty() && of_a->axes.front() == Axis::Batch;
    return ComparedMatrices{std::move(*matrix_a),
                            std::move(*matrix_b),
                            std::move(*difference),
                            scaleForBoth({a, *of_a, b, *of_b}, batch, choice, held),
                            scaleOfGaps(comparison.difference, batch, has_batches),
                            holdsWeights(*of_a)};
}

namespace {

constexpr int bars_margin = 4;

} // namespace

DivergenceBars::DivergenceBars(HeatmapView& heatmap, QWidget* parent) : QWidget(parent), heatmap_(heatmap) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&heatmap_, &HeatmapView::positionChanged, this, qOverload<>(&QWidget::update));
    describe();
}

void DivergenceBars::setRows(std::vector<double> rows, Of of) {
    rows_ = std::move(rows);
    of_ = of;
    largest_ = 0.0;
    for (const double row : rows_)
        if (std::isfinite(row))
            largest_ = std::max(largest_, row);
    describe();
    update();
}

QSize DivergenceBars::sizeHint() const { return {3 * fontMetrics().height(), 3 * fontMetrics().height()}; }

QRectF DivergenceBars::barRect(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size()))
        return {};
    const double value = rows_[static_cast<std::size_t>(row)];
    const QRect visible = heatmap_.visibleCells();
    if (std::isnan(value) || row < visible.top() || row > visible.bottom())
        return {};
    const QRectF cell = heatmap_.cellRect({row, visible.left()});
    const double gap = std::min(2.0, cell.height() / 6.0);
    const double room = width() - 2.0 * bars_margin;
    const double share = std::isinf(value) ? 1.0 : largest_ > 0.0 ? value / largest_ : 0.0;
    // A row with a tiny difference still has a visible bar.
    return {static_cast<double>(bars_margin), cell.top() + gap, std::max(1.0, share * room), cell.height() - 2.0 * gap};
}

QString DivergenceBars::textOf(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size()))
        return {};
    const double value = rows_[static_cast<std::size_t>(row)];
    const QString label = heatmap_.matrix().rowLabel(row);
    if (of_ == Of::Error)
        return std::isnan(value) ? tr("%1: no finite number").arg(label)
                                 : tr("%1: at most %2 apart").arg(label, numberText(value));
    if (std::isnan(value))
        return tr("%1: no distribution").arg(label);
    if (std::isinf(value))
        return tr("%1: infinite, B has a 0 where A reads").arg(label);
    return tr("%1: %2 nats").arg(label, numberText(value));
}

void DivergenceBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& look = theme();
    const auto marked = heatmap_.crosshair() ? heatmap_.crosshair() : heatmap_.pinned();
    const QRect visible = heatmap_.visibleCells();
    for (int row = visible.top(); row <= visible.bottom(); ++row) {
        const QRectF bar = barRect(row);
        if (bar.isEmpty())
            continue;
        const bool infinite = std::isinf(rows_[static_cast<std::size_t>(row)]);
        painter.fillRect(bar, infinite ? look.warning_soft : marked && marked->row == row ? look.pin : look.muted);
        if (infinite) {
            painter.setPen(look.warning_text);
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (infinite && bar.height() >= fontMetrics().height() * 0.7) {
            painter.drawText(bar, Qt::AlignCenter, QStringLiteral("∞"));
        }
    }
}

bool DivergenceBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const QPoint position = tipPosition(*event);
    const QRect visible = heatmap_.visibleCells();
    QString text;
    for (int row = visible.top(); row <= visible.bottom() && text.isEmpty(); ++row) {
        const QRectF cell = heatmap_.cellRect({row, visible.left()});
        if (position.y() >= cell.top() && position.y() < cell.bottom())
            text = textOf(row);
    }
    showTip(*event, text, *this);
    return true;
}

void DivergenceBars::describe() {
    constexpr int read_aloud = 32;
    setAccessibleName(of_ == Of::Error ? tr("Largest error of each row") : tr("KL of A from B, for each row"));
    QStringList texts;
    for (int row = 0; row < std::min(read_aloud, static_cast<int>(rows_.size())); ++row)
        texts << textOf(row);
    setAccessibleDescription(texts.join(QLatin1Char('\n')));
}

namespace {

/// Whether names of rows or columns in sight are left out, for want of room.
bool leavesOutNames(const HeatmapView& heatmap) {
    const MatrixAxes axes = heatmap.source().axes();
    const QRect cells = heatmap.visibleCells();
    return (!axes.rows.labels.isEmpty() && heatmap.visibleRowLabels().size() < cells.height()) ||
           (!axes.columns.labels.isEmpty() && heatmap.visibleColumnLabels().size() < cells.width());
}

/// Without titles, since the strip and the table of inputs show what rows and columns are: leaves the room to the
/// cells.
MatrixData untitled(MatrixData matrix) {
    matrix.row_title.clear();
    matrix.column_title.clear();
    return matrix;
}

} // namespace

CompareView::CompareView(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), bars_title_(mutedLabel(this)), legend_(mutedLabel(this)), error_(new QWidget(this)),
      error_words_(new StateBox(error_, StateBox::Place::Middle)) {
    for (std::size_t i = 0; i < 3; ++i) {
        titles_[i] = mutedLabel(this, true);
        heatmaps_[i] = new HeatmapView(this);
        heatmaps_[i]->setAtTop(true);
        setAccessibleLabelOf(*titles_[i], *heatmaps_[i]);
        link(heatmaps_[i]);
    }
    words_ = new StateBox(difference(), StateBox::Place::Middle);
    bars_ = new DivergenceBars(*difference(), this);
    build();
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        for (auto* heatmap : heatmaps_)
            heatmap->setCrosshair(cell);
        bars_->update();
    });
    connect(&view_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        for (auto* heatmap : heatmaps_)
            heatmap->setPinned(cell);
        bars_->update();
    });
}

void CompareView::build() {
    error_->hide();
    legend_->hide();
    legend_->setText(tr("◥ masked in one of both"));
    legend_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bars_title_->setAlignment(Qt::AlignCenter);
    setTabOrder(heatmaps_[0], heatmaps_[1]);
    setTabOrder(heatmaps_[1], heatmaps_[2]);
}

QSize CompareView::sizeHint() const { return QSize(60, 18) * fontMetrics().height(); }
QSize CompareView::minimumSizeHint() const { return QSize(24, 8) * fontMetrics().height(); }

void CompareView::layOut() {
    chooseLayout();
    for (std::size_t i = 0; i < 3; ++i)
        titles_[i]->setText(heatmaps_[i]->isVisibleTo(this) && leavesOutNames(*heatmaps_[i])
                                ? tr("%1 · not every name has room").arg(texts_[i])
                                : texts_[i]);
}

/// Three in a row are compared most easily; A above B is for views in which that makes their cells much larger, or
/// those of the difference where theirs stay about as they are, or where it is wider than high and gets numbers.
void CompareView::chooseLayout() {
    const bool complete = !error_->isVisibleTo(this);
    if (!complete) {
        a()->setLabelSize(std::nullopt);
        is_stacked_ = false;
        return layOutParts();
    }
    is_stacked_ = false;
    layOutLabels();
    const MatrixAxes axes = difference()->source().axes();
    const bool is_wide = axes.columns.count > axes.rows.count;
    if (2 * height() <= width() && !is_wide)
        return;
    const double beside = a()->fittedCell(), change_beside = difference()->fittedCell();
    is_stacked_ = true;
    layOutLabels();
    constexpr double much = 1.25, about = 0.9, large = 240.0; // pixels of a side
    const double stacked = a()->fittedCell(), change_stacked = difference()->fittedCell();
    constexpr double least_for_numbers = 0.6;
    const bool brings_numbers = is_wide && !difference()->isLegible(change_beside) &&
                                difference()->isLegible(change_stacked) && stacked >= least_for_numbers * beside;
    if (prefers_stack_ || brings_numbers || stacked > much * beside ||
        (stacked >= about * beside && stacked * a()->tableRows() >= large && change_stacked > much * change_beside))
        return;
    is_stacked_ = false;
    layOutLabels();
}

/// Labels of one size in all three, the smaller one where that keeps column labels horizontal, or shows every one.
void CompareView::layOutLabels() {
    const auto lay_out = [this](double size) {
        for (auto* heatmap : heatmaps_) {
            heatmap->setUpright(std::nullopt);
            heatmap->setLabelSize(size);
        }
        layOutParts();
        layOutParts(); // what is beside the cells depends on the room of before
        if (std::ranges::none_of(heatmaps_, &HeatmapView::columnsAreTurned))
            return;
        const bool leaning = std::ranges::none_of(heatmaps_, &HeatmapView::columnsAreUpright);
        const double before = a()->fittedCell();
        const auto set_upright = [this](std::optional<bool> upright) {
            for (auto* heatmap : heatmaps_) // cells of equal size need labels of equal height
                heatmap->setUpright(upright);
            layOutParts();
            layOutParts();
        };
        set_upright(true); // leaning ones take room beside the cells
        if (leaning && a()->fittedCell() <= before)
            set_upright(std::nullopt);
    };
    const auto are_flat = [this] { return std::ranges::none_of(heatmaps_, &HeatmapView::columnsAreTurned); };
    const auto are_all = [this] { return std::ranges::all_of(heatmaps_, &HeatmapView::labelsEveryRow); };
    lay_out(1.0);
    if (are_flat())
        return;
    const bool were_all = are_all();
    lay_out(HeatmapView::smaller_labels);
    if (!are_flat() && (were_all || !are_all()))
        lay_out(1.0);
}

/// What is beside cells: row labels and colour bars, once for neighbours that can share them.
void CompareView::showSides() {
    const bool complete = !error_->isVisibleTo(this), stacked = is_stacked_;
    // A has its own colour bar while B, which shows the common one, is hidden.
    a()->setSides(true, !complete);
    b()->setSides(stacked, true);
    difference()->setSides(stacked, true);
}

void CompareView::layOutParts() {
    constexpr int margin = 8;
    showSides();
    const int line = titles_[0]->sizeHint().height() + 2;
    const int below = legend_->isVisibleTo(this) ? line : 0;
    const QRect area = rect().adjusted(margin, 0, -margin, -below);
    legend_->setGeometry(area.left(), area.bottom() + 1, area.width(), below);
    const bool has_bars = !error_->isVisibleTo(this) && bars_->isVisibleTo(this);
    const int bars_width = has_bars ? std::max(bars_->sizeHint().width(), bars_title_->sizeHint().width() + 4) : 0;
    bars_title_->setGeometry(area.right() - bars_width + 1, 0, bars_width, line);
    bars_->setGeometry(area.right() - bars_width + 1, line, bars_width, area.height() - line);
    if (is_stacked_)
        layOutStack(area.adjusted(0, 0, -bars_width, 0), line);
    else
        layOutRow(area.adjusted(0, 0, -bars_width, 0), line);
}

/// By hand: cells of equal size require widgets of different widths, depending on the parts beside the cells.
void CompareView::layOutRow(const QRect& area, int line) {
    const int height = area.height() - line;
    const bool complete = !error_->isVisibleTo(this);
    // Rounds up, or a missing pixel would reduce all cells of one view by a pixel.
    const auto sides_of = [](const HeatmapView* heatmap) { return static_cast<int>(std::ceil(heatmap->sidesWidth())); };
    const int sides = sides_of(a()) + sides_of(b()) + sides_of(difference());
    const int cells = std::max(1, (area.width() - sides) / 3);
    int x = area.left();
    for (std::size_t i = 0; i < 3; ++i) {
        const int width = complete ? cells + sides_of(heatmaps_[i]) : area.width() / 3;
        titles_[i]->setGeometry(x, 0, width, line);
        heatmaps_[i]->setGeometry(x, line, width, height);
        x += width;
    }
    error_->setGeometry(area.left() + area.width() / 3, line, area.width() - area.width() / 3, height);
}

/// Square cells of A and B fill the height of two; the difference has the rest of the width.
void CompareView::layOutStack(const QRect& area, int line) {
    const int half = area.height() / 2;
    const auto sides_of = [](const HeatmapView* heatmap) { return static_cast<int>(std::ceil(heatmap->sidesWidth())); };
    const int left = std::min(area.width() * 9 / 20, half - line + sides_of(b()));
    for (std::size_t i = 0; i < 2; ++i) {
        const int top = static_cast<int>(i) * half;
        titles_[i]->setGeometry(area.left(), top, left, line);
        const int width = left - sides_of(b()) + sides_of(heatmaps_[i]); // cells of A above those of B
        heatmaps_[i]->setGeometry(area.left(), top + line, width, half - line);
    }
    titles_[2]->setGeometry(area.left() + left, 0, area.width() - left, line);
    heatmaps_[2]->setGeometry(area.left() + left, line, area.width() - left, area.height() - line);
}

void CompareView::setPrefersStack(bool prefers) {
    prefers_stack_ = prefers;
    layOut();
}

void CompareView::link(HeatmapView* heatmap) {
    connect(heatmap, &HeatmapView::positionChanged, this, [this, heatmap](const ViewPosition& position) {
        for (auto* other : heatmaps_)
            if (other != heatmap)
                other->setPosition(position);
    });
    connect(heatmap, &HeatmapView::cellHovered, &view_, &ViewState::setHovered);
    connect(heatmap, &HeatmapView::cellClicked, &view_, &ViewState::setPinned);
    connect(heatmap, &HeatmapView::unpinned, this, [this] { view_.setPinned({}); });
}

void CompareView::setTitles(const QString& a, const QString& b, const QString& difference) {
    texts_ = {a, b, difference};
    for (std::size_t i = 0; i < 3; ++i) {
        titles_[i]->setText(texts_[i]);
        titles_[i]->setToolTip(texts_[i]);
        titles_[i]->setAccessibleName(texts_[i]);
    }
    layOut();
}

void CompareView::showPair(bool complete) {
    error_->setVisible(!complete);
    for (QWidget* part : std::initializer_list<QWidget*>{b(), difference(), titles_[1], titles_[2]})
        part->setVisible(complete);
    showSides();
}

void CompareView::setMatrices(const ComparedMatrices& matrices, std::vector<double> rows, DivergenceBars::Of of) {
    // Matrices of another shape reset the view: a view with the new one must not follow one that still has the old one.
    const std::array quiet{QSignalBlocker(a()), QSignalBlocker(b()), QSignalBlocker(difference())};
    a()->setMatrix(untitled(matrices.a), matrices.values);
    b()->setMatrix(untitled(matrices.b), matrices.values);
    difference()->setMatrix(untitled(matrices.difference), matrices.gaps);
    for (auto* heatmap : heatmaps_) {
        heatmap->setPosition(a()->position());
        heatmap->setCrosshair(view_.hovered());
        heatmap->setPinned(view_.pinned());
    }
    for (std::size_t i = 0; i < 3; ++i)
        heatmaps_[i]->setCaption(texts_[i]);
    showPair(true);
    a()->show();
    const bool errors = of == DivergenceBars::Of::Error;
    bars_title_->setText(errors ? tr("By row") : tr("KL(A‖B)"));
    bars_title_->setToolTip(errors ? tr("The largest error of each row") : divergenceHelp(rows));
    legend_->setVisible(matrices.difference.blocked_in_one.size() > 0);
    bars_->setVisible(!rows.empty());
    bars_title_->setVisible(!rows.empty());
    bars_->setRows(std::move(rows), of);
    layOut();
}

void CompareView::setProblem(const std::optional<MatrixData>& a, const ColorScale& scale, const PictureState& why) {
    error_words_->setState(why);
    showPair(false);
    bars_->setRows({});
    bars_->hide();
    bars_title_->hide();
    legend_->hide();
    this->a()->setVisible(a.has_value());
    if (a)
        this->a()->setMatrix(untitled(*a), scale);
    layOut();
}

/// What the column beside the difference is, and its scale.
QString CompareView::divergenceHelp(const std::vector<double>& rows) {
    double largest = 0.0;
    bool is_infinite = false;
    for (const double row : rows) {
        is_infinite = is_infinite || std::isinf(row);
        largest = std::isfinite(row) ? std::max(largest, row) : largest;
    }
    QStringList lines{tr(
        "Kullback–Leibler divergence of each row, Σ a ln(a/b) in nats: how badly B stands in for A there. 0: equal")};
    if (largest > 0.0)
        lines << tr("The longest bar: %1 nats").arg(numberText(largest, 3));
    if (is_infinite)
        lines << tr("∞: B has a 0 where A reads, as under another mask");
    return lines.join(QLatin1Char('\n'));
}

QString CompareView::legend() const { return legend_->isVisibleTo(this) ? legend_->text() : QString(); }
QString CompareView::barsHelp() const { return bars_title_->toolTip(); }
QString CompareView::error() const { return error_->isHidden() ? QString() : error_words_->state().what; }

void CompareView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        layOut();
    QWidget::changeEvent(event);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

} // namespace attnlab::ui
