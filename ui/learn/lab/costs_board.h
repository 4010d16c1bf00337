// The board of a cache's costs: panels with a bar or a line for each setting, and their controls.
#pragma once

#include "core/attention.h"
#include "core/lab/cache_costs.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/lab/board_frame.h"

#include <functional>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace attnlab::lab {
struct BoardSpec;
struct Scene;
} // namespace attnlab::lab

namespace attnlab::ui {

class CacheControls;
class DrawingCanvas;
class SceneModel;
class ValueSlider;

class CostsDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(CostsDrawing)
public:
    /// Bars, from 0 to the largest cost that can be selected, or lines.
    struct Panel {
        QString title;
        BarsDrawing bars;
        Measure::Unit unit = Measure::Unit::Number;
        LineChartDrawing lines = {};
    };
    std::vector<Panel> panels;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;
    /// All panels: a line for each bar, and for each line at its marker.
    QString words() const;

private:
    QRectF placeOf(std::size_t panel, const QRectF& area, const QFont& font) const;
    static QRectF bodyOf(const QRectF& panel, const QFont& font);
    static QString textOf(const Panel& panel);
};

// The costs of a cache, as bars or against the number of tokens or readers.

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

// What a reader may choose about a cache: groups of heads, tokens and readers.

/// Hides what the view does not make live, and itself where that is everything.
class CacheControls : public QWidget {
    Q_OBJECT
public:
    explicit CacheControls(SceneModel& model, QWidget* parent = nullptr);

    ValueSlider* groups() const { return groups_; }
    ValueSlider* context() const { return context_; }
    ValueSlider* readers() const { return readers_; }

private:
    void refresh();
    void change(const std::function<void(lab::CacheModel&)>& change);

    SceneModel& model_;
    ValueSlider* groups_;
    ValueSlider* context_;
    ValueSlider* readers_;
};

} // namespace attnlab::ui
