// Llama: RMS norms, rotary positions, grouped queries, a gated feed-forward.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

Description describe_llama(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults;
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false);
    const Biases biases{has_bias, has_bias, config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        return block;
    });
}

} // namespace

std::vector<Architecture> llama_architectures() {
    return {{.type = "llama",
             .describe = describe_llama,
             .gguf = {.name = "llama",
                      .outside = llama_outside,
                      .inside = llama_inside,
                      .block = llama_blocks,
                      .config = llama_gguf_config,
                      .interleaved = true},
             .settings = llama_settings}};
}

} // namespace attnlab::model
