#include "ui/map/map_page.h"

#include "core/resolved_problem.h"
#include "ui/card.h"
#include "ui/elided_label.h"
#include "ui/export/export.h"
#include "ui/flow_layout.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/map/map_colors.h"
#include "ui/map/map_export.h"
#include "ui/stages/range_bar.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// A number within `count`, or the first token of that name.
std::optional<int> indexOf(const QString& word, std::int64_t count, const QStringList& labels) {
    bool number = false;
    const qlonglong index = word.toLongLong(&number);
    if (number)
        return index >= 0 && index < count ? std::optional(static_cast<int>(index)) : std::nullopt;
    const auto found = labels.indexOf(word);
    return found < 0 ? std::nullopt : std::optional(static_cast<int>(found));
}

} // namespace

std::optional<Cell> cellOfText(const QString& text, std::int64_t rows, std::int64_t columns,
                               const QStringList& row_labels, const QStringList& column_labels) {
    const auto words = text.split(QLatin1Char(','));
    if (words.size() > 2)
        return std::nullopt;
    const auto row = indexOf(words[0].trimmed(), rows, row_labels);
    const auto column = words.size() == 2 ? indexOf(words[1].trimmed(), columns, column_labels)
                                          : std::optional(std::min(row.value_or(0), static_cast<int>(columns) - 1));
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

MapPage::MapPage(MapSession& session, ViewState& view, QWidget* parent)
    : Page(parent), session_(session), view_(view), rows_(new RowReader(this)), title_(new ElidedLabel(this)),
      cell_(mutedLabel(this)), batch_(new QComboBox(this)), head_(new QComboBox(this)), pool_(new QComboBox(this)),
      range_bar_(new RangeBar(view, this)), jump_(new QLineEdit(this)), zoom_out_(new QToolButton(this)),
      fit_(new QToolButton(this)), zoom_in_(new QToolButton(this)), map_(new MapView(session, this)) {
    build();
    rest_.setSingleShot(true);
    rest_.setInterval(120);
    connect(&rest_, &QTimer::timeout, this, &MapPage::readRow);
    connect(rows_, &RowReader::rowRead, this, &MapPage::rowRead);
    connect(&session_, &MapSession::ready, this, [this] {
        refreshColors();
        readRow();
    });
    connect(&session_, &MapSession::partReady, this, &MapPage::refreshColors);
    connect(&session_, &MapSession::started, this, [this] { map_->setMessage(tr("Computing the map…")); });
    connect(&session_, &MapSession::progressed, this, [this](double fraction) {
        map_->setMessage(tr("Computing the map… %1 %").arg(static_cast<int>(fraction * 100.0)));
    });
    connect(&session_, &MapSession::failed, this, [this](const Message& why) { map_->setMessage(translated(why)); });
    connect(batch_, &QComboBox::activated, &view_, &ViewState::setBatch);
    connect(head_, &QComboBox::activated, &view_, &ViewState::setHead);
    connect(pool_, &QComboBox::activated, this, &MapPage::showChoice);
    connect(&view_, &ViewState::sliceChanged, this, &MapPage::showChoice);
    connect(&view_, &ViewState::colorsChanged, this, &MapPage::refreshColors);
    connect(&view_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        map_->setPinned(cell);
        readRow();
    });
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        map_->setCrosshair(cell);
        refreshTitle();
    });
    connect(map_, &MapView::cellHovered, this, [this](std::optional<Cell> cell) {
        view_.setHovered(cell);
        if (cell && !view_.pinned())
            rest_.start();
    });
    connect(map_, &MapView::cellClicked, this,
            [this](Cell cell) { view_.setPinned(view_.pinned() == cell ? std::nullopt : std::optional(cell)); });
    connect(jump_, &QLineEdit::returnPressed, this, &MapPage::jump);
    connect(jump_, &QLineEdit::textEdited, this, [this] { jump_->setPalette(palette()); });
    connect(zoom_in_, &QToolButton::clicked, map_, &MapView::zoomIn);
    connect(zoom_out_, &QToolButton::clicked, map_, &MapView::zoomOut);
    connect(fit_, &QToolButton::clicked, map_, &MapView::zoomToFit);
    retranslate();
}

void MapPage::build() {
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    cell_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pool_->addItem({}, static_cast<int>(Pool::Max));
    pool_->addItem({}, static_cast<int>(Pool::Mean));
    zoom_out_->setIcon(icon(QStringLiteral("zoom-out")));
    fit_->setIcon(icon(QStringLiteral("zoom-fit")));
    zoom_in_->setIcon(icon(QStringLiteral("zoom-in")));
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setAutoRaise(true);
    jump_->setMaximumWidth(fontMetrics().averageCharWidth() * 22);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(10);
    heading->addWidget(title_);
    heading->addWidget(cell_, 1);
    heading->addWidget(batch_);
    heading->addWidget(head_);
    auto* tools = new FlowLayout;
    tools->addWidget(pool_);
    tools->addWidget(range_bar_);
    tools->setFilling(range_bar_);
    tools->addWidget(jump_);
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        tools->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addLayout(heading);
    column->addLayout(tools);
    column->addWidget(map_, 1);
}

