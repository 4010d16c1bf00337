// Texts and numbers for display, in the language of the window.
#pragma once

#include "core/message.h"
#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <QLocale>
#include <QString>
#include <QStringList>
#include <span>
#include <string>
#include <string_view>

class QAbstractButton;
class QFont;

namespace attnlab::ui {

/// A literal or Message of the engine in the current language.
QString translated(const char* text);
/// ArgumentWords translates its arguments.
QString translated(const Message& message);

/// What the window shows in place of an argument of a message; nullopt: the argument itself.
using ArgumentWords = std::optional<QString> (*)(const std::string& argument);
/// Sets the words for all messages from now on; may be called from any thread.
void setArgumentWords(ArgumentWords words);

QString textOf(std::string_view text);
QStringList textsOf(const std::vector<std::string>& texts);
/// A token of any text in one line: line breaks and tabs as signs, and a sign for one of blanks alone.
QString displayToken(const QString& token);

/// A menu text for use elsewhere: without its mnemonic, for example "&File" or "文件(&F)".
QString withoutMnemonic(QString text);

/// A number with `significant` digits, fixed where that is short and scientific elsewhere; "−∞", "∞", "NaN".
QString numberText(double value, int significant = 4);
/// The shortest text that reads back as exactly the same double.
QString exactText(double value);
/// The same, but "−1e9" for large powers of ten.
QString powerText(double value);
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

// Numbers of unknown magnitude: errors, ratios, factors.

/// `digits` digits from the first nonzero one: "0.00123", "0.250", "12.3"; scientific where that would be long.
/// (numberText keeps a constant number of decimals instead, for columns of numbers.)
QString significantText(double value, int digits = 3);

/// numberText with `digits`, and with more where a share would be shown as 1 that is less: 0.9995 rather than 1.000.
QString shareText(double value, int digits);
/// The same share in percent, as lessons and notes write it in every language: "16.7%".
QString percentText(double share, int digits = 3);
/// How far a computation is, in whole percent: "43%", and "99%" until it is done.
QString progressText(double fraction);
/// shareText, and with more digits where rounding would change it by more than half a thousandth: 0.00055 rather than
/// 0.0006. For steps of a calculation.
QString distinguishingText(double value, int digits);

/// The language of the window, changeable at run time.
struct Language {
    const char* code; ///< "en", "zh_CN"
    const char* name; ///< in that language
};

std::span<const Language> languages();

/// Installs the translation for `code` (empty: the system's language if available, else English). Widgets receive
/// QEvent::LanguageChange. Returns the resulting code.
QString applyLanguage(const QString& code);
QString currentLanguage();
/// For dates and times in texts: the user's, if it is of the current language.
QLocale languageLocale();
/// The family that `font` is shown in. Where that is Chinese, as in a Chinese locale, another one if there is any: its
/// quotes, dots and roots are narrow, and Chinese glyphs come from the usual one all the same.
QString latinFamily(const QFont& font);

// Names of tokens in sentences.

/// A token in quotation marks, or its number where it has no label.
inline QString nameOf(const QStringList& tokens, std::int64_t index) {
    return index < tokens.size() && !tokens[index].isEmpty() ? QStringLiteral("“%1”").arg(tokens[index])
                                                             : QString::number(index);
}

} // namespace attnlab::ui
