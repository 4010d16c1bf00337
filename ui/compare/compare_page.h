// The page that shows two settings of the same inputs.
#pragma once

#include "core/compare.h"
#include "ui/compare/compared_matrices.h"
#include "ui/page.h"
#include "ui/view_state.h"

#include <memory>

namespace attnlab::ui {

class CompareControls;
class CompareNumbers;
class CompareView;
class Document;

/// Setting B with its controls, the three matrices of the chosen stage, batch and head, and the numbers. Compares only
/// while it is visible; large stages in the background.
class ComparePage : public Page {
    Q_OBJECT
public:
    ComparePage(Document& document, ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    QString title() const override;
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override;
    QString copyMatrix() override;
    QString copyPicture() override;
    void askForExport() override;

    CompareControls* controls() const { return controls_; }
    CompareView* view() const { return pictures_; }
    CompareNumbers* numbers() const { return numbers_; }

    /// What is on show; nothing while there is nothing to compare.
    const std::optional<ComparedMatrices>& matrices() const { return matrices_; }
    /// The same as a figure on the scale matrices()->values.
    FigurePanels figurePanels() const;
    /// Both settings and their difference as stages "a.weights", "b.weights", "difference.weights", ... for an export;
    /// null where there is nothing to compare.
    ComputedPtr exportedStages() const;

signals:
    /// The newest request is on show.
    void settled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// What comparing gave: a comparison, or why there is none.
    struct Outcome {
        std::shared_ptr<const Comparison> comparison;
        Message problem;
        std::optional<OutputGap> output;
    };
    static Outcome outcomeOf(const Computed& computed, const std::string& stage);

    void compareAgain();
    void refresh();
    void showProblem();
    void showRow();
    const Stage* stage() const;
    int head() const;

    Document& document_;
    ViewState& view_;
    CompareControls* controls_;
    CompareView* pictures_;
    CompareNumbers* numbers_;
    ComputedPtr computed_;
    AttentionSpec spec_a_; ///< of what is on show
    AttentionSpec spec_b_;
    Outcome outcome_;
    std::optional<ComparedMatrices> matrices_;
    bool stale_ = true;
    LatestJob<Outcome> job_;
};

} // namespace attnlab::ui
