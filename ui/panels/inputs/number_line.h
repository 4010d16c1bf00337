// A line edit for one number.
#pragma once

#include <QLineEdit>

#include <optional>

namespace attnlab::ui {

/// Accepts the same text as a cell: "0,5" in the locale, "1/3", "-inf". Invalid text is shown in the error colour.
class NumberLine : public QLineEdit {
    Q_OBJECT
public:
    explicit NumberLine(double value, QWidget* parent = nullptr);

    /// nullopt while the text is not a number.
    std::optional<double> number() const;

signals:
    void numberChanged();

private:
    void mark();
};

} // namespace attnlab::ui
