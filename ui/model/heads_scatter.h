// Every head as a dot, by two of its figures.
#pragma once

#include "ui/model/head_figure.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace attnlab::ui {

/// One stop of the Tab key: Left and Right go to the head with the next smaller or larger figure along x, Up and Down
/// along y, Home and End to the ends of x; Space switches the head off. Heads without one of the figures are not shown.
class HeadsScatter : public QWidget {
    Q_OBJECT
public:
    explicit HeadsScatter(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setResult(ModelResultPtr result);
    void setFigures(const HeadFigure* x, const HeadFigure* y);
    void choose(std::optional<HeadPlace> place);
    std::optional<HeadPlace> chosen() const { return chosen_; }

    /// Where a head is; nullopt where it is not shown.
    std::optional<QPointF> positionOf(HeadPlace place) const;
    /// The nearest within reach of a click.
    std::optional<HeadPlace> placeAt(const QPointF& point) const;
    std::size_t count() const { return dots_.size(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosenByUser(attnlab::ui::HeadPlace place);
    void toggled(attnlab::ui::HeadPlace place); ///< to switch it off, or on

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Dot {
        HeadPlace place;
        QPointF figures;
        QPointF at; ///< in the widget
    };
    void collect();
    void locate();
    void describe();
    /// The head that comes next along an axis.
    std::optional<HeadPlace> neighbour(bool along_x, bool forward) const;
    QString textOf(const Dot& dot) const;
    const Dot* find(std::optional<HeadPlace> place) const;

    ModelResultPtr result_;
    const HeadFigure *x_ = nullptr, *y_ = nullptr;
    std::vector<Dot> dots_;
    QPointF largest_; ///< where the axes end
    std::optional<HeadPlace> chosen_;
};

} // namespace attnlab::ui
