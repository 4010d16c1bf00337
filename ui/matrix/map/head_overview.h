// Small maps of all heads of a large problem, computed in the background.
#pragma once

#include "ui/document/view_state.h"
#include "ui/matrix/map/large_inputs.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace attnlab::ui {

class HeadGrid;

/// A column of tiles, one for each head, on one colour scale; a click selects that head. Shows how many are complete,
/// and can stop the rest.
class HeadOverview : public QWidget {
    Q_OBJECT
public:
    HeadOverview(LargeInputs& large, ViewState& view, QWidget* parent = nullptr);

    HeadGrid* grid() const { return grid_; }
    QString note() const;

    /// There are several heads to choose from; without them the view is empty and needs no room.
    bool hasChoice() const { return has_choice_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Double click or Enter on a head, which is already selected.
    void enlargeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void open();
    void refresh();
    void setProgress(int done, int total);
    void setHasChoice(bool has_choice);
    QSize around() const;

    LargeInputs& large_;
    MapSession& session_;
    ViewState& view_;
    std::int64_t heads_ = 0;
    int done_ = 0, total_ = 0;
    struct Shown {
        std::shared_ptr<const MapBins> bins; ///< null until computed
        Pool pool = Pool::Max;
        ValueRange range;
        bool shown = false; ///< in the colours of scale_
    };
    std::vector<Shown> heads_shown_;
    ColorScale scale_;
    bool has_choice_ = false;
    QLabel* title_;
    QLabel* note_;
    QToolButton* stop_;
    HeadGrid* grid_;
};

} // namespace attnlab::ui
