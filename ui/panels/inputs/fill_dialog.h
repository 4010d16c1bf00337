// Asks by which rule to fill which cells.
#pragma once

#include "core/edit/fill.h"

#include <QDialog>

class QButtonGroup;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace attnlab::ui {

class NumberLine;

/// What can be filled.
struct FillTarget {
    QString tensor;
    DType dtype = DType::Float64;
    std::int64_t columns = 1;  ///< for one-hot
    std::int64_t matrices = 1; ///< more than one: "this matrix" is offered
    std::int64_t selected = 0; ///< selected cells; two or more: the selection is offered, and first
};

/// Says each change by changed(), so that the caller can show the result while the dialog is open.
class FillDialog : public QDialog {
    Q_OBJECT
public:
    FillDialog(const FillTarget& target, const Fill& initial, QWidget* parent = nullptr);

    Fill fill() const;
    FillScope scope() const;
    /// False while a field holds no number that the tensor can take.
    bool isComplete() const;

    /// Says that nothing is to be seen of it before it is accepted.
    void setPreviewed(bool previewed);

public slots:
    /// The next seed.
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
