// The cards of a board in the window: one card, and the area that arranges all of them.
#pragma once

#include "ui/document/view_state.h"
#include "ui/learn/cards/board_layout.h"

#include <QScrollArea>
#include <QWidget>
#include <vector>

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

/// The cards of a board side by side, in as many rows as needed; scrolls if they need more room.
/// All cards share one crosshair, one pan and zoom, and one pin, which is the model's.
class CardsArea : public QScrollArea {
    Q_OBJECT
public:
    explicit CardsArea(QWidget* parent = nullptr);

    /// One card for each content; existing cards keep their zoom. For `colored` see CardView.
    void setContents(std::vector<CardContent> contents, bool colored, bool color_bars);
    const std::vector<CardView*>& cards() const { return cards_; }
    /// With smaller letters rather than a scroll bar.
    void setFitting(bool on);
    bool scrolls() const;
    void setMarks(std::optional<Cell> pinned, const std::vector<Cell>& highlighted);

    /// The height at which matrices fill the width of their cards.
    int preferredHeight(int width) const;
    QSize minimumSizeHint() const override;

signals:
    void cellClicked(attnlab::ui::Cell cell);
    void rowClicked(int row);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    CardView* makeCard();
    void hover(std::optional<Cell> cell);
    void layOutLater();
    void layOut();
    void fitFontSize(const QSize& room);
    BoardLayout layoutFor(int width) const;

    QWidget* inside_;
    std::vector<CardView*> cards_;
    bool waiting_ = false;
    bool fitting_ = false;
    double font_scale_ = 1.0; ///< share of the usual size
};

} // namespace attnlab::ui
