// GPT-J and CodeGen: sublayers side by side behind one norm, rotary positions that turn neighbours.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

namespace attnlab::model {
namespace {

struct GptjSizes {
    std::int64_t hidden, inner, heads, width;
};

/// Rotates the first `rotary_dim` numbers of each head. Null means all numbers of a row, which only a model with one
/// head can have.
Rotary gptj_rotary(const Config& config, std::int64_t hidden, std::int64_t width) {
    const bool is_null = config.mentions("rotary_dim") && !config.has("rotary_dim");
    Rotary rotary{.width = is_null ? hidden : config.size("rotary_dim", 64), .interleaved = true};
    if (rotary.width > width || rotary.width % 2 != 0)
        config.fail("rotary_dim", {ATTNLAB_TEXT("an even number up to %1"), {std::to_string(width)}});
    rotary.frequencies = rotary.unscaled_frequencies();
    return rotary;
}

Attention attention_of(const Tensors& tensors, const GptjSizes& sizes) {
    const auto square = [&](std::string_view name) { return tensors.linear(name, sizes.hidden, sizes.hidden, false); };
    return {.query = square("attn.q_proj"), .key = square("attn.k_proj"), .value = square("attn.v_proj")};
}

/// Four parts of the matrix have queries, values and keys of a quarter of the heads each.
Attention fused_attention_of(const Config& config, const Tensors& tensors, const GptjSizes& sizes) {
    if (sizes.heads % 4 != 0)
        config.fail("n_head", {ATTNLAB_TEXT("a multiple of %1"), {"4"}});
    auto fused = tensors.linear("attn.qkv_proj", sizes.hidden, 3 * sizes.hidden, false);
    fused.group = sizes.hidden / 4;
    fused.stride = 3 * fused.group;
    return {.query = part_of(fused, 0, sizes.hidden),
            .key = part_of(fused, 2 * fused.group, sizes.hidden),
            .value = part_of(fused, fused.group, sizes.hidden)};
}

Description gptj_like(const Config& file, const WeightFiles& files, bool is_fused) {
    const auto config = file.with_aliases({{"hidden_size", "n_embd"},
                                           {"max_position_embeddings", "n_positions"},
                                           {"num_attention_heads", "n_head"},
                                           {"num_hidden_layers", "n_layer"}});
    const Tensors tensors(files, {"transformer.", ""}, "wte.weight");
    GptjSizes sizes{.hidden = config.size("n_embd", 4096), .inner = 0, .heads = config.size("n_head", 16), .width = 0};
    sizes.inner = config.size("n_inner", 4 * sizes.hidden);
    sizes.width = even_head_width(config, "n_head", sizes.hidden, sizes.heads);
    const auto vocabulary = config.size("vocab_size", 50400);
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    const auto* activation = activation_of(config, "activation_function", "gelu_new");
    const auto rotary = gptj_rotary(config, sizes.hidden, sizes.width);
    Stack stack{.name = "decoder", .width = sizes.hidden};
    stack.embedding.tokens = tensors.at("wte.weight", {vocabulary, sizes.hidden});
    for (std::int64_t layer = 0; layer < config.layers("n_layer", 28); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        const auto norm = below.layer_norm("ln_1", sizes.hidden, epsilon);
        Block block{.self = is_fused ? fused_attention_of(config, below, sizes) : attention_of(below, sizes),
                    .self_norms = {.before = norm},
                    .feed_forward = {.activation = activation,
                                     .up = below.linear("mlp.fc_in", sizes.hidden, sizes.inner, true),
                                     .down = below.linear("mlp.fc_out", sizes.inner, sizes.hidden, true)},
                    .feed_forward_norms = {.before = norm},
                    .parallel = true};
        block.self.heads = block.self.key_value_heads = sizes.heads;
        block.self.width = sizes.width;
        block.self.scale = root_scale(sizes.width);
        block.self.output = below.linear("attn.out_proj", sizes.hidden, sizes.hidden, false);
        block.self.rotary = rotary;
        block.self.causal = true;
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = tensors.layer_norm("ln_f", sizes.hidden, epsilon);
    Description description{.vocabulary = vocabulary};
    if (has_head(config, {"ForCausalLM"})) {
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", false), vocabulary, sizes.hidden)};
        description.head->output.bias = tensors.outside().at("lm_head.bias", {vocabulary});
    } else {
        add_score_head(config, tensors.outside(), sizes.hidden, description);
    }
    description.decoder = std::move(stack);
    return description;
}

Description describe_gptj(const Config& config, const WeightFiles& files) { return gptj_like(config, files, false); }
Description describe_codegen(const Config& config, const WeightFiles& files) { return gptj_like(config, files, true); }

constexpr KnownEntry settings_of_gptj[] = {
    {.names = "rotary", .why = why_not_read::built_in, .values = "true"},
    {.names = "n_positions max_position_embeddings n_ctx", .why = why_not_read::old_version},
    {.names = "scale_attn_weights", .why = why_not_read::built_in, .values = "true"}};

} // namespace

std::vector<Architecture> gptj_architectures() {
    return {{.type = "codegen", .describe = describe_codegen, .settings = settings_of_gptj},
            {.type = "gptj", .describe = describe_gptj, .settings = settings_of_gptj}};
}

} // namespace attnlab::model
