#include "ui/pages/compare/map_comparison.h"

#include "ui/document/background_files.h"
#include "ui/export/export.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int same_head = -1;

} // namespace

MapComparison::MapComparison(LargeInputs& large, ViewState& view, QWidget* parent)
    : QWidget(parent), large_(large), view_(view), source_(session_), sides_(new SegmentSwitch(this)),
      pool_(new QComboBox(this)), head_of_b_(new QComboBox(this)), note_(new ElidedLabel(this)),
      heatmap_(new HeatmapView(this)) {
    build();
    connectAll();
}

void MapComparison::build() {
    sides_->setUsesScrollButtons(false);
    for (const QString& name : {tr("A"), tr("B"), tr("B − A")})
        sides_->addTab(name);
    sides_->setAccessibleName(tr("Which of the maps is shown"));
    sides_->setCurrentIndex(static_cast<int>(MapSide::Difference));
    pool_->addItem(tr("Mean"), static_cast<int>(Pool::Mean));
    pool_->addItem(tr("Largest"), static_cast<int>(Pool::Max));
    pool_->setAccessibleName(tr("What a pixel shows of its cells"));
    pool_->setToolTip(pool_->accessibleName());
    head_of_b_->setAccessibleName(tr("Head of B"));
    head_of_b_->setToolTip(tr("The head of B that is compared with the chosen head of A"));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setMinimumWidth(1);
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    heatmap_->setSource(&source_);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (QWidget* tool : std::initializer_list<QWidget*>{sides_, pool_, head_of_b_})
        row->addWidget(tool, 0, Qt::AlignVCenter);
    row->addWidget(note_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(heatmap_, 1);
}

void MapComparison::connectAll() {
    connect(sides_, &QTabBar::currentChanged, this, &MapComparison::showChoice);
    connect(pool_, &QComboBox::activated, this, &MapComparison::showChoice);
    connect(head_of_b_, &QComboBox::activated, this, &MapComparison::showChoice);
    connect(&view_, &ViewState::sliceChanged, this, &MapComparison::showChoice);
    connect(&view_, &ViewState::colorsChanged, this, &MapComparison::refreshColors);
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        heatmap_->setCrosshair(cell);
        refreshNote();
    });
    connect(&view_, &ViewState::pinnedChanged, heatmap_, &HeatmapView::setPinned);
    connect(heatmap_, &HeatmapView::cellHovered, &view_, &ViewState::setHovered);
    connect(heatmap_, &HeatmapView::cellClicked, &view_, &ViewState::setPinned);
    connect(heatmap_, &HeatmapView::unpinned, this, [this] { view_.setPinned({}); });
    connect(&source_, &MatrixSource::changed, this, &MapComparison::refreshNote);
    connect(&session_, &MapSession::progressed, this, [this](double fraction) {
        heatmap_->setMessage(tr("Computing both maps… %1").arg(progressText(fraction)), PictureState::Look::Loading);
    });
    connect(&session_, &MapSession::ready, this, [this] {
        refreshColors();
        source_.renew();
        emit settled();
    });
    connect(&session_, &MapSession::failed, this, [this](const Message& why) {
        heatmap_->setMessage(translated(why), PictureState::Look::Error);
        emit settled();
    });
}

void MapComparison::compare(const AttentionProblem& problem, const AttentionSpec& b) {
    AttentionProblem of_a = problem;
    of_a.compared_with.reset();
    AttentionProblem of_b = of_a;
    of_b.spec = b;
    if (session_.isOpen() && of_a == a_ && of_b == b_)
        return;
    a_ = std::move(of_a);
    b_ = std::move(of_b);
    const MatrixAxes axes = large_.source()->axes();
    source_.setShape(axes.rows.count, axes.columns.count, axes.rows.labels, axes.columns.labels);
    if (const int heads = static_cast<int>(large_.heads()); head_of_b_->count() != heads + 1) {
        head_of_b_->clear();
        head_of_b_->addItem(tr("the same head"), same_head);
        for (int head = 0; head < heads; ++head)
            head_of_b_->addItem(tr("head %1 of B").arg(head), head);
        head_of_b_->setVisible(heads > 1);
    }
    session_.setEngine(large_.session().engine());
    session_.open(a_, b_);
    heatmap_->setMessage(tr("Computing both maps…"), PictureState::Look::Loading);
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
    heatmap_->setSource(&source_);
    showChoice();
}

void MapComparison::close() {
    if (!session_.isOpen())
        return;
    session_.close();
    a_ = {};
    b_ = {};
    source_.renew(); // releases the maps
}

