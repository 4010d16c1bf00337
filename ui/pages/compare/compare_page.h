// The page that compares two settings of the same inputs.
#pragma once

#include "core/compare.h"
#include "ui/pages/compare/comparison_page.h"

#include <array>
#include <memory>
#include <QString>
#include <QWidget>

namespace attnlab::ui {

class CompareControls;
class ElidedLabel;
class NotationLabel;
class CompareNumbers;
class Document;
class LargeInputs;
class MapComparison;
class OutdatedOverlay;

/// Setting B with its controls, the three matrices of the chosen stage, batch and head, and the numbers. Compares large
/// stages in the background. Of a large problem, one large map of B − A.
class ComparePage : public ComparisonPage {
    Q_OBJECT
public:
    /// Compares the maps of `large` while it is open; may be null.
    ComparePage(Document& document, ViewState& view, LargeInputs* large = nullptr, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;

    void setLow(bool low) override;
    /// What is compared, its formula, and the chip of a held range at the right.
    QWidget* header() const override { return header_; }

    CompareControls* controls() const { return controls_; }
    CompareView* view() const override { return pictures_; }
    CompareNumbers* numbers() const { return numbers_; }
    /// null without LargeInputs.
    MapComparison* maps() const { return maps_; }

    QString title() const override;
    void zoom(Zoom how) override;
    QString copyMatrix() override;
    QString copyPicture() override;

    /// "a.weights", "b.weights", "difference.weights", ...
    ComputedPtr exportedStages() const override;

protected:
    void compareAgain() override;
    void refresh() override;
    QString differenceName() const override { return QStringLiteral("B − A"); }
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;
    std::string markedStage() const override;

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
    bool showsMaps() const;

    Document& document_;
    QWidget* header_;
    ElidedLabel* title_;
    NotationLabel* formula_;
    CompareControls* controls_;
    CompareView* pictures_;
    CompareNumbers* numbers_;
    LargeInputs* large_;
    MapComparison* maps_ = nullptr;
    OutdatedOverlay* marks_; ///< of pictures and numbers while a comparison is made
    AttentionSpec spec_a_;   ///< of the displayed matrices
    AttentionSpec spec_b_;
    Outcome outcome_;
    bool result_pending_ = false; ///< the outcome of the job
    LatestJob<Outcome> job_;
};

} // namespace attnlab::ui

// The distance of A from B in large numbers, for presentations.

class QLabel;

namespace attnlab::ui {

/// Five figures, each a caption, a number and a note below it; the two that only weights have are hidden without.
class CompareNumbers : public QWidget {
    Q_OBJECT
public:
    explicit CompareNumbers(QWidget* parent = nullptr);

    struct Figures {
        Gap shown;            ///< of the displayed matrices
        Gap all;              ///< of the whole stage
        bool several = false; ///< the stage has more matrices than the displayed one
        std::optional<OutputGap> output;
        std::optional<RowDivergence> a_from_b; ///< of the displayed rows
        std::optional<RowDivergence> b_from_a;
    };
    void setFigures(Figures figures);
    /// The row whose divergences the notes show; -1: none.
    /// Without the notes below the numbers, which tool tips have too.
    void setLow(bool low);
    void setRow(int row, const QString& label);

    enum Figure { Largest, Mean, Output, AFromB, BFromA };
    /// False for one that the stage does not have.
    bool shows(Figure figure) const;
    QString caption(Figure figure) const;
    QString value(Figure figure) const;
    QString note(Figure figure) const;

private:
    struct Tile {
        QLabel* caption;
        QLabel* value;
        QLabel* note;
    };
    static constexpr std::size_t count = 5;

    void refresh();
    void showTile(Figure figure, bool shown);
    void showFigure(Figure figure, const QString& caption, const QString& value, const QString& note,
                    const QString& help);
    void showDivergence(Figure figure, const QString& caption, const std::optional<RowDivergence>& divergence,
                        const QString& zero, const QString& help);

    Figures figures_;
    bool low_ = false;
    int row_ = -1;
    QString row_label_;
    std::array<Tile, count> tiles_;
};

} // namespace attnlab::ui
