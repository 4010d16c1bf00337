// The field of one Integer or Real parameter.
#pragma once

#include "core/parameter.h"

#include <QAbstractSpinBox>

namespace attnlab::ui {

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

    /// What refused() says of a text.
    static QString refusalOf(const QString& text, const QString& expected);

    void stepBy(int steps) override;
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
