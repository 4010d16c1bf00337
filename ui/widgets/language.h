// The language of the window, changeable at run time.
#pragma once

#include <QLocale>
#include <QString>

#include <span>

namespace attnlab::ui {

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

} // namespace attnlab::ui
