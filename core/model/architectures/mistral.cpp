// Mistral and Ministral: Llama with windows.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

/// Mistral, whose layers all slide, and Ministral, which has a type for each layer. A file of Mistral with types is one
/// of Ministral, as in Transformers.
Description mistral_like(const Config& config, const WeightFiles& files, bool has_types) {
    const LlamaDefaults defaults{.inner = 14336, .longest = 131072, .key_value_heads = 8};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto window = window_of(config, 4096);
    const auto types = has_types ? layer_types(config, sizes.layers, [&](auto) { return window > 0; })
                                 : std::vector(static_cast<std::size_t>(sizes.layers), LayerType::Sliding);
    const auto windows = windows_of(types, window);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        return block;
    });
}

Description describe_mistral(const Config& config, const WeightFiles& files) {
    return mistral_like(config, files, config.mentions("layer_types"));
}

Description describe_ministral(const Config& config, const WeightFiles& files) {
    return mistral_like(config, files, true);
}

} // namespace

std::vector<Architecture> mistral_architectures() {
    return {{.type = "mistral", .describe = describe_mistral, .settings = llama_settings},
            {.type = "ministral", .describe = describe_ministral, .settings = llama_settings}};
}

} // namespace attnlab::model
