// The field of one Integer or Real parameter.
#pragma once

#include "core/parameter.h"

#include <QAbstractSpinBox>

namespace attnlab::ui {

/// Typing, arrow keys, wheel and buttons. Holds the parameter's exact value (any int64, every digit of a double;
/// QSpinBox and QDoubleSpinBox would cut both) in the notation of the locale. What is typed counts at once when it is a
/// valid value; else the field says what is expected, keeps its last value and returns to it when left.
class NumberField : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(double value READ number)
public:
    /// `parameter` must outlive the field; its type is Integer or Real.
    explicit NumberField(const Parameter& parameter, QWidget* parent = nullptr);

    const ParameterValue& value() const { return value_; }
    double number() const;
    /// Shows another value; text being typed stays when it means this value already.
    void setValue(const ParameterValue& value);
    /// What is wrong with the text; empty when nothing is.
    const QString& complaint() const { return complaint_; }

    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user, never by setValue().
    void valueEdited(const attnlab::ParameterValue& value);
    void complaintChanged(const QString& complaint);

protected:
    QValidator::State validate(QString&, int&) const override { return QValidator::Acceptable; }
    StepEnabled stepEnabled() const override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Every digit is a step of the document already: undo belongs to the window, not to the text.
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
