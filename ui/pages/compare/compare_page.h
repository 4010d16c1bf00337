// The page that compares two settings of the same inputs.
#pragma once

#include "core/compare.h"
#include "ui/pages/compare/comparison_page.h"

#include <memory>

namespace attnlab::ui {

class CompareControls;
class CompareNumbers;
class Document;
class StaleMarks;

/// Setting B with its controls, the three matrices of the chosen stage, batch and head, and the numbers. Compares large
/// stages in the background.
class ComparePage : public ComparisonPage {
    Q_OBJECT
public:
    ComparePage(Document& document, ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;

    void setLow(bool low) override;

    CompareControls* controls() const { return controls_; }
    CompareView* view() const override { return pictures_; }
    CompareNumbers* numbers() const { return numbers_; }

    /// "a.weights", "b.weights", "difference.weights", ...
    ComputedPtr exportedStages() const override;

protected:
    void compareAgain() override;
    void refresh() override;
    QString differenceName() const override { return QStringLiteral("A − B"); }

private:
    /// The result of comparing: a comparison, or why there is none.
    struct Outcome {
        std::shared_ptr<const Comparison> comparison;
        Message problem;
        std::optional<OutputGap> output;
    };
    static Outcome outcomeOf(const Computed& computed, const std::string& stage, const RunControl& control);

    QString problemText() const;
    void showRow();

    Document& document_;
    CompareControls* controls_;
    CompareView* pictures_;
    CompareNumbers* numbers_;
    StaleMarks* marks_;    ///< of pictures and numbers while a comparison is made
    AttentionSpec spec_a_; ///< of the displayed matrices
    AttentionSpec spec_b_;
    Outcome outcome_;
    bool is_awaited_ = false; ///< the outcome of the job
    LatestJob<Outcome> job_;
};

} // namespace attnlab::ui
