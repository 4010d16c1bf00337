// What Llama and its relatives share: RMS norms, rotary positions, grouped queries, a gated feed-forward.
#pragma once

#include "core/model/architectures.h"
#include "core/model/gguf/gguf_config.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// The defaults of one model type for missing settings.
struct LlamaDefaults {
    std::int64_t hidden = 4096, inner = 11008, layers = 32, heads = 32, vocabulary = 32000, longest = 2048;
    std::optional<std::int64_t> key_value_heads = {}; ///< the heads
    std::optional<std::int64_t> head_width = {};      ///< hidden / heads
    double epsilon = 1e-6, base = 10000.0;
    std::string_view epsilon_key = "rms_norm_eps";
    std::string_view activation_key = "hidden_act", activation = "silu";
    bool tied = false;
};

struct LlamaSizes {
    std::int64_t hidden, inner, layers, heads, key_value_heads, head_width, vocabulary;
    double epsilon;
    const Activation* activation;

    std::int64_t query_width() const { return heads * head_width; }
    std::int64_t key_width() const { return key_value_heads * head_width; }
};

/// Throws Error for sizes that do not fit one another.
LlamaSizes llama_sizes(const Config& config, const LlamaDefaults& defaults);
RotaryDefaults llama_rotary(const LlamaSizes& sizes, const LlamaDefaults& defaults);

struct Biases {
    bool query_key_value = false, output = false, feed_forward = false;
};

Attention llama_attention(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases);
FeedForward llama_feed_forward(const Tensors& tensors, const LlamaSizes& sizes, bool has_bias);
/// A block of the plain kind: a norm before each sublayer.
Block llama_block(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases);

/// Embedding, blocks, norm and head; `block(tensors, layer)` describes one.
using MakeBlock = std::function<Block(const Tensors& tensors, std::int64_t layer)>;
Description llama_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes, bool tied,
                       const MakeBlock& block);

/// The same for kinds that differ from Llama outside of their blocks.
struct DecoderParts {
    bool tied = false;
    std::string_view final_norm = "norm";
    std::optional<Norm> norm = {}; ///< instead of RMS norm with the weights of `final_norm`
    bool is_layer_norm = false;    ///< LayerNorm with them, and with a bias where the file has one
    bool head_has_bias = false;
};
Description decoder_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes,
                         const DecoderParts& parts, const MakeBlock& block);

/// Factors of the embedding, of scores, of what each sublayer adds, and of logits: Granite.
struct GraniteFactors {
    double embedding = 1.0, scores = 1.0, residual = 1.0, logits = 1.0;

    void apply(Block& block) const;
    void apply(Description& description) const;
};
GraniteFactors granite_factors(const Config& config);

enum class LayerType { Full, Sliding };

/// `layer_types`, or where that is absent, sliding where `slides(layer)`.
std::vector<LayerType> layer_types(const Config& config, std::int64_t layers,
                                   const std::function<bool(std::int64_t layer)>& slides);

/// Windows of the layers, 0 of those that do not slide.
std::vector<std::int64_t> windows_of(const std::vector<LayerType>& types, std::int64_t window);

/// 0 where there is none.
std::int64_t window_of(const Config& config, std::optional<std::int64_t> absent);

/// Names of llama.cpp outside of blocks and in them, and what precedes the number of a block.
inline constexpr TensorName llama_outside[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};
extern const std::span<const TensorName> llama_inside, both_norms_inside;
inline constexpr std::string_view llama_blocks = "model.layers.";

/// The config.json of GGUF metadata: sizes, RMS norms, rotary positions, of the whole head unless `is_partial`.
Json llama_gguf_config(const GgufKeys& keys, std::string_view type);
Json llama_gguf_config(const GgufKeys& keys, std::string_view type, bool is_partial);
/// The same with the sizes of experts.
Json experts_gguf_config(const GgufKeys& keys, std::string_view type);
/// The same with the factors of Granite.
Json granite_gguf_config(const GgufKeys& keys, std::string_view type);
/// The same with LayerNorm, whose setting is `epsilon`.
Json layer_norm_gguf_config(const GgufKeys& keys, std::string_view type, const char* epsilon, bool is_partial);

/// How llama.cpp spells a kind of model. Without `inside` and `outside`, its tensors have the names of Llama's.
GgufArchitecture llama_gguf(std::string_view name,
                            Json (*config)(const GgufKeys& keys, std::string_view type) = llama_gguf_config,
                            std::span<const TensorName> inside = llama_inside,
                            std::span<const TensorName> outside = llama_outside);
/// The same for a file in which rotary positions turn features 2i and 2i + 1.
GgufArchitecture interleaved(GgufArchitecture architecture);
/// llama.cpp expects output.weight in the file.
GgufArchitecture with_own_head(GgufArchitecture architecture);

/// "position_embedding_type" of such models.
inline constexpr KnownEntry rotary_position_setting{
    .names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"rope\" \"rotary\""};

/// The settings of kinds that add none of their own.
inline constexpr KnownEntry llama_settings[] = {rotary_position_setting};

} // namespace attnlab::model
