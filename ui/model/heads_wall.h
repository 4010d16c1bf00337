// Every head of every layer as a small picture, on one colour scale.
#pragma once

#include "ui/model/model_result.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace attnlab::ui {

/// A row for each layer, or all heads in the order of a figure. One stop of the Tab key: arrow keys, Home and End
/// choose a head, Space switches it off. For a scroll area.
class HeadsWall : public QWidget {
    Q_OBJECT
public:
    explicit HeadsWall(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setResult(ModelResultPtr result);
    /// The highest of this figure first; null: by layer.
    void setOrder(const HeadFigure* figure);
    /// The weights, or the differences in ModelResult::compared if set.
    enum class Pictures { Weights, Differences };
    void setPictures(Pictures pictures);
    std::optional<HeadIndex> chosen() const { return chosen_; }
    void choose(HeadIndex place);
    /// The first in the present order.
    void chooseFirst();

    /// The rectangle of a head; empty where it is not shown.
    QRect rectOf(HeadIndex place) const;
    std::optional<HeadIndex> placeAt(const QPoint& point) const;
    /// The heads as they are shown, row by row.
    const std::vector<HeadIndex>& shown() const { return shown_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosenChanged();
    void toggled(attnlab::ui::HeadIndex place); ///< to switch it off, or on

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Geometry {
        int margin = 0; ///< for the titles of layers
        int side = 0;
        int columns = 1;
        int step = 1; ///< from row to row
    };
    Geometry geometryFor(int width) const;
    void arrange();
    void measureTitles();
    std::optional<int> indexOf(HeadIndex place) const;
    void describe();
    void paintFigure(QPainter& painter, HeadIndex place, const QRect& above) const;
    void paintHead(QPainter& painter, HeadIndex place, const QRect& at) const;

    ModelResultPtr result_;
    const HeadFigure* order_ = nullptr;
    Pictures pictures_ = Pictures::Weights;
    std::vector<HeadIndex> shown_;
    std::vector<std::vector<int>> indices_; ///< in shown_, by pass and head
    int widest_ = 1;                        ///< heads of the layer that has most
    int titles_ = 0;                        ///< the width of the titles of layers
    std::optional<HeadIndex> chosen_;
};

} // namespace attnlab::ui
