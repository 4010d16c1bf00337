// Where the cells, the labels and the colour bar of a view are while the whole matrix is in sight.
#pragma once

#include "ui/drawing/heatmap_layout.h"

#include <optional>
#include <QFont>
#include <QRectF>

namespace attnlab::ui {

/// Chooses the layout in which the most labels can be read: names of columns side by side, smaller if that suffices;
/// else leaning; else upright, where leaning ones would leave some out.
class HeatmapFit {
public:
    struct Wishes {
        QFont font;
        double pixel = 1.0; ///< of the device
        bool row_labels = true, color_bar = true;
        bool profiles = false;
        bool keeps_bar = false; ///< room for other numbers of the colour bar, so that these seldom move the cells
        std::optional<double> label_size = std::nullopt; ///< relative to the usual one; nullopt: as above
        std::optional<bool> upright = std::nullopt;      ///< nullopt: as above
    };
    void fit(const QRectF& area, const MatrixAxes& axes, const ColorScale& scale, const Wishes& wishes);
    /// The next matrix has another shape: its names have nothing to do with those before.
    void forgetNames() { names_room_ = 0.0; }

    const HeatmapLayout& layout() const { return layout_; }
    QFont labelsFont() const;
    /// The total width of everything beside the cells.
    double sidesWidth() const { return layout_.sides + lean(); }
    bool columnsAreTurned() const;
    /// Turned labels are vertical where leaning ones would leave some out.
    bool columnsAreUpright() const { return upright_ && columnsAreTurned(); }
    /// False where rows are so low that some labels are left out.
    bool labelsEveryRow() const;
    /// The smaller side of a cell.
    double cell() const;

    static constexpr double smaller_labels = 0.85;

private:
    void layOut(double label_size, bool upright, double beside = 0.0);
    void makeRoomForLastLabel();
    double lean() const;
    double roomForNames();

    QRectF area_;
    MatrixAxes axes_;
    ColorScale scale_;
    Wishes wishes_;
    HeatmapLayout layout_;
    double label_size_ = 1.0; ///< smaller where that lets column labels be horizontal
    bool upright_ = false;
    double names_room_ = 0.0; ///< of the labels of rows, while the shape stays
};

} // namespace attnlab::ui
