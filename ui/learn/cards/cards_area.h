// The cards of a board in the window: one card, and the area that arranges all of them.
#pragma once

#include "ui/document/view_state.h"
#include "ui/learn/cards/board_layout.h"

#include <optional>
#include <QScrollArea>
#include <QWidget>
#include <vector>

class QLabel;

namespace attnlab::ui {

class HeatmapView;
class MarkdownLabel;
class PartView;
class StateBox;

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
    /// Controls may replace it. The name of a stage is not a title for other matrices, which have headings.
    bool showsTitle() const;
    QString words() const;
    /// Why there is no matrix; empty if there is one.
    QString error() const { return content_.error; }

    /// What a page of a presentation shows of the card; a part is counted above the matrix, then below it.
    void showOnly(bool matrix, const std::vector<bool>& parts);
    void showAll();
    /// Whether it has one of these parts.
    bool hasAnyPart(const std::vector<bool>& parts) const;
    /// 0: as low as its labels allow. Else the longer side of the cells has at least this size.
    void setLeastCells(double side) { least_cells_ = side; }
    /// The width at which the cells have that size.
    double leastWidth() const;
    /// The required heights for this width; that of the matrix is the minimum. For `scarcity` see heightsOf().
    CardHeights heightsFor(double width, double scarcity = 0.0) const;
    /// The height of the matrix at which its cells fill the width.
    double matrixHeightFor(double width) const;
    /// The area of all cells in a card of this width whose matrix has this height; nullopt without a matrix.
    std::optional<double> cellsAreaIn(double width, double matrix_height) const;
    void setHeights(const CardHeights& heights);

signals:
    /// Its heights may have changed.
    void contentChanged();
    void rowClicked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Of title and controls.
    int titleHeight(int width) const;
    int controlsHeight(int width) const;
    int dotRoom() const;
    void layOut();
    void showTitle();
    void showParts();
    /// Of whole pixels: a view rounds cells down.
    double leastCell(const MatrixView& matrix) const;
    bool showsPart(std::size_t k) const { return k >= shown_parts_.size() || shown_parts_[k]; }

    CardContent content_;
    bool colored_ = false;
    bool color_bar_ = false;
    CardHeights heights_;
    QLabel* title_;
    MarkdownLabel* words_;
    QWidget* error_; ///< in the place of the matrix
    StateBox* error_words_;
    QWidget* controls_ = nullptr;
    bool instead_of_title_ = false;
    HeatmapView* heatmap_;
    std::vector<PartView*> parts_; ///< above, then below
    bool shows_matrix_ = true;
    std::vector<bool> shown_parts_; ///< missing ones are shown
    double least_cells_ = 0.0;
};

/// The cards of a board side by side, in more rows where that makes their matrices much larger; scrolls if they need
/// more room. In a presentation it shows them page by page instead: first the matrices with the parts that fit, then
/// the other parts, row by row.
/// All cards share one crosshair, one pan and zoom, and one pin, which is the model's.
class CardsArea : public QScrollArea {
    Q_OBJECT
public:
    explicit CardsArea(QWidget* parent = nullptr);

    /// One card for each content; existing cards keep their zoom. For `colored` see CardView.
    void setContents(std::vector<CardContent> contents, bool colored, bool color_bars);
    const std::vector<CardView*>& cards() const { return cards_; }
    /// With pages rather than a scroll bar.
    void setFitting(bool on);
    bool scrolls() const;
    /// The pages that a room of this size needs; 1 while not fitting.
    int pagesIn(const QSize& room) const;
    void showPage(int page);
    /// The page in such a room that shows the matrix of a card.
    int pageOf(std::size_t card, const QSize& room) const;
    void setMarks(std::optional<Cell> pinned, const std::vector<Cell>& highlighted);

    /// The height at which matrices fill the width of their cards, which are arranged as in a room of this size.
    int preferredHeight(const QSize& room) const;
    /// The least height of the first row of cards down to its matrices.
    int firstRowHeight(const QSize& room) const;
    QSize minimumSizeHint() const override;

signals:
    void cellClicked(attnlab::ui::Cell cell);
    void rowClicked(int row);
    /// Other pages may be needed.
    void contentChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    CardView* makeCard();
    void hover(std::optional<Cell> cell);
    void layOutLater();
    void layOut();
    /// What one page shows.
    struct CardsPage {
        std::vector<std::size_t> cards;
        bool matrix = true;
        std::vector<bool> parts; ///< by position above and below the matrix; missing ones are shown
    };
    /// Of the cards from `first` to before `end`.
    static CardsPage pageWith(std::size_t first, std::size_t end);
    std::vector<CardsPage> makePages(const QSize& room) const;
    void apply(const CardsPage& page) const;
    BoardLayout layoutFor(const CardsPage& page, const QSize& room) const;
    BoardLayout folded(const BoardLayout& fewest_rows, const CardsPage& page, const QSize& room) const;
    double smallestCells(BoardLayout layout, const CardsPage& page, const QSize& room) const;
    double leastWidth(const CardsPage& page) const;

    QWidget* inside_;
    std::vector<CardView*> cards_;
    bool waiting_ = false;
    bool fitting_ = false;
    int page_ = 0;
};

} // namespace attnlab::ui
