// KL(A || B), or the largest error, of each row as a bar beside the heatmap that the rows belong to.
#pragma once

#include "ui/matrix/heatmap_view.h"

#include <QWidget>

#include <vector>

namespace attnlab::ui {

/// The bars follow the rows of `heatmap`, which must outlive this, through pan and zoom. Infinite bars are full and say
/// ∞; a row that is no distribution has none.
class DivergenceBars : public QWidget {
    Q_OBJECT
public:
    explicit DivergenceBars(HeatmapView& heatmap, QWidget* parent = nullptr);

    /// Divergences are in nats; errors are the largest of each row.
    enum class Of { Divergence, Error };
    /// One for each row of the heatmap; empty: nothing to show. NaN: the row has none.
    void setRows(std::vector<double> rows, Of of = Of::Divergence);
    const std::vector<double>& rows() const { return rows_; }
    /// Where the bar of a row is painted; empty where there is none.
    QRectF barRect(int row) const;
    /// "fox: 0.031 nats".
    QString textOf(int row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void describe();

    HeatmapView& heatmap_;
    std::vector<double> rows_;
    Of of_ = Of::Divergence;
    double largest_ = 0.0; ///< of the finite ones
};

} // namespace attnlab::ui
