#include "ui/panels/help/reference.h"

#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"
#include "ui/drawing/formula_view.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {
namespace {

struct Reference {
    Q_DECLARE_TR_FUNCTIONS(Reference)
};

QString escaped(std::string_view text) { return textOf(text).toHtmlEscaped(); }

QString section(const QString& heading, const QString& content) {
    return content.isEmpty() ? QString() : QStringLiteral("<h4>%1</h4>%2").arg(heading, content);
}

QString paragraph(const QString& text) {
    return text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

/// The typeset formula if there is one, else the plain text.
QString formula(const QString& id, std::string_view plain) {
    if (!hasFormula(id))
        return QStringLiteral("<p><i>%1</i></p>").arg(formulaText(plain).toHtmlEscaped());
    return QStringLiteral("<p><img src=\"formula:%1\"></p>").arg(id);
}

QString row(const QStringList& cells) {
    QString line;
    for (const auto& cell : cells)
        line += QStringLiteral("<td style=\"padding: 2px 14px 2px 0\">%1</td>").arg(cell);
    return QStringLiteral("<tr>%1</tr>").arg(line);
}

QString table(const QString& rows) {
    return rows.isEmpty() ? QString() : QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(rows);
}

/// "B H L E | L E" as shapes: "(B, H, L, E) or (L, E)".
QString shapes(const Input& input) {
    QStringList alternatives;
    for (const auto& dims : textOf(input.dims).split(QStringLiteral(" | ")))
        alternatives << QLatin1Char('(') + dims.split(QLatin1Char(' ')).join(QStringLiteral(", ")) + QLatin1Char(')');
    return alternatives.join(Reference::tr(" or ", "between two shapes"));
}

/// Help with the choice that the array or parameter depends on.
QString withCondition(const QString& help, std::string_view when) {
    return when.empty() ? help : Reference::tr("%1 (with %2)").arg(help, textOf(when));
}

QString inputTable(std::span<const Input> inputs) {
    QString rows;
    for (const auto& input : inputs) {
        const auto help =
            input.required ? translated(input.help) : Reference::tr("%1 (optional)").arg(translated(input.help));
        rows += row({QStringLiteral("<b>%1</b>").arg(escaped(input.name)), shapes(input).toHtmlEscaped(),
                     withCondition(help, input.when).toHtmlEscaped()});
    }
    return table(rows);
}

QString parameterTable(std::span<const Parameter> parameters) {
    QString rows;
    for (const auto& parameter : parameters)
        rows += row({QStringLiteral("<b>%1</b>").arg(escaped(parameter.name)), escaped(parameter.default_text),
                     withCondition(parameterHelp(parameter), parameter.when)
                         .toHtmlEscaped()
                         .replace(QLatin1Char('\n'), QStringLiteral("<br>"))});
    return table(rows);
}

QString refusals(const Refusals& refuses) {
    QString list;
    for (const char* why : {refuses.masks, refuses.position, refuses.scale_after_softmax, refuses.scale_of_many_factors,
                            refuses.statistics, refuses.scale})
        if (why && !list.contains(translated(why).toHtmlEscaped()))
            list += QStringLiteral("<li>%1</li>").arg(translated(why).toHtmlEscaped());
    return list.isEmpty() ? QString() : QStringLiteral("<ul>%1</ul>").arg(list);
}

QString page(const Variant& variant) {
    const QString line = textOf(variant.attention_line) + QLatin1Char('_') + textOf(variant.default_scale);
    return (hasFormula(line) ? formula(line, {}) : QString()) + formula(textOf(variant.id), variant.formula) +
           paragraph(translated(variant.help)) +
           section(Reference::tr("What to look for"), paragraph(translated(variant.look_for))) +
           section(Reference::tr("Arrays"), inputTable(variant.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(variant.parameters)) +
           section(Reference::tr("What it cannot take"), refusals(variant.refuses)) +
           section(Reference::tr("Source"), paragraph(textOf(variant.source))) +
           QStringLiteral("<p><code>attnlab compute … --variant %1</code></p>").arg(escaped(variant.id));
}

QString page(const ScaleMode& mode) {
    return formula(QStringLiteral("scale_") + textOf(mode.id), mode.formula) + paragraph(translated(mode.help)) +
           section(Reference::tr("Arrays"), inputTable(mode.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(mode.parameters)) +
           QStringLiteral("<p><code>attnlab compute … --scale %1</code></p>").arg(escaped(mode.id));
}

QString page(const PositionTerm& term) {
    return formula(QStringLiteral("position_") + textOf(term.id), term.rule) + paragraph(translated(term.help)) +
           section(Reference::tr("Arrays"), inputTable(term.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(term.parameters)) +
           section(Reference::tr("Source"), paragraph(textOf(term.source))) +
           QStringLiteral("<p><code>attnlab compute … --position %1</code></p>").arg(escaped(term.id));
}

QString broadcasting(std::span<const Input> inputs) {
    const auto broadcasts = [](const Input& input) { return input.dims.find('?') != input.dims.npos; };
    if (std::none_of(inputs.begin(), inputs.end(), broadcasts))
        return {};
    return paragraph(
        Reference::tr("A size with a question mark may be 1 instead: the array is then the same along that "
                      "axis."));
}

QString page(const MaskKind& kind) {
    return (kind.rule.empty() ? QString()
                              : paragraph((kind.adds ? Reference::tr("A score s becomes %1.")
                                                     : Reference::tr("Keeps a cell where %1."))
                                              .arg(formulaText(kind.rule)))) +
           paragraph(translated(kind.help)) +
           section(Reference::tr("Arrays"), inputTable(kind.inputs) + broadcasting(kind.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(kind.parameters)) +
           QStringLiteral("<p><code>attnlab compute … --mask %1</code></p>").arg(escaped(kind.id));
}

} // namespace

std::vector<ReferenceTopic> referenceTopics() {
    std::vector<ReferenceTopic> topics;
    const auto add = [&](const char* kind, std::string_view id, const QString& heading, const char* title,
                         const QString& html) {
        const QString shown = capitalised(translated(title));
        topics.push_back({QLatin1String(kind) + QLatin1Char('/') + textOf(id), heading, shown,
                          QStringLiteral("<h2>%1</h2>%2").arg(shown.toHtmlEscaped(), html)});
    };
    for (const auto& variant : variants())
        add("variant", variant.id, translated(variant.family), variant.title, page(variant));
    for (const auto& mode : scale_modes())
        add("scale", mode.id, Reference::tr("Scales"), mode.title, page(mode));
    for (const auto& term : position_terms())
        add("position", term.id, Reference::tr("Positions"), term.title, page(term));
    for (const auto& kind : mask_kinds())
        add("mask", kind.id, Reference::tr("Masks"), kind.title, page(kind));
    return topics;
}

} // namespace attnlab::ui
