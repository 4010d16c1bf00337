#include "core/tokens/unread_settings.h"

#include "core/io/file_formats.h"
#include "core/lookup.h"

#include <algorithm>
#include <charconv>

namespace attnlab::tokens {
namespace {

constexpr std::size_t longest_shown = 60;
constexpr std::size_t steps_of_member = 16; ///< of a Budget
constexpr const char* json_file = "tokenizer.json";

struct KnownMembers {
    std::string_view type, names; ///< names separated by spaces, without "type"
};

/// Of normalizers, pre-tokenizers, models, post-processors and decoders.
constexpr KnownMembers known_members[] = {
    {"Sequence", "normalizers pretokenizers processors decoders"},
    {"Strip", "strip_left strip_right content start stop"},
    {"Prepend", "prepend"},
    {"Replace", "pattern content"},
    {"Precompiled", "precompiled_charsmap"},
    {"BertNormalizer", "clean_text handle_chinese_chars strip_accents lowercase"},
    {"ByteLevel", "add_prefix_space trim_offsets use_regex"},
    {"Punctuation", "behavior"},
    {"Digits", "individual_digits"},
    {"Split", "pattern behavior invert"},
    {"CharDelimiterSplit", "delimiter"},
    {"Metaspace", "replacement add_prefix_space prepend_scheme split str_rep"},
    {"FixedLength", "length"},
    {"BPE", "vocab merges dropout unk_token continuing_subword_prefix end_of_word_suffix fuse_unk byte_fallback "
            "ignore_merges"},
    {"WordPiece", "vocab unk_token continuing_subword_prefix max_input_chars_per_word prefix cleanup"},
    {"Unigram", "vocab unk_id byte_fallback"},
    {"WordLevel", "vocab unk_token"},
    {"TemplateProcessing", "single pair special_tokens"},
    {"BertProcessing", "sep cls"},
    {"RobertaProcessing", "sep cls trim_offsets add_prefix_space"},
    {"BPEDecoder", "suffix"},
    {"CTC", "pad_token word_delimiter_token cleanup"},
};
constexpr std::string_view known_of_file =
    "version truncation padding added_tokens normalizer pre_tokenizer model post_processor decoder";
constexpr std::string_view known_of_added = "id content single_word lstrip rstrip normalized special";

bool is_listed(std::string_view name, std::string_view list) {
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == name)
            return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

bool says_none(const io::JsonNode& node) {
    const auto& held = node.held();
    if (const auto* members = std::get_if<io::JsonNode::Members>(&held))
        return members->empty();
    return is_null(node) || (node.is_boolean() && !node.boolean()) || node.is_text("") ||
           (node.is_list() && node.items().empty());
}

std::string shown(const io::JsonNode& node, const RunControl& control) {
    return io::excerpt(io::dump_for_message(node, control), longest_shown);
}
std::string shown(bool value) { return value ? "true" : "false"; }

/// Calls `use(node, names)` for each part of a sequence, and of sequences in it, with the names of its members.
template <class Use>
void for_each_part(const io::JsonNode& part, bool is_model, const Use& use) {
    const auto type = is_model ? model_type_of(part) : part.at("type").text();
    std::string_view names;
    for (const auto& known : known_members)
        if (known.type == type)
            names = known.names;
    use(part, names);
    for (const auto* key : {"normalizers", "pretokenizers", "processors", "decoders"})
        if (const auto* list = member(part, key))
            for (const auto& step : list->items())
                for_each_part(step, is_model, use);
}

void require_listed(const io::JsonNode& part, std::string_view names, Budget& budget) {
    for (const auto& [name, value] : part.members()) {
        budget.spend(steps_of_member);
        if (name != "type" && !is_listed(name, names) && !says_none(value))
            value.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, which AttnLab does not read; the tokens could be others"));
    }
}

/// The first part of the type, in sequences too; null without one.
const io::JsonNode* part_of_type(const io::JsonNode* part, std::string_view type) {
    if (!part || part->at("type").is_text(type))
        return part;
    for (const auto* key : {"normalizers", "pretokenizers"})
        if (const auto* list = member(*part, key))
            for (const auto& step : list->items())
                if (const auto* found = part_of_type(&step, type))
                    return found;
    return nullptr;
}

/// Whether tokenizer.json puts a space or its sign before a text.
bool prefixes_space(const io::JsonNode& root) {
    const auto* before = member(root, "pre_tokenizer");
    if (const auto* bytes = part_of_type(before, "ByteLevel"))
        return bytes->at("add_prefix_space").boolean();
    if (const auto* meta = part_of_type(before, "Metaspace"))
        return read_prepend_scheme(*meta) != Prepend::Never;
    return part_of_type(member(root, "normalizer"), "Prepend") != nullptr;
}

/// Collects what tokenizer.json decides.
class Overridden {
public:
    Overridden(const FolderSettings& settings, const RunControl& control, std::vector<io::UnreadEntry>& left)
        : settings_(settings), control_(control), left_(left) {}

