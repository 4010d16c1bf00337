// Every head of every layer as a small picture, on one colour scale.
#pragma once

#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/model/model_result.h"

#include <optional>
#include <vector>

class QLabel;

namespace attnlab::ui {

/// A row for each layer, or all heads in the order of a figure, with the figure below each. As large as possible with
/// all in sight; scrolled if they would be too small. Space switches the chosen head off.
class HeadsWall : public ThumbnailGrid {
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
    /// The keyboard goes to the chosen head.
    void takeFocus();

    /// Null where there is none.
    MatrixTile* tile(HeadIndex place) const;
    /// The heads as they are shown, row by row.
    const std::vector<HeadIndex>& shown() const { return shown_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosenChanged();
    void toggled(attnlab::ui::HeadIndex place); ///< to switch it off, or on

protected:
    void chooseTile(MatrixTile& tile) override;
    void relayout() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Fit {
        int side = 0; ///< of the pictures
        int columns = 1;
        QSize tile, content;
    };
    Fit fit(QSize room) const;
    Fit fitWith(int side, int width) const;
    std::optional<HeadIndex> placeOf(const MatrixTile* tile) const;
    void rebuild();
    void sortHeads();
    void refreshPictures();
    void describe(int pass);
    QString figureText(HeadIndex place, int width) const;
    void measureTitles();

    ModelResultPtr result_;
    const HeadFigure* order_ = nullptr;
    Pictures pictures_ = Pictures::Weights;
    std::vector<HeadIndex> shown_;
    std::vector<std::vector<MatrixTile*>> tiles_; ///< by pass and head
    std::vector<QLabel*> titles_;                 ///< by pass
    int title_width_ = 0;
    int widest_ = 1; ///< heads of the layer that has most
    std::optional<HeadIndex> chosen_;
    IdleTaskQueue descriptions_;
};

} // namespace attnlab::ui
