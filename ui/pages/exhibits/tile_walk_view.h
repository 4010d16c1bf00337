// Exhibit of tiled attention, played step by step: Q, K, the map with its tiles, and the state of every row.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/tile_walk.h"

#include <optional>
#include <QCoreApplication>

namespace attnlab::ui {

struct TileWalkLayout {
    HeatmapLayout labels; ///< body: the map
    QRectF query;
    QRectF key;
    QRectF max;
    QRectF sum;
    QRectF rescale;
    QRectF output;
    QRectF legend;
};

class TileWalkDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(TileWalkDrawing)
public:
    struct Colored {
        MatrixData matrix;
        ColorScale scale;
    };

    TileSteps steps; ///< not empty
    int step = 0;
    Colored map;                  ///< queries x keys
    std::optional<Colored> query; ///< queries x features
    std::optional<Colored> key;   ///< features x keys
    ColorScale sum_scale;
    ColorScale output_scale;
    bool divided = false;     ///< shows outputs divided by l
    std::optional<Cell> mark; ///< the row and column whose labels are emphasised

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    const DrawnTable* drawnTable() const override { return this; }
    int rows() const override;
    int columns() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellWords(int row, int column) const override;
    QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const override;

    TileWalkLayout layout(const QRectF& area, const QFont& font) const;
    /// The cell of the map at a position.
    std::optional<Cell> cellAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// The tile's rectangle on the map.
    QRectF tileRect(const TileWalkLayout& layout, TileIndex tile) const;
    /// "output, divided by l", or that it is not.
    QString outputCaption() const;
    /// The displayed output of a row.
    double outputAt(std::int64_t row, std::int64_t feature) const;

private:
    struct Pen;
    /// What a row has besides its cells on the map.
    enum Beside { Max, Sum, Rescale, Output };
    QString cellText(Cell cell) const;
    /// `feature` of the output. Empty where the row has none yet.
    QString besideText(std::int64_t row, Beside part, std::int64_t feature = 0) const;
    HeatmapFrame mapFrame(const TileWalkLayout& layout) const;
    void paintStrips(const Pen& pen) const;
    void paintTiles(const Pen& pen) const;
    void paintMapNumbers(const Pen& pen) const;
    void paintRows(const Pen& pen) const;
    void paintCaptions(const Pen& pen) const;
    void paintLegend(const Pen& pen) const;
};

} // namespace attnlab::ui

// Tiled attention, played step by step.

class QCheckBox;
class QComboBox;

namespace attnlab::ui {

class Player;

/// Shows the tile being read, and how the running maximum, sum and output of its rows change. Batch and head come from
/// the ViewState (the first head for the mean: a mean of maxima is meaningless).
class TileWalkView : public ExhibitPage {
    Q_OBJECT
public:
    explicit TileWalkView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    bool hasExhibit() const override { return walk() != nullptr; }
    std::shared_ptr<const Drawing> picture() const override;
    std::optional<DrawingSequence> sequence() const override;

    Player* player() const { return player_; }
    /// Goes to the step that reads a tile; a tile that no step reads changes nothing.
    void showTile(TileIndex tile);
    /// Selects the numbers on the map: "masked", "weights".
    QComboBox* mapPicker() const { return map_; }
    QCheckBox* divideBox() const { return divide_; }
    /// The displayed drawing; without steps if there is nothing to show.
    const TileWalkDrawing& drawing() const { return drawing_; }

protected:
    bool pressKey(int key) override;
    void point(std::optional<QPointF> position) override;
    void click(QPointF position) override;

private:
    const TileWalk* walk() const;
    void refresh();
    void refreshMaps();
    void refreshColors();
    void showStep();
    bool showsMap() const;

    ViewState& view_;
    ComputedPtr computed_;
    TileWalkDrawing drawing_;
    QComboBox* map_;
    QCheckBox* divide_;
    Player* player_;
};

} // namespace attnlab::ui
