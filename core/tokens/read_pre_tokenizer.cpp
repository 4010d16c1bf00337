// Implements read_pre_tokenizer() of read_parts.h.
#include "core/tokens/read_parts.h"

#include <array>

namespace attnlab::tokens {
namespace {

Behavior read_behavior(const io::JsonNode& node) {
    constexpr std::array<std::string_view, 5> names = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                                                       "Contiguous"};
    const auto& name = node.one_of(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i])
            return static_cast<Behavior>(i);
    return Behavior::Isolated;
}

PreTokenizerPointer read_metaspace(const io::JsonNode& part) {
    return metaspace_pre_tokenizer(one_character(part.at("replacement")), read_prepend_scheme(part),
                                   flag(part, "split", true));
}

} // namespace

Prepend read_prepend_scheme(const io::JsonNode& part) {
    constexpr std::array<std::string_view, 3> names = {"never", "first", "always"};
    const auto* scheme = member(part, "prepend_scheme");
    const std::string name = scheme ? scheme->one_of(names) : "always";
    if (flag(part, "add_prefix_space", true)) // how older files say it
        return name == names[0] ? Prepend::Never : name == names[1] ? Prepend::First : Prepend::Always;
    if (scheme && name != "never")
        scheme->fail_expecting(ATTNLAB_TEXT("never, as add_prefix_space is false"));
    return Prepend::Never;
}

namespace {

PreTokenizerPointer read_one_pre_tokenizer(const io::JsonNode& part, const std::string& type,
                                           const PartSettings& settings) {
    if (type == "ByteLevel")
        return byte_level_pre_tokenizer(settings.prefix_space.value_or(part.at("add_prefix_space").boolean()),
                                        flag(part, "use_regex", true));
    if (type == "BertPreTokenizer")
        return bert_pre_tokenizer();
    if (type == "Whitespace")
        return whitespace_pre_tokenizer();
    if (type == "WhitespaceSplit")
        return character_pre_tokenizer(is_whitespace, Behavior::Removed);
    if (type == "Punctuation") {
        const auto* behavior = member(part, "behavior");
        return character_pre_tokenizer(is_punctuation, behavior ? read_behavior(*behavior) : Behavior::Isolated);
    }
    if (type == "Digits")
        return character_pre_tokenizer(is_numeric, part.at("individual_digits").boolean() ? Behavior::Isolated
                                                                                          : Behavior::Contiguous);
    if (type == "Split")
        return split_pre_tokenizer(read_pattern(part.at("pattern")), read_behavior(part.at("behavior")),
                                   part.at("invert").boolean());
    if (type == "CharDelimiterSplit")
        return delimiter_pre_tokenizer(one_character(part.at("delimiter")));
    if (type == "Metaspace")
        return read_metaspace(part);
    if (type == "FixedLength") {
        const auto length = count_in(part.at("length"));
        if (length == 0)
            part.at("length").fail_expecting({ATTNLAB_TEXT("%1 or more"), {"1"}});
        return fixed_length_pre_tokenizer(length);
    }
    fail_unknown(part, type);
}

} // namespace

PreTokenizerPointer read_pre_tokenizer(const io::JsonNode& part, const RunControl& control,
                                       const PartSettings& settings) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_pre_tokenizer(read_all(part.at("pretokenizers"), [&](const io::JsonNode& step) {
            return read_pre_tokenizer(step, control, settings);
        }));
    return named_pre_tokenizer(name_of(part, type), read_one_pre_tokenizer(part, type, settings));
}

} // namespace attnlab::tokens
