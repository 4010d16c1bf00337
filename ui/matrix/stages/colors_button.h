// The button that shows the colours of the large heatmap and opens their options.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"

#include <QToolButton>

namespace attnlab::ui {

class Popup;
class RangeBar;

/// "viridis · log". A click opens the RangeBar in a popup.
class ColorsButton : public QToolButton {
    Q_OBJECT
public:
    explicit ColorsButton(ViewState& view, QWidget* parent = nullptr);

    /// The displayed scale.
    void setScale(const ColorScale& scale);
    /// Opens the options at a rectangle in global coordinates, such as that of the colour bar.
    void openAt(const QRect& anchor);

    RangeBar* rangeBar() const { return bar_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& view_;
    ColorScale scale_;
    Popup* popup_;
    RangeBar* bar_;
};

} // namespace attnlab::ui
