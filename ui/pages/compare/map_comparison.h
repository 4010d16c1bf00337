// Two settings of a large problem, or two heads of it, compared without storing L x S: one large map of A, B or B − A.
#pragma once

#include "ui/document/view_state.h"
#include "ui/export/export_subject.h"
#include "ui/matrix/map/map_source.h"

#include <QWidget>

class QComboBox;

namespace attnlab::ui {

class ElidedLabel;
class HeatmapView;
class LargeInputs;
struct MapPicture;
class SegmentSwitch;

/// The head of the ViewState under both settings. Computes only after compare(), in a worker thread.
class MapComparison : public QWidget {
    Q_OBJECT
public:
    MapComparison(LargeInputs& large, ViewState& view, QWidget* parent = nullptr);

    /// The problem of `large`, whose sizes B shares, under its setting and under that of B.
    void compare(const AttentionProblem& problem, const AttentionSpec& b);
    /// Releases the maps.
    void close();

    /// A, B, B − A.
    SegmentSwitch* sides() const { return sides_; }
    /// What a pixel shows of its cells: the mean at first.
    QComboBox* poolPicker() const { return pool_; }
    /// Another head for B: -1 as data for the same one; hidden where there is one head.
    QComboBox* headOfB() const { return head_of_b_; }
    HeatmapView* heatmap() const { return heatmap_; }
    const MapSession& session() const { return session_; }
    /// What a number is, or the cell under the mouse.
    QString note() const;
    /// "B − A: weights · head 2"
    QString title() const;

    /// Return a message for the user; empty while there is no map.
    QString copyMatrix();
    QString copyPicture();
    /// nullopt while there is no map.
    std::optional<ExportSubject> exportSubject() const;

signals:
    /// The choice is computed, or cannot be.
    void settled();

private:
    void build();
    void connectAll();
    void showChoice();
    void refreshColors();
    void refreshNote();
    MapSide side() const;
    int headA() const;
    CellRect visibleCellRange() const;
    MapPicture picture() const;

    LargeInputs& large_;
    ViewState& view_;
    MapSession session_;
    MapSource source_;
    AttentionProblem a_, b_; ///< what the session compares
    SegmentSwitch* sides_;
    QComboBox* pool_;
    QComboBox* head_of_b_;
    ElidedLabel* note_;
    HeatmapView* heatmap_;
};

} // namespace attnlab::ui