    /// Of a setting that the class does not apply, where tokenizer.json has `has`.
    void compare(const char* key, bool has) {
        const auto* stated = settings_.stated(key);
        if (!stated)
            return;
        const bool differs = stated->is_boolean() && stated->boolean() != has;
        add(key, *stated,
            differs ? Message{ATTNLAB_TEXT("tokenizer.json has %1, which is followed, as Transformers 5 does for %2"),
                              {shown(has), settings_.class_name().name}}
                    : Message(ATTNLAB_TEXT("says again what tokenizer.json decides")),
            differs);
    }

    void add(const char* key, const io::JsonNode& value, const Message& why, bool is_said) {
        left_.push_back({"tokenizer_config.json", key, shown(value, control_), why, is_said});
    }

private:
    const FolderSettings& settings_;
    const RunControl& control_;
    std::vector<io::UnreadEntry>& left_;
};

void compare_letters(const io::JsonNode& root, Overridden& overridden) {
    const auto* part = part_of_type(member(root, "normalizer"), "BertNormalizer");
    const bool lowercase =
        part ? part->at("lowercase").boolean() : part_of_type(member(root, "normalizer"), "Lowercase") != nullptr;
    overridden.compare("do_lower_case", lowercase);
    overridden.compare("strip_accents", part ? flag(*part, "strip_accents", lowercase)
                                             : part_of_type(member(root, "normalizer"), "StripAccents") != nullptr);
    overridden.compare("tokenize_chinese_chars", part && part->at("handle_chinese_chars").boolean());
}

/// Transformers 5 ignores add_bos_token and add_eos_token beside a tokenizer.json.
void compare_ends(const FolderSettings& settings, const Tokenizer& tokenizer, Overridden& overridden,
                  const RunControl& control) {
    const auto around = tokenizer.encode("", {}, control);
    const auto has = [&](const char* key, bool first) {
        const auto text = settings.text(key, "");
        return !around.empty() && !text.empty() && (first ? around.front() : around.back()).text == text;
    };
    overridden.compare("add_bos_token", has("bos_token", true));
    overridden.compare("add_eos_token", has("eos_token", false));
}

/// Special tokens that some classes put around a text, and tokenizer.json does not.
void compare_around(const FolderSettings& settings, TokenizerKind kind, const Tokenizer& tokenizer,
                    Overridden& overridden, const RunControl& control) {
    std::vector<const char*> keys;
    if (kind == TokenizerKind::Bert || kind == TokenizerKind::Roberta)
        keys = {"cls_token", "sep_token"};
    else if (kind == TokenizerKind::T5)
        keys = {"eos_token"};
    const auto around = tokenizer.encode("", {}, control);
    for (const auto* key : keys)
        if (const auto* stated = settings.stated(key))
            if (const auto text = settings.text(key, ""); !lookup(around, text, &Token::text))
                overridden.add(key, *stated,
                               ATTNLAB_TEXT("is not among the tokens that tokenizer.json puts around a "
                                            "text, which is followed"),
                               true);
}

void compare_added_ids(const FolderSettings& settings, const Tokenizer& tokenizer, Overridden& overridden,
                       Budget& budget) {
    const auto* listed = settings.stated("added_tokens_decoder");
    if (!listed)
        return;
    for (const auto& [id, token] : listed->members()) {
        budget.spend(steps_of_member);
        const auto& content = token.at("content").text();
        std::int64_t number = 0;
        const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
        if (read.ec != std::errc() || read.ptr != id.data() + id.size())
            token.fail_expecting(ATTNLAB_TEXT("an id as its key"));
        if (!content.empty() && tokenizer.text_of(number) != content)
            overridden.add(
                "added_tokens_decoder", token,
                {ATTNLAB_TEXT("states the id %1 for '%2', which is not the id that the token gets"), {id, content}},
                true);
    }
}

} // namespace

void require_known_members(const io::JsonNode& root, Budget& budget) {
    const auto require = [&](const io::JsonNode& part, std::string_view names) { require_listed(part, names, budget); };
    for (const auto* key : {"normalizer", "pre_tokenizer", "model", "post_processor"})
        if (const auto* part = member(root, key))
            for_each_part(*part, key == std::string_view("model"), require);
    if (const auto* list = member(root, "added_tokens"))
        for (const auto& token : list->items())
            require(token, known_of_added);
}

std::vector<io::UnreadEntry> unread_members(const io::JsonNode& root, const RunControl& control) {
    Budget budget(control);
    std::vector<io::UnreadEntry> left;
    const auto add = [&](const io::JsonNode& object, std::string_view names) {
        const auto path = object.path();
        for (const auto& [name, value] : object.members()) {
            budget.spend(steps_of_member);
            if (name != "type" && !is_listed(name, names) && !says_none(value))
                left.push_back({json_file, path.empty() ? name : path + "." + name, shown(value, control)});
        }
    };
    add(root, known_of_file);
    if (const auto* decoder = member(root, "decoder"))
        for_each_part(*decoder, false, add);
    for (const auto* key : {"truncation", "padding"})
        if (const auto* value = member(root, key))
            left.push_back({json_file, key, shown(*value, control),
                            ATTNLAB_TEXT("counts where a program asks for texts of one length"), false});
    return left;
}

bool only_writes_spaces(const io::JsonNode& root, Budget& budget) {
    bool only = true;
    const auto check = [&](const char* key, std::string_view types) {
        if (const auto* part = member(root, key))
            for_each_part(*part, false, [&](const io::JsonNode& step, std::string_view) {
                budget.spend(steps_of_member);
                only = only && is_listed(step.at("type").text(), types);
            });
    };
    check("normalizer", "Sequence Prepend Replace");
    check("pre_tokenizer", "Metaspace");
    return only;
}

std::vector<io::UnreadEntry> overridden_settings(const FolderSettings& settings, TokenizerKind kind,
                                                 const io::JsonNode& root, const Tokenizer& tokenizer,
                                                 const RunControl& control) {
    Budget budget(control);
    budget.look(); // to look for a member in a large file takes long
    std::vector<io::UnreadEntry> left;
    Overridden overridden(settings, control, left);
    if (kind != TokenizerKind::Bert || !part_of_type(member(root, "normalizer"), "BertNormalizer"))
        compare_letters(root, overridden);
    const bool is_llama = kind == TokenizerKind::Llama;
    const bool has_bytes = part_of_type(member(root, "pre_tokenizer"), "ByteLevel") != nullptr;
    if (is_llama ? !only_writes_spaces(root, budget) : !applies_prefix_space(kind) || !has_bytes)
        overridden.compare("add_prefix_space", prefixes_space(root));
    compare_ends(settings, tokenizer, overridden, control);
    compare_around(settings, kind, tokenizer, overridden, control);
    compare_added_ids(settings, tokenizer, overridden, budget);
    if (const auto* legacy = settings.stated("legacy"); legacy && !is_llama)
        overridden.add("legacy", *legacy, ATTNLAB_TEXT("counts for LlamaTokenizer alone"), false);
    const auto& model = root.at("model");
    if (is_llama ? !only_writes_spaces(root, budget) || !flag(model, "byte_fallback", false) ||
                       !flag(model, "fuse_unk", false)
                 : (kind == TokenizerKind::Bert && !part_of_type(member(root, "normalizer"), "BertNormalizer")) ||
                       (applies_prefix_space(kind) && !has_bytes)) {
        auto decides = settings.class_name();
        left.push_back(
            {std::move(decides.file), std::move(decides.key), std::move(decides.name),
             ATTNLAB_TEXT("Transformers 5 builds the tokenizer's parts anew for it; tokenizer.json has other "
                          "parts, which are followed"),
             true});
    }
    if (const auto* fix = settings.stated("fix_mistral_regex")) {
        constexpr std::int64_t smallest_fixed = 100000;
        if (fix->is_boolean() && fix->boolean() && tokenizer.size() > smallest_fixed && settings.is_old_mistral())
            fix->fail_expecting(
                {ATTNLAB_TEXT("%1: with it Transformers splits text otherwise than tokenizer.json"), {"false"}});
        overridden.add("fix_mistral_regex", *fix, ATTNLAB_TEXT("has no effect on this tokenizer"), false);
    }
    return left;
}

} // namespace attnlab::tokens
