// Implements `attnlab list`: the tables of mechanisms, scales, positions and masks, and docs/mechanisms.md generated
// from them.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"

#include <cmath>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <string>

namespace attnlab::app {

/// A section for each mechanism (formula, arrays, parameters, what to look for, source), then scales and masks.
std::string referencePages();

namespace {

/// Escapes pipes, which would end a cell of a table.
std::string cell(std::string text) {
    for (auto at = text.find('|'); at != text.npos; at = text.find('|', at + 2))
        text.replace(at, 1, "\\|");
    return text;
}

/// "num_heads*(nope+rope)": a sum is one factor of a product.
std::string sizeText(const Dim& dim) {
    std::string text;
    for (const auto factor : dim.factors) {
        const bool is_sum = dim.factors.size() > 1 && factor.find('+') != factor.npos;
        text += (text.empty() ? "" : "*") + (is_sum ? "(" + std::string(factor) + ")" : std::string(factor));
    }
    return text + (dim.or_one ? "?" : "");
}

std::string shapes(const Input& input) {
    std::string text;
    for (const auto& alternative : dims_of(input)) {
        text += text.empty() ? "(" : " or (";
        for (const auto& dim : alternative)
            text += (&dim == alternative.data() ? "" : ",") + sizeText(dim);
        text += ")";
    }
    return text;
}

/// " (mode=local)" if it exists only with that choice.
std::string conditionCell(std::string_view when) { return when.empty() ? "" : " (" + std::string(when) + ")"; }

void addInputs(std::string& page, std::span<const Input> inputs) {
    if (inputs.empty())
        return;
    page += "| array | shape | |\n|---|---|---|\n";
    for (const auto& input : inputs)
        page += "| `" + std::string(input.name) + "` | " + cell(shapes(input)) + " | " + cell(input.help) +
                (input.required ? "" : " (optional)") + conditionCell(input.when) + " |\n";
    page += "\n";
}

void addParameters(std::string& page, std::span<const Parameter> parameters) {
    if (parameters.empty())
        return;
    page += "| parameter | default | expected | |\n|---|---|---|---|\n";
    for (const auto& parameter : parameters)
        page += "| `" + std::string(parameter.name) + "` | " + cell(std::string(parameter.default_text)) + " | " +
                cell(range_text(parameter)) + " | " + cell(parameter.help) + conditionCell(parameter.when) + " |\n";
    page += "\n";
}

std::string refusedMasks(const Refusals& refuses) {
    std::string text = "Masks";
    for (const auto id : refuses.but_masks)
        text += (id == refuses.but_masks.front() ? " other than `" : ", `") + std::string(id) + "`";
    return text;
}

void addRefusals(std::string& page, const Refusals& refuses) {
    std::string list;
    for (const auto& [what, why] : {std::pair{refusedMasks(refuses), refuses.masks},
                                    {"Position", refuses.position},
                                    {"Scale after the softmax", refuses.scale_after_softmax},
                                    {"Scales that are no single factor", refuses.scale_of_many_factors},
                                    {"Statistics", refuses.statistics},
                                    {"A finite mask fill", refuses.finite_fill}})
        if (why)
            list += "- " + what + ": not possible. " + why + "\n";
    page += list.empty() ? "" : list + "\n";
}

void addVariant(std::string& page, const Mechanism& variant) {
    page += "### `" + std::string(variant.id) + "`: " + variant.title + "\n\n";
    page += "    " + std::string(variant.formula) + "\n\n" + variant.help + "\n\n";
    addInputs(page, variant.inputs);
    addParameters(page, variant.parameters);
    addRefusals(page, variant.refuses);
    page += "*Look for:* " + std::string(variant.look_for) + "\n\n*Source:* " + std::string(variant.source) +
            ". Default scale: `" + std::string(variant.default_scale) + "`.\n\n";
}

} // namespace

std::string referencePages() {
    std::string page =
        "# Mechanisms, scales, positions, normalisers and masks\n\nMade by `attnlab list --markdown` from the "
        "program's own tables; Help > Mechanisms, scales and masks shows the same pages with typeset formulas.\n\n";
    const char* family = "";
    for (const auto& v : mechanisms()) {
        if (std::string_view(family) != v.family)
            page += "## " + std::string(v.family) + "\n\n";
        family = v.family;
        addVariant(page, v);
    }
    page += "## Scales (`--scale ID[:VALUE]`)\n\n";
    for (const auto& mode : scale_modes()) {
        page += "### `" + std::string(mode.id) + "`: " + std::string(mode.formula) + "\n\n" + mode.help + "\n\n";
        addInputs(page, mode.inputs);
        addParameters(page, mode.parameters);
    }
    page += "## Positions (`--position ID[:VALUE]` or `ID:NAME=VALUE,NAME=VALUE`)\n\n";
    for (const auto& term : position_terms()) {
        page += "### `" + std::string(term.id) + "`: " + std::string(term.rule) + "\n\n" + term.help + "\n\n";
        addInputs(page, term.inputs);
        addParameters(page, term.parameters);
        page += "*Source:* " + std::string(term.source) + ".\n\n";
    }
    page += "## Normalisers (`--normaliser ID[:VALUE]`)\n\n"
            "A row of masked scores m becomes a row of weights a; S is the number of keys. The mechanisms of one exact "
            "pass "
            "take them.\n\n";
    for (const auto& row : normalisers()) {
        page += "### `" + std::string(row.id) + "`: " + std::string(row.formula) + "\n\n" + row.help + "\n\n";
        if (row.row_sums)
            page += std::string(row.row_sums) + ".\n\n";
        addParameters(page, row.parameters);
        if (!row.source.empty())
            page += "*Source:* " + std::string(row.source) + ".\n\n";
    }
    page += "## Decays (`--decay ID[:VALUE]`)\n\n"
            "Query i stands at the position p_i = i plus the query offset, and reads no key after it.\n\n";
    for (const auto& row : decays()) {
        page += "### `" + std::string(row.id) + "`: " + std::string(row.rule) + "\n\n" + row.help + "\n\n";
        addInputs(page, row.inputs);
        addParameters(page, row.parameters);
        page += "*Source:* " + std::string(row.source) + ".\n\n";
    }
    page += "## Masks (`--mask ID[:ARG]`, any number, combined with AND or by `--mask-combine`)\n\n"
            "Several parameters are separated by commas, in the order of their table: `dilated:4,2`.\n\n"
            "A size written `L?` may be 1 instead: the array is then the same along that axis, as "
            "`torch.nn.functional.scaled_dot_product_attention` broadcasts it. Three axes are (H,L,S), or (B*H,L,S) as "
            "`torch.nn.MultiheadAttention` takes them.\n\n"
            "`sliding_window:n` stands for `causal` and `window:2n-2`: a query reads itself and the n - 1 keys before "
            "it. Mistral and other models call n `sliding_window` in their configuration.\n\n"
            "*Source:* Mistral 7B, arXiv:2310.06825; `sliding_window_overlay` of Hugging Face's transformers.\n\n";
    for (const auto& kind : mask_kinds()) {
        page += "### `" + std::string(kind.id) + "`\n\n" + (kind.adds ? "A score s becomes " : "Keeps a cell where ") +
                std::string(kind.rule) + ". " + kind.help + "\n\n";
        addInputs(page, kind.inputs);
        addParameters(page, kind.parameters);
        if (!kind.source.empty())
            page += "*Source:* " + std::string(kind.source) + ".\n\n";
    }
    while (page.ends_with("\n\n"))
        page.pop_back();
    return page;
}

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

QJsonValue bound(double limit) { return std::isfinite(limit) ? QJsonValue(limit) : QJsonValue(); }

QJsonArray describe(std::span<const Parameter> parameters) {
    constexpr const char* types[] = {"integer", "real", "boolean", "choice", "integer_list", "text"};
    QJsonArray list;
    for (const auto& p : parameters) {
        QJsonObject object{{"name", text(p.name)},
                           {"type", types[static_cast<int>(p.type)]},
                           {"default", text(p.default_text)},
                           {"title", p.title},
                           {"help", p.help}};
        if (p.type != ParameterType::Boolean && p.type != ParameterType::Choice && p.type != ParameterType::Text) {
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

QJsonObject describe(const DrawnFormula& formula) { return {{"latex", formula.latex}, {"plain", formula.plain}}; }

/// Without the parts that the mode lacks.
QJsonObject describe(const DrawnScale& drawn, const ScaleMode& mode) {
    constexpr const char* row_norms[] = {"none", "length", "root_mean_square"};
    QJsonObject object{{"scaled", describe(drawn.scaled)},
                       {"row_norm", row_norms[static_cast<int>(mode.row_norm)]},
                       {"of_matrix", mode.rewrite != nullptr}};
    if (mode.factor)
        object["factor"] = describe(drawn.factor);
    if (!drawn.single.empty())
        object["single"] = describe(drawn.single);
    return object;
}

QJsonObject everything() {
    QJsonArray variant_list, scale_list, position_list, normaliser_list, decay_list, mask_list;
    for (const auto& v : mechanisms())
        variant_list.append(QJsonObject{{"id", text(v.id)},
                                        {"title", v.title},
                                        {"family", v.family},
                                        {"formula", text(v.formula)},
                                        {"drawn", describe(v.drawn)},
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
                                      {"drawn", describe(s.drawn, s)},
                                      {"help", s.help},
                                      {"after_softmax", s.factor != nullptr},
                                      {"inputs", describe(s.inputs)},
                                      {"parameters", describe(s.parameters)}});
    for (const auto& p : position_terms())
        position_list.append(QJsonObject{{"id", text(p.id)},
                                         {"title", p.title},
                                         {"rule", text(p.rule)},
                                         {"drawn", describe(p.drawn)},
                                         {"help", p.help},
                                         {"source", text(p.source)},
                                         {"inputs", describe(p.inputs)},
                                         {"parameters", describe(p.parameters)}});
    for (const auto& row : normalisers())
        normaliser_list.append(QJsonObject{{"id", text(row.id)},
                                           {"title", row.title},
                                           {"formula", text(row.formula)},
                                           {"drawn", describe(row.drawn)},
                                           {"help", row.help},
                                           {"row_sums", row.row_sums ? QJsonValue(row.row_sums) : QJsonValue("1")},
                                           {"source", text(row.source)},
                                           {"parameters", describe(row.parameters)}});
    for (const auto& row : decays())
        decay_list.append(QJsonObject{{"id", text(row.id)},
                                      {"title", row.title},
                                      {"rule", text(row.rule)},
                                      {"drawn", describe(row.drawn)},
                                      {"help", row.help},
                                      {"source", text(row.source)},
                                      {"inputs", describe(row.inputs)},
                                      {"parameters", describe(row.parameters)}});
    for (const auto& m : mask_kinds())
        mask_list.append(QJsonObject{{"id", text(m.id)},
                                     {"title", m.title},
                                     {"rule", text(m.rule)},
                                     {"help", m.help},
                                     {"source", text(m.source)},
                                     {"inputs", describe(m.inputs)},
                                     {"parameters", describe(m.parameters)}});
    return {{"variants", variant_list},       {"scales", scale_list}, {"positions", position_list},
            {"normalisers", normaliser_list}, {"decays", decay_list}, {"masks", mask_list}};
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
    for (const auto& v : mechanisms()) {
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
    print("\nNormalisers (--normaliser ID[:VALUE])");
    for (const auto& row : normalisers()) {
        print(QStringLiteral("  %1  %2").arg(text(row.id), text(row.formula)));
        printParameters(row.parameters);
    }
    print("\nDecays (--decay ID[:VALUE])");
    for (const auto& row : decays()) {
        print(QStringLiteral("  %1  %2").arg(text(row.id), text(row.rule)));
        printInputs(row.inputs);
        printParameters(row.parameters);
    }
    print("\nMasks (--mask ID[:ARG,ARG], any number, combined with AND or by --mask-combine)");
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
    parser.setApplicationDescription(
        "Lists every mechanism, scale, position, normaliser, decay and mask with its parameters.");
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
