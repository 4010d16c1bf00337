// The tokenizer of a model's folder, as Transformers chooses it.
#include "core/io/file_bytes.h"
#include "core/tokens/folder_settings.h"
#include "core/tokens/unread_settings.h"

#include <algorithm>
#include <array>

namespace attnlab::tokens {
namespace {

constexpr std::int64_t largest_vocabulary = std::int64_t{1} << 26;
constexpr std::int64_t largest_tokenizer = std::int64_t{1} << 27;
constexpr std::size_t steps_of_line = 16;  ///< of a Budget
constexpr std::size_t steps_of_entry = 64; ///< an unread entry, which is large
constexpr io::JsonLimits vocabulary_limits{
    .max_bytes = largest_vocabulary, .max_values = std::int64_t{1} << 22, .any_root = false, .max_depth = 2};

enum class Kind { Gpt2, Roberta, Bert };

/// By the class, with "Fast" or without, or by the type of the model.
std::optional<Kind> kind_of(std::string name) {
    if (name.ends_with("Fast"))
        name.resize(name.size() - 4);
    constexpr std::pair<std::string_view, Kind> known[] = {{"GPT2Tokenizer", Kind::Gpt2},
                                                           {"RobertaTokenizer", Kind::Roberta},
                                                           {"BartTokenizer", Kind::Roberta},
                                                           {"BertTokenizer", Kind::Bert},
                                                           {"DistilBertTokenizer", Kind::Bert},
                                                           {"ElectraTokenizer", Kind::Bert},
                                                           {"gpt2", Kind::Gpt2},
                                                           {"opt", Kind::Gpt2},
                                                           {"roberta", Kind::Roberta},
                                                           {"bart", Kind::Roberta},
                                                           {"bert", Kind::Bert},
                                                           {"distilbert", Kind::Bert},
                                                           {"electra", Kind::Bert}};
    for (const auto& [word, kind] : known)
        if (word == name)
            return kind;
    return {};
}

Kind require_kind(const FolderSettings& settings, const std::filesystem::path& file) {
    const auto name = settings.tokenizer();
    if (const auto kind = name ? kind_of(*name) : std::nullopt)
        return *kind;
    if (name)
        throw Error({ATTNLAB_TEXT("%1: the tokenizer '%2' needs a tokenizer.json"), {file.string(), *name}});
    throw Error({ATTNLAB_TEXT("%1: neither config.json nor tokenizer_config.json says which tokenizer this is"),
                 {file.string()}});
}

/// Calls `use(line)` for each, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        use(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// What `make` returns; its Error gets the name of the file.
template <class Make>
auto within_file(const std::filesystem::path& file, Make make) {
    try {
        return make();
    } catch (const Error& error) {
        throw Error({ATTNLAB_TEXT("%1: %2"), {file.filename().string(), error.what()}});
    }
}

Vocabulary read_vocab_json(const std::filesystem::path& file, const RunControl& control) {
    Budget budget(control);
    auto limits = vocabulary_limits;
    limits.control = &control;
    const auto json =
        io::parse_json(io::read_file(file, largest_vocabulary, &control), file.filename().string(), limits);
    Vocabulary vocabulary;
    for (const auto& [text, id] : json.root().members()) {
        budget.spend(steps_of_line);
        within_file(file, [&, &token = text, number = id.integer()] { vocabulary.add(token, number); });
    }
    return vocabulary;
}

Merges read_merges_txt(const std::filesystem::path& file, const RunControl& control) {
    Budget budget(control);
    Merges merges;
    std::size_t number = 0;
    for_each_line(io::read_file(file, largest_vocabulary, &control), [&](std::string_view line) {
        budget.spend(steps_of_line + line.size());
        ++number;
        if (line.starts_with("#version") || line.empty())
            return;
        const auto space = line.find(' ');
        if (space == line.npos || line.find(' ', space + 1) != line.npos || !is_utf8(line))
            throw Error({ATTNLAB_TEXT("%1:%2: expected two tokens with a space between"),
                         {file.filename().string(), std::to_string(number)}});
        merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    });
    return merges;
}

/// A line is a token, its number the id.
Vocabulary read_vocab_txt(const std::filesystem::path& file, const RunControl& control) {
    Budget budget(control);
    Vocabulary vocabulary;
    within_file(file, [&] {
        std::int64_t id = 0;
        for_each_line(io::read_file(file, largest_vocabulary, &control), [&](std::string_view line) {
            budget.spend(steps_of_line + line.size());
            if (!is_utf8(line))
                throw Error({ATTNLAB_TEXT("line %1 is not UTF-8"), {std::to_string(id + 1)}});
            vocabulary.add(std::string(line), id++);
        });
    });
    return vocabulary;
}

Token needed(const Vocabulary& vocabulary, const std::string& text) {
    if (const auto id = vocabulary.id_of(text))
        return special_token(*id, text);
    throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1'"), {text}});
}

/// add_bos_token and add_eos_token; null without both.
PostProcessorPointer ends_post_processor(const FolderSettings& settings, const Vocabulary& vocabulary) {
    Template single, pair;
    for (const int sequence : {0, 1}) {
        const auto add = [&](const char* flag, const char* key) {
            if (!settings.flag(flag, false))
                return;
            const TemplatePart end{-1, shared_tokens({needed(vocabulary, settings.text(key, "<|endoftext|>"))}),
                                   sequence};
            pair.push_back(end);
            if (sequence == 0)
                single.push_back(end);
        };
        add("add_bos_token", "bos_token");
        pair.push_back({sequence, {}, sequence});
        if (sequence == 0)
            single.push_back(pair.back());
        add("add_eos_token", "eos_token");
    }
    return single.size() > 1 ? template_post_processor(std::move(single), std::move(pair)) : nullptr;
}

std::shared_ptr<const Tokenizer> byte_level_tokenizer(const std::filesystem::path& folder,
                                                      const FolderSettings& settings, const RunControl& control) {
    Budget budget(control);
    const auto file = folder / "vocab.json";
    const auto kind = require_kind(settings, file);
    if (kind == Kind::Bert)
        throw Error({ATTNLAB_TEXT("%1: the tokenizer '%2' needs a tokenizer.json"),
                     {file.string(), settings.tokenizer().value_or("")}});
    Pipeline parts;
    auto vocabulary = read_vocab_json(file, control);
    const bool prefix = settings.flag("add_prefix_space", false);
    return within_file(file, [&] {
        if (kind == Kind::Roberta) {
            parts.added = settings.added_tokens(settings.special_tokens({{"bos_token", "<s>"},
                                                                         {"eos_token", "</s>"},
                                                                         {"sep_token", "</s>"},
                                                                         {"cls_token", "<s>"},
                                                                         {"unk_token", "<unk>"},
                                                                         {"pad_token", "<pad>"},
                                                                         {"mask_token", "<mask>"}},
                                                                        budget),
                                                budget);
            parts.post_processor = roberta_post_processor(needed(vocabulary, settings.text("cls_token", "<s>")),
                                                          needed(vocabulary, settings.text("sep_token", "</s>")),
                                                          settings.flag("trim_offsets", true), prefix);
        } else {
            parts.added = settings.added_tokens(settings.special_tokens({{"bos_token", "<|endoftext|>"},
                                                                         {"eos_token", "<|endoftext|>"},
                                                                         {"unk_token", "<|endoftext|>"},
                                                                         {"pad_token", ""}},
                                                                        budget),
                                                budget);
            parts.post_processor = ends_post_processor(settings, vocabulary);
        }
        parts.split_special = settings.flag("split_special_tokens", false);
        parts.pre_tokenizer = byte_level_pre_tokenizer(prefix, true);
        parts.decoder = byte_level_decoder();
        parts.model = bpe_model(std::move(vocabulary), read_merges_txt(folder / "merges.txt", control), {}, budget);
        return make_tokenizer(std::move(parts), control);
    });
}

std::shared_ptr<const Tokenizer> bert_tokenizer(const std::filesystem::path& file, const FolderSettings& settings,
                                                const RunControl& control) {
    Budget budget(control);
    if (settings.tokenizer() && require_kind(settings, file) != Kind::Bert)
        throw Error(
            {ATTNLAB_TEXT("%1: the tokenizer '%2' needs a tokenizer.json"), {file.string(), *settings.tokenizer()}});
    auto vocabulary = read_vocab_txt(file, control);
    return within_file(file, [&] {
        Pipeline parts;
        BertNormalization options;
        options.lowercase = settings.flag("do_lower_case", true);
        options.handle_chinese_chars = settings.flag("tokenize_chinese_chars", true);
        options.strip_accents = settings.flag("strip_accents", options.lowercase);
        parts.normalizer = bert_normalizer(options);
        parts.pre_tokenizer = bert_pre_tokenizer();
        const TemplatePart cls{-1, shared_tokens({needed(vocabulary, settings.text("cls_token", "[CLS]"))}), 0};
        const TemplatePart sep{-1, shared_tokens({needed(vocabulary, settings.text("sep_token", "[SEP]"))}), 0};
        auto last = sep;
        last.type = 1;
        const TemplatePart first{0, {}, 0}, second{1, {}, 1};
        parts.post_processor = template_post_processor({cls, first, sep}, {cls, first, sep, second, last});
        parts.decoder = wordpiece_decoder("##", true);
        parts.added = settings.added_tokens(settings.special_tokens({{"unk_token", "[UNK]"},
                                                                     {"sep_token", "[SEP]"},
                                                                     {"pad_token", "[PAD]"},
                                                                     {"cls_token", "[CLS]"},
                                                                     {"mask_token", "[MASK]"}},
                                                                    budget),
                                            budget);
        parts.split_special = settings.flag("split_special_tokens", false);
        WordPieceOptions pieces;
        pieces.unk_token = settings.text("unk_token", "[UNK]");
        parts.model = wordpiece_model(std::move(vocabulary), pieces, budget);
        return make_tokenizer(std::move(parts), control);
    });
}

bool has_text(std::string_view text, std::string_view wanted, Budget& budget) {
    constexpr std::size_t step = 1 << 16;
    for (std::size_t at = 0; at < text.size(); at += step) {
        budget.spend(step);
        if (text.substr(at, step + wanted.size() - 1).find(wanted) != text.npos)
            return true;
    }
    return false;
}

/// Moves the entries to the end of `all`.
void append(std::vector<io::UnreadEntry>& all, std::vector<io::UnreadEntry> more, Budget& budget) {
    budget.look();
    if (all.empty()) {
        all = std::move(more);
        return;
    }
    all.reserve(all.size() + more.size());
    for (auto& entry : more) {
        budget.spend(steps_of_entry);
        all.push_back(std::move(entry));
    }
}

std::shared_ptr<const Tokenizer> tokenizer_of_json(const std::filesystem::path& folder, const FolderSettings& settings,
                                                   const RunControl& control, std::vector<io::UnreadEntry>& left) {
    Budget budget(control);
    const auto text = io::read_file(folder / "tokenizer.json", largest_tokenizer, &control);
    const auto json = parse_tokenizer_json(text, "tokenizer.json", control);
    const auto& root = json.root();
    const auto kind = settings.kind(has_text(text, "\"ByteLevel\"", budget));
    auto tokenizer = build_tokenizer(root, control, settings.part_settings(kind, root, budget));
    left = overridden_settings(settings, kind, root, *tokenizer, control);
    append(left, unread_members(root, control), budget);
    return tokenizer;
}

/// Settings of other classes have no effect in Transformers either.
void explain_other_classes(const FolderSettings& settings, std::vector<io::UnreadEntry>& left, Budget& budget) {
    constexpr std::string_view of_classes[] = {"do_lower_case",    "strip_accents", "tokenize_chinese_chars",
                                               "add_prefix_space", "legacy",        "extra_ids",
                                               "add_bos_token",    "add_eos_token", "fix_mistral_regex"};
    for (auto& one : left) {
        budget.spend(steps_of_entry);
        if (one.why.empty() && std::ranges::find(of_classes, one.name) != std::end(of_classes)) {
            one.why = {ATTNLAB_TEXT("has no effect on tokenizers of the class %1"), {settings.class_name().name}};
            one.is_said = false;
        }
    }
}

} // namespace

std::shared_ptr<const Tokenizer> find_tokenizer(const std::filesystem::path& folder, const RunControl& control,
                                                std::vector<io::UnreadEntry>* unread) {
    std::error_code ignored;
    const auto has = [&](const char* name) { return std::filesystem::exists(folder / name, ignored); };
    const bool has_json = has("tokenizer.json"), has_pairs = has("vocab.json") && has("merges.txt");
    if (!has_json && !has_pairs && !has("vocab.txt"))
        return nullptr;
    const FolderSettings settings(folder, control);
    std::vector<io::UnreadEntry> found;
    auto tokenizer = has_json    ? tokenizer_of_json(folder, settings, control, found)
                     : has_pairs ? byte_level_tokenizer(folder, settings, control)
                                 : bert_tokenizer(folder / "vocab.txt", settings, control);
    Budget budget(control);
    append(found, settings.unread(budget), budget);
    explain_other_classes(settings, found, budget);
    if (unread)
        *unread = std::move(found);
    return tokenizer;
}

} // namespace attnlab::tokens
