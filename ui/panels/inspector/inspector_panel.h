// The numbers behind one cell: its arithmetic, its row, the scores of its head, and what they were before.
#pragma once

#include "core/map/row_problem.h"
#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <deque>
#include <optional>
#include <QString>
#include <QTimer>
#include <QWidget>

class QLabel;

namespace attnlab::ui {

// The result before a setting changed, for outlines of earlier numbers beside the present ones.

/// It is kept until other inputs, another mechanism, or the same setting again.
class ResultBefore {
public:
    /// The result that is shown next, of this problem; null: none.
    void setNext(const ComputedPtr& computed, const AttentionProblem& problem);
    void forget() { before_.reset(); }
    /// The next change is beside the present result; until then the earlier one stays.
    void beginAnew() { begins_anew_ = true; }

    /// Null: the setting has not changed.
    const ComputedPtr& result() const { return before_; }
    /// The result before the first of the changes that keep their colours, forgotten or not; null: none.
    const ComputedPtr& first() const { return first_; }
    /// The next change is the first one.
    void forgetFirst() { first_.reset(); }
    /// What its setting has else: "1/√d"; empty without a result.
    QString setting() const;

private:
    ComputedPtr shown_, before_, first_;
    AttentionProblem shown_from_;
    AttentionSpec before_from_;
    bool begins_anew_ = false;
};

class CellCard;
class KeyPictureCard;
class MeasuresCard;
class RowCard;
class ScoresCard;
class FittingScrollArea;

/// Shows the pinned cell, else the hovered one. Every number comes from the trace.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(ViewState& view, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    /// The trace and its problem, whose scale determines the predicted variance. A large map is explained row by row:
    /// `row` is the one in the trace, `map` the colours of the map. It stays until the trace of another pointed-at row
    /// is ready.
    void setTrace(ComputedPtr computed, const AttentionProblem& problem, std::optional<int> row = {},
                  const std::optional<ColorScale>& map = {});
    /// Of the head of the row in the trace; nullopt if unknown: the card then shows the scores of the row.
    void setHeadScores(const std::optional<RowProblems::ScoreMoments>& scores);
    void clear() { setTrace(nullptr, {}); }

    const ResultBefore& before() const { return before_; }
    /// Numbers of before stay, and the next change is beside the present ones.
    void compareNextWithNow();
    /// The user has gone on to something else: no more numbers of before.
    void forgetBefore();

    /// Parts, for tests.
    QLabel* sideLabel() const { return side_; }
    CellCard* cellCard() const { return cell_card_; }
    RowCard* rowCard() const { return row_card_; }
    ScoresCard* scoresCard() const { return scores_card_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void build();
    void traceChanged();
    void cellChanged();
    void refreshCell();
    void refreshRow();
    void refreshNumbers();
    void refreshScores();
    std::optional<Cell> cellOfRow() const;
    void refreshSoon(bool scores);
    std::optional<Cell> cell() const;
    bool awaitsRow() const;
    const Stage* stage() const;
    bool keysAcross() const;
    bool columnsAreThoseOfWeights() const;
    const Stage* rowWeights() const;
    std::optional<MatrixData> weightsOf(const ComputedPtr& earlier) const;
    int head() const;
    void hoverKey(std::optional<int> key);
    void pinKey(int key);

    ViewState& view_;
    ComputedPtr computed_;
    int first_row_ = 0; ///< the number of the trace's first row in the views
    bool one_row_ = false;
    std::optional<RowProblems::ScoreMoments> head_scores_;
    AttentionProblem problem_;
    std::optional<MatrixData> shown_;       ///< matrix of the chosen stage
    std::optional<MatrixData> row_weights_; ///< if rows of the chosen stage are queries
    ResultBefore before_;
    std::optional<MatrixData> before_weights_; ///< the same of before_
    std::optional<MatrixData> first_weights_;  ///< the same before the first change; only while colours are held
    ColorScale weights_scale_;
    std::optional<ColorScale> map_scale_;
    using Refresh = void (InspectorPanel::*)();
    std::deque<Refresh> waiting_; ///< with fast changing rows of a large map: one refresh for each event
    QTimer next_;

    QLabel* side_ = nullptr; ///< which of two settings this is
    FittingScrollArea* scroll_ = nullptr;
    MeasuresCard* measures_card_ = nullptr;
    CellCard* cell_card_ = nullptr;
    RowCard* row_card_ = nullptr;
    KeyPictureCard* key_picture_ = nullptr;
    ScoresCard* scores_card_ = nullptr;
};

} // namespace attnlab::ui
