#include "ui/panels/mechanism/choices.h"

#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace attnlab::ui {
namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::MechanismBar)
};

QString firstSentence(const QString& text) {
    static const QRegularExpression end(QStringLiteral("[.!?](?=\\s)|[。！？]"));
    const auto match = end.match(text);
    return match.hasMatch() ? text.left(match.capturedEnd()) : text;
}

} // namespace

const ScaleMode* scaleOf(const Variant& chosen, const AttentionSpec& spec) {
    return rowOf(scale_modes(), spec.scale.id.empty() ? chosen.default_scale : std::string_view(spec.scale.id));
}

const PositionTerm* positionOf(const AttentionSpec& spec) { return rowOf(position_terms(), spec.position.id); }

std::vector<PickerItem> variantItems() {
    std::vector<PickerItem> items;
    for (const auto& each : variants())
        items.push_back({.id = textOf(each.id),
                         .heading = translated(each.family),
                         .title = capitalised(translated(each.title)),
                         .help = firstSentence(translated(each.help))});
    return items;
}

std::vector<PickerItem> scaleItems(const Variant& chosen) {
    std::vector<PickerItem> items;
    for (const auto& mode : scale_modes()) {
        const char* why = mode.factor ? nullptr : chosen.refuses.scale_of_many_factors;
        if (mode.id != chosen.default_scale && chosen.refuses.scale)
            why = chosen.refuses.scale;
        items.push_back({.id = textOf(mode.id),
                         .title = capitalised(translated(mode.title)),
                         .alone = mode.id == "none" ? Texts::tr("No scale") : QString(),
                         .help = firstSentence(translated(mode.help)),
                         .badge = mode.id == chosen.default_scale ? Texts::tr("default") : QString(),
                         .formula = QStringLiteral("scale_") + textOf(mode.id),
                         .formula_text = textOf(mode.formula),
                         .refusal = why ? translated(why) : QString()});
    }
    return items;
}

std::vector<PickerItem> positionItems(const Variant& chosen) {
    std::vector<PickerItem> items{{.id = QString::fromLatin1(no_position),
                                   .title = Texts::tr("None"),
                                   .alone = Texts::tr("No position"),
                                   .help = Texts::tr("Scores see contents alone; the order of tokens plays no part.")}};
    for (const auto& term : position_terms())
        items.push_back({.id = textOf(term.id),
                         .title = capitalised(translated(term.title)),
                         .help = firstSentence(translated(term.help)),
                         .formula = QStringLiteral("position_") + textOf(term.id),
                         .formula_text = textOf(term.rule),
                         .refusal = chosen.refuses.position ? translated(chosen.refuses.position) : QString()});
    return items;
}

ParameterValues kept(std::span<const Parameter> declared, const ParameterValues& values) {
    const auto complete = completed(declared, values);
    ParameterValues result;
    for (const auto& [name, value] : values.all())
        if (const auto* allowed = complete.find(name); allowed && *allowed == value)
            result.set(name, value);
    return result;
}

QString changedTitle(std::span<const Parameter> declared, const ParameterValues& before, const ParameterValues& after) {
    for (const auto& parameter : declared) {
        const auto* old_value = before.find(parameter.name);
        const auto* new_value = after.find(parameter.name);
        if (!old_value || !new_value || *old_value != *new_value)
            return parameterTitle(parameter);
    }
    return {};
}

} // namespace attnlab::ui
