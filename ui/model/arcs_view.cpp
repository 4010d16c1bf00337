#include "ui/model/arcs_view.h"

#include "ui/drawing/arcs.h"
#include "ui/drawing/attention_drawings.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPaintEvent>

namespace attnlab::ui {

ArcsView::ArcsView(QWidget* parent) : HeadView(parent), arcs_(new HeadArcs) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* room = new FittingScrollArea(arcs_, FittingScrollArea::Scrolls::Both);
    column->addWidget(room);
    connect(arcs_, &HeadArcs::queryChosen, this, &HeadView::rowChosen);
    connect(arcs_, &HeadArcs::wordsChanged, this, &HeadView::noteChanged);
    connect(arcs_, &HeadArcs::moved, room, [room](const QRect& chip) {
        room->ensureVisible(chip.center().x(), chip.center().y(), 0, 2 * chip.height());
    });
}

void ArcsView::setHead(const SelectedHeadPtr& head, const QString&) {
    head_ = head && head->weights ? head : nullptr;
    arcs_->setWeights(head_ ? head_->weights : nullptr);
}

void ArcsView::setRow(std::optional<int> query, const explain::Reading&) { arcs_->setQuery(query); }

QString ArcsView::note() const {
    const QString words = arcs_->words();
    return words.isEmpty() ? words : tr("Grey: the other words · %1").arg(words);
}

std::optional<Figure> ArcsView::figure() const {
    const auto shown = matrix();
    if (!shown)
        return std::nullopt;
    auto drawing = std::make_shared<LinesDrawing>();
    drawing->matrix = *shown;
    if (const auto spot = arcs_->spot(); spot && spot->side == HeadArcs::Side::Queries)
        drawing->query = spot->token;
    return Figure(std::move(drawing));
}

std::optional<MatrixData> ArcsView::matrix() const {
    return head_ ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : std::nullopt;
}

namespace {

constexpr int row_gap = 4, narrowest_middle = 80;
constexpr double least_weight = 0.02;
constexpr std::size_t most_named = 3;

} // namespace

HeadArcs::HeadArcs(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    declareShortcuts(*this, {tr("Lines between tokens"),
                             {{tr("Up, Down, Home, End"), tr("Go from token to token")},
                              {tr("Left, Right"), tr("Change to queries, to keys")}}});
    setAccessibleRole(*this, QAccessible::Chart);
    setAccessibleDescription(tr("Up and Down choose a token, Left and Right change between queries and keys"));
    describe();
}

void HeadArcs::setWeights(const ComputedPtr& computed) {
    const auto before = std::move(tokens_);
    computed_ = computed;
    tokens_ = computed_ ? RibbonTokens(computed_->trace, *computed_->trace.find("weights")) : RibbonTokens();
    hovered_.reset();
    if (!(before == tokens_))
        chosen_.reset();
    collect();
    measure();
    describe();
    update();
}

double HeadArcs::weight(int query, int key) const {
    return computed_->trace.find("weights")->value.at({0, 0, query, key});
}

void HeadArcs::collect() {
    lines_.clear();
    if (!computed_)
        return;
    const auto weights = matrix_at(computed_->trace.find("weights")->value, 0);
    for (int query = 0; query < tokens_.count(Side::Queries); ++query)
        for (int key = 0; key < tokens_.count(Side::Keys); ++key)
            if (const double read = weights(query, key); std::abs(read) >= least_weight) // not NaN
                lines_.push_back({query, key, read});
    std::ranges::stable_sort(lines_, {}, [](const Line& line) { return std::abs(line.weight); });
}

void HeadArcs::measure() {
    chip_width_ = 0;
    for (const Side side : {Side::Queries, Side::Keys})
        for (int token = 0; token < tokens_.count(side); ++token)
            chip_width_ = std::max(chip_width_, chipWidth(fontMetrics(), tokens_.shown(side, token)));
    setMinimumHeight(sizeHint().height());
    updateGeometry();
}

int HeadArcs::rowHeight() const { return chipHeight(fontMetrics()) + row_gap; }

QSize HeadArcs::sizeHint() const {
    const int rows = std::max(tokens_.count(Side::Queries), tokens_.count(Side::Keys));
    return {2 * chip_width_ + 2 * narrowest_middle, rows * rowHeight()};
}

QSize HeadArcs::minimumSizeHint() const { return {2 * chip_width_ + narrowest_middle, rowHeight()}; }

QRectF HeadArcs::chipRect(const Spot& spot) const {
    const double width = chipWidth(fontMetrics(), tokens_.shown(spot.side, spot.token));
    const double left = spot.side == Side::Queries ? chip_width_ - width : this->width() - chip_width_;
    const int top = spot.token * rowHeight() + row_gap / 2;
    return {left, static_cast<double>(top), width, static_cast<double>(chipHeight(fontMetrics()))};
}

double HeadArcs::lineWidth(int query, int key) const {
    const double part = computed_ ? weight(query, key) : 0.0;
    return std::abs(part) >= least_weight ? arcWidth(part) : 0.0;
}

std::optional<HeadArcs::Spot> HeadArcs::spotAt(const QPointF& position) const {
    const int token = static_cast<int>(std::floor(position.y() / rowHeight()));
    const Side side = position.x() <= chip_width_ ? Side::Queries : Side::Keys;
    const bool beside = side == Side::Queries || position.x() >= width() - chip_width_;
    return beside && token >= 0 && token < tokens_.count(side) ? std::optional(Spot{side, token}) : std::nullopt;
}

