// The command line: attnlab compute with every choice.
#include "core/binder.h"
#include "core/code/writers.h"
#include "core/rounding.h"
#include "core/stages/mask.h"

#include <algorithm>
#include <span>

namespace attnlab::code {
namespace {

/// One word of a POSIX shell.
std::string word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(plain) == text.npos)
        return std::string(text);
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

/// "id", "id:value" or "id:a=1,b=2".
std::string choice(const Selection& selection, bool named) {
    std::string text = selection.id;
    char before = ':';
    for (const auto& [name, value] : selection.parameters.all()) {
        text += before + (named ? name + "=" : std::string()) + to_text(value);
        before = ',';
    }
    return text;
}

/// "window:4" or, with two reaches, "window:2,1".
std::string window_choice(const Selection& mask) {
    const auto values = complete_mask(mask).parameters;
    if (values.choice("sides") == "equal")
        return mask.id + ":" + std::to_string(values.integer("w"));
    return mask.id + ":" + std::to_string(values.integer("left")) + "," + std::to_string(values.integer("right"));
}

class Words {
public:
    void add(std::string_view option) { text_ += " --" + std::string(option); }
    void add(std::string_view option, std::string_view value) {
        add(option);
        text_ += " " + word(value);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// What has an effect without a mask that blocks is not spelled: the program would warn.
void add_masks(Words& words, const AttentionSpec& spec) {
    for (const auto& mask : spec.masks)
        words.add("mask", mask.id == "window" ? window_choice(mask) : choice(mask, false));
    if (spec.masks.empty())
        words.add("mask", "none");
    const MaskFill usual;
    const bool fills = spec.variant == "causal" || spec.variant == "transformer" ||
                       std::ranges::any_of(spec.masks, [](const auto& mask) { return mask.id != "attn_bias"; });
    if (fills || spec.mask_fill != usual) {
        words.add("mask-fill", to_text(spec.mask_fill.value));
        words.add("mask-fill-mode", spec.mask_fill.mode == MaskFill::Mode::Replace ? "replace" : "add");
    }
    if (spec.mask_true != MaskTrue::Blocks ||
        std::ranges::any_of(spec.masks, [](const auto& mask) { return mask.id == "attn_mask"; }))
        words.add("mask-true", spec.mask_true == MaskTrue::Blocks ? "blocks" : "keeps");
}

bool reads_offset(const AttentionSpec& spec) {
    return std::ranges::any_of(further_inputs(spec), [](std::span<const Input> declared) {
        return std::ranges::find(declared, query_offset_input.name, &Input::name) != declared.end();
    });
}

} // namespace

std::string command_of(const AttentionSpec& spec, std::string_view file) {
    Words words;
    words.add("variant", spec.variant);
    for (const auto& [name, value] : spec.parameters.all())
        words.add("set", name + "=" + to_text(value));
    words.add("scale", choice(spec.scale, false));
    if (spec.scale_after_softmax)
        words.add("scale-after-softmax");
    words.add("position", spec.position.id.empty() ? "none" : choice(spec.position, true));
    if (spec.query_offset && reads_offset(spec))
        words.add("query-offset", std::to_string(*spec.query_offset));
    add_masks(words, spec);
    if (spec.statistics)
        words.add("statistics");
    words.add("round", spec.rounding ? to_text(*spec.rounding) : "none");
    const std::string name = (file.starts_with('-') ? "./" : "") + std::string(file);
    return "attnlab compute " + word(name) + words.text() + " --out stages.npz\n";
}

} // namespace attnlab::code
