// Every head: as small pictures of weights or of differences, or as dots by two figures.
#pragma once

#include "ui/model/head_figure.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;

namespace attnlab::ui {

class ElidedLabel;
class HeadsScatter;
class HeadsWall;
class ScrollRoom;
class SegmentSwitch;

class HeadsPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadsPanel(QWidget* parent = nullptr);

    void setResult(const ModelResultPtr& result);
    std::optional<HeadPlace> chosen() const;

    enum Tab { Wall, Differences, Scatter };
    SegmentSwitch* tabs() const { return tabs_; }
    /// Where the wall and the plot are.
    QStackedWidget* pictures() const { return pictures_; }
    HeadsWall* wall() const { return wall_; }
    HeadsScatter* scatter() const { return scatter_; }
    QComboBox* order() const { return order_; }
    QComboBox* axis(Qt::Orientation along) const { return along == Qt::Horizontal ? x_ : y_; }

signals:
    void chosenChanged();
    void toggled(attnlab::ui::HeadPlace place); ///< to switch it off, or on

private:
    void build();
    void fillFigures();
    void showTab();
    void showAxes();
    void bringIntoSight();

    ModelResultPtr result_;
    std::vector<const HeadFigure*> figures_; ///< of the choices below
    SegmentSwitch* tabs_;
    QStackedWidget* choices_;
    QStackedWidget* pictures_;
    QComboBox *order_, *x_, *y_;
    ElidedLabel* note_;
    HeadsWall* wall_;
    ScrollRoom* room_;
    HeadsScatter* scatter_;
};

} // namespace attnlab::ui
