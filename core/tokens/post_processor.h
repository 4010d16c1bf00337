// What tokenizers put around the tokens of a text, and what they change of their places.
#pragma once

#include "core/tokens/tokenizer.h"

#include <memory>
#include <vector>

namespace attnlab::tokens {

/// One list for the text, and one for its pair.
using TokenLists = std::vector<std::vector<Token>>;

/// Thread-safe.
class PostProcessor {
public:
    virtual ~PostProcessor() = default;
    virtual TokenLists process(TokenLists lists) const = 0;
};

using PostProcessorPointer = std::unique_ptr<const PostProcessor>;

struct TemplatePart {
    int sequence = -1; ///< 0 is the text, 1 its pair, -1 stands for `tokens`
    std::vector<Token> tokens;
    int type = 0;
};
using Template = std::vector<TemplatePart>;

PostProcessorPointer sequence_post_processor(std::vector<PostProcessorPointer> steps);
PostProcessorPointer template_post_processor(Template single, Template pair);
PostProcessorPointer bert_post_processor(Token cls, Token sep);
PostProcessorPointer roberta_post_processor(Token cls, Token sep, bool trim_offsets, bool add_prefix_space);
/// Takes spaces out of the places of tokens.
PostProcessorPointer byte_level_post_processor(bool trim_offsets, bool add_prefix_space);

Token special_token(std::int64_t id, std::string text);

} // namespace attnlab::tokens
