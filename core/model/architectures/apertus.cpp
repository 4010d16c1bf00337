// Apertus: Llama with norms of queries and keys, and a feed-forward whose function the model has learned.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

/// `number` of the file, which may have the shape () or (1).
double number_of(const Tensors& tensors, std::string_view name, double absent) {
    if (!tensors.has(name))
        return absent;
    const auto* weight = tensors.find(name, tensors.rows_of(name) > 0 ? Shape{1} : Shape{});
    std::vector<float> values(1);
    weight->read_rows(0, 1, values);
    return static_cast<double>(values.front());
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
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
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
            block.feed_forward.xielu = {.positive = tensors.at("mlp.act_fn.alpha_p", {1}),
                                        .negative = tensors.at("mlp.act_fn.alpha_n", {1}),
                                        .slope = number_of(tensors, "mlp.act_fn.beta", 0.5),
                                        .epsilon = number_of(tensors, "mlp.act_fn.eps", -1e-6)};
        block.self.rotary = rotary;
        block.self.query_norm = norm("self_attn.q_norm", sizes.head_width);
        block.self.key_norm = norm("self_attn.k_norm", sizes.head_width);
        return block;
    });
}

} // namespace

std::vector<Architecture> apertus_architectures() {
    return {{.type = "apertus", .describe = describe_apertus, .settings = llama_settings}};
}

} // namespace attnlab::model
