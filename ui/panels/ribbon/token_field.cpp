#include "ui/panels/ribbon/token_field.h"

#include "ui/panels/ribbon/token_arcs.h"

#include <algorithm>
#include <QEvent>
#include <QKeyEvent>

namespace attnlab::ui {
namespace {

constexpr int fewest_letters = 4, most_letters = 24, beside_text = 24;

} // namespace

TokenField::TokenField(TokenArcs& arcs, RibbonTokens::Side side, int token, const QString& text)
    : QLineEdit(text, &arcs), arcs_(arcs), side_(side), token_(token) {
    place();
    selectAll();
    show();
    setFocus(Qt::OtherFocusReason);
    arcs.installEventFilter(this);
    connect(this, &QLineEdit::textChanged, this, &TokenField::place);
    connect(this, &QLineEdit::editingFinished, this, &TokenField::take);
}

TokenField::~TokenField() { disconnect(); } // a focused field finishes editing in its destructor

/// As wide as its text needs, so that it hides no more chips than it must.
void TokenField::place() {
    const QFontMetrics metrics = fontMetrics();
    const int letter = metrics.averageCharWidth();
    QRect box = arcs_.chipRect(side_, token_).toAlignedRect();
    const int words =
        std::clamp(metrics.horizontalAdvance(text()), fewest_letters * letter, most_letters * letter) + beside_text;
    const QPoint middle = box.center();
    box.setSize({std::min(std::max(box.width(), words), arcs_.width()), std::max(box.height(), sizeHint().height())});
    box.moveCenter({box.center().x(), middle.y()});
    box.moveBottom(std::min(box.bottom(), arcs_.height() - 1));
    box.moveRight(std::min(box.right(), arcs_.width() - 1));
    box.moveLeft(std::max(box.left(), 0));
    if (box != geometry())
        setGeometry(box);
}

/// The chips may get their room later, and they scroll.
bool TokenField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Paint)
        QMetaObject::invokeMethod(this, &TokenField::place, Qt::QueuedConnection);
    return QLineEdit::eventFilter(watched, event);
}

void TokenField::drop() {
    disconnect();
    if (hasFocus())
        arcs_.setFocus(Qt::OtherFocusReason);
    hide();
    deleteLater();
}

void TokenField::take() {
    const QString words = text().trimmed();
    disconnect(this, &QLineEdit::editingFinished, nullptr, nullptr); // Enter, and then the focus goes
    if (isModified())
        emit taken(words);
    drop();
}

void TokenField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return drop();
    QLineEdit::keyPressEvent(event);
}

/// Qt says nothing where no letter was typed.
void TokenField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        take();
}

} // namespace attnlab::ui