QString MapPage::copyMatrix() {
    constexpr std::int64_t most_cells = 1'000'000;
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return {};
    const CellRect seen = map_->frame().visibleCells();
    if (seen.rows() * seen.columns() > most_cells)
        return tr("%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.")
            .arg(seen.rows())
            .arg(seen.columns());
    const auto grid = grid_of(seen, seen.rows(), seen.columns());
    ui::copyMatrix(matrixOfBins(pyramid->map().pool(grid, Pool::Max), grid, Pool::Max));
    return tr("The weights in sight are on the clipboard");
}

QString MapPage::copyPicture() {
    QGuiApplication::clipboard()->setPixmap(map_->grab());
    return pictureCopied();
}

std::optional<ExportSubject> MapPage::exportSubject() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return std::nullopt;
    MapPicture like;
    like.pool = session_.choice().pool;
    like.colors = view_.colors();
    like.figure.dark = theme().dark;
    like.figure.title = title();
    return mapExport(pyramid->shared_map(), map_->frame().visibleCells(), like);
}

void MapPage::open(const AttentionProblem& problem) {
    const auto sizes = resolve(problem).sizes;
    const auto L = sizes.at("L"), S = sizes.at("S");
    batches_ = sizes.at("B");
    heads_ = sizes.at("H");
    row_labels_ = textsOf(problem.query_tokens);
    column_labels_ = problem.key_tokens.empty() && L == S ? row_labels_ : textsOf(problem.key_tokens);
    map_->setMessage(tr("Computing the map…"));
    rows_->setProblem(problem);
    refreshPickers();
    session_.open(problem);
    map_->setMap(L, S, row_labels_, column_labels_);
    showChoice();
}

void MapPage::close() {
    rest_.stop();
    rows_->cancel();
    session_.close();
    map_->refresh(); // lets go of what it shows
}

void MapPage::refreshPickers() {
    const auto fill = [](QComboBox* box, std::int64_t count, const QString& text) {
        box->clear();
        for (std::int64_t i = 0; i < count; ++i)
            box->addItem(text.arg(i));
        box->setVisible(count > 1);
    };
    fill(batch_, batches_, tr("Batch %1"));
    fill(head_, heads_, tr("Head %1"));
}

/// The batch, head and pooling on show follow the pickers and the ViewState.
void MapPage::showChoice() {
    const auto within = [](int index, std::int64_t count) {
        return std::clamp<std::int64_t>(index, 0, count - 1); // there is no mean of heads here: head 0 stands in
    };
    const MapChoice choice{within(view_.batch(), batches_), within(view_.head(), heads_),
                           static_cast<Pool>(pool_->currentData().toInt())};
    batch_->setCurrentIndex(static_cast<int>(choice.batch));
    head_->setCurrentIndex(static_cast<int>(choice.head));
    if (choice != session_.choice())
        map_->setMessage({}); // a map that is there already is shown in a moment
    session_.show(choice);
    refreshTitle();
    map_->refresh();
}

void MapPage::refreshColors() {
    if (!session_.pyramid() && session_.parts().empty())
        return;
    const ColorScale scale = mapScale(view_.colors(), session_.range());
    range_bar_->setScale(scale);
    map_->setScale(scale);
}

QString MapPage::title() const {
    return heads_ > 1 ? tr("weights · head %1").arg(session_.choice().head) : tr("weights");
}

void MapPage::refreshTitle() {
    title_->setText(title());
    const auto cell = map_->crosshair();
    const QString text =
        cell ? map_->textOf(*cell)
             : tr("%1 × %2 cells", "queries x keys").arg(map_->frame().rows()).arg(map_->frame().columns());
    cell_->setText(text);
}

void MapPage::jump() {
    const auto cell =
        cellOfText(jump_->text(), map_->frame().rows(), map_->frame().columns(), row_labels_, column_labels_);
    QPalette colors = palette();
    if (!cell)
        colors.setColor(QPalette::Text, theme().error_text);
    jump_->setPalette(colors);
    if (!cell)
        return;
    map_->showCell(*cell);
    view_.setPinned(*cell);
    map_->setFocus();
}

void MapPage::readRow() {
    const auto pyramid = session_.pyramid();
    const auto cell = view_.pinned() ? view_.pinned() : view_.hovered();
    if (pyramid && cell && cell->row < map_->frame().rows())
        rows_->read(pyramid->shared_map(), session_.choice().batch, session_.choice().head, cell->row);
}

void MapPage::retranslate() {
    batch_->setAccessibleName(tr("Batch"));
    head_->setAccessibleName(tr("Head"));
    pool_->setAccessibleName(tr("What a pixel shows of its cells"));
    pool_->setToolTip(pool_->accessibleName());
    pool_->setItemText(0, tr("Largest"));
    pool_->setItemText(1, tr("Mean"));
    jump_->setPlaceholderText(tr("Row, column"));
    jump_->setAccessibleName(tr("Jump to a cell"));
    jump_->setToolTip(tr("Jump to a cell: row and column by number or token, separated by a comma"));
    zoom_in_->setAccessibleName(tr("Zoom in"));
    zoom_out_->setAccessibleName(tr("Zoom out"));
    fit_->setAccessibleName(tr("Fit to window"));
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setToolTip(button->accessibleName());
    map_->setAccessibleName(tr("Map of the weights"));
    const int batch = batch_->currentIndex(), head = head_->currentIndex();
    refreshPickers();
    batch_->setCurrentIndex(batch);
    head_->setCurrentIndex(head);
    refreshTitle();
}

void MapPage::paintEvent(QPaintEvent*) { paintCard(*this); }

void MapPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
