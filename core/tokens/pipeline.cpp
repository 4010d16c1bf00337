#include "core/tokens/pipeline.h"

#include "core/io/file_bytes.h"
#include "core/message.h"
#include "core/tokens/unread_settings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attnlab::tokens {
namespace {

/// The tokens of a text and of its pair, one after another.
struct Encoded {
    TokenLists lists;
    std::size_t count = 0, spelling_bytes = 0;
};

class PipelineTokenizer : public Tokenizer {
public:
    PipelineTokenizer(Pipeline parts, Budget& budget)
        : parts_(std::move(parts)),
          added_(parts_.added, parts_.model->vocabulary(), parts_.normalizer.get(), budget, parts_.split_special) {}

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                              const RunControl& control) const override {
        Budget budget(control);
        budget.look();
        Encoded encoded;
        add_tokens_of(text, encoded, budget);
        if (pair)
            add_tokens_of(*pair, encoded, budget);
        auto lists = std::move(encoded.lists);
        if (parts_.post_processor)
            lists = parts_.post_processor->process(std::move(lists), budget);
        if (lists.size() == 1)
            return std::move(lists.front());
        std::vector<Token> all;
        for (auto& list : lists) {
            budget.spend(list.size());
            std::ranges::move(std::exchange(list, {}), std::back_inserter(all));
        }
        return all;
    }

    std::optional<std::string> text_of(std::int64_t id) const override {
        const auto* text = spelling_of(id);
        return text ? std::optional(*text) : std::nullopt;
    }

    std::string decode(const std::vector<std::int64_t>& ids, const RunControl& control) const override {
        Budget budget(control);
        budget.look();
        auto texts = naming("decoder", [&] { return texts_of(ids, budget); });
        if (parts_.decoder)
            texts = parts_.decoder->decode(std::move(texts), budget);
        const std::string_view between = parts_.decoder ? "" : " ";
        std::string all;
        for (std::size_t i = 0; i < texts.size(); ++i)
            (all += i == 0 ? "" : between) += texts[i];
        return all;
    }

    std::int64_t size() const override { return parts_.model->vocabulary().size() + added_.beside_model(); }

private:
    /// Null for an unknown id.
    const std::string* spelling_of(std::int64_t id) const {
        const auto* text = added_.text_of(id);
        return text ? text : parts_.model->vocabulary().text_of(id);
    }

    std::vector<std::string> texts_of(const std::vector<std::int64_t>& ids, Budget& budget) const {
        std::vector<std::string> texts;
        std::size_t bytes = 0;
        for (const auto id : ids) {
            const auto* added = added_.decoded(id);
            const auto* text = added ? added : spelling_of(id);
            if (!text)
                continue;
            budget.spend(1 + text->size());
            budget.require_text(bytes += text->size());
            Budget::require_tokens(texts.size() + 1, 0);
            texts.push_back(*text);
        }
        return texts;
    }

    void add_tokens_of(std::string_view text, Encoded& encoded, Budget& budget) const {
        if (text.size() > most_text_bytes)
            throw Error({ATTNLAB_TEXT("the text takes %1 bytes; at most %2 may be tokenized"),
                         {std::to_string(text.size()), std::to_string(most_text_bytes)}});
        if (!is_utf8(text))
            throw Error(Message(ATTNLAB_TEXT("the text is not UTF-8")));
        auto pieces = added_.divide(AlignedText(text, budget), parts_.normalizer.get(), budget);
        if (parts_.pre_tokenizer)
            parts_.pre_tokenizer->apply(pieces, budget);
        const auto type = static_cast<int>(encoded.lists.size());
        auto& tokens = encoded.lists.emplace_back();
        const auto add = [&](std::int64_t id, std::string_view spelled, Origin origin) {
            encoded.spelling_bytes += spelled.size();
            Budget::require_tokens(++encoded.count, encoded.spelling_bytes);
            budget.spend(1 + spelled.size());
            tokens.push_back({.id = id,
                              .text = std::string(spelled),
                              .begin = origin.begin,
                              .end = origin.end,
                              .special = false,
                              .type = type});
        };
        naming("model", [&] {
            for (auto& held : pieces) {
                const auto piece = std::move(held); // whose memory is freed once it is done
                const auto& word = piece.text.text();
                budget.spend(1);
                if (piece.added)
                    add(*piece.added, word, piece.text.origin(0, word.size()));
                else if (!word.empty())
                    for (const auto& [id, spelled, begin, end] : parts_.model->tokenize(word, budget))
                        add(id, spelled, piece.text.origin(begin, end));
            }
        });
    }

    Pipeline parts_;
    AddedTokens added_;
};

} // namespace

std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline parts, const RunControl& control) {
    Budget budget(control);
    return std::make_shared<PipelineTokenizer>(std::move(parts), budget);
}

bool is_null(const io::JsonNode& node) { return std::holds_alternative<std::nullptr_t>(node.held()); }

const io::JsonNode* member(const io::JsonNode& part, std::string_view key) {
    const auto* node = part.find(key);
    return node && !is_null(*node) ? node : nullptr;
}

bool flag(const io::JsonNode& part, std::string_view key, bool otherwise) {
    const auto* node = member(part, key);
    return node ? node->boolean() : otherwise;
}

std::optional<std::string> optional_text(const io::JsonNode& part, std::string_view key) {
    const auto* node = member(part, key);
    return node ? std::optional(node->text()) : std::nullopt;
}

std::size_t count_in(const io::JsonNode& node) {
    if (node.integer() < 0)
        node.fail_expecting({ATTNLAB_TEXT("%1 or more"), {"0"}});
    return static_cast<std::size_t>(node.integer());
}

