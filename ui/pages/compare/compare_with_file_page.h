// The page that compares a stage with an array computed by other code.
#pragma once

#include "core/recognition/recognition.h"
#include "core/verify/array_comparison.h"
#include "core/verify/mistakes.h"
#include "ui/pages/compare/comparison_page.h"

#include <map>
#include <memory>

class QAbstractButton;
class QComboBox;
class QLabel;
class QLineEdit;

namespace attnlab::ui {

class Document;
class FittingScrollArea;

/// The arrays of one file, which are not part of the document: the page disappears when they are closed. Each stage is
/// compared with the array that fits it by name or shape, or that was chosen for it; otherwise the page reports that
/// there is none. Compares in the background.
class CompareWithFilePage : public ComparisonPage {
    Q_OBJECT
public:
    CompareWithFilePage(const Document& document, ViewState& view, QWidget* parent = nullptr);

    /// `file` is its name for display.
    void open(std::shared_ptr<const Contents> contents, const QString& file);
    bool isOpen() const { return contents_ != nullptr; }
    struct Outcome;
    /// The file with the user's choices and the present result, for another page of the same document.
    struct State {
        std::shared_ptr<const Contents> contents; ///< null: none is open
        QString file;
        std::map<std::string, std::string> chosen, layouts;
        QString tolerance;
        std::shared_ptr<const Outcome> outcome;
    };
    State saveState() const;
    /// After setTrace(); no effect without a file.
    void restoreState(const State& state);
    /// Null: the inputs are too large for stages to compare with.
    void setTrace(ComputedPtr computed) override;

    /// "given.weights", "exact.weights" and "difference.weights".
    ComputedPtr exportedStages() const override;
    CompareView* view() const override { return pictures_; }
    QComboBox* arrays() const { return arrays_; }
    /// The possible orders of the array's axes; hidden if there is only one.
    QComboBox* layouts() const { return layouts_; }
    QLineEdit* tolerance() const { return tolerance_; }
    QString beyondText() const;
    /// Shows the position of the largest error, and navigates to it.
    QAbstractButton* worst() const { return worst_; }
    QAbstractButton* closeButton() const { return close_; }
    QString heading() const;
    QString words() const;

signals:
    void opened();
    void closed();

protected:
    void compareAgain() override;
    void refresh() override;
    QString differenceName() const override;

private:
    static Outcome outcomeOf(const AttentionProblem& problem, const Trace& exact, const std::string& stage,
                             const HeldArray& array, const std::string& layout, const RunControl& control);

    void close();
    void showNothing(const QString& why);
    void setTexts();
    void build();
    void fillArrays(const Stage& stage, const HeldArray* chosen);
    void fillLayouts(const Stage& stage, const HeldArray* chosen);
    void showTolerance();
    std::vector<double> rowErrors() const;
    /// The array for a stage; null if there is none or the user has to choose.
    const HeldArray* arrayFor(const Stage& stage) const;
    QString missingArrayReason(const Stage& stage) const;
    void goToWorst();

    const Document& document_;
    QLabel* heading_;
    QLabel* layouts_label_;
    QComboBox* layouts_;
    QComboBox* arrays_;
    QAbstractButton* close_;
    CompareView* pictures_;
    QAbstractButton* worst_;
    QLabel* tolerance_label_;
    QLineEdit* tolerance_;
    QLabel* beyond_;
    QLabel* words_;
    FittingScrollArea* words_room_;
    std::shared_ptr<const Contents> contents_;
    QString file_;
    std::map<std::string, std::string> chosen_;    ///< stage -> array
    std::map<std::string, std::string> layout_of_; ///< stage -> order of axes; absent: the first that fits
    AttentionProblem problem_;                     ///< the problem of computed_
    std::shared_ptr<const Outcome> outcome_;
    LatestJob<std::shared_ptr<const Outcome>> job_;
};

} // namespace attnlab::ui
