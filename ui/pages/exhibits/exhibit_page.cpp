#include "ui/pages/exhibits/exhibit_page.h"

#include "ui/drawing/drawing_canvas.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/wrapped_label.h"

#include <QEvent>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace attnlab::ui {

ExhibitPage::ExhibitPage(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), tools_(new FlowLayout(nullptr, 10, 4)),
      column_(new QVBoxLayout(this)), canvas_(new DrawingCanvas),
      scroll_(new ScrollRoom(canvas_, ScrollRoom::Scrolls::Both, this)), words_(new WrappedLabel(this)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Always two lines: the text changes with every step, and the drawing must not move.
    words_->setMinimumHeight(2 * words_->fontMetrics().lineSpacing());
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    canvas_->installEventFilter(this);
    connect(canvas_, &DrawingCanvas::pointed, this, [this](std::optional<QPointF> position) { point(position); });
    connect(canvas_, &DrawingCanvas::clicked, this, [this](QPointF position) { click(position); });

    tools_->addWidget(title_);
    tools_->setAlignment(title_, Qt::AlignVCenter);
    tools_->setFilling(title_);
    column_->setContentsMargins(10, 8, 10, 8);
    column_->setSpacing(6);
    column_->addLayout(tools_);
    column_->addWidget(scroll_, 1);
    column_->addWidget(words_);
}

QString ExhibitPage::title() const { return title_->text(); }
QString ExhibitPage::words() const { return words_->text(); }

void ExhibitPage::setTitle(const QString& title) {
    title_->setText(title);
    canvas_->setAccessibleName(title);
}

void ExhibitPage::setWords(const QString& words) {
    words_->setText(words);
    canvas_->setAccessibleDescription(words);
}

void ExhibitPage::reveal(const QRectF& part) {
    scroll_->fit();
    const QPoint centre = part.center().toPoint();
    scroll_->ensureVisible(centre.x(), centre.y(), static_cast<int>(part.width() / 2) + 10,
                           static_cast<int>(part.height() / 2) + 10);
}

std::optional<DrawingSequence> ExhibitPage::sequence() const { return std::nullopt; }

bool ExhibitPage::pressKey(int) { return false; }
void ExhibitPage::point(std::optional<QPointF>) {}
void ExhibitPage::click(QPointF) {}

void ExhibitPage::paintEvent(QPaintEvent*) { paintCard(*this); }

void ExhibitPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        words_->setMinimumHeight(2 * words_->fontMetrics().lineSpacing());
}

bool ExhibitPage::eventFilter(QObject* watched, QEvent* event) {
    // Otherwise the scroll area would consume the arrow keys.
    if (watched == canvas_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & ~Qt::KeypadModifier) && pressKey(key->key()))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace attnlab::ui
