// Implements read_post_processor() of read_parts.h.
#include "core/tokens/read_parts.h"

#include <limits>
#include <map>

namespace attnlab::tokens {
namespace {

/// ["[SEP]", 102].
Token read_pair(const io::JsonNode& node) {
    if (node.items().size() != 2)
        node.fail_expecting(ATTNLAB_TEXT("a token and its id"));
    return special_token(node.items()[1].integer(), node.items()[0].text());
}

int read_type(const io::JsonNode& node) {
    const auto type = node.integer();
    if (type < 0 || type > std::numeric_limits<int>::max())
        node.fail_expecting(ATTNLAB_TEXT("a token type"));
    return static_cast<int>(type);
}

SharedTokens read_special(const io::JsonNode& token) {
    const auto& ids = token.at("ids").items();
    const auto& texts = token.at("tokens").items();
    if (ids.size() != texts.size())
        token.fail_expecting(ATTNLAB_TEXT("as many ids as tokens"));
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < ids.size(); ++i)
        tokens.push_back(special_token(ids[i].integer(), texts[i].text()));
    return shared_tokens(std::move(tokens));
}

Template read_template(const io::JsonNode& list, const io::JsonNode& specials) {
    Template parts;
    std::map<std::string, SharedTokens> read;
    const auto special = [&](const std::string& id) {
        auto& tokens = read[id];
        if (!tokens)
            tokens = read_special(specials.at(id));
        return tokens;
    };
    for (const auto& item : list.items()) {
        if (item.members().size() != 1)
            item.fail_expecting({ATTNLAB_TEXT("%1 or %2"), {"SpecialToken", "Sequence"}});
        const auto& [kind, held] = item.members().front();
        const auto& id = held.at("id").text();
        TemplatePart part;
        part.type = read_type(held.at("type_id"));
        if (kind == "Sequence" && (id == "A" || id == "B"))
            part.sequence = id == "A" ? 0 : 1;
        else if (kind == "SpecialToken")
            part.tokens = special(id);
        else
            fail_unknown(item, kind == "Sequence" ? id : kind);
        parts.push_back(std::move(part));
    }
    return parts;
}

PostProcessorPointer read_one_post_processor(const io::JsonNode& part, const std::string& type) {
    if (type == "TemplateProcessing")
        return template_post_processor(read_template(part.at("single"), part.at("special_tokens")),
                                       read_template(part.at("pair"), part.at("special_tokens")));
    if (type == "BertProcessing")
        return bert_post_processor(read_pair(part.at("cls")), read_pair(part.at("sep")));
    if (type == "RobertaProcessing")
        return roberta_post_processor(read_pair(part.at("cls")), read_pair(part.at("sep")),
                                      part.at("trim_offsets").boolean(), part.at("add_prefix_space").boolean());
    if (type == "ByteLevel")
        return byte_level_post_processor(part.at("trim_offsets").boolean(), part.at("add_prefix_space").boolean());
    fail_unknown(part, type);
}

} // namespace

PostProcessorPointer read_post_processor(const io::JsonNode& part, const RunControl& control) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_post_processor(read_all(
            part.at("processors"), [&](const io::JsonNode& step) { return read_post_processor(step, control); }));
    return named_post_processor(name_of(part, type), read_one_post_processor(part, type));
}

} // namespace attnlab::tokens
