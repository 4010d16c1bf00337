// Qwen 2 and 3: Llama with biases or norms of queries and keys, and windows from some layer on.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

constexpr KnownEntry dual_chunk{
    .names = "dual_chunk_attention_config",
    .why = ATTNLAB_TEXT("other programs use it for texts longer than its chunks; here it has no effect"),
    .is_said = true};
constexpr KnownEntry settings_of_qwen2[] = {
    rotary_position_setting, dual_chunk, {.names = "attention_bias", .why = why_not_read::built_in, .values = "true"}};
constexpr KnownEntry settings_of_qwen3[] = {rotary_position_setting, dual_chunk};

/// Windows of all layers of Qwen.
std::vector<std::int64_t> qwen_windows(const Config& config, std::int64_t layers) {
    const bool slides = config.flag("use_sliding_window", false);
    if (!slides)
        config.ignore("sliding_window", ATTNLAB_TEXT("use_sliding_window is not true"));
    const auto window = slides ? window_of(config, 4096) : 0;
    const auto from = config.integer("max_window_layers").value_or(28);
    std::vector<std::int64_t> windows;
    for (const auto type : layer_types(config, layers, [&](auto layer) { return window > 0 && layer >= from; })) {
        if (type == LayerType::Sliding && window == 0)
            config.fail("layer_types", ATTNLAB_TEXT("full_attention alone without a sliding_window in use"));
        windows.push_back(type == LayerType::Sliding ? window : 0);
    }
    return windows;
}

Description qwen2_like(const Config& config, const WeightFiles& files, const LlamaDefaults& defaults,
                       bool has_sections) {
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.has_sections = has_sections;
    const auto rotary = read_rotary(config, rotary_defaults);
    const auto windows = qwen_windows(config, sizes.layers);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {.query_key_value = true});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        return block;
    });
}

Description describe_qwen2(const Config& config, const WeightFiles& files) {
    return qwen2_like(config, files, {.inner = 22016, .vocabulary = 151936, .longest = 32768, .key_value_heads = 32},
                      false);
}

/// The language model of Qwen2-VL and Qwen2.5-VL.
Description describe_qwen2_vl(const Config& config, const WeightFiles& files) {
    return qwen2_like(config, files,
                      {.hidden = 8192,
                       .inner = 29568,
                       .layers = 80,
                       .heads = 64,
                       .vocabulary = 152064,
                       .longest = 32768,
                       .key_value_heads = 8,
                       .epsilon = 1e-5,
                       .base = 1000000.0},
                      true);
}

Description qwen3_like(const Config& config, const WeightFiles& files, const LlamaDefaults& defaults,
                       bool has_sections) {
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.has_sections = has_sections;
    const auto rotary = read_rotary(config, rotary_defaults);
    const auto windows = has_sections ? std::vector<std::int64_t>(static_cast<std::size_t>(sizes.layers))
                                      : qwen_windows(config, sizes.layers);
    const bool has_bias = config.flag("attention_bias", false);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {has_bias, has_bias});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        block.self.query_norm = tensors.rms_norm("self_attn.q_norm", sizes.head_width, sizes.epsilon);
        block.self.key_norm = tensors.rms_norm("self_attn.k_norm", sizes.head_width, sizes.epsilon);
        return block;
    });
}

Description describe_qwen3(const Config& config, const WeightFiles& files) {
    return qwen3_like(
        config, files,
        {.inner = 22016, .vocabulary = 151936, .longest = 32768, .key_value_heads = 32, .head_width = 128}, false);
}

/// The language model of Qwen3-VL, which has no windows.
Description describe_qwen3_vl(const Config& config, const WeightFiles& files) {
    return qwen3_like(config, files,
                      {.inner = 22016,
                       .vocabulary = 151936,
                       .longest = 128000,
                       .key_value_heads = 32,
                       .head_width = 128,
                       .base = 500000.0},
                      true);
}

/// The tower for images is in a file of its own, which is not read. Tokens of a text have one position, whatever the
/// sections of rotary positions are.
constexpr KnownEntry settings_of_qwen2_vl[] = {
    rotary_position_setting,
    {.names = "attention_bias", .why = why_not_read::built_in, .values = "true"},
    {.names = ".rope.dimension_sections", .why = ATTNLAB_TEXT("counts for images")}};
constexpr KnownEntry settings_of_qwen3_vl[] = {
    rotary_position_setting,
    {.names = ".rope.dimension_sections .n_deepstack_layers", .why = ATTNLAB_TEXT("counts for images")}};

} // namespace

std::vector<Architecture> qwen_architectures() {
    return {{.type = "qwen2",
             .describe = describe_qwen2,
             .gguf = {.name = "qwen2",
                      .outside = llama_outside,
                      .inside = llama_inside,
                      .block = llama_blocks,
                      .config = llama_gguf_config},
             .settings = settings_of_qwen2},
            {.type = "qwen2_vl_text",
             .describe = describe_qwen2_vl,
             .gguf = llama_gguf("qwen2vl"),
             .settings = settings_of_qwen2_vl},
            {.type = "qwen2_5_vl_text", .describe = describe_qwen2_vl, .settings = settings_of_qwen2},
            {.type = "qwen3_vl_text",
             .describe = describe_qwen3_vl,
             .gguf = llama_gguf("qwen3vl"),
             .settings = settings_of_qwen3_vl},
            {.type = "qwen3",
             .describe = describe_qwen3,
             .gguf = {.name = "qwen3",
                      .outside = llama_outside,
                      .inside = llama_inside,
                      .block = llama_blocks,
                      .config = llama_gguf_config},
             .settings = settings_of_qwen3}};
}

} // namespace attnlab::model
