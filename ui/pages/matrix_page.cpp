#include "ui/pages/matrix_page.h"

#include "core/stages/view.h"
#include "ui/document/background_files.h"
#include "ui/drawing/matrix_data.h"
#include "ui/export/export.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/matrix_header.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr std::int64_t jump_from = 64; ///< rows or columns: fewer are found without a search field

} // namespace

MatrixPage::MatrixPage(ViewState& view, LargeInputs* large, QWidget* parent)
    : Page(parent), view_(view), large_(large), header_(new MatrixHeader(view, this)), heatmap_(new HeatmapView(this)),
      held_(new ScaleChip(view, heatmap_)), empty_(new QWidget(this)),
      empty_words_(new StateBox(empty_, StateBox::Place::Middle)),
      cancelled_(new StateBox(this, StateBox::Place::Layout)), pages_(new QStackedLayout) {
    build();
    connectAll();
    if (large_)
        connectMap();
    refresh();
}

void MatrixPage::build() {
    setFocusProxy(heatmap_);
    pages_->addWidget(heatmap_);
    heatmap_->setCorner(held_);
    pages_->addWidget(empty_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(4);
    column->addWidget(header_);
    column->addWidget(cancelled_);
    column->addLayout(pages_, 1);
    const QList<QWidget*> order = header_->tools() + QList<QWidget*>{computeButton(), heatmap_};
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void MatrixPage::connectAll() {
    connect(&view_, &ViewState::stageChanged, this, [this] {
        heatmap_->fadeToNext();
        refresh();
    });
    connect(&view_, &ViewState::sliceChanged, this, [this] {
        if (!showsMap()) // a map comes when it is computed
            heatmap_->fadeToNext();
        refresh();
    });
    connect(&view_, &ViewState::colorsChanged, this, [this] { showsMap() ? refreshMapColors() : refresh(); });
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        heatmap_->setCrosshair(cell);
        refreshSubtitle();
    });
    connect(&view_, &ViewState::pinnedChanged, heatmap_, &HeatmapView::setPinned);
    colorsButton()->popup()->openAtColorBarOf(*heatmap_);
    connect(heatmap_, &HeatmapView::cellHovered, &view_, &ViewState::setHovered);
    connect(heatmap_, &HeatmapView::cellClicked, &view_, &ViewState::setPinned);
    connect(heatmap_, &HeatmapView::unpinned, this, [this] { view_.setPinned({}); });
    connect(batchPicker(), &QComboBox::activated, this, [this](int index) { view_.setBatch(index); });
    connect(headPicker(), &QComboBox::activated, this,
            [this](int index) { view_.setHead(headPicker()->itemData(index).toInt()); });
    connect(viewPicker(), &QComboBox::activated, this,
            [this](int index) { emit viewChosen(viewPicker()->itemData(index).toString()); });
    connect(header_->jumpField(), &QLineEdit::returnPressed, this, &MatrixPage::jump);
    connect(header_, &MatrixHeader::zoomClicked, this, &MatrixPage::zoom);
}

void MatrixPage::connectMap() {
    const MapSession& session = large_->session();
    connect(large_, &LargeInputs::opened, this, [this] {
        refreshMapState();
        refresh();
    });
    connect(large_, &LargeInputs::closed, this, [this] {
        refreshMapState();
        refresh();
    });
    connect(poolPicker(), &QComboBox::activated, this,
            [this] { large_->setPool(static_cast<Pool>(poolPicker()->currentData().toInt())); });
    connect(large_, &LargeInputs::choiceChanged, this, [this] {
        refreshMapState();
        heatmap_->setMessage({}); // an existing map is shown in a moment
        refresh();
    });
    connect(large_->source(), &MatrixSource::changed, this, &MatrixPage::refreshSubtitle);
    connect(&session, &MapSession::ready, this, &MatrixPage::refreshMapColors);
    connect(&session, &MapSession::partReady, this, &MatrixPage::refreshMapColors);
    connect(&session, &MapSession::started, this, &MatrixPage::refreshMapState);
    connect(&session, &MapSession::progressed, this, [this](double fraction) {
        heatmap_->setMessage(tr("Computing the map… %1").arg(progressText(fraction)), PictureState::Look::Loading);
    });
    connect(&session, &MapSession::failed, this,
            [this](const Message& why) { heatmap_->setMessage(translated(why), PictureState::Look::Error); });
    connect(large_, &LargeInputs::cancelled, this, &MatrixPage::refreshMapState);
    connect(large_, &LargeInputs::resumed, this, &MatrixPage::refreshMapState);
    connect(cancelled_, &StateBox::clicked, large_, &LargeInputs::resume);
    refreshMapState();
}

/// Says whether the map is being computed or was cancelled.
void MatrixPage::refreshMapState() {
    const QString cancelled = cancelledText();
    cancelled_->setState(cancelled.isEmpty()
                             ? PictureState()
                             : PictureState{PictureState::Look::Empty, cancelled, {}, tr("Compute the map")});
    if (showsMap())
        heatmap_->setMessage(cancelled.isEmpty() ? tr("Computing the map…") : QString(), PictureState::Look::Loading);
}

