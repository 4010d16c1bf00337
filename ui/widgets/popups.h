// Message boxes, popups and tooltips.
#pragma once

#include <QFrame>
#include <QList>
#include <QMessageBox>
#include <QRect>
#include <QString>
#include <utility>

namespace attnlab::ui {

struct BoxText {
    QString title;
    QString text;
    QString details = {}; ///< below the text: what would be lost
};

/// Waits for one of `buttons`; `usual` is the default for Enter. All text is plain text.
QMessageBox::StandardButton ask(QWidget* window, const BoxText& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton usual);

/// The same with custom buttons, in order, and Cancel; the first is the default. Returns the index of the chosen one,
/// or -1.
int askForChoice(QWidget* window, const BoxText& text,
                 const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons);

/// A popup with controls, such as the options of a button.
/// Closes on Escape and on a click outside, which also does what it does there, except on the anchor: that one has
/// opened the popup, and would open it again.
class Popup : public QFrame {
    Q_OBJECT
public:
    explicit Popup(QWidget* parent);

    /// Opens below `anchor`, a rectangle in global coordinates, or above it where the screen ends; focuses the first
    /// control.
    void openAt(const QRect& anchor);
    void openBelow(const QWidget& anchor);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    QRect anchor_;
};

} // namespace attnlab::ui

// Tooltips for the item under the mouse in a widget that paints several.

class QEvent;
class QWidget;

namespace attnlab::ui {

/// The position of a QEvent::ToolTip, in the widget's coordinates.
QPoint tipPosition(const QEvent& event);
/// Answers a QEvent::ToolTip with plain text; hides the tooltip if that is empty. It stays while the mouse is in
/// `place`, unless that is empty.
void showTip(QEvent& event, const QString& text, QWidget& widget, const QRect& place = {});

} // namespace attnlab::ui
