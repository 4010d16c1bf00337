// Every head of every layer as a small picture, on one colour scale.
#pragma once

#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/model/model_result.h"

#include <optional>
#include <set>
#include <vector>

class QLabel;

namespace attnlab::ui {

class HeadEffects;
class HeadTip;

/// A row for each layer, or all heads in the order of a figure, with the figure below each. As large as possible with
/// all in sight; scrolled if they would be too small. Space switches the chosen head off. A drag with the button held
/// chooses the heads on its way.
/// With effects: what the answer becomes without each head, as a bar and in words below it where there is room; very
/// small tiles have the colour of the effect instead of their picture.
class HeadsWall : public ThumbnailGrid {
    Q_OBJECT
public:
    explicit HeadsWall(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setResult(ModelResultPtr result);
    /// The highest of this figure first; null: by layer.
    void setOrder(const HeadFigure* figure);
    /// The head with the largest effect first; sorted again when the effects are complete.
    void setOrderByEffect();
    /// The weights, the differences in ModelResult::compared if set, or the weights with effects.
    enum class Pictures { Weights, Differences, Effects };
    void setPictures(Pictures pictures);
    /// Map, logarithm and range of the pictures of weights, which have one scale, 0 to 1 unless it is locked.
    void setColors(const ColorChoice& colors);
    /// Of an outdated result: pictures are fainter, words are not.
    void setDimmed(bool dimmed);
    /// They live as long as the wall. Names and, with Pictures::Effects, tiles follow them.
    void setEffects(const HeadEffects* effects);
    /// What rows and columns are, above them; empty: there is no room, or the heads are in another order.
    QString axesText() const;
    /// What the tile of a head says of its effect, with an arrow before another answer; empty: not known.
    QString effectText(HeadIndex place, bool marks_flip = true) const;
    /// Tiles have no room for bars: their colours are relative to the largest effect.
    bool showsColors() const { return pictures_ == Pictures::Effects && !hasBars(); }
    /// The tooltip of a head, in one line; small pictures stand above it, enlarged.
    QString tipText(HeadIndex place) const;
    const HeadTip* tip() const { return tip_; } ///< null until the first
    std::optional<HeadIndex> chosen() const { return chosen_; }
    void choose(HeadIndex place);
    /// The first in the present order.
    void chooseFirst();
    /// The keyboard goes to the chosen head.
    void takeFocus();

    /// Null where there is none.
    MatrixTile* tile(HeadIndex place) const;
    /// Its picture.
    QImage imageOf(HeadIndex place) const;
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
        int side = 0;       ///< of the pictures
        double words = 0.0; ///< size of the words below them, relative to other letters; 0: none
        int columns = 1;
        int axes = 0;  ///< height of the names of the axes
        int above = 0; ///< and of the numbers of heads
        QSize tile, content;
    };
    bool isOrdered() const { return order_ || by_effect_; }
    bool hasBars() const;
    int roomBelow(int side, double words) const;
    QSize sizeOfWords(double words) const;
    int around(int side) const;
    Fit fit(QSize room) const;
    Fit fitWith(int side, int width, double words, bool names_axes) const;
    std::optional<HeadIndex> placeOf(const MatrixTile* tile) const;
    void rebuild();
    void sortHeads();
    void refreshPictures();
    void showEffects();
    MatrixTile::Bar barOf(HeadIndex place) const;
    QImage brightImageOf(HeadIndex place) const;
    void showEffect(HeadIndex place);
    bool flips(HeadIndex place) const;
    void describe(int pass);
    QString effectSentence(HeadIndex place) const;
    void enlarge(HeadIndex place, const QPoint& global);
    void scrub(const QPoint& global);
    bool followMouse(const QObject* watched, QEvent& event);
    QString caption(HeadIndex place, int width) const;
    QString figureText(HeadIndex place, int width) const;
    void measureTitles();

    ModelResultPtr result_;
    const HeadFigure* order_ = nullptr;
    const HeadEffects* effects_ = nullptr;
    ColorChoice colors_;
    bool by_effect_ = false, is_dimmed_ = false;
    bool has_effects_ = false; ///< tiles have room for them, whatever they show
    Pictures pictures_ = Pictures::Weights;
    int side_ = 0;       ///< of the pictures
    double words_ = 0.0; ///< see Fit
    struct KnownWords {
        QFont font;
        double words = 0.0;
        QSize size;
    };
    mutable KnownWords known_words_;      ///< the latest of sizeOfWords()
    std::set<MatrixTile*> coloured_ = {}; ///< whose effect was shown as a colour
    std::vector<HeadIndex> shown_;
    std::vector<std::vector<MatrixTile*>> tiles_; ///< by pass and head
    std::vector<QLabel*> titles_;                 ///< by pass
    std::vector<QLabel*> columns_;                ///< by head, above the rows
    HeadTip* tip_ = nullptr;
    QLabel* axes_ = nullptr; ///< what rows and columns are; null without heads
    int title_width_ = 0;
    int widest_ = 1; ///< heads of the layer that has most
    std::optional<HeadIndex> chosen_;
    IdleTaskQueue descriptions_;
};

} // namespace attnlab::ui
