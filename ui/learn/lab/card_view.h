// A card of a board: a heading or controls, a matrix, and the parts above and below it.
#pragma once

#include "ui/learn/lab/board_layout.h"

#include <QWidget>

class QLabel;

namespace attnlab::ui {

class HeatmapView;
class MarkdownLabel;
class PartView;

/// Has no layout of its own: a BoardLayout queries its heights, and it uses those of its row.
class CardView : public QWidget {
    Q_OBJECT
public:
    explicit CardView(QWidget* parent = nullptr);

    /// `colored`: has a dot in the colour of its curve; `color_bar`: shows its own scale.
    void setContent(CardContent content, bool colored, bool color_bar);
    const CardContent& content() const { return content_; }
    /// Markdown in one line.
    void setWords(const QString& words);
    /// Placed below the title, or instead of a title that it repeats; takes ownership. Null for none.
    void setControls(QWidget* controls, bool instead_of_title = false);
    QWidget* controls() const { return controls_; }

    HeatmapView* heatmap() const { return heatmap_; }
    const std::vector<PartView*>& parts() const { return parts_; }
    QString title() const { return content_.title; }
    QString words() const;
    /// Why there is no matrix; empty if there is one.
    QString error() const { return content_.error; }

    /// The required heights for this width; that of the matrix is the minimum.
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
