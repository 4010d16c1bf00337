// Numbers as they are typed into and shown in the cells of a tensor.
#pragma once

#include <QLocale>
#include <QString>

#include <optional>

namespace attnlab::ui {

/// Reads "0.5", the locale's "0,5", "1e-3", "1/3", "inf", "-inf", "∞" and "nan"; nothing for any other text. Group
/// separators are refused: "1,000" means one thing to some and another to others.
std::optional<double> typedNumber(const QString& text, const QLocale& locale = QLocale());

/// Text that typedNumber reads back as exactly the same double, in any locale.
QString editText(double value);

/// What a cell shows: the exact number where that is short, `digits` significant digits elsewhere.
QString cellText(double value, int digits = 4);

} // namespace attnlab::ui
