// The tokenizer of a model's folder, as Transformers chooses it.
#include "core/io/file_bytes.h"
#include "core/tokens/folder_settings.h"

#include <array>

namespace attnlab::tokens {
namespace {

constexpr std::int64_t largest_vocabulary = std::int64_t{1} << 26;
constexpr std::size_t steps_of_line = 16; ///< of a Budget
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
            parts.added = settings.special_tokens({{"bos_token", "<s>"},
                                                   {"eos_token", "</s>"},
                                                   {"sep_token", "</s>"},
                                                   {"cls_token", "<s>"},
                                                   {"unk_token", "<unk>"},
                                                   {"pad_token", "<pad>"},
                                                   {"mask_token", "<mask>"}},
                                                  budget);
            parts.post_processor = roberta_post_processor(needed(vocabulary, settings.text("cls_token", "<s>")),
                                                          needed(vocabulary, settings.text("sep_token", "</s>")),
                                                          settings.flag("trim_offsets", true), prefix);
        } else {
            parts.added = settings.special_tokens({{"bos_token", "<|endoftext|>"},
                                                   {"eos_token", "<|endoftext|>"},
                                                   {"unk_token", "<|endoftext|>"},
                                                   {"pad_token", ""}},
                                                  budget);
            if (settings.flag("add_bos_token", false)) {
                const TemplatePart bos{
                    -1, shared_tokens({needed(vocabulary, settings.text("bos_token", "<|endoftext|>"))}), 0};
                const TemplatePart first{0, {}, 0}, second{1, {}, 1};
                auto bos_of_pair = bos;
                bos_of_pair.type = 1;
                parts.post_processor = template_post_processor({bos, first}, {bos, first, bos_of_pair, second});
            }
        }
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
        parts.added = settings.special_tokens({{"unk_token", "[UNK]"},
                                               {"sep_token", "[SEP]"},
                                               {"pad_token", "[PAD]"},
                                               {"cls_token", "[CLS]"},
                                               {"mask_token", "[MASK]"}},
                                              budget);
        WordPieceOptions pieces;
        pieces.unk_token = settings.text("unk_token", "[UNK]");
        parts.model = wordpiece_model(std::move(vocabulary), pieces, budget);
        return make_tokenizer(std::move(parts), control);
    });
}

} // namespace

std::shared_ptr<const Tokenizer> find_tokenizer(const std::filesystem::path& folder, const RunControl& control) {
    std::error_code ignored;
    const auto has = [&](const char* name) { return std::filesystem::exists(folder / name, ignored); };
    if (has("tokenizer.json"))
        return read_tokenizer(folder / "tokenizer.json", control);
    if (has("vocab.json") && has("merges.txt"))
        return byte_level_tokenizer(folder, FolderSettings(folder, control), control);
    if (has("vocab.txt"))
        return bert_tokenizer(folder / "vocab.txt", FolderSettings(folder, control), control);
    return nullptr;
}

} // namespace attnlab::tokens
