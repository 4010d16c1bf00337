// What BERT and its relatives share: norms after each sum, learned positions, a transform in front of the head.
#pragma once

#include "core/model/architectures.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// How they spell the same things.
struct BertNames {
    std::string_view layers, query, key, value, output, attention_norm, up, down, output_norm;
};

inline constexpr BertNames bert_names{.layers = "encoder.layer.",
                                      .query = "attention.self.query",
                                      .key = "attention.self.key",
                                      .value = "attention.self.value",
                                      .output = "attention.output.dense",
                                      .attention_norm = "attention.output.LayerNorm",
                                      .up = "intermediate.dense",
                                      .down = "output.dense",
                                      .output_norm = "output.LayerNorm"};
struct BertSizes {
    std::int64_t hidden, layers, heads, head_width, inner, positions, vocabulary;
    double epsilon;
    const Activation* activation;
    bool causal = false;
    bool projection_bias = true; ///< of queries, keys and values
};

/// Throws Error for sizes that do not fit one another, and for attention to another model.
BertSizes bert_sizes(const Config& config, std::int64_t vocabulary);
Block bert_block(const Tensors& tensors, const BertNames& names, const BertSizes& sizes);
/// Embedding and blocks, without types of tokens.
Stack bert_stack(const Tensors& tensors, const BertNames& names, const BertSizes& sizes);
/// The table of types of tokens.
const Weight* token_types(const Config& config, const Tensors& tensors, std::int64_t hidden);

/// A layer `transform` and a norm, then the embedding, or a matrix `decoder` of its own, with a bias.
Head masked_head(const Tensors& outside, std::string_view transform, std::string_view norm, std::string_view decoder,
                 std::string_view bias, const Weight* embedding, bool tied, const BertSizes& sizes);
/// The head for masked tokens that is called cls.predictions, or one for a task behind the layer `pooler`.
void add_bert_head(const Config& config, const Tensors& outside, const Stack& stack, const BertSizes& sizes,
                   std::string pooler, Description& description);

/// Positions that count from the one behind padding, and how many there are: RoBERTa.
void count_from_padding(const Config& config, std::int64_t positions, Stack& stack, Description& description);

/// `attention_window` of each layer of Longformer and LED: one for all, or a list. Throws Error unless they are even.
std::vector<std::int64_t> attention_windows(const Config& config, std::int64_t layers);
/// Why their parts for tokens that read all others are not read.
inline constexpr const char* why_not_marked =
    ATTNLAB_TEXT("is for tokens that a program marks to read all others; here no token is marked");

} // namespace attnlab::model
