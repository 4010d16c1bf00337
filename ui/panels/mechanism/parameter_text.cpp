#include "ui/panels/mechanism/parameter_text.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace attnlab::ui {
namespace {

struct ParameterText {
    Q_DECLARE_TR_FUNCTIONS(ParameterText)
public:
    static QString integerRange(const Parameter& parameter);
    static QString realRange(const Parameter& parameter);
    static QString integerListRange(const Parameter& parameter);
    static QString choices(const QString& list) { return tr("Expected one of: %1.").arg(list); }
    static QString truth(bool value) { return value ? tr("yes") : tr("no"); }
    static QString yesOrNo() { return tr("Expected yes or no."); }
    static QString emptyList() { return tr("none", "an empty list of numbers"); }
    static QString withUnit(const QString& title, const QString& unit) {
        return tr("%1 (%2)", "a parameter and its unit").arg(title, unit);
    }
};

QString boundText(double bound) { return editableText(bound); }

QString ParameterText::integerRange(const Parameter& parameter) {
    const bool low = std::isfinite(parameter.minimum);
    const bool high = std::isfinite(parameter.maximum);
    // Above an excluded integer means from the next one.
    const QString first = boundText(parameter.minimum + (parameter.minimum_excluded ? 1.0 : 0.0));
    const QString last = boundText(parameter.maximum);
    if (low && high)
        return tr("Expected a whole number from %1 to %2.").arg(first, last);
    if (low)
        return tr("Expected a whole number from %1.").arg(first);
    if (high)
        return tr("Expected a whole number up to %1.").arg(last);
    return tr("Expected a whole number.");
}

QString ParameterText::integerListRange(const Parameter& parameter) {
    if (std::isfinite(parameter.minimum))
        return tr("Expected whole numbers from %1, separated by commas.").arg(boundText(parameter.minimum));
    return tr("Expected whole numbers, separated by commas.");
}

QString ParameterText::realRange(const Parameter& parameter) {
    const bool low = std::isfinite(parameter.minimum);
    const bool high = std::isfinite(parameter.maximum);
    const QString first = boundText(parameter.minimum);
    const QString last = boundText(parameter.maximum);
    if (low && high)
        return (parameter.minimum_excluded ? tr("Expected a number above %1, up to %2.")
                                           : tr("Expected a number from %1 to %2."))
            .arg(first, last);
    if (low)
        return (parameter.minimum_excluded ? tr("Expected a number above %1.") : tr("Expected a number from %1."))
            .arg(first);
    if (high)
        return tr("Expected a number up to %1.").arg(last);
    return tr("Expected a number.");
}

} // namespace

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString parameterTitle(const Parameter& parameter) {
    const QString title = capitalised(*parameter.title ? translated(parameter.title) : choiceText(parameter.name));
    const QString unit = parameter.unit.empty() ? QString() : translated(std::string(parameter.unit).c_str());
    // "Heads (heads)" would be redundant.
    return unit.isEmpty() || title.contains(unit, Qt::CaseInsensitive) ? title : ParameterText::withUnit(title, unit);
}

QString parameterHelp(const Parameter& parameter) {
    QStringList lines;
    if (*parameter.help)
        lines << translated(parameter.help);
    if (parameter.type != ParameterType::Boolean && parameter.type != ParameterType::Choice &&
        parameter.type != ParameterType::Text)
        lines << rangeText(parameter);
    return lines.join(QLatin1Char('\n'));
}

QString choiceText(std::string_view choice) {
    const std::string id(choice);
    QString text = translated(id.c_str());
    if (text == QString::fromStdString(id))
        text.replace(QLatin1Char('_'), QLatin1Char(' '));
    return text;
}

QString valueText(const ParameterValue& value) {
    if (const auto* choice = std::get_if<std::string>(&value))
        return choiceText(*choice);
    if (const auto* truth = std::get_if<bool>(&value))
        return ParameterText::truth(*truth);
    if (const auto* list = std::get_if<IntegerList>(&value); list && list->empty())
        return ParameterText::emptyList();
    return QString::fromStdString(to_text(value));
}

QString rangeText(const Parameter& parameter) {
    switch (parameter.type) {
    case ParameterType::Integer:
        return ParameterText::integerRange(parameter);
    case ParameterType::Real:
        return ParameterText::realRange(parameter);
    case ParameterType::Choice: {
        QStringList choices;
        for (const auto choice : parameter.choices)
            choices << choiceText(choice);
        return ParameterText::choices(choices.join(QStringLiteral(", ")));
    }
    case ParameterType::IntegerList:
        return ParameterText::integerListRange(parameter);
    case ParameterType::Text:
        return {};
    case ParameterType::Boolean:
        break;
    }
    return ParameterText::yesOrNo();
}

QString editableText(const ParameterValue& number) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    if (const auto* integer = std::get_if<std::int64_t>(&number))
        return locale.toString(static_cast<qlonglong>(*integer));
    if (const auto* real = std::get_if<double>(&number))
        return locale.toString(*real, 'g', QLocale::FloatingPointShortest);
    return {};
}

} // namespace attnlab::ui
