// The dialog that checks an answer computed by hand: which cells of a stage are right, and which known mistake explains
// the others.
#pragma once

#include "core/recognition/recognition.h"
#include "core/verify/grade.h"
#include "ui/document/computation.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/latest_job.h"

#include <memory>
#include <optional>
#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace attnlab::ui {

class AnswerTable;
class ErrorLabel;
class TextEdit;

/// Grades what is in its field, in any form of a matrix, while it is typed or pasted. Modal to its window, so neither
/// its language nor the result changes meanwhile.
class CheckAnswerDialog : public QDialog {
    Q_OBJECT
public:
    /// `computed` is the result of `problem`. Begins with the stage of that name, if it can be checked. Where a stage
    /// has several matrices, an answer may be all of them or one: at first that of `batch` and `head`.
    CheckAnswerDialog(AttentionProblem problem, ComputedPtr computed, const QString& stage, int batch = 0, int head = 0,
                      QWidget* parent = nullptr);

    void choose(const QString& stage);
    /// Writes the file's array for the stage into the field; its other arrays are for other stages.
    void readFile(const QString& path);

    QComboBox* stages() const { return stages_; }
    TextEdit* answer() const { return answer_; }
    QLineEdit* tolerance() const { return tolerance_; }
    /// Batch and head of the displayed cells; hidden if there is only one matrix.
    QComboBox* matrices() const { return matrices_; }
    QTableView* table() const { return table_; }
    /// "7 of 9 cells are right."; empty without an answer.
    QString verdict() const;
    /// The mistakes that give the whole matrix.
    QString explanation() const;
    QString error() const;
    bool isChecking() const { return job_.isRunning(); }

signals:
    /// The user wants to see the answer beside the stage, by this tolerance.
    void comparisonRequested(const std::shared_ptr<const attnlab::Contents>& answer, const QString& stage,
                             double tolerance);
    void checked();

private:
    struct Outcome;
    void build();
    void setTexts();
    void addStages();
    void chooseFile();
    void takeArray();
    void check();
    void showOutcome(std::shared_ptr<const Outcome> outcome);
    void addMatrices(int batch, int head);
    std::optional<MatrixData> exactMatrix() const;
    void showMatrix();
    void requestComparison();
    const Stage* stage() const;

    const AttentionProblem problem_;
    const ComputedPtr computed_;
    QComboBox* stages_;
    QLineEdit* tolerance_;
    QPushButton* open_;
    TextEdit* answer_;
    ErrorLabel* error_;
    QLabel* verdict_;
    QLabel* explanation_;
    QComboBox* matrices_;
    QTableView* table_;
    AnswerTable* cells_;
    QPushButton* compare_;
    std::shared_ptr<const Contents> file_; ///< null once the field is edited
    bool is_taking_ = false;               ///< the field is being filled from file_
    std::shared_ptr<const Outcome> outcome_;
    LatestJob<std::shared_ptr<const Outcome>> job_;
};

} // namespace attnlab::ui
