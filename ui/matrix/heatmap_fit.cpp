#include "ui/matrix/heatmap_fit.h"

#include "ui/drawing/color_bar.h"

#include <algorithm>
#include <cmath>
#include <QFontInfo>
#include <QFontMetricsF>

namespace attnlab::ui {
namespace {

constexpr double least_beside_reserve = 240.0; ///< width of cells that leave room for other numbers of the bar

} // namespace

QFont HeatmapFit::labelsFont() const {
    QFont small = labelFont(wishes_.font);
    if (label_size_ < 1.0)
        small.setPixelSize(std::max(1, static_cast<int>(QFontInfo(small).pixelSize() * label_size_)));
    return small;
}

/// The last leaning label extends beyond the cells, where most views have a colour bar.
double HeatmapFit::lean() const {
    return wishes_.color_bar || upright_ ? 0.0 : 1.5 * QFontMetricsF(labelsFont()).height();
}

void HeatmapFit::fit(const QRectF& area, const MatrixAxes& axes, const ColorScale& scale, const Wishes& wishes) {
    area_ = area;
    axes_ = axes;
    scale_ = scale;
    wishes_ = wishes;
    layOut(wishes.label_size.value_or(1.0), false);
    if (!wishes.label_size && columnsAreTurned()) {
        layOut(smaller_labels, false);
        if (columnsAreTurned())
            layOut(1.0, false);
    }
    const double cell = layout_.body.width() / static_cast<double>(std::max<std::int64_t>(1, axes.columns.count));
    if (columnsAreTurned() && wishes.upright.value_or(!leaningLabelsFit(axes.columns, labelsFont(), cell))) {
        constexpr double least_share = 0.85; // of the cells' height: long names would take more
        const double before = layout_.body.height();
        layOut(label_size_, true);
        if (!wishes.upright && layout_.body.height() < least_share * before)
            layOut(label_size_, false);
    }
    makeRoomForLastLabel();
}

/// Where this costs the cells little.
void HeatmapFit::makeRoomForLastLabel() {
    constexpr double least_share = 0.9;
    const double before = layout_.body.width();
    double beside = 0.0;
    // The cells may lie in the middle of wider room: then they move by half of what is left beside them.
    for (int attempt = 0; attempt < 2 && columnsAreTurned() && !upright_; ++attempt) {
        const double cell = layout_.body.width() / static_cast<double>(axes_.columns.count);
        const double missing =
            lastLabelReach(axes_.columns, labelsFont(), cell) - (layout_.area.right() - layout_.body.right());
        if (missing <= 0.0)
            return;
        beside += attempt == 0 ? missing : 2.0 * missing;
        layOut(label_size_, false, beside);
        if (layout_.body.width() < least_share * before) {
            layOut(label_size_, false);
            return;
        }
    }
}

bool HeatmapFit::columnsAreTurned() const {
    return !layout_.body.isEmpty() &&
           !columnLabelsFitFlat(axes_.columns, labelsFont(),
                                layout_.body.width() / static_cast<double>(axes_.columns.count));
}

bool HeatmapFit::labelsEveryRow() const {
    return layout_.body.isEmpty() ||
           rowLabelsFit(axes_.rows, labelsFont(), layout_.body.height() / static_cast<double>(axes_.rows.count));
}

double HeatmapFit::cell() const {
    return layout_.body.isEmpty() ? 0.0
                                  : std::min(layout_.body.width() / static_cast<double>(axes_.columns.count),
                                             layout_.body.height() / static_cast<double>(axes_.rows.count));
}

void HeatmapFit::layOut(double label_size, bool upright, double beside) {
    label_size_ = label_size;
    upright_ = upright;
    LayoutWishes wishes{wishes_.font, wishes_.color_bar, false, wishes_.pixel, wishes_.row_labels};
    wishes.labels = labelsFont();
    wishes.title_beside = true;
    wishes.upright = upright;
    wishes.least_row_width = wishes_.row_labels ? roomForNames() : 0.0;
    wishes.profiles = wishes.fill_strips = wishes_.profiles;
    const QRectF area = area_.adjusted(0, 0, -lean() - beside, 0);
    layout_ = layoutHeatmap(area, axes_, scale_, wishes);
    if (wishes_.keeps_bar && layout_.body.width() >= least_beside_reserve) { // others need the room
        wishes.least_bar_width =
            colorBarWidth(ColorScale{&colormap({}), -0.02, 0.02, false}, wishes.labels.value(), 1.0);
        layout_ = layoutHeatmap(area, axes_, scale_, wishes);
    }
    layout_.area = area_;
}

/// A little more than the names of rows need, in large steps, and as much as before: a word that is changed for another
/// one moves no cell.
double HeatmapFit::roomForNames() {
    constexpr double letters_of_step = 3.0, letters_of_view = 60.0; // a narrow view has no room to spare
    const QFont font = labelsFont();
    const double letter = QFontMetricsF(font).averageCharWidth(), step = letters_of_step * letter;
    if (axes_.rows.labels.isEmpty() || area_.width() < letters_of_view * letter)
        return 0.0;
    const double needed = std::ceil(longestLabel(axes_.rows, font) / step) * step;
    if (needed > names_room_ || names_room_ - needed > 2.0 * step)
        names_room_ = needed;
    return names_room_;
}

} // namespace attnlab::ui
