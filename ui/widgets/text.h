// Texts and numbers for display.
#pragma once

#include "core/message.h"
#include "core/tensor.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

class QAbstractButton;

namespace attnlab::ui {

/// A literal or Message of the engine in the current language.
QString translated(const char* text);
/// Its arguments are replaced by what ArgumentWords says for them.
QString translated(const Message& message);

/// What the window shows in place of an argument of a message; nullopt: the argument itself.
using ArgumentWords = std::optional<QString> (*)(const std::string& argument);
/// Sets the words for all messages from now on; may be called from any thread.
void setArgumentWords(ArgumentWords words);

QString textOf(std::string_view text);
QStringList textsOf(const std::vector<std::string>& texts);
/// A token of any text in one line: line breaks and tabs as signs, and a sign for one of blanks alone.
QString shownToken(const QString& token);

/// A menu text for use elsewhere: without its mnemonic, for example "&File" or "文件(&F)".
QString withoutMnemonic(QString text);

/// A number with `significant` digits, fixed where that is short and scientific elsewhere; "−∞", "∞", "NaN".
QString numberText(double value, int significant = 4);
/// The shortest text that reads back as exactly the same double.
QString exactText(double value);
/// The shortest text that reads back as the same number of this type: a float32 is no sum of 17 digits.
QString exactText(double value, DType dtype);
/// A count for what Qt counts with int (rows, plural forms): the largest int where it is more.
int clippedToInt(std::int64_t count);
/// "3 × 4", "2 × 8 × 64 × 64".
QString shapeText(const std::vector<std::int64_t>& shape);

/// Plain text for a menu, a tab or a button, where & would create a shortcut and a tab character would start the column
/// of keys.
QString menuText(QString plain);
/// The text of a button that paints it literally: & creates no shortcut.
void setWords(QAbstractButton& button, const QString& words);
/// Plain text for the title of a window, where "[*]" would be replaced by the mark of changes.
QString titleText(QString plain);

} // namespace attnlab::ui
