#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <QAbstractButton>
#include <QApplication>
#include <QCoreApplication>
#include <QFont>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <QTranslator>

namespace attnlab::ui {
namespace {

std::atomic<ArgumentWords> argument_words = nullptr;

} // namespace

QString translated(const char* text) { return QCoreApplication::translate("core", text); }

namespace {

/// Chinese has no space beside quotation marks, but one beside a number: %1 may be either.
QString withoutSpacesAtQuotes(QString text) {
    const auto is_chinese = [](QChar letter) { return letter.script() == QChar::Script_Han; };
    for (auto at = text.size() - 2; at > 0; --at)
        if (text[at] == QLatin1Char(' ') && ((text[at - 1] == QChar(0x201d) && is_chinese(text[at + 1])) ||
                                             (is_chinese(text[at - 1]) && text[at + 1] == QChar(0x201c))))
            text.remove(at, 1);
    return text;
}

} // namespace

QString translated(const Message& message) {
    Message worded = message;
    const auto words_of = argument_words.load();
    for (auto& argument : worded.arguments) {
        if (const auto* part = argument.words())
            argument = translated(*part).toStdString();
        else if (const auto words = words_of ? words_of(argument.text()) : std::nullopt)
            argument = words->toStdString();
    }
    return withoutSpacesAtQuotes(QString::fromStdString(worded.filled(translated(message.text).toStdString())));
}

void setArgumentWords(ArgumentWords words) { argument_words = words; }

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QStringList textsOf(const std::vector<std::string>& texts) {
    QStringList list;
    for (const auto& text : texts)
        list << QString::fromStdString(text);
    return list;
}

QString displayToken(const QString& token) {
    constexpr int most_letters = 200; // more are never in sight
    QString shown = token.left(most_letters);
    shown.replace(QLatin1Char('\n'), QChar(0x21b5)).replace(QLatin1Char('\t'), QChar(0x21e5));
    return !token.isEmpty() && shown.trimmed().isEmpty() ? QString(QChar(0x2423)) : shown.simplified();
}

QString withoutMnemonic(QString text) {
    static const QRegularExpression in_brackets(QStringLiteral("\\(&[^&\\s]\\)"));
    return text.remove(in_brackets).remove(QLatin1Char('&'));
}

namespace {

/// 2.50e-05 as 2.5e−5.
QString shortScientific(double value, int decimals) {
    const QString text = QString::number(value, 'e', decimals);
    static const QRegularExpression needless(QStringLiteral("\\.?0+$"));
    QString mantissa = text.section(QLatin1Char('e'), 0, 0);
    if (decimals > 0)
        mantissa.remove(needless);
    const int power = text.section(QLatin1Char('e'), 1).toInt();
    return mantissa + QLatin1Char('e') + (power < 0 ? QStringLiteral("−") : QString()) +
           QString::number(std::abs(power));
}

} // namespace

QString numberText(double value, int significant) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double magnitude = std::abs(value);
    QString text;
    if (magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e6)) {
        text = shortScientific(value, std::max(0, significant - 2));
    } else {
        const int before = magnitude < 1.0 ? 1 : static_cast<int>(std::log10(magnitude)) + 1;
        int decimals = std::max(0, significant - before);
        if (magnitude != 0.0 &&
            magnitude < 0.5 * std::pow(10.0, -decimals)) // no 0 beside smaller numbers that are none
            decimals = static_cast<int>(std::ceil(-std::log10(magnitude))) + 1;
        text = QString::number(value, 'f', decimals);
    }
    // Avoids "-0.00".
    if (text.startsWith(QLatin1Char('-'))) {
        const bool zero = !text.contains(QLatin1Char('e')) && text.toDouble() == 0.0;
        text = zero ? text.mid(1) : QStringLiteral("−") + text.mid(1);
    }
    return text;
}

QString exactText(double value) {
    if (!std::isfinite(value))
        return numberText(value);
    QString text = QString::fromStdString(to_text(value));
    if (text.startsWith(QLatin1Char('-')))
        text.replace(0, 1, QStringLiteral("−"));
    return text;
}

QString powerText(double value) {
    const double exponent = std::log10(std::abs(value));
    if (std::isfinite(value) && exponent >= 4.0 && exponent == std::round(exponent))
        return (value < 0 ? QStringLiteral("−1e%1") : QStringLiteral("1e%1")).arg(static_cast<int>(exponent));
    return exactText(value);
}

QString exactText(double value, DType dtype) {
    const bool is_short = dtype == DType::Float32 || dtype == DType::Float16 || dtype == DType::BFloat16;
    const auto single = static_cast<float>(value);
    if (!is_short || !std::isfinite(value) || static_cast<double>(single) != value)
        return exactText(value);
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), single).ptr;
    QString text = QString::fromLatin1(digits.data(), end - digits.data());
    if (text.startsWith(QLatin1Char('-')))
        text.replace(0, 1, QStringLiteral("−"));
    return text;
}

