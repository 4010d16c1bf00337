// KL(A || B), or the largest error, of each row as a bar beside the rows of the heatmap.
#pragma once

#include "ui/matrix/heatmap_view.h"

#include <QWidget>

#include <vector>

namespace attnlab::ui {

/// The bars follow pan and zoom of `heatmap`, which must outlive this. Infinite bars are full and labelled ∞; a row
/// that is not a distribution has none.
class DivergenceBars : public QWidget {
    Q_OBJECT
public:
    explicit DivergenceBars(HeatmapView& heatmap, QWidget* parent = nullptr);

    /// Divergences are in nats; errors are the largest of each row.
    enum class Of { Divergence, Error };
    /// One for each row of the heatmap; may be empty. NaN: the row has none.
    void setRows(std::vector<double> rows, Of of = Of::Divergence);
    const std::vector<double>& rows() const { return rows_; }
    /// The rectangle of a row's bar; empty if there is none.
    QRectF barRect(int row) const;
    /// "fox: 0.031 nats".
    QString textOf(int row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void describe();

    HeatmapView& heatmap_;
    std::vector<double> rows_;
    Of of_ = Of::Divergence;
    double largest_ = 0.0; ///< of the finite ones
};

} // namespace attnlab::ui
