#include "ui/panels/inputs/number_entry.h"

#include "core/message.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <cmath>
#include <limits>
#include <QCoreApplication>

namespace attnlab::ui {
namespace {

constexpr QChar typographic_minus(0x2212);

std::optional<double> plainNumber(const QString& text, QLocale locale) {
    locale.setNumberOptions(QLocale::RejectGroupSeparator);
    for (const auto& reader : {QLocale::c(), locale}) {
        bool understood = false;
        const double value = reader.toDouble(text, &understood);
        // QLocale::c() reads "1,000" as a thousand: its comma is a group separator.
        if (understood && (reader.language() != QLocale::C || !text.contains(QLatin1Char(','))))
            return value;
    }
    return std::nullopt;
}

} // namespace

std::optional<double> typedNumber(const QString& text, const QLocale& locale) {
    QString plain = text.trimmed().toLower();
    plain.replace(typographic_minus, QLatin1Char('-'));
    const bool negative = plain.startsWith(QLatin1Char('-'));
    const QString magnitude = negative || plain.startsWith(QLatin1Char('+')) ? plain.mid(1) : plain;
    if (magnitude == QLatin1String("inf") || magnitude == QLatin1String("infinity") || magnitude == QStringLiteral("∞"))
        return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (magnitude == QLatin1String("nan"))
        return std::numeric_limits<double>::quiet_NaN();
    const auto slash = plain.indexOf(QLatin1Char('/'));
    if (slash < 0)
        return plainNumber(plain, locale);
    const auto above = plainNumber(plain.left(slash).trimmed(), locale);
    const auto below = plainNumber(plain.mid(slash + 1).trimmed(), locale);
    if (!above || !below || *below == 0.0)
        return std::nullopt;
    return *above / *below;
}

QString editText(double value) { return QString::fromStdString(to_text(value)); }

QString cellText(double value, int digits) {
    const int short_enough = digits + 1; // digits and point of "12.25": no longer than the rounded number
    const QString exact = exactText(value);
    const auto width = exact.startsWith(typographic_minus) ? exact.size() - 1 : exact.size();
    return width <= short_enough ? exact : numberText(value, digits);
}

NumberLine::NumberLine(double value, QWidget* parent) : QLineEdit(editText(value), parent) {
    connect(this, &QLineEdit::textChanged, this, [this] {
        mark();
        emit numberChanged();
    });
}

std::optional<double> NumberLine::number() const { return typedNumber(text()); }

void NumberLine::mark() {
    if (number()) {
        setPalette({});
        setToolTip({});
        return;
    }
    auto marked = palette();
    marked.setColor(QPalette::Text, theme().error_text);
    setPalette(marked);
    setToolTip(tr("This is not a number"));
}

namespace {

struct Paste {
    Q_DECLARE_TR_FUNCTIONS(Paste)
};

} // namespace

io::Table tableFrom(const QString& text, const RunControl& control) {
    // A lone "0,5" is one number for users with a decimal comma, not a row of two.
    if (const auto number = typedNumber(text))
        return {Tensor({1, 1}, *number), {}, {}};
    return io::read_table(text.toStdString(), Paste::tr("Clipboard").toStdString(), {.control = &control});
}

} // namespace attnlab::ui
