// Dialogs that fill and resize a tensor.
#pragma once

#include "core/attention.h"
#include "core/edit/cells.h"
#include "core/run_control.h"

#include <functional>
#include <QDialog>
#include <vector>

class QButtonGroup;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace attnlab::ui {

class NumberLine;

/// The possible areas.
struct FillTarget {
    QString tensor;
    DType dtype = DType::Float64;
    std::int64_t columns = 1;  ///< for one-hot
    std::int64_t matrices = 1; ///< more than one: offers "this matrix"
    std::int64_t selected = 0; ///< number of selected cells; two or more: offers the selection, first
};

/// Emits changed() for each change, so that the caller can show a preview.
class FillDialog : public QDialog {
    Q_OBJECT
public:
    FillDialog(const FillTarget& target, const Fill& initial, QWidget* parent = nullptr);

    Fill fill() const;
    FillScope scope() const;
    /// False while a field contains no number that the tensor can hold.
    bool isComplete() const;

    /// Shows whether there is a preview.
    void setPreviewed(bool previewed);

public slots:
    /// Uses the next seed.
    void drawAgain();

signals:
    void changed();

private:
    void addFields();
    void addScopes(QLayout& layout);
    void showFields();
    void settle();
    NumberLine* addNumber(const QString& label, double value);

    FillTarget target_;
    Fill initial_;
    QFormLayout* form_;
    QComboBox* kind_;
    NumberLine* number_;
    NumberLine* mean_;
    NumberLine* deviation_;
    NumberLine* low_;
    NumberLine* high_;
    NumberLine* start_;
    NumberLine* step_;
    QSpinBox* column_;
    QSpinBox* seed_;
    QPushButton* draw_again_;
    QButtonGroup* scopes_;
    QLabel* later_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui

// Asks for a new size of a tensor.

class QCheckBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace attnlab::ui {

/// One number for each axis, named by the mechanism's declaration; lists the other inputs that change with it.
class ResizeDialog : public QDialog {
    Q_OBJECT
public:
    ResizeDialog(const AttentionProblem& problem, const QString& tensor, QWidget* parent = nullptr);

    /// The current sizes: with axes of batches and heads that the tensor lacks where one of these is above 1.
    Shape shape() const;
    /// Gives a problem's tensor, and if chosen the others, their new sizes; for Document::editBy().
    std::function<void(AttentionProblem&, const RunControl&)> edit() const;
    /// How many numbers edit() makes.
    double newNumbers() const;

private:
    void settle();
    /// The problem whose tensor has the axes of shape().
    const AttentionProblem& base() const;

    AttentionProblem problem_, with_all_axes_;
    QString tensor_;
    std::vector<QSpinBox*> sizes_;
    std::size_t added_axes_ = 0; ///< the first of sizes_, which the tensor lacks
    QCheckBox* along_;
    QLabel* others_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui
