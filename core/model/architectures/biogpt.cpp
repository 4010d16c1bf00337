// BioGPT and XGLM: decoders with the blocks of BART and norms before sublayers.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

#include <cmath>
#include <string>

namespace attnlab::model {
namespace {

constexpr std::int64_t biogpt_offset = 2; ///< of its positions

struct BioGptSizes {
    std::int64_t hidden = 0, inner = 0, heads = 0, width = 0;
    const Activation* activation = nullptr;
};

Block biogpt_block(const Tensors& tensors, const BioGptSizes& sizes) {
    constexpr double epsilon = 1e-5; // whatever the settings say
    const auto square = [&](std::string_view name) { return tensors.linear(name, sizes.hidden, sizes.hidden, true); };
    const auto norm = [&](std::string_view name) { return tensors.layer_norm(name, sizes.hidden, epsilon); };
    return {.self = {.heads = sizes.heads,
                     .key_value_heads = sizes.heads,
                     .width = sizes.width,
                     .scale = root_scale(sizes.width),
                     .query = square("self_attn.q_proj"),
                     .key = square("self_attn.k_proj"),
                     .value = square("self_attn.v_proj"),
                     .output = square("self_attn.out_proj"),
                     .causal = true},
            .self_norms = {.before = norm("self_attn_layer_norm")},
            .feed_forward = {.activation = sizes.activation,
                             .up = tensors.linear("fc1", sizes.hidden, sizes.inner, true),
                             .down = tensors.linear("fc2", sizes.inner, sizes.hidden, true)},
            .feed_forward_norms = {.before = norm("final_layer_norm")}};
}

/// The stack without positions.
Stack biogpt_stack(const Config& config, const Tensors& tensors, const BioGptSizes& sizes, std::int64_t vocabulary,
                   std::int64_t layers) {
    Stack stack{.name = "decoder", .width = sizes.hidden};
    stack.embedding.tokens = tensors.at("embed_tokens.weight", {vocabulary, sizes.hidden});
    if (config.flag("scale_embedding", true))
        stack.embedding.factor = std::sqrt(static_cast<double>(sizes.hidden));
    for (std::int64_t layer = 0; layer < layers; ++layer)
        stack.blocks.push_back(biogpt_block(tensors.below("layers." + std::to_string(layer) + "."), sizes));
    stack.norm = tensors.layer_norm("layer_norm", sizes.hidden, 1e-5);
    return stack;
}

void add_biogpt_head(const Config& config, const Tensors& outside, std::string_view name, Description& description) {
    const auto& stack = *description.decoder;
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(outside, name, stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), description.vocabulary,
                                                stack.width)};
    else
        add_score_head(config, outside, stack.width, description);
}

Description describe_biogpt(const Config& config, const WeightFiles& files) {
    BioGptSizes sizes{.hidden = config.size("hidden_size", 1024),
                      .inner = config.size("intermediate_size", 4096),
                      .heads = config.size("num_attention_heads", 16),
                      .width = 0,
                      .activation = activation_of(config, "hidden_act", "gelu")};
    sizes.width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    config.ignore("layer_norm_eps", why_not_read::built_in);
    const auto positions = config.size("max_position_embeddings", 1024), vocabulary = config.size("vocab_size", 42384);
    const Tensors tensors(files, {"biogpt.", ""}, "embed_tokens.weight");
    Description description{.vocabulary = vocabulary, .longest = positions};
    description.decoder = biogpt_stack(config, tensors, sizes, vocabulary, config.layers("num_hidden_layers", 24));
    description.decoder->embedding.positions = {
        .kind = Positions::Kind::Learned,
        .table = tensors.at("embed_positions.weight", {positions + biogpt_offset, sizes.hidden}),
        .offset = biogpt_offset};
    add_biogpt_head(config, tensors.outside(), "output_projection", description);
    return description;
}

Description describe_xglm(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases(
        {{"hidden_size", "d_model"}, {"num_attention_heads", "attention_heads"}, {"num_hidden_layers", "num_layers"}});
    config.refuse("add_cross_attention");
    BioGptSizes sizes{.hidden = config.size("d_model", 1024),
                      .inner = config.size("ffn_dim", 4096),
                      .heads = config.size("attention_heads", 16),
                      .width = 0,
                      .activation = activation_of(config, "activation_function", "gelu")};
    sizes.width = even_head_width(config, "attention_heads", sizes.hidden, sizes.heads);
    // Transformers has zeros in this row of positions, whatever the token is: none is read below their offset.
    if (const auto padding = config.integer("pad_token_id").value_or(1); padding < 0 || padding >= biogpt_offset)
        config.fail("pad_token_id", {ATTNLAB_TEXT("an integer from %1 to %2"), {"0", "1"}});
    const auto vocabulary = config.size("vocab_size", 256008);
    const Tensors tensors(files, {"model.", ""}, "embed_tokens.weight");
    Description description{.vocabulary = vocabulary};
    description.decoder = biogpt_stack(config, tensors, sizes, vocabulary, config.layers("num_layers", 24));
    description.decoder->embedding.positions = {.kind = Positions::Kind::Fairseq, .offset = biogpt_offset};
    add_biogpt_head(config, tensors.outside(), "lm_head", description);
    return description;
}

constexpr KnownEntry tensors_of_xglm[] = {
    {.names = "*embed_positions.weights", .why = ATTNLAB_TEXT("a constant that the settings give")}};

} // namespace

std::vector<Architecture> biogpt_architectures() {
    return {{.type = "biogpt", .describe = describe_biogpt, .padding = 1},
            {.type = "xglm", .describe = describe_xglm, .tensors = tensors_of_xglm}};
}

} // namespace attnlab::model
