// The colours of heatmaps: a button that shows them, and their options, which also open at a colour bar.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/widgets/popups.h"

#include <QIcon>
#include <QToolButton>
#include <QWidget>

namespace attnlab::ui {

class HeatmapView;
class RangeBar;

/// The options of the colours in a popup.
class ColorsPopup : public Popup {
public:
    ColorsPopup(ViewState& view, QWidget* parent);

    /// A click on the colour bar of the heatmap opens the options there.
    void openAtColorBarOf(HeatmapView& heatmap);

    RangeBar* rangeBar() const { return bar_; }

private:
    RangeBar* bar_;
};

/// "viridis · log". A click opens the options.
class ColorsButton : public QToolButton {
    Q_OBJECT
public:
    explicit ColorsButton(ViewState& view, QWidget* parent = nullptr);

    /// The displayed scale.
    void setScale(const ColorScale& scale);

    ColorsPopup* popup() const { return popup_; }
    RangeBar* rangeBar() const { return popup_->rangeBar(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& view_;
    ColorScale scale_;
    ColorsPopup* popup_;
};

} // namespace attnlab::ui

// Colour options of the large heatmap: colormap, logarithm, range.

class QComboBox;
class QLineEdit;
class QToolButton;

namespace attnlab::ui {

QString colormapTitle(const Colormap& map);
/// Its colours from left to right.
QIcon colormapIcon(const Colormap& map, QSize size);

/// Shows and edits ViewState::colors(). Locking starts from the displayed range.
class RangeBar : public QWidget {
    Q_OBJECT
public:
    explicit RangeBar(ViewState& view, QWidget* parent = nullptr);
    ~RangeBar() override;

    /// The displayed scale: its ends are shown in the fields.
    void setScale(const ColorScale& scale);

    QComboBox* mapPicker() const { return map_; }
    QToolButton* logarithmButton() const { return logarithm_; }
    QToolButton* lockButton() const { return lock_; }
    QLineEdit* lowField() const { return low_; }
    QLineEdit* highField() const { return high_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void setLocked(bool locked);
    void fitToNumbers();
    void readFields();
    void showEnds();
    void connectAll();

    ViewState& view_;
    ColorScale scale_;
    QComboBox* map_;
    QToolButton* logarithm_;
    QToolButton* lock_;
    QToolButton* fit_;
    QLineEdit* low_;
    QLineEdit* high_;
};

} // namespace attnlab::ui
