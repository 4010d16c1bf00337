// Decoders of which only some layers have attention: LFM 2. The other layers are computed, and have nothing to show.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

#include <algorithm>
#include <string>
#include <vector>

namespace attnlab::model {
namespace {

/// Whether each layer has attention: where `layer_types` has `attention`, and not `other`.
std::vector<bool> layers_with_attention(const Config& config, std::int64_t layers, std::string_view attention,
                                        std::string_view other) {
    const auto types = config.texts("layer_types");
    if (std::ssize(types) < layers)
        config.fail("layer_types", {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
    std::vector<bool> has;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto& type = types[static_cast<std::size_t>(layer)];
        if (type != attention && type != other)
            config.fail("layer_types", {ATTNLAB_TEXT("%1 for each layer, not %2"),
                                        {std::string(attention) + ", " + std::string(other), type}});
        has.push_back(type == attention);
    }
    return has;
}

/// A note that names the layers without attention.
void name_other_layers(const Config& config, const std::vector<bool>& has_attention, const char* what,
                       Description& description) {
    std::string others;
    for (std::size_t layer = 0; layer < has_attention.size(); ++layer)
        if (!has_attention[layer])
            others += (others.empty() ? "" : ", ") + std::to_string(layer);
    if (!others.empty())
        description.unread.settings.push_back(
            {config.node().name_of_text(),
             "layer_types",
             "[…]",
             {ATTNLAB_TEXT("layers %1 have no attention to show: %2"), {others, Message{what}}}});
}

/// The width of the feed-forward: two thirds of the given one, rounded up to a multiple.
std::int64_t lfm2_inner(const Config& config) {
    const auto inner =
        config.has("block_ff_dim") ? config.size("block_ff_dim") : config.size("intermediate_size", 12288);
    const auto multiple = config.size("block_multiple_of", 256);
    if (!config.flag("block_auto_adjust_ff_dim", true))
        return inner;
    const auto two_thirds = 2 * inner / 3;
    if (config.mentions("block_ffn_dim_multiplier") && !config.has("block_ffn_dim_multiplier"))
        return two_thirds;
    const double scaled = config.number("block_ffn_dim_multiplier", 1.0) * static_cast<double>(two_thirds);
    if (!(scaled >= 1.0 && scaled <= static_cast<double>(largest_size)))
        config.fail("block_ffn_dim_multiplier", ATTNLAB_TEXT("a number above 0"));
    return (static_cast<std::int64_t>(scaled) + multiple - 1) / multiple * multiple;
}

Description describe_lfm2(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2560,
                                 .inner = 12288,
                                 .vocabulary = 65536,
                                 .longest = 128000,
                                 .key_value_heads = 8,
                                 .epsilon = 1e-5,
                                 .base = 1000000.0,
                                 .epsilon_key = "norm_eps"};
    auto sizes = llama_sizes(config, defaults);
    sizes.inner = lfm2_inner(config);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("conv_bias", false);
    const auto rows = config.size("conv_L_cache", 3);
    std::vector<bool> has_attention;
    if (config.has("layer_types")) {
        has_attention = layers_with_attention(config, sizes.layers, "full_attention", "conv");
        config.ignore("full_attn_idxs", why_not_read::other_key);
    } else {
        const auto indices = config.has("full_attn_idxs") ? config.numbers("full_attn_idxs") : std::vector<double>();
        for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
            has_attention.push_back(!config.has("full_attn_idxs") ||
                                    std::ranges::find(indices, static_cast<double>(layer)) != indices.end());
    }
    const bool tied = config.flag("tie_embedding", config.flag("tie_word_embeddings", true));
    auto description = decoder_like(
        config, files, sizes, {.tied = tied, .final_norm = "embedding_norm"},
        [&](const Tensors& tensors, std::int64_t layer) {
            const auto norm = [&](std::string_view name, std::int64_t width) {
                return tensors.rms_norm(name, width, sizes.epsilon);
            };
            const auto linear = [&](std::string_view name, std::int64_t inputs, std::int64_t outputs) {
                return tensors.linear(name, inputs, outputs, false);
            };
            Block block{.self_norms = {.before = norm("operator_norm", sizes.hidden)},
                        .feed_forward = {.activation = find_activation("silu"),
                                         .gate = linear("feed_forward.w1", sizes.hidden, sizes.inner),
                                         .up = linear("feed_forward.w3", sizes.hidden, sizes.inner),
                                         .down = linear("feed_forward.w2", sizes.inner, sizes.hidden)},
                        .feed_forward_norms = {.before = norm("ffn_norm", sizes.hidden)}};
            if (has_attention[static_cast<std::size_t>(layer)]) {
                block.self = {.heads = sizes.heads,
                              .key_value_heads = sizes.key_value_heads,
                              .width = sizes.head_width,
                              .scale = root_scale(sizes.head_width),
                              .query = linear("self_attn.q_proj", sizes.hidden, sizes.query_width()),
                              .key = linear("self_attn.k_proj", sizes.hidden, sizes.key_width()),
                              .value = linear("self_attn.v_proj", sizes.hidden, sizes.key_width()),
                              .output = linear("self_attn.out_proj", sizes.query_width(), sizes.hidden),
                              .query_norm = norm("self_attn.q_layernorm", sizes.head_width),
                              .key_norm = norm("self_attn.k_layernorm", sizes.head_width),
                              .rotary = rotary,
                              .causal = true};
                return block;
            }
            block.convolution = {.in = tensors.linear("conv.in_proj", sizes.hidden, 3 * sizes.hidden, has_bias),
                                 .out = tensors.linear("conv.out_proj", sizes.hidden, sizes.hidden, has_bias),
                                 .weight = tensors.at("conv.conv.weight", {sizes.hidden, 1, rows}),
                                 .bias = has_bias ? tensors.at("conv.conv.bias", {sizes.hidden}) : nullptr,
                                 .rows = rows};
            return block;
        });
    name_other_layers(config, has_attention, ATTNLAB_TEXT("they are convolutions over a few tokens, and are computed"),
                      description);
    return description;
}

} // namespace

std::vector<Architecture> hybrids_architectures() {
    return {{.type = "lfm2", .describe = describe_lfm2, .settings = llama_settings}};
}

} // namespace attnlab::model
