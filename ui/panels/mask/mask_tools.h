// The painting tools below the mask.
#pragma once

#include "ui/panels/mask/mask_painter.h"

#include <QWidget>

#include <map>

class QAction;
class QMenu;
class QToolButton;

namespace attnlab::ui {

class Chip;

class MaskTools : public QWidget {
    Q_OBJECT
public:
    explicit MaskTools(MaskPainter& painter, QWidget* parent = nullptr);

    /// True when strokes on the large heatmap paint.
    bool isPainting() const;
    void setPainting(bool on);
    /// For use without a large heatmap to paint on and a file to import.
    void hideWindowActions();
    QToolButton* button(MaskTool tool) const { return tools_.at(tool); }
    QToolButton* eraser() const { return erase_; }
    /// Clear, invert, patterns, import.
    QMenu* menu() const { return menu_; }

signals:
    void paintingChanged(bool on);
    void importRequested();

private:
    void makeMenu();
    void showSettings();

    MaskPainter& painter_;
    Chip* paint_;
    std::map<MaskTool, QToolButton*> tools_;
    QToolButton* erase_;
    QToolButton* more_;
    QMenu* menu_;
    QAction* import_;
};

} // namespace attnlab::ui
