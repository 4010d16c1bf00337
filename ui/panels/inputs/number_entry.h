// Parses and formats numbers in the cells of a tensor.
#pragma once

#include <QLocale>
#include <QString>

#include <optional>

namespace attnlab::ui {

/// Reads "0.5", the locale's "0,5", "1e-3", "1/3", "inf", "-inf", "∞" and "nan"; nullopt for other text. Group
/// separators are refused, since "1,000" is ambiguous.
std::optional<double> typedNumber(const QString& text, const QLocale& locale = QLocale());

/// Text that typedNumber reads back as exactly the same double, in any locale.
QString editText(double value);

/// The text of a cell: the exact number if that is short, else `digits` significant digits.
QString cellText(double value, int digits = 4);

} // namespace attnlab::ui
