// Apertus: Llama with norms of queries and keys, and a feed-forward whose function the model has learned.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"
#include "core/model/gguf/gguf_config.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::model {
namespace {

/// A number of the file, which may have the shape () or (1).
double number_of(const Tensors& tensors, const std::string& name, std::optional<double> absent = {}) {
    if (absent && !tensors.has(name))
        return *absent;
    if (!tensors.has(name))
        tensors.at(name, {1}); // says what is missing
    const auto* weight = tensors.find(name, tensors.rows_of(name) > 0 ? Shape{1} : Shape{});
    std::vector<float> values(1);
    weight->read_rows(0, 1, values);
    return static_cast<double>(values.front());
}

/// The learned numbers of a layer are tensors; in GGUF they are metadata, which the configuration holds under the names
/// of the keys.
constexpr std::array<const char*, 4> xielu_keys{"xielu.alpha_p", "xielu.alpha_n", "xielu.beta", "xielu.eps"};

Xielu xielu_of(const Config& config, const Tensors& tensors, std::int64_t layer) {
    if (!config.has(xielu_keys[0]))
        return {.positive = number_of(tensors, "mlp.act_fn.alpha_p"),
                .negative = number_of(tensors, "mlp.act_fn.alpha_n"),
                .slope = number_of(tensors, "mlp.act_fn.beta", 0.5),
                .epsilon = number_of(tensors, "mlp.act_fn.eps", -1e-6)};
    const auto number = [&](const char* key) {
        const auto each = config.numbers(key);
        if (std::ssize(each) <= layer)
            config.fail(key, {ATTNLAB_TEXT("%1 entries"), {std::to_string(layer + 1)}});
        return each[static_cast<std::size_t>(layer)];
    };
    return {.positive = number(xielu_keys[0]),
            .negative = number(xielu_keys[1]),
            .slope = number(xielu_keys[2]),
            .epsilon = number(xielu_keys[3])};
}

Description describe_apertus(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.inner = 14336,
                                 .vocabulary = 131072,
                                 .longest = 65536,
                                 .epsilon = 1e-5,
                                 .base = 12000000.0,
                                 .activation = "xielu"};
    if (!config.has("rope_parameters") && !config.has("rope_scaling"))
        config.fail("rope_parameters", ATTNLAB_TEXT("the settings of rotary positions"));
    const bool is_learned = config.text("hidden_act", "xielu") == "xielu";
    const auto sizes = llama_sizes(is_learned ? config.without("hidden_act") : config, [&] {
        auto plain = defaults;
        plain.activation = "silu"; // of no effect where the function is a learned one
        return plain;
    }());
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name, std::int64_t width) {
            return tensors.rms_norm(name, width, sizes.epsilon);
        };
        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                    .self_norms = {.before = norm("attention_layernorm", sizes.hidden)},
                    .feed_forward = {.activation = sizes.activation,
                                     .up = tensors.linear("mlp.up_proj", sizes.hidden, sizes.inner, false),
                                     .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, false)},
                    .feed_forward_norms = {.before = norm("feedforward_layernorm", sizes.hidden)}};
        if (is_learned)
            block.feed_forward.xielu = xielu_of(config, tensors, layer);
        block.self.rotary = rotary;
        block.self.query_norm = norm("self_attn.q_norm", sizes.head_width);
        block.self.key_norm = norm("self_attn.k_norm", sizes.head_width);
        return block;
    });
}

constexpr TensorName apertus_inside[] = {
    {"attn_norm", "attention_layernorm"}, {"attn_q", "self_attn.q_proj"},        {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},       {"attn_output", "self_attn.o_proj"},   {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},  {"ffn_norm", "feedforward_layernorm"}, {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
};

Json apertus_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    if (!config.contains("rope_scaling"))
        config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", config["rope_theta"]}};
    for (const auto* key : xielu_keys)
        config[key] = keys.metadata().numbers(key);
    return config;
}

} // namespace

std::vector<Architecture> apertus_architectures() {
    return {{.type = "apertus",
             .describe = describe_apertus,
             .gguf = with_own_head(llama_gguf("apertus", apertus_gguf_config, apertus_inside)),
             .settings = llama_settings}};
}

} // namespace attnlab::model
