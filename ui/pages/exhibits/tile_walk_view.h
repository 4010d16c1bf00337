// Tiled attention, played step by step.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/tile_walk_drawing.h"

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
