// The costs of a cache, as bars or against the number of tokens or readers.
#pragma once

#include "ui/learn/lab/board.h"
#include "ui/learn/lab/costs_drawing.h"

namespace attnlab::lab {
struct Scene;
struct BoardSpec;
} // namespace attnlab::lab

namespace attnlab::ui {

class CacheControls;
class DrawingCanvas;
class SceneModel;

/// What a board shows of a scene with a cache. Axes stand still while a reader moves the controls: bars end at the
/// largest of the costs that the groups can give, lines run over all choices.
CostsDrawing costsOf(const lab::Scene& scene, const lab::BoardSpec& view, const QMap<QString, QString>& words);

class CostsBoard : public Board {
    Q_OBJECT
public:
    explicit CostsBoard(SceneModel& model, QWidget* parent = nullptr);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    CacheControls* controls() const { return controls_; }
    DrawingCanvas* canvas() const { return canvas_; }

private:
    void refresh();

    SceneModel& model_;
    QMap<QString, QString> words_;
    CacheControls* controls_;
    CostsDrawing drawing_;
    DrawingCanvas* canvas_;
};

} // namespace attnlab::ui
