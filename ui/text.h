// Words and numbers for people.
#pragma once

#include "core/message.h"

#include <QString>

namespace attnlab::ui {

/// A literal or Message of the engine in the current language.
QString translated(const char* text);
QString translated(const Message& message);

/// A menu text for elsewhere: without its mnemonic, be it "&File" or "文件(&F)".
QString withoutMnemonic(QString text);

/// A number with `significant` digits, fixed where that is short and scientific elsewhere; "−∞", "∞", "NaN".
QString numberText(double value, int significant = 4);
/// The shortest text that reads back as exactly the same double.
QString exactText(double value);
/// "3 × 4", "2 × 8 × 64 × 64".
QString shapeText(const std::vector<std::int64_t>& shape);
/// Text for a tooltip, which takes tokens such as "<s>" for markup otherwise.
QString toolTipText(const QString& plain);

} // namespace attnlab::ui