QString MatrixPage::cancelledText() const {
    if (!showsMap() || !large_->isCancelled())
        return {};
    return large_->session().parts().empty()
               ? tr("The computation of this map was cancelled: nothing of it is computed yet")
               : tr("Incomplete: the computation of this map was cancelled, and only a part of it is shown");
}

bool MatrixPage::showsMap() const { return large_ && large_->isOpen(); }

void MatrixPage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    if (computed_ && view_.batch() >= sizeOf(computed_->trace).batches)
        view_.setBatch(0);
    refresh();
}

RangeBar* MatrixPage::rangeBar() const { return colorsButton()->rangeBar(); }

QLineEdit* MatrixPage::jumpField() const { return header_->jumpField(); }

void MatrixPage::setHeadsBeside(bool beside) {
    heads_beside_ = beside;
    refreshPickers();
}

void MatrixPage::setLow(bool low) { header_->setZoomVisible(!low); }

const Stage* MatrixPage::shownStage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

int MatrixPage::shownHead() const {
    if (showsMap())
        return static_cast<int>(large_->session().choice().head);
    return computed_ ? std::min(view_.head(), sizeOf(computed_->trace).heads - 1) : view_.head();
}

void MatrixPage::refresh() {
    refreshPickers();
    showsMap() ? refreshMap() : refreshStage();
    const MatrixAxes axes = heatmap_->source().axes();
    jumpField()->setVisible(pages_->currentWidget() == heatmap_ &&
                            std::max(axes.rows.count, axes.columns.count) >= jump_from);
    poolPicker()->setVisible(showsMap());
    refreshViews();
    refreshTitle();
}

void MatrixPage::refreshViews() {
    const Stage* stage = showsMap() ? nullptr : shownStage();
    const Stage* weights = stage ? computed_->trace.beside(*stage, "weights") : nullptr;
    QList<MatrixHeader::WeightsChoice> choices;
    const bool shows_view = stage && shortNameOf(*stage) == "view";
    if (!weights || (!shows_view && stage != weights))
        return header_->offerViews({}, {});
    choices.push_back({{}, tr("weights"), tr("As they mix the values"), {}});
    const auto& chosen = problem_.spec.view;
    for (const auto& view : weights_views()) {
        const bool is_shown = chosen.substr(0, chosen.find(':')) == view.id;
        const auto refusal = refusal_of_view(view.id, problem_, computed_->trace, *weights);
        choices.push_back({textOf(is_shown ? std::string_view(chosen) : view.id),
                           translated({view.title,
                                       {is_shown && view.id == "no_sink" && chosen.size() > view.id.size()
                                            ? chosen.substr(view.id.size() + 1)
                                            : std::string("0")}}),
                           translated(view.help), refusal ? translated(*refusal) : QString()});
    }
    header_->offerViews(choices, shows_view ? textOf(chosen) : QString());
}

void MatrixPage::refreshStage() {
    const Stage* stage = shownStage();
    auto matrix = stage ? sliceOf(computed_->trace, *stage, view_.batch(), shownHead()) : std::nullopt;
    empty_words_->setState({PictureState::Look::Empty, emptyText()});
    pages_->setCurrentWidget(matrix ? static_cast<QWidget*>(heatmap_) : empty_);
    header_->setZoomEnabled(matrix.has_value());
    if (!matrix)
        return;
    const ColorScale scale = shownScale(computed_->trace, *stage, view_.batch(), view_);
    colorsButton()->setScale(scale);
    held_->setScale(scale, stage->name);
    heatmap_->setMatrix(std::move(*matrix), scale);
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
}

void MatrixPage::refreshMap() {
    pages_->setCurrentWidget(heatmap_);
    header_->setZoomEnabled(true);
    poolPicker()->setCurrentIndex(poolPicker()->findData(static_cast<int>(large_->session().choice().pool)));
    heatmap_->setSource(large_->source());
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
    refreshMapColors();
}

void MatrixPage::refreshMapColors() {
    const MapSession& session = large_->session();
    if (!showsMap() || (!session.pyramid() && session.parts().empty()))
        return;
    const ColorScale scale = session.scaleFor(view_.colors());
    colorsButton()->setScale(scale);
    held_->setScale(scale);
    heatmap_->setScale(scale);
    refreshSubtitle();
}

void MatrixPage::refreshPickers() {
    TraceSize size;
    if (showsMap())
        size = {static_cast<int>(large_->batches()), static_cast<int>(large_->heads())};
    else if (computed_)
        size = sizeOf(computed_->trace);
    header_->offer(size, !showsMap(), heads_beside_); // a map has no mean of heads
    header_->choose(showsMap() ? static_cast<int>(large_->session().choice().batch) : view_.batch(), shownHead());
}

QString MatrixPage::title() const {
    if (showsMap())
        return large_->heads() > 1 ? tr("weights · head %1").arg(shownHead()) : tr("weights");
    const Stage* stage = shownStage();
    return stage ? stageTitle(computed_->trace, *stage, view_.batch(), shownHead()) : QString();
}

