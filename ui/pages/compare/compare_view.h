// A, B and B - A: three matrices, in views side by side or A above B, with the divergence of each row; and for figures.
#pragma once

#include "core/compare.h"
#include "ui/drawing/figures/figure.h"
#include "ui/matrix/heatmap_view.h"

#include <array>
#include <optional>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

struct ComparedMatrices {
    MatrixData a;
    MatrixData b;
    MatrixData difference; ///< blocked where both are
    ColorScale values;     ///< one for A and B, over all heads of the batch
    ColorScale gaps;       ///< diverging, centred on 0, over all heads of the batch
    bool are_weights = false;

    /// For a figure with the scale `values`; the titles are shown above A and B.
    FigurePanels panels(const QString& title_a, const QString& title_b,
                        const QString& title_of_difference = QStringLiteral("B − A")) const;
};

/// One batch and head (or ViewState::mean_of_heads) of a comparison of `a` with `b`. nullopt when the indices are
/// outside the stage or it is empty. `held`: see scaleForBoth().
std::optional<ComparedMatrices> comparedMatrices(const Trace& a, const Trace& b, const Comparison& comparison,
                                                 int batch, int head, const ColorChoice& choice,
                                                 const HeldColors* held = nullptr);

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

// A, B and B - A side by side, or A above B: one crosshair, one pin, one pan and zoom.

class QLabel;

namespace attnlab::ui {

class StateBox;
struct PictureState;

class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(ViewState& view, QWidget* parent = nullptr);

    /// Where there is more height than three beside one another can use: A above B and the difference beside both,
    /// even if cells of A and B are larger in a row.
    void setPrefersStack(bool prefers);
    void setTitles(const QString& a, const QString& b, const QString& difference);
    /// `rows` are the bars beside the difference; may be empty.
    void setMatrices(const ComparedMatrices& matrices, std::vector<double> rows,
                     DivergenceBars::Of of = DivergenceBars::Of::Divergence);
    /// Shows only A (if there is a matrix), and beside it the text `why`, which says why B and B − A are missing.
    void setProblem(const std::optional<MatrixData>& a, const ColorScale& scale, const PictureState& why);

    HeatmapView* a() const { return heatmaps_[0]; }
    HeatmapView* b() const { return heatmaps_[1]; }
    HeatmapView* difference() const { return heatmaps_[2]; }
    DivergenceBars* bars() const { return bars_; }
    /// On the difference: why there is none, if that needs words.
    StateBox* words() const { return words_; }
    /// Titles of A, B and their difference: 0 to 2.
    QString title(std::size_t index) const { return texts_[index]; }
    /// What the corners of cells of the difference mean; empty where there are none.
    QString legend() const;
    /// What the bars beside the difference are.
    QString barsHelp() const;
    /// Why nothing is shown beside A; empty if it is.
    QString error() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void link(HeatmapView* heatmap);
    void layOut();
    void chooseLayout();
    void layOutLabels();
    void layOutParts();
    void layOutRow(const QRect& area, int line);
    void layOutStack(const QRect& area, int line);
    void showSides();
    void showPair(bool complete);
    static QString divergenceHelp(const std::vector<double>& rows);

    ViewState& view_;
    std::array<QLabel*, 3> titles_;
    std::array<QString, 3> texts_;
    std::array<HeatmapView*, 3> heatmaps_;
    DivergenceBars* bars_;
    QLabel* bars_title_;
    QLabel* legend_; ///< of cells that one of both masks, below the difference
    QWidget* error_; ///< the place of B and B − A
    StateBox* error_words_;
    StateBox* words_;
    bool prefers_stack_ = false;
    bool is_stacked_ = false; ///< A above B
};

} // namespace attnlab::ui
