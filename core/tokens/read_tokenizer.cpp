// Implements read_tokenizer() of tokenizer.h: a whole tokenizer.json.
#include "core/io/file_bytes.h"
#include "core/tokens/read_parts.h"
#include "core/tokens/unread_settings.h"

namespace attnlab::tokens {
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