void HeadArcs::setQuery(std::optional<int> query) {
    const auto next =
        query && *query < tokens_.count(Side::Queries) ? std::optional(Spot{Side::Queries, *query}) : std::nullopt;
    if (next == chosen_ || (chosen_ && chosen_->side == Side::Keys && hasFocus()))
        return;
    chosen_ = next;
    describe();
    update();
}

void HeadArcs::hover(std::optional<Spot> spot) {
    if (spot == hovered_)
        return;
    hovered_ = spot;
    describe();
    update();
}

void HeadArcs::choose(const Spot& spot) {
    chosen_ = spot;
    hovered_.reset();
    describe();
    update();
    emit moved(chipRect(spot).toRect());
    if (spot.side == Side::Queries)
        emit queryChosen(spot.token);
}

QString HeadArcs::words() const {
    const auto of = spot();
    if (!of || !computed_)
        return {};
    const bool reads = of->side == Side::Queries;
    const Side other = reads ? Side::Keys : Side::Queries;
    std::vector<std::pair<double, int>> read;
    for (int token = 0; token < tokens_.count(other); ++token)
        if (const double part = reads ? weight(of->token, token) : weight(token, of->token); std::abs(part) > 0.0)
            read.emplace_back(part, token);
    std::ranges::stable_sort(read, std::ranges::greater{}, [](const auto& one) { return one.first; });
    QStringList parts;
    for (const auto& [part, token] : read)
        if (parts.size() < static_cast<qsizetype>(most_named))
            parts << tr("%1 %2").arg(tokens_.full(other, token), textOf(explain::share_text(part)));
    const QString name = tokens_.full(of->side, of->token), list = parts.join(QStringLiteral(", "));
    if (reads)
        return parts.isEmpty() ? tr("%1 reads no token").arg(name) : tr("%1 reads %2").arg(name, list);
    return parts.isEmpty() ? tr("%1 is read by no token").arg(name) : tr("%1 is read by %2").arg(name, list);
}

void HeadArcs::describe() {
    const QString text = words();
    setAccessibleName(text.isEmpty() ? tr("Lines between tokens") : text);
    emit wordsChanged();
}

void HeadArcs::mouseMoveEvent(QMouseEvent* event) { hover(spotAt(event->position())); }

void HeadArcs::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hover({});
}

void HeadArcs::mousePressEvent(QMouseEvent* event) {
    if (const auto spot = spotAt(event->position()); spot && event->button() == Qt::LeftButton)
        choose(*spot);
}

void HeadArcs::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    Spot spot = chosen_.value_or(Spot{});
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        spot.side = key == Qt::Key_Left ? Side::Queries : Side::Keys;
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        spot.token += chosen_ ? (key == Qt::Key_Up ? -1 : 1) : 0;
    else if (key == Qt::Key_Home || key == Qt::Key_End)
        spot.token = key == Qt::Key_Home ? 0 : tokens_.count(spot.side) - 1;
    else
        return QWidget::keyPressEvent(event);
    spot.token = std::clamp(spot.token, 0, std::max(0, tokens_.count(spot.side) - 1));
    if (tokens_.count(spot.side) > 0)
        choose(spot);
}

void HeadArcs::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
}

bool HeadArcs::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto spot = spotAt(tipPosition(*event));
        showTip(*event, spot ? words() : QString(), *this, spot ? chipRect(*spot).toRect() : QRect());
        return true;
    }
    return QWidget::event(event);
}

// Paints chips and lines.

bool HeadArcs::touches(const Line& line, const Spot& spot) const {
    return (spot.side == Side::Queries ? line.query : line.key) == spot.token;
}

void HeadArcs::paintLine(QPainter& painter, const Line& line, bool dimmed) const {
    const QPen pen = arcPen(line.weight, theme(), true);
    painter.setPen(dimmed ? fainterPen(pen, theme()) : pen);
    painter.drawPath(curveBetween({chip_width_ + 1.0, chipRect({Side::Queries, line.query}).center().y()},
                                  {width() - chip_width_ - 1.0, chipRect({Side::Keys, line.key}).center().y()},
                                  Qt::Horizontal));
}

void HeadArcs::paintLines(QPainter& painter, const QRectF& exposed) const {
    painter.setBrush(Qt::NoBrush);
    const auto marked = spot();
    const auto is_in_sight = [&](const Line& line) {
        const auto [low, high] = std::minmax(line.query, line.key);
        return (high + 1) * rowHeight() >= exposed.top() && low * rowHeight() <= exposed.bottom();
    };
    for (const bool dimmed : {true, false})
        for (const auto& line : lines_)
            if (is_in_sight(line) && dimmed == (marked && !touches(line, *marked)))
                paintLine(painter, line, dimmed);
}

void HeadArcs::paintChips(QPainter& painter, Side side, const QRectF& exposed) const {
    const int first = std::max(0, static_cast<int>(exposed.top()) / rowHeight());
    const int last = std::min(tokens_.count(side) - 1, static_cast<int>(exposed.bottom()) / rowHeight());
    for (int token = first; token <= last; ++token) {
        const Spot spot{side, token};
        paintChip(painter, chipRect(spot), tokens_.shown(side, token),
                  ChipState{.hovered = spot == hovered_,
                            .chosen = spot == chosen_,
                            .focused = hasFocus() && spot == chosen_.value_or(Spot{}),
                            .start = tokens_.isStart(side, token)});
    }
}

void HeadArcs::paintEvent(QPaintEvent* event) {
    if (!computed_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLines(painter, event->rect());
    paintChips(painter, Side::Queries, event->rect());
    paintChips(painter, Side::Keys, event->rect());
}

} // namespace attnlab::ui
