// One card of a board: a heading or controls, a matrix, and the parts above and below it.
#pragma once

#include "ui/learn/lab/board_layout.h"

#include <QWidget>

class QLabel;

namespace attnlab::ui {

class HeatmapView;
class MarkdownLabel;
class PartView;

/// Has no layout of its own: a BoardLayout asks it for its heights, and it takes those of its row.
class CardView : public QWidget {
    Q_OBJECT
public:
    explicit CardView(QWidget* parent = nullptr);

    /// `colored`: a dot in the colour of its line; `color_bar`: of its own scale.
    void setContent(CardContent content, bool colored, bool color_bar);
    const CardContent& content() const { return content_; }
    /// Markdown in one line.
    void setWords(const QString& words);
    /// Stands below the title, or in its place where it says as much; becomes a child. Null: none.
    void setControls(QWidget* controls, bool instead_of_title = false);
    QWidget* controls() const { return controls_; }

    HeatmapView* heatmap() const { return heatmap_; }
    const std::vector<PartView*>& parts() const { return parts_; }
    QString title() const { return content_.title; }
    QString words() const;
    /// Why there is no matrix; empty while there is one.
    QString error() const { return content_.error; }

    /// What it needs when it is so wide; `matrix` is the least.
    CardHeights heightsFor(double width) const;
    /// The height of the matrix at which its cells fill the width.
    double matrixHeightFor(double width) const;
    void setHeights(const CardHeights& heights);

signals:
    /// Its heights may have changed.
    void contentChanged();
    void rowClicked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Of title and controls.
    int titleHeight() const;
    int controlsHeight(int width) const;
    int dotRoom() const;
    void layOut();
    void showTitle();

    CardContent content_;
    bool colored_ = false;
    CardHeights heights_;
    QLabel* title_;
    MarkdownLabel* words_;
    QLabel* error_;
    QWidget* controls_ = nullptr;
    bool instead_of_title_ = false;
    HeatmapView* heatmap_;
    std::vector<PartView*> parts_; ///< above, then below
};

} // namespace attnlab::ui
