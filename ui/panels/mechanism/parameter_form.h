// A form generated from parameter declarations, its field for numbers, and numbers that are dragged.
#pragma once

#include "core/parameter.h"

#include <QAbstractSpinBox>
#include <QWidget>
#include <span>
#include <vector>

namespace attnlab::ui {

/// What a drag of so many steps makes of a number of `parameter`, within its range; see NumberDrag. A number that must
/// be above 0 is multiplied. Returns `start` where the parameter does not allow the result.
ParameterValue draggedValue(const Parameter& parameter, const ParameterValue& start, double steps);

/// Supports typing, arrow keys, wheel and buttons. Holds the parameter's exact value (any int64, every digit of a
/// double, unlike QSpinBox and QDoubleSpinBox) in the notation of the locale. A valid text takes effect while it is
/// typed; otherwise the field says what is expected, and restores its last value when left.
class NumberField : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(double value READ number)
public:
    /// `parameter` must outlive the field; its type is Integer or Real.
    explicit NumberField(const Parameter& parameter, QWidget* parent = nullptr);

    const ParameterValue& value() const { return value_; }
    double number() const;
    /// Shows another value; keeps text being typed that already has this value.
    void setValue(const ParameterValue& value);
    /// The error of the text; empty if it is valid.
    const QString& complaint() const { return complaint_; }

    /// The message of refused() for a text.
    static QString refusalOf(const QString& text, const QString& expected);

    void stepBy(int steps) override;
    /// The value after dragging so many steps from `start`; see NumberDrag. A number that must be above 0 is
    /// multiplied.
    void dragTo(const ParameterValue& start, double steps);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user, never by setValue().
    void valueEdited(const attnlab::ParameterValue& value);
    void complaintChanged(const QString& complaint);
    /// A text was left that could not be taken: "“0” was not taken. Expected a number above 0."
    void refused(const QString& why);

protected:
    QValidator::State validate(QString&, int&) const override { return QValidator::Acceptable; }
    StepEnabled stepEnabled() const override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Every digit typed is already a step of the document: undo belongs to the window.
    bool event(QEvent* event) override;

private:
    void readText(const QString& text);
    void leave();
    void show(const ParameterValue& value);
    void complain(const QString& complaint);
    double stepped(int steps) const;
    QSize sizeFor(int characters) const;

    const Parameter& parameter_;
    ParameterValue value_;
    QString complaint_;
};

} // namespace attnlab::ui

// A form generated from parameter declarations.

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace attnlab::ui {

class ExpressionField;

/// One field for each parameter. Emits only complete, valid values.
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    enum class Arrangement { Column, Row };
    explicit ParameterForm(Arrangement arrangement = Arrangement::Column, QWidget* parent = nullptr);
    ~ParameterForm() override;

    /// `declared` must outlive the form. `values` may be incomplete or invalid: the declared defaults are shown
    /// instead. The same declarations keep the fields, their focus and text being typed.
    void setParameters(std::span<const Parameter> declared, const ParameterValues& values);
    std::span<const Parameter> parameters() const { return declared_; }
    /// Complete.
    const ParameterValues& values() const { return values_; }

    /// The field of a parameter: a NumberField, QCheckBox, QComboBox, ExpressionField
    /// or, for a list, QLineEdit. Null for an unknown
    /// parameter.
    QWidget* field(std::string_view name) const;
    /// Shows or hides a field with its label; ignores an unknown name.
    void setShown(std::string_view name, bool shown);

signals:
    /// By the user. Edits of one interaction (typing in a field, repeated steps) share a gesture number.
    void valuesChanged(const attnlab::ParameterValues& values, int gesture);

private:
    struct Row {
        const Parameter* parameter;
        QLabel* label = nullptr;     ///< null for check boxes, which show their title
        QLabel* complaint = nullptr; ///< only in a column
        NumberField* number = nullptr;
        QCheckBox* check = nullptr;
        QComboBox* combo = nullptr;
        QLineEdit* list = nullptr;
        ExpressionField* text = nullptr;

        QWidget* field() const;
    };

    void build();
    Row makeRow(const Parameter& parameter);
    void connectNumber(const Row& row);
    void connectList(const Row& row);
    void complain(const Row& row, const QString& text);
    void edited(const Parameter& parameter, const ParameterValue& value, bool run);
    void showValues();

    Arrangement arrangement_;
    std::span<const Parameter> declared_;
    ParameterValues values_;
    std::vector<Row> rows_;
    int gesture_ = 0; ///< of the current interaction, or 0
    const Parameter* running_ = nullptr;
};

/// `values` where declared and allowed, defaults otherwise.
ParameterValues completed(std::span<const Parameter> declared, const ParameterValues& values);

} // namespace attnlab::ui
