// A line to type one number into.
#pragma once

#include <QLineEdit>

#include <optional>

namespace attnlab::ui {

/// Takes what a cell takes: "0,5" in the locale, "1/3", "-inf". Text that is no number is shown in the error colour.
class NumberLine : public QLineEdit {
    Q_OBJECT
public:
    explicit NumberLine(double value, QWidget* parent = nullptr);

    /// Nothing while the text is no number.
    std::optional<double> number() const;

signals:
    void numberChanged();

private:
    void mark();
};

} // namespace attnlab::ui
