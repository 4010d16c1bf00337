// The common part of pages that show two matrices and their difference.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/pages/page.h"

namespace attnlab::ui {

class ColorsPopup;

/// Compares only while visible.
class ComparisonPage : public Page {
    Q_OBJECT
public:
    QString title() const override;
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override;

    virtual CompareView* view() const = 0;
    /// The displayed matrices; nullopt while there is nothing to compare.
    const std::optional<ComparedMatrices>& matrices() const { return matrices_; }
    /// The same as a figure with the scale matrices()->values.
    FigurePanels figurePanels() const;
    /// Both sides and their difference as stages for an export, including "difference.weights"; null if there is
    /// nothing to compare.
    virtual ComputedPtr exportedStages() const = 0;

signals:
    /// The result of the latest request is displayed.
    void settled();

protected:
    ComparisonPage(ViewState& view, QWidget* parent);

    /// Restarts with the current objects of the comparison.
    virtual void compareAgain() = 0;
    /// Shows the result for the current batch, head and colours.
    virtual void refresh() = 0;
    /// "B − A"
    virtual QString differenceName() const = 0;

    const Stage* stage() const;
    int head() const;
    /// A click on the colour bar of A or B opens the colours. For the constructor of a page with its view().
    void offerColors();
    /// Shows the matrices(), with a number for each row.
    void showMatrices(std::vector<double> rows, DivergenceBars::Of of = DivergenceBars::Of::Divergence);
    /// Shows only the stage, and why nothing is compared.
    void showProblem(const QString& why, PictureState::Look look = PictureState::Look::Empty);

    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;
    std::string markedStage() const override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

    ViewState& view_;
    ColorsPopup* colors_;
    ScaleChip* scale_chip_ = nullptr;
    ScaleChip::Settings held_of_ = ScaleChip::Settings::Both; ///< the settings of the document on show
    ComputedPtr computed_;
    std::optional<ComparedMatrices> matrices_;
    bool stale_ = true;
};

} // namespace attnlab::ui
