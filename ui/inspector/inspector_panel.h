// The numbers behind one cell: its arithmetic, its row, the scores of its head.
#pragma once

#include "ui/computation.h"
#include "ui/inspector/arithmetic.h"
#include "ui/plot/colormap.h"
#include "ui/plot/matrix_data.h"
#include "ui/view_state.h"

#include <QWidget>

#include <optional>

class QLabel;
class QScrollArea;

namespace attnlab::ui {

class BarChart;
class Card;
class KeyPictureCard;
class MeasuresCard;
class NumberTable;

/// Shows the pinned cell, else the hovered one. Every number comes from the trace.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(ViewState& view, QWidget* parent = nullptr);

    /// A large map is explained row by row: `row` is the one that the trace has. It stays on show while another row is
    /// pointed at, until that one's trace is here.
    void setTrace(ComputedPtr computed, std::optional<int> row = {});
    /// The problem that the trace came from; its scale tells what variance theory predicts.
    void setProblem(const AttentionProblem& problem);

    /// The parts, for tests.
    MeasuresCard* measuresCard() const { return measures_card_; }
    Card* cellCard() const { return cell_card_; }
    Card* rowCard() const { return row_card_; }
    KeyPictureCard* keyPictureCard() const { return key_picture_; }
    Card* scoresCard() const { return scores_card_; }
    BarChart* bars() const { return bars_; }
    NumberTable* rowNumbers() const { return row_numbers_; }
    NumberTable* scoreNumbers() const { return score_numbers_; }
    QString hint() const;
    /// Heading and arithmetic as plain text: what copying takes.
    QString arithmeticText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void copyArithmetic() const;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void retranslate();
    void traceChanged();
    void refreshCell();
    void refreshRow();
    void refreshScores();
    void renderArithmetic();
    void renderTerms();
    int termsWidth() const;
    std::optional<Cell> cell() const;
    bool awaitsRow() const;
    const Stage* stage() const;
    const Stage* rowWeights() const;
    int head() const;
    void hoverBar(int bar);
    void pinBar(int bar);
    void showOnPicture(std::optional<Cell> chosen);
    void chooseKey(int key);
    void showBars(const MatrixData& weights, Cell chosen);

    ViewState& view_;
    ComputedPtr computed_;
    int first_row_ = 0; ///< what the views call the first row of the trace
    bool one_row_ = false;
    AttentionProblem problem_;
    std::vector<ArithmeticLine> lines_;
    std::optional<MatrixData> shown_;       ///< of the chosen stage
    std::optional<MatrixData> row_weights_; ///< where rows of the chosen stage are queries
    ColorScale weights_scale_;
    bool all_parts_ = false; ///< the long sum is unfolded

    QScrollArea* scroll_ = nullptr;
    MeasuresCard* measures_card_ = nullptr;
    Card* cell_card_ = nullptr;
    QLabel* hint_ = nullptr;
    QLabel* terms_ = nullptr;
    QLabel* steps_ = nullptr;
    Card* row_card_ = nullptr;
    BarChart* bars_ = nullptr;
    std::vector<int> bar_keys_; ///< the key of each bar
    QLabel* left_out_ = nullptr;
    NumberTable* row_numbers_ = nullptr;
    KeyPictureCard* key_picture_ = nullptr;
    Card* scores_card_ = nullptr;
    NumberTable* score_numbers_ = nullptr;
    QAction* copy_ = nullptr;
};

} // namespace attnlab::ui
