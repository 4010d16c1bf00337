#include "app/reference_pages.h"

#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"

namespace attnlab::app {
namespace {

/// Escapes pipes, which would end a cell of a table.
std::string cell(std::string text) {
    for (auto at = text.find('|'); at != text.npos; at = text.find('|', at + 2))
        text.replace(at, 1, "\\|");
    return text;
}

std::string shapes(const Input& input) {
    std::string text = "(";
    for (const char c : input.dims)
        text += c == ' ' ? "," : std::string(1, c);
    for (auto at = text.find(",|,"); at != text.npos; at = text.find(",|,"))
        text.replace(at, 3, ") or (");
    return text + ")";
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
                                    {"Statistics", refuses.statistics}})
        if (why)
            list += "- " + what + ": not possible. " + why + "\n";
    page += list.empty() ? "" : list + "\n";
}

void addVariant(std::string& page, const Variant& variant) {
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
        "# Mechanisms, scales, positions and masks\n\nMade by `attnlab list --markdown` from the "
        "program's own tables; Help > Mechanisms, scales and masks shows the same pages with typeset formulas.\n\n";
    const char* family = "";
    for (const auto& v : variants()) {
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
    page += "## Masks (`--mask ID[:ARG]`, any number, combined with AND)\n\n"
            "A size written `L?` may be 1 instead: the array is then the same along that axis, as "
            "`torch.nn.functional.scaled_dot_product_attention` broadcasts it. Three axes are (H,L,S), or (B*H,L,S) as "
            "`torch.nn.MultiheadAttention` takes them.\n\n"
            "`sliding_window:n` stands for `causal` and `window:2n-2`: a query reads itself and the n - 1 keys before "
            "it, as `sliding_window` says in the configuration of Mistral and other models.\n\n"
            "*Source:* Mistral 7B, arXiv:2310.06825; `sliding_window_overlay` of Hugging Face's transformers.\n\n";
    for (const auto& kind : mask_kinds()) {
        page += "### `" + std::string(kind.id) + "`\n\n" + (kind.adds ? "A score s becomes " : "Keeps a cell where ") +
                std::string(kind.rule) + ". " + kind.help + "\n\n";
        addInputs(page, kind.inputs);
        addParameters(page, kind.parameters);
    }
    while (page.ends_with("\n\n"))
        page.pop_back();
    return page;
}

} // namespace attnlab::app
