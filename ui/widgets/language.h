// Which language the window speaks, switched while it runs.
#pragma once

#include <QString>

#include <span>

namespace attnlab::ui {

struct Language {
    const char* code; ///< "en", "zh_CN"
    const char* name; ///< in itself
};

std::span<const Language> languages();

/// Installs the translation for `code` (empty: the system's language if we have it, else English). Widgets are told by
/// QEvent::LanguageChange. Returns the code in force.
QString applyLanguage(const QString& code);
QString currentLanguage();

} // namespace attnlab::ui
