// Problems whose matrices are too large to be stored: a map of the weights, and exact single rows.
#pragma once

#include "core/map/row_problem.h"
#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/map/map_source.h"

#include <optional>
#include <QObject>
#include <QTimer>
#include <utility>

namespace attnlab::ui {

/// Computes rows in a worker thread; only the latest request counts. Rows with errors are ignored: the inspector does
/// not change, and the map reports the error.
class RowReader : public QObject {
    Q_OBJECT
public:
    explicit RowReader(QObject* parent = nullptr);

    void setProblem(const AttentionProblem& problem);
    void read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row);
    void cancel();

signals:
    /// `problem` is the row's problem, made by RowProblems.
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);
    /// The head of the rows read from now on; nullopt: not known yet, or not finite.
    void scoresKnown(const std::optional<attnlab::RowProblems::ScoreMoments>& scores);

private:
    struct Row {
        ComputedPtr computed;
        AttentionProblem problem;
        int number = 0;
    };
    std::shared_ptr<RowProblems> rows_; ///< used by one run at a time
    LatestJob<Row> job_;
    using HeadScores = std::optional<RowProblems::ScoreMoments>;
    LatestJob<HeadScores> scores_;
    std::optional<std::pair<std::int64_t, std::int64_t>> head_; ///< batch and head of the scores
};

/// Handles problems whose matrices are too large to be stored: a map of the weights, and single rows.
/// Decides which problems are shown as maps. The map shows the batch and head of the ViewState; the row of the pinned
/// cell, or of the one under a resting mouse, is computed with all its stages.
class LargeInputs : public QObject {
    Q_OBJECT
public:
    explicit LargeInputs(ViewState& view, QObject* parent = nullptr);

    /// Accepts a problem whose heads have more cells than the settings allow to store. False: it should be computed as
    /// a whole, and no map is open. An open map stays as it is where only the setting B differs.
    bool open(const AttentionProblem& problem);
    void close();
    /// The latest problem is shown as a map, even if that was cancelled.
    bool isOpen() const { return open_; }
    /// The map of the shown head is being computed.
    bool isComputing() const { return computing_; }
    /// Stops computing; what there is of the map stays.
    void cancel();
    /// The map of the shown head was cancelled, and is incomplete.
    bool isCancelled() const { return session_.isCancelled(); }
    /// Computes a cancelled map after all.
    void resume();
    /// The map of the shown head is complete.
    bool isComplete() const { return session_.pyramid() != nullptr; }
    void setPool(Pool pool);

    std::int64_t batches() const { return batches_; }
    std::int64_t heads() const { return heads_; }
    /// "B 1 · H 8 · L 32768 · S 32768" of the last opened problem.
    QString sizes() const { return sizes_; }
    /// What computed the map of the shown head; empty until it is complete.
    QString engine() const;
    MapSource* source() { return &source_; }
    MapSession& session() { return session_; }
    /// Emits rowRead() for the pinned row, or the one under the mouse.
    void readRow();

signals:
    void opened();
    void closed();
    /// Another batch, head or pooling.
    void choiceChanged();
    void started();
    void progressed(double fraction);
    /// The map is complete.
    void ready(const QString& engine);
    /// The problem cannot be shown as a map.
    void failed(const attnlab::Message& why);
    void cancelled();
    void resumed();
    /// See MapSession.
    void noted(const attnlab::Message& note);
    void warned(const std::vector<attnlab::Note>& notes);
    /// See RowReader.
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);
    /// The row that was read last is another one, or one of another head, and the one to show was not read within 0.3
    /// s; or its map is closed.
    void rowOutdated();
    void scoresKnown(const std::optional<attnlab::RowProblems::ScoreMoments>& scores);

private:
    void connectSession();
    void stop();
    void showChoice();

    ViewState& view_;
    MapSession session_;
    MapSource source_;
    RowReader rows_;
    QTimer hover_timer_; ///< detects a resting mouse
    QTimer forget_;      ///< runs while the row that was read last is not the one to show
    int read_row_ = -1;  ///< the one that was read last
    Pool pool_ = Pool::Max;
    std::int64_t batches_ = 1, heads_ = 1;
    bool open_ = false;
    bool computing_ = false;
    QString sizes_;
    AttentionProblem problem_; ///< of the open map, without the setting B
};

} // namespace attnlab::ui