MapSide MapComparison::side() const { return static_cast<MapSide>(sides_->currentIndex()); }

int MapComparison::headA() const {
    return std::clamp(view_.head(), 0, std::max(0, static_cast<int>(large_.heads()) - 1));
}

/// The head and batch of the ViewState, with what is chosen here.
void MapComparison::showChoice() {
    const int other = head_of_b_->currentData().toInt();
    const int head_of_b = head_of_b_->count() == 0 || other == same_head ? headA() : other;
    session_.show({std::clamp<std::int64_t>(view_.batch(), 0, std::max<std::int64_t>(0, large_.batches() - 1)), headA(),
                   static_cast<Pool>(pool_->currentData().toInt()), side(), head_of_b});
    heatmap_->setCaption(title());
    source_.renew();
    refreshNote();
}

void MapComparison::refreshColors() {
    if (!session_.pyramid())
        return;
    heatmap_->setScale(side() == MapSide::Difference ? session_.differenceScale() : session_.scaleFor(view_.colors()));
    refreshNote();
}

QString MapComparison::title() const {
    const auto& choice = session_.choice();
    const QString names[] = {tr("A"), tr("B"), tr("B − A")};
    const QString& name = names[static_cast<int>(choice.side)];
    if (large_.heads() < 2)
        return tr("%1: weights", "A, B or B − A").arg(name);
    if (choice.side != MapSide::Difference || choice.head == choice.head_of_b)
        return tr("%1: weights · head %2", "A, B or B − A")
            .arg(name)
            .arg(choice.side == MapSide::B ? choice.head_of_b : choice.head);
    return tr("B − A: weights · head %1 of B, head %2 of A").arg(choice.head_of_b).arg(choice.head);
}

void MapComparison::refreshNote() {
    const auto cell = heatmap_->crosshair();
    const MatrixAxes axes = source_.axes();
    const QString of_cell = cell && cell->row < axes.rows.count && cell->column < axes.columns.count
                                ? heatmap_->cellText(*cell)
                                : QString();
    const bool means = session_.choice().pool == Pool::Mean;
    const QString usual =
        side() != MapSide::Difference ? tr("A and B have one scale")
        : means                       ? tr("Mean of B − A over the cells of a pixel; a blocked cell counts as 0")
                : tr("Largest weight of B in a pixel less the largest of A, which may be of another cell");
    note_->setText(of_cell.isEmpty() ? usual : of_cell);
    note_->setToolTip(usual);
}

QString MapComparison::note() const { return note_->text(); }

CellRect MapComparison::visibleCellRange() const {
    const QRect cells = heatmap_->visibleCells();
    return {cells.top(), cells.top() + cells.height(), cells.left(), cells.left() + cells.width()};
}

MapPicture MapComparison::picture() const {
    const auto& choice = session_.choice();
    MapPicture picture;
    picture.pool = choice.pool;
    picture.a = session_.comparedMap();
    picture.side = choice.side;
    picture.head_of_b = static_cast<int>(choice.head_of_b);
    if (!picture.a)
        picture.colors = session_.colorsFor(view_.colors());
    picture.figure.title = title();
    return picture;
}

QString MapComparison::copyMatrix() {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return {};
    const CellRect seen = visibleCellRange();
    if (seen.rows() * seen.columns() > most_copied_cells)
        return tr("%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.")
            .arg(seen.rows())
            .arg(seen.columns());
    auto cells = picture();
    cells.cells = seen;
    cells.rows = seen.rows();
    cells.columns = seen.columns();
    ui::copyMatrix(mapFigure(pyramid->map(), cells).panels.front().matrix);
    return tr("The numbers in sight are on the clipboard");
}

QString MapComparison::copyPicture() {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return {};
    auto shown = picture();
    shown.cells = visibleCellRange();
    auto figure = std::make_shared<std::optional<Figure>>();
    const auto make = [figure, shown, map = pyramid->shared_map()](const RunControl& control) {
        *figure = mapFigure(*map, shown, control);
    };
    const auto outcome = workInBackground(this, tr("Copying…"), make, handling_failed);
    if (!outcome.ok())
        return outcome.error ? translated(*outcome.error) : QString();
    ui::copyPicture(**figure, shown.figure);
    return tr("The picture is on the clipboard");
}

std::optional<ExportSubject> MapComparison::exportSubject() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return std::nullopt;
    return mapExport(pyramid->shared_map(), visibleCellRange(), picture());
}

} // namespace attnlab::ui