int clippedToInt(std::int64_t count) {
    return static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
}

QString shapeText(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (const auto size : shape)
        sizes << QString::number(size);
    return sizes.join(QStringLiteral(" × "));
}

QString menuText(QString plain) {
    return plain.replace(QLatin1Char('&'), QLatin1String("&&")).replace(QLatin1Char('\t'), QLatin1Char(' '));
}

void setWords(QAbstractButton& button, const QString& words) {
    button.setText(words);
    button.setShortcut({});
}

QString titleText(QString plain) { return plain.replace(QLatin1String("[*]"), QLatin1String("[*][*]")); }

QString significantText(double value, int digits) {
    if (value == 0.0)
        return QStringLiteral("0");
    if (!std::isfinite(value) || std::abs(value) >= 1.0)
        return numberText(value, digits);
    // numberText counts the 0 before the point as a digit, and the zeros after it.
    const int zeros = static_cast<int>(-std::floor(std::log10(std::abs(value))));
    return numberText(value, std::abs(value) < 1e-4 ? digits + 1 : digits + zeros);
}

namespace {

double shownNumber(QString text) { return text.replace(QStringLiteral("−"), QStringLiteral("-")).toDouble(); }

/// A share that is shown as 1, though it is less.
bool isFalselyWhole(double value, const QString& text) {
    constexpr double noise = 1e-12;
    const double magnitude = std::abs(value);
    return magnitude < 1.0 - noise && std::abs(shownNumber(text)) >= 1.0;
}

/// With up to four more digits until `good`; else as it is usually.
template <class Good>
QString withMoreDigits(double value, int digits, Good good) {
    constexpr int more = 4;
    for (int i = 0; i <= more && std::isfinite(value); ++i)
        if (QString text = numberText(value, digits + i); good(text))
            return text;
    return numberText(value, digits);
}

} // namespace

QString shareText(double value, int digits) {
    return withMoreDigits(value, digits, [value](const QString& text) { return !isFalselyWhole(value, text); });
}

QString percentText(double share, int digits) {
    return std::isfinite(share) ? numberText(100.0 * share, digits) + QLatin1Char('%') : numberText(share);
}

QString progressText(double fraction) { return QString::number(static_cast<int>(100.0 * fraction)) + QLatin1Char('%'); }

QString distinguishingText(double value, int digits) {
    constexpr double least_error = 5e-4, noise = 1e-12;
    if (std::abs(value - std::round(value)) < noise)
        return numberText(value, digits);
    return withMoreDigits(value, digits, [value](const QString& text) {
        return !isFalselyWhole(value, text) && std::abs(shownNumber(text) - value) <= least_error * std::abs(value);
    });
}

namespace {

const std::array language_table = {Language{"en", "English"}, Language{"zh_CN", "简体中文"}};

QString current_code = QStringLiteral("en");

QString systemCode() {
    for (const auto& [code, name] : language_table)
        if (QLocale(QString::fromLatin1(code)).language() == QLocale::system().language())
            return QString::fromLatin1(code);
    return QStringLiteral("en");
}

constexpr auto latin_families = {"Noto Sans", "DejaVu Sans"};

/// Simplified Chinese glyphs: outside a Chinese locale, systems use the Japanese ones for shared characters and
/// punctuation. Latin letters and mathematics stay as in English.
void chooseFonts(const QString& code) {
    static QFont original = QApplication::font();
    static QFont chosen = original;
    if (QApplication::font() != chosen) // the desktop's or the caller's font has changed since the last call
        original = QApplication::font();
    auto font = original;
    if (code == QLatin1String("zh_CN")) {
        QStringList families;
        const auto add = [&families](std::initializer_list<const char*> names) {
            for (const char* name : names)
                if (QFontDatabase::hasFamily(QString::fromLatin1(name)))
                    families << QString::fromLatin1(name);
        };
        families << latinFamily(original) << QFontInfo(original).family();
        add({"DejaVu Sans", "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei"});
        families.removeDuplicates();
        font.setFamilies(families);
    }
    if (QApplication::font() != font)
        QApplication::setFont(font);
    chosen = QApplication::font();
}

} // namespace

QString latinFamily(const QFont& font) {
    QString usual = QFontInfo(font).family();
    if (QFontDatabase::writingSystems(usual).contains(QFontDatabase::SimplifiedChinese))
        for (const char* name : latin_families)
            if (QFontDatabase::hasFamily(QString::fromLatin1(name)))
                return QString::fromLatin1(name);
    return usual;
}

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
