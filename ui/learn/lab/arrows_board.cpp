#include "ui/learn/lab/arrows_board.h"

#include "core/lab/arrows.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/markdown_label.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double key_step = 0.1;
constexpr double usual_reach = 3.0;

std::string_view nameOf(ArrowKind kind) {
    return kind == ArrowKind::Query ? "query" : kind == ArrowKind::Key ? "key" : "value";
}

} // namespace

ArrowsCanvas::ArrowsCanvas(QWidget* parent) : DrawingCanvas(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Queries, keys and values as arrows"));
    declareKeys(*this, {tr("Arrows of a head"),
                        {{tr("Enter, Shift + Enter"), tr("Next or previous arrow")},
                         {tr("Arrow keys"), tr("Move the arrow; with Shift all of its kind")}}});
}

void ArrowsCanvas::setArrows(std::optional<ArrowsDrawing> arrows) {
    const auto marked = arrows_.marked;
    shown_ = arrows.has_value();
    arrows_ = shown_ ? std::move(*arrows) : ArrowsDrawing();
    const auto tips = arrows_.tips();
    if (marked && std::ranges::find(tips, *marked) != tips.end())
        arrows_.marked = marked;
    setAccessibleDescription(shown_ ? arrows_.words() : QString());
    setDrawing(shown_ ? &arrows_ : nullptr);
}

void ArrowsCanvas::setMovable(bool on) { movable_ = on; }

void ArrowsCanvas::mark(std::optional<ArrowTip> tip) {
    if (arrows_.marked == tip)
        return;
    arrows_.marked = tip;
    setAccessibleDescription(tip ? arrows_.textOf(*tip) : arrows_.words());
    update();
}

void ArrowsCanvas::mousePressEvent(QMouseEvent* event) {
    DrawingCanvas::mousePressEvent(event);
    if (!shown_ || event->button() != Qt::LeftButton)
        return;
    held_ = arrows_.tipAt(event->position(), area(), font());
    mark(held_);
    if (held_ && held_->kind == ArrowKind::Query)
        emit queryChosen(held_->row);
    if (!movable_)
        held_.reset();
}

void ArrowsCanvas::mouseMoveEvent(QMouseEvent* event) {
    DrawingCanvas::mouseMoveEvent(event);
    if (!shown_)
        return;
    if (!held_) {
        const bool taken = arrows_.tipAt(event->position(), area(), font()).has_value();
        setCursor(taken && movable_ ? Qt::OpenHandCursor : taken ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPointF to = arrows_.pointAt(event->position(), held_->kind, area(), font());
    emit moved(*held_, to, event->modifiers() & Qt::ShiftModifier);
}

void ArrowsCanvas::mouseReleaseEvent(QMouseEvent* event) {
    DrawingCanvas::mouseReleaseEvent(event);
    held_.reset();
}

void ArrowsCanvas::keyPressEvent(QKeyEvent* event) {
    const auto tips = arrows_.tips();
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    if (!tips.empty() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        const auto found = arrows_.marked ? std::ranges::find(tips, *arrows_.marked) : tips.end();
        const auto count = static_cast<std::ptrdiff_t>(tips.size());
        const auto next =
            found == tips.end() ? (shift ? count - 1 : 0) : (found - tips.begin() + (shift ? count - 1 : 1)) % count;
        const auto tip = tips[static_cast<std::size_t>(next)];
        mark(tip);
        if (tip.kind == ArrowKind::Query)
            emit queryChosen(tip.row);
    } else if (const QPointF by = event->key() == Qt::Key_Left    ? QPointF(-key_step, 0)
                                  : event->key() == Qt::Key_Right ? QPointF(key_step, 0)
                                  : event->key() == Qt::Key_Up    ? QPointF(0, key_step)
                                  : event->key() == Qt::Key_Down  ? QPointF(0, -key_step)
                                                                  : QPointF();
               !tips.empty() && !by.isNull() && arrows_.marked && movable_) {
        emit moved(*arrows_.marked, arrows_.tipOf(*arrows_.marked) + by, shift);
    } else {
        DrawingCanvas::keyPressEvent(event);
    }
}

ArrowsBoard::ArrowsBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), caption_(new MarkdownLabel(this)), error_(mutedLabel(this)),
      hint_(mutedLabel(this)), canvas_(new ArrowsCanvas(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(new LabControls(model, this));
    column->addWidget(caption_);
    column->addWidget(error_, 1);
    column->addWidget(canvas_, 1);
    column->addWidget(hint_);
    error_->setWordWrap(true);
    error_->setAlignment(Qt::AlignCenter);
    hint_->setWordWrap(true);
    hint_->setText(tr("Drag the tips of arrows. With Shift, all arrows of a kind move together."));
    connect(&model_, &SceneModel::computed, this, &ArrowsBoard::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &ArrowsBoard::refresh);
    connect(&model_, &SceneModel::failed, this, &ArrowsBoard::refresh);
    connect(canvas_, &ArrowsCanvas::queryChosen, this, [this](int row) {
        auto view = model_.view();
        view.query = row;
        model_.setView(std::move(view));
    });
    connect(canvas_, &ArrowsCanvas::moved, this, [this](const ArrowTip& tip, QPointF to, bool all) {
        model_.setScene(lab::with_moved_arrow(model_.scene(), nameOf(tip.kind), tip.row, to.x(), to.y(), reach(), all));
    });
    refresh();
}

double ArrowsBoard::reach() const {
    const auto& axis = model_.view().axis;
    return axis ? std::max(std::abs(axis->low), std::abs(axis->high)) : usual_reach;
}

void ArrowsBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

QString ArrowsBoard::error() const { return error_->isHidden() ? QString() : error_->text(); }

std::shared_ptr<const Drawing> ArrowsBoard::picture() const {
    if (!canvas_->hasArrows())
        return nullptr;
    auto picture = std::make_shared<ArrowsDrawing>(canvas_->arrows());
    picture->marked.reset();
    return picture;
}

void ArrowsBoard::refresh() {
    const auto& settings = model_.computedScene().settings;
    const auto found = std::ranges::find(settings, model_.view().setting, &lab::SceneSetting::id);
    const auto index = static_cast<std::size_t>(found == settings.end() ? 0 : found - settings.begin());
    QString why;
    std::optional<ArrowsDrawing> arrows;
    if (const auto result = model_.result(); result && index < result->settings.size()) {
        const auto& setting = result->settings[index];
        if (setting.error)
            why = translated(*setting.error);
        else if (const auto reason = lab::why_no_arrows(setting.trace))
            why = translated(*reason);
        else
            arrows = ArrowsDrawing::of(setting.trace, static_cast<int>(model_.view().query), reach());
    }
    const bool movable = model_.view().is_live(lab::BoardControl::Cells);
    canvas_->setMovable(movable);
    canvas_->setVisible(arrows.has_value());
    canvas_->setArrows(std::move(arrows));
    hint_->setVisible(movable && canvas_->hasArrows());
    caption_->setSource(index < settings.size() ? words_.value(QString::fromStdString(settings[index].id)) : QString());
    caption_->setVisible(canvas_->hasArrows() && !caption_->source().isEmpty());
    error_->setText(why);
    error_->setVisible(!canvas_->hasArrows());
}

void ArrowsBoard::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