char32_t one_character(const io::JsonNode& node) {
    if (count_characters(node.text()) != 1)
        node.fail_expecting(ATTNLAB_TEXT("one character"));
    return character_at(node.text(), 0).value;
}

Pattern read_pattern(const io::JsonNode& node) {
    if (node.members().size() != 1)
        node.fail_expecting({ATTNLAB_TEXT("%1 or %2"), {"String", "Regex"}});
    const auto& [kind, pattern] = node.members().front();
    if (kind != "String" && kind != "Regex")
        fail_unknown(node, kind);
    return within(node, [&, &text = pattern, regex = kind == "Regex"] {
        return regex ? Pattern::oniguruma(text.text()) : Pattern::literal(text.text());
    });
}

std::string name_of(const io::JsonNode& part, const std::string& type) { return part.path() + " (" + type + ")"; }

void fail_unknown(const io::JsonNode& part, const std::string& type) {
    part.fail(ATTNLAB_TEXT("%1: %2: '%3' is unknown"), {part.path(), type});
}

// Implements read_tokenizer() of tokenizer.h: a whole tokenizer.json.

namespace {

/// The largest vocabularies have 600,000 merges, each a list of two.
constexpr io::JsonLimits tokenizer_limits{
    .max_bytes = std::int64_t{1} << 27, .max_values = std::int64_t{1} << 23, .any_root = false, .max_depth = 64};

constexpr std::size_t steps_of_added = 64; ///< of a Budget

std::vector<AddedToken> read_added(const io::JsonNode& root, Budget& budget) {
    std::vector<AddedToken> tokens;
    if (const auto* list = member(root, "added_tokens"))
        for (const auto& token : list->items()) {
            budget.spend(steps_of_added);
            tokens.push_back({.content = token.at("content").text(),
                              .single_word = token.at("single_word").boolean(),
                              .lstrip = token.at("lstrip").boolean(),
                              .rstrip = token.at("rstrip").boolean(),
                              .normalized = token.at("normalized").boolean(),
                              .special = token.at("special").boolean()});
        }
    return tokens;
}

/// Each of them may hold a compiled pattern, and takes time for each text.
constexpr std::size_t most_parts = 1000;

/// Those of a sequence, and of sequences in it.
std::size_t count_parts(const io::JsonNode& part) {
    std::size_t count = 1;
    for (const auto* key : {"normalizers", "pretokenizers", "processors", "decoders"})
        if (const auto* list = member(part, key))
            for (const auto& step : list->items())
                count += count_parts(step);
    return count;
}

/// The member `key` of the file. Null where it is missing or null.
const io::JsonNode* part_of(const io::JsonNode& root, std::string_view key) {
    const auto* part = member(root, key);
    if (const auto count = part ? count_parts(*part) : 0; count > most_parts)
        part->fail(ATTNLAB_TEXT("%1: %2: has %3 parts, at most %4 are allowed"),
                   {part->path(), std::to_string(count), std::to_string(most_parts)});
    return part;
}

/// The ids that the file states are those that the tokens get.
void check_ids(const io::JsonNode& root, const Tokenizer& tokenizer, Budget& budget) {
    if (const auto* list = member(root, "added_tokens"))
        for (const auto& token : list->items()) {
            budget.spend(steps_of_added);
            if (tokenizer.text_of(token.at("id").integer()) != token.at("content").text())
                token.at("id").fail_as(ATTNLAB_TEXT("%1: '%2' is %3, which is not the id that the token gets"));
        }
}

} // namespace

io::Json parse_tokenizer_json(std::string_view text, const std::string& name, const RunControl& control) {
    auto limits = tokenizer_limits;
    limits.control = &control;
    return io::parse_json(text, name, limits);
}

std::shared_ptr<const Tokenizer> build_tokenizer(const io::JsonNode& root, const RunControl& control,
                                                 const PartSettings& settings) {
    Budget budget(control);
    budget.look();
    Pipeline parts;
    if (const auto* part = part_of(root, "normalizer"))
        parts.normalizer = read_normalizer(*part, control, settings);
    if (const auto* part = part_of(root, "pre_tokenizer"))
        parts.pre_tokenizer = read_pre_tokenizer(*part, control, settings);
    if (settings.prepend) {
        parts.normalizer = nullptr;
        parts.pre_tokenizer = metaspace_pre_tokenizer(U'\u2581', *settings.prepend, false);
    }
    parts.model = read_model(root.at("model"), control);
    if (const auto* part = part_of(root, "post_processor"))
        parts.post_processor = read_post_processor(*part, control);
    if (settings.adds_no_special) {
        const TemplatePart first{0, {}, 0}, second{1, {}, 1};
        parts.post_processor = template_post_processor({first}, {first, second});
    }
    if (const auto* part = part_of(root, "decoder"))
        parts.decoder = read_decoder(*part, control);
    require_known_members(root, budget);
    parts.added = read_added(root, budget);
    parts.added.insert(parts.added.end(), settings.added.begin(), settings.added.end());
    parts.split_special = settings.split_special;
    const auto* added = member(root, "added_tokens");
    auto tokenizer = within(added ? *added : root, [&] { return make_tokenizer(std::move(parts), control); });
    budget.look();
    check_ids(root, *tokenizer, budget);
    return tokenizer;
}

std::shared_ptr<const Tokenizer> parse_tokenizer(std::string_view text, const std::string& name,
                                                 const RunControl& control) {
    const auto json = parse_tokenizer_json(text, name, control);
    return build_tokenizer(json.root(), control);
}

std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& file, const RunControl& control) {
    return parse_tokenizer(io::read_file(file, tokenizer_limits.max_bytes, &control), file.filename().string(),
                           control);
}

} // namespace attnlab::tokens