CellRect MatrixPage::visibleCellRange() const {
    const QRect cells = heatmap_->visibleCells();
    return {cells.top(), cells.top() + cells.height(), cells.left(), cells.left() + cells.width()};
}

QString MatrixPage::copyVisibleCells() {
    const auto pyramid = large_->session().pyramid();
    if (!pyramid)
        return {};
    const CellRect seen = visibleCellRange();
    if (seen.rows() * seen.columns() > most_copied_cells)
        return tr("%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.")
            .arg(seen.rows())
            .arg(seen.columns());
    const auto grid = grid_of(seen, seen.rows(), seen.columns());
    ui::copyMatrix(matrixOfBins(pyramid->map().pool(grid, Pool::Max), grid, Pool::Max));
    return tr("The weights in sight are on the clipboard");
}

QString MatrixPage::copyMatrix() { return showsMap() ? copyVisibleCells() : Page::copyMatrix(); }

QString MatrixPage::copyPicture() {
    if (!showsMap())
        return Page::copyPicture();
    const auto pyramid = large_->session().pyramid();
    if (!pyramid)
        return {};
    auto picture = mapPicture();
    picture.cells = visibleCellRange();
    auto figure = std::make_shared<std::optional<Figure>>();
    const auto make = [figure, picture, map = pyramid->shared_map()](const RunControl& control) {
        *figure = mapFigure(*map, picture, control);
    };
    const auto outcome = workInBackground(this, tr("Copying…"), make, handling_failed);
    if (!outcome.ok())
        return outcome.error ? translated(*outcome.error) : QString();
    ui::copyPicture(**figure, picture.figure);
    return pictureCopied();
}

std::optional<NamedMatrix> MatrixPage::shownMatrix() const {
    return shownStage() ? std::optional<NamedMatrix>({heatmap_->matrix(), title()}) : std::nullopt;
}

std::optional<StyledFigure> MatrixPage::shownFigure() const {
    if (!shownStage())
        return std::nullopt;
    StyledFigure shown{{heatmap_->matrix(), heatmap_->colorScale()}, {}};
    shown.options.title = title();
    return shown;
}

std::optional<ExportSubject> MatrixPage::exportedMap() const {
    const auto pyramid = large_->session().pyramid();
    if (!pyramid)
        return std::nullopt;
    return mapExport(pyramid->shared_map(), visibleCellRange(), mapPicture());
}

MapPicture MatrixPage::mapPicture() const {
    MapPicture picture;
    picture.pool = large_->session().choice().pool;
    picture.colors = large_->session().colorsFor(view_.colors());
    picture.figure.title = title();
    return picture;
}

std::optional<ExportSubject> MatrixPage::exportSubject() const {
    if (showsMap())
        return exportedMap();
    const Stage* stage = shownStage();
    if (!stage)
        return std::nullopt;
    const auto pinned = view_.pinned();
    return stageExport(computed_,
                       {stage->name, view_.batch(), view_.head(), choiceLike(view_.colors(), heatmap_->colorScale()),
                        pinned ? std::optional(pinned->row) : std::nullopt},
                       title());
}

std::string MatrixPage::markedStage() const {
    if (showsMap())
        return "weights";
    return shownStage() ? shownStage()->name : std::string();
}

QString MatrixPage::emptyText() const {
    if (showsMap())
        return {};
    if (!shownStage())
        return tr("Nothing computed yet");
    return shownStage()->value.size() == 0 ? tr("%1 is empty").arg(QString::fromStdString(shownStage()->name))
                                           : QString();
}

void MatrixPage::refreshTitle() {
    const Stage* stage = showsMap() ? nullptr : shownStage();
    header_->setTitle(title(), stage ? roleOf(stage->name) : std::nullopt);
    heatmap_->setCaption(title());
    refreshSubtitle();
}

void MatrixPage::refreshSubtitle() {
    const MatrixAxes axes = heatmap_->source().axes();
    const Stage* stage = showsMap() ? nullptr : shownStage();
    QString usual = stage ? formulaText(stage->formula) : QString();
    if (showsMap())
        usual = tr("%1 × %2 cells", "queries x keys").arg(axes.rows.count).arg(axes.columns.count);
    // The cell under the mouse or the keyboard cursor; otherwise the formula.
    const auto cell = heatmap_->crosshair();
    const bool has_cell =
        (stage || showsMap()) && cell && cell->row < axes.rows.count && cell->column < axes.columns.count;
    header_->setSubtitle(usual, has_cell ? heatmap_->cellText(*cell) : QString());
}

QString MatrixPage::subtitle() const { return header_->subtitle(); }

void MatrixPage::jump() {
    const auto cell = header_->jumpField()->cellIn(heatmap_->source().axes());
    if (!cell)
        return;
    heatmap_->showCell(*cell);
    view_.setPinned(*cell);
    heatmap_->setFocus();
}

void MatrixPage::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
