// The tray of an operation: its controls in one row, over what is below.
#pragma once

#include "ui/widgets/card.h"

#include <QPointer>

class QShortcut;

namespace attnlab::ui {

/// All trays have one frame and one height. A click outside, Escape and the button that opened it close it; the click
/// also does what it does there.
class ToolTray : public PlainCard {
    Q_OBJECT
public:
    explicit ToolTray(const QString& name, QWidget* parent = nullptr);

    /// Opens, or closes if it is open. `opener` is the button that it belongs to.
    void toggle(QWidget& opener);
    void close();
    bool isOpen() const { return opener_ != nullptr; }
    /// Presses on this part do not close it.
    void setCanvas(const QWidget* canvas) { canvas_ = canvas; }
    /// Whether opening gives the first control the focus; initially it does.
    void setTakesFocus(bool takes) { takes_focus_ = takes; }

    QSize sizeHint() const override;

signals:
    void openChanged(bool open);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void focusFirst();

    QPointer<QWidget> opener_; ///< null while it is closed
    QPointer<const QWidget> canvas_;
    QShortcut* escape_;
    bool takes_focus_ = true;
};

} // namespace attnlab::ui
