// Colour options of the large heatmap: colormap, logarithm, range.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"

#include <QIcon>
#include <QWidget>

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
