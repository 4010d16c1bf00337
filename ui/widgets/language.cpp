#include "ui/widgets/language.h"

#include <QApplication>
#include <QFont>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <array>

namespace attnlab::ui {
namespace {

const std::array language_table = {Language{"en", "English"}, Language{"zh_CN", "简体中文"}};

QString current_code = QStringLiteral("en");

QString systemCode() {
    for (const auto& [code, name] : language_table)
        if (QLocale(QString::fromLatin1(code)).language() == QLocale::system().language())
            return QString::fromLatin1(code);
    return QStringLiteral("en");
}

/// Simplified Chinese glyphs: outside a Chinese locale, systems use the Japanese ones for shared characters and
/// punctuation. Latin letters and mathematics stay as in English.
void chooseFonts(const QString& code) {
    static QFont original = QApplication::font();
    static QFont chosen = original;
    if (QApplication::font() != chosen) // the desktop's or the caller's font has changed since the last call
        original = QApplication::font();
    auto font = original;
    if (code == QLatin1String("zh_CN")) {
        QStringList families{QFontInfo(original).family()};
        for (const char* family :
             {"DejaVu Sans", "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei"})
            if (QFontDatabase::hasFamily(QString::fromLatin1(family)))
                families << QString::fromLatin1(family);
        font.setFamilies(families);
    }
    if (QApplication::font() != font)
        QApplication::setFont(font);
    chosen = QApplication::font();
}

} // namespace

std::span<const Language> languages() { return language_table; }

QString applyLanguage(const QString& code) {
    static QTranslator ours;
    static QTranslator qts;
    current_code = code.isEmpty() ? systemCode() : code;
    chooseFonts(current_code);
    QCoreApplication::removeTranslator(&ours);
    QCoreApplication::removeTranslator(&qts);
    // Qt's own texts (OK, Cancel, file dialogs) come from its package if installed.
    if (current_code != QLatin1String("en") &&
        qts.load(QStringLiteral("qtbase_") + current_code, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qts);
    if (ours.load(QStringLiteral(":/i18n/attnlab_") + current_code))
        QCoreApplication::installTranslator(&ours);
    return current_code;
}

QString currentLanguage() { return current_code; }

QLocale languageLocale() {
    const QLocale of_language(currentLanguage()), of_user;
    return of_user.language() == of_language.language() ? of_user : of_language;
}

} // namespace attnlab::ui
