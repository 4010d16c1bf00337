// What tokenizers put around the tokens of a text, and what they change of their places.
#pragma once

#include "core/tokens/aligned_text.h"
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
    /// Throws Error where the tokens would be more than `budget` allows, and Cancelled.
    virtual TokenLists process(TokenLists lists, Budget& budget) const = 0;
};

using PostProcessorPointer = std::unique_ptr<const PostProcessor>;

/// Shared, since a template may repeat a long list many times.
using SharedTokens = std::shared_ptr<const std::vector<Token>>;
SharedTokens shared_tokens(std::vector<Token> tokens);

struct TemplatePart {
    int sequence = -1;   ///< 0 is the text, 1 its pair, -1 stands for `tokens`
    SharedTokens tokens; ///< null for a sequence
    int type = 0;
};
using Template = std::vector<TemplatePart>;

PostProcessorPointer sequence_post_processor(std::vector<PostProcessorPointer> steps);
/// Its errors begin with `name`.
PostProcessorPointer named_post_processor(std::string name, PostProcessorPointer processor);
PostProcessorPointer template_post_processor(Template single, Template pair);
PostProcessorPointer bert_post_processor(Token cls, Token sep);
PostProcessorPointer roberta_post_processor(Token cls, Token sep, bool trim_offsets, bool add_prefix_space);
/// Takes spaces out of the places of tokens.
PostProcessorPointer byte_level_post_processor(bool trim_offsets, bool add_prefix_space);

Token special_token(std::int64_t id, std::string text);

} // namespace attnlab::tokens
