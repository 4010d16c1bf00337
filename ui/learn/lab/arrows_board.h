// One head as arrows that can be dragged.
#pragma once

#include "ui/drawing/drawing_canvas.h"
#include "ui/learn/lab/arrows_drawing.h"
#include "ui/learn/lab/board.h"

class QLabel;

namespace attnlab::ui {

class LabControls;
class MarkdownLabel;
class SceneModel;

/// Takes tips by the mouse or the keyboard: Enter goes to the next one, the arrow keys move it. With Shift, all arrows
/// of its kind move together.
class ArrowsCanvas : public DrawingCanvas {
    Q_OBJECT
public:
    explicit ArrowsCanvas(QWidget* parent = nullptr);

    /// Without arrows it is empty.
    void setArrows(std::optional<ArrowsDrawing> arrows);
    const ArrowsDrawing& arrows() const { return arrows_; }
    bool hasArrows() const { return shown_; }
    /// Whether tips can be moved; queries can be chosen in any case.
    void setMovable(bool on);

signals:
    void queryChosen(int row);
    /// By the user, to a point of its plane.
    void moved(attnlab::ui::ArrowTip tip, QPointF to, bool all);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void mark(std::optional<ArrowTip> tip);

    ArrowsDrawing arrows_;
    bool shown_ = false;
    bool movable_ = false;
    std::optional<ArrowTip> held_;
};

/// Shows the setting view().setting, its query view().query in the planes of view().axis. Tips can be moved where the
/// view makes `cells` live.
class ArrowsBoard : public Board {
    Q_OBJECT
public:
    explicit ArrowsBoard(SceneModel& model, QWidget* parent = nullptr);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    ArrowsCanvas* canvas() const { return canvas_; }
    /// Why nothing is shown; empty if something is.
    QString error() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    double reach() const;

    SceneModel& model_;
    QMap<QString, QString> words_;
    MarkdownLabel* caption_;
    QLabel* error_;
    QLabel* hint_;
    ArrowsCanvas* canvas_;
};

} // namespace attnlab::ui
