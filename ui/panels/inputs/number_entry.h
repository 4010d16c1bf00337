// Entering numbers: the text of a cell, a line edit for one number, and cells from the clipboard.
#pragma once

#include "core/io/csv.h"
#include "core/run_control.h"

#include <optional>
#include <QLineEdit>
#include <QLocale>
#include <QString>

namespace attnlab::ui {

/// Reads "0.5", the locale's "0,5", "1e-3", "1/3", "inf", "-inf", "∞" and "nan"; nullopt for other text. Group
/// separators are refused, since "1,000" is ambiguous.
std::optional<double> typedNumber(const QString& text, const QLocale& locale = QLocale());

/// Text that typedNumber reads back as exactly the same double, in any locale.
QString editText(double value);

/// The text of a cell: the exact number if that is short, else `digits` significant digits.
QString cellText(double value, int digits = 4);

/// A line edit for one number.
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

// Reads cells that a spreadsheet has put on the clipboard.

namespace attnlab::ui {

/// Clipboard text as a table: a single number in the user's locale, or a table of io::read_table. Throws Error,
/// Cancelled.
io::Table tableFrom(const QString& text, const RunControl& control = {});

} // namespace attnlab::ui
