// Implements `attnlab list`: the tables of mechanisms, scales, positions and masks.
#include "app/commands.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/reference_pages.h"
#include "app/spec_options.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"
#include "core/variants.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace attnlab::app {
namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

QJsonValue bound(double limit) { return std::isfinite(limit) ? QJsonValue(limit) : QJsonValue(); }

QJsonArray describe(std::span<const Parameter> parameters) {
    constexpr const char* types[] = {"integer", "real", "boolean", "choice", "integer_list"};
    QJsonArray list;
    for (const auto& p : parameters) {
        QJsonObject object{{"name", text(p.name)},
                           {"type", types[static_cast<int>(p.type)]},
                           {"default", text(p.default_text)},
                           {"title", p.title},
                           {"help", p.help}};
        if (p.type != ParameterType::Boolean && p.type != ParameterType::Choice) {
            object["minimum"] = bound(p.minimum);
            object["maximum"] = bound(p.maximum);
            object["minimum_excluded"] = p.minimum_excluded;
        }
        QJsonArray choices;
        for (const auto choice : p.choices)
            choices.append(text(choice));
        if (!choices.isEmpty())
            object["choices"] = choices;
        if (!p.unit.empty())
            object["unit"] = text(p.unit);
        if (!p.when.empty())
            object["when"] = text(p.when);
        list.append(object);
    }
    return list;
}

QJsonArray describe(std::span<const Input> inputs) {
    QJsonArray list;
    for (const auto& input : inputs) {
        QJsonObject object{{"name", text(input.name)},
                           {"shape", text(input.dims)},
                           {"dtype", text(name_of(input.dtype))},
                           {"required", input.required},
                           {"help", input.help}};
        if (!input.when.empty())
            object["when"] = text(input.when);
        list.append(object);
    }
    return list;
}

/// The choices that it refuses, with the reasons.
QJsonObject describe(const Refusals& refusals) {
    QJsonObject object;
    const auto add = [&](const char* what, const char* why) {
        if (why)
            object[what] = why;
    };
    add("masks", refusals.masks);
    if (!refusals.but_masks.empty()) {
        QJsonArray possible;
        for (const auto id : refusals.but_masks)
            possible.append(text(id));
        object["but_masks"] = possible;
    }
    add("position", refusals.position);
    add("scale_after_softmax", refusals.scale_after_softmax);
    add("scale_of_many_factors", refusals.scale_of_many_factors);
    add("statistics", refusals.statistics);
    return object;
}

QJsonObject everything() {
    QJsonArray variant_list, scale_list, position_list, mask_list;
    for (const auto& v : variants())
        variant_list.append(QJsonObject{{"id", text(v.id)},
                                        {"title", v.title},
                                        {"family", v.family},
                                        {"formula", text(v.formula)},
                                        {"help", v.help},
                                        {"source", text(v.source)},
                                        {"default_scale", text(v.default_scale)},
                                        {"inputs", describe(v.inputs)},
                                        {"parameters", describe(v.parameters)},
                                        {"refuses", describe(v.refuses)},
                                        {"look_for", v.look_for}});
    for (const auto& s : scale_modes())
        scale_list.append(QJsonObject{{"id", text(s.id)},
                                      {"title", s.title},
                                      {"formula", text(s.formula)},
                                      {"help", s.help},
                                      {"after_softmax", s.factor != nullptr},
                                      {"inputs", describe(s.inputs)},
                                      {"parameters", describe(s.parameters)}});
    for (const auto& p : position_terms())
        position_list.append(QJsonObject{{"id", text(p.id)},
                                         {"title", p.title},
                                         {"rule", text(p.rule)},
                                         {"help", p.help},
                                         {"source", text(p.source)},
                                         {"inputs", describe(p.inputs)},
                                         {"parameters", describe(p.parameters)}});
    for (const auto& m : mask_kinds())
        mask_list.append(QJsonObject{{"id", text(m.id)},
                                     {"title", m.title},
                                     {"rule", text(m.rule)},
                                     {"help", m.help},
                                     {"inputs", describe(m.inputs)},
                                     {"parameters", describe(m.parameters)}});
    return {{"variants", variant_list}, {"scales", scale_list}, {"positions", position_list}, {"masks", mask_list}};
}

void print(const QString& line) { printOut("%s\n", qPrintable(line)); }

QString condition(std::string_view when) { return when.empty() ? QString() : "  with " + text(when); }

void printParameters(std::span<const Parameter> parameters) {
    for (const auto& p : parameters)
        print(QStringLiteral("      %1 = %2  (%3)%4  %5")
                  .arg(text(p.name), text(p.default_text), QString::fromStdString(range_text(p)), condition(p.when),
                       QString::fromUtf8(p.help)));
}

void printInputs(std::span<const Input> inputs) {
    for (const auto& input : inputs)
        print(QStringLiteral("      %1 (%2)%3%4")
                  .arg(text(input.name), text(input.dims), input.required ? "" : "  optional", condition(input.when)));
}

void printAll() {
    print("Variants (--variant ID, --set NAME=VALUE)");
    for (const auto& v : variants()) {
        print(QStringLiteral("  %1  %2").arg(text(v.id), text(v.formula)));
        printInputs(v.inputs);
        printParameters(v.parameters);
    }
    print("\nScales (--scale ID[:VALUE])");
    for (const auto& s : scale_modes()) {
        print(QStringLiteral("  %1  %2").arg(text(s.id), text(s.formula)));
        printInputs(s.inputs);
        printParameters(s.parameters);
    }
    print("\nPositions (--position ID[:VALUE] or ID:NAME=VALUE,NAME=VALUE)");
    for (const auto& p : position_terms()) {
        print(QStringLiteral("  %1  %2").arg(text(p.id), text(p.rule)));
        printInputs(p.inputs);
        printParameters(p.parameters);
    }
    print("\nMasks (--mask ID[:ARG], any number, combined with AND)");
    print("  sliding_window  stands for causal and window: a query reads itself and the n - 1 keys before it");
    printParameters(sliding_window_parameters());
    for (const auto& m : mask_kinds()) {
        print(QStringLiteral("  %1  keeps a cell where %2").arg(text(m.id), text(m.rule)));
        printInputs(m.inputs);
        printParameters(m.parameters);
    }
}

} // namespace

int listCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Lists every variant, scale, position and mask with its parameters.");
    parser.addOptions({{"json", "As JSON."}, {"markdown", "As pages: docs/mechanisms.md is made this way."}});
    if (!parse(parser, arguments))
        return 0;
    if (const auto words = parser.positionalArguments(); !words.isEmpty())
        throw UsageError("list: has '" + words.first().toStdString() + "', expected options alone");
    if (parser.isSet("json"))
        printOut("%s", QJsonDocument(everything()).toJson().constData());
    else if (parser.isSet("markdown"))
        printOut("%s", referencePages().c_str());
    else
        printAll();
    return 0;
}

} // namespace attnlab::app
