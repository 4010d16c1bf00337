// Models that read images or sound beside text: their language model, which another row describes.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/text_part.h"

namespace attnlab::model {
namespace {

/// A whole prompt is read both ways, whatever a setting of the language model says.
Description describe_paligemma(const Config& config, const WeightFiles& files) {
    auto description = text_part(config, files, "gemma", "use_bidirectional_attention");
    for (auto& block : description.decoder->blocks) {
        if (block.self.window > 0)
            config.fail("text_config", ATTNLAB_TEXT("a model without windows"));
        block.self.causal = false;
        block.self.rotary->offset = 1;
    }
    return description;
}

Architecture row_of_text(std::string_view type, Describe describe) {
    return {.type = type, .describe = describe, .settings = settings_of_other_parts, .tensors = tensors_of_other_parts};
}

} // namespace

std::vector<Architecture> vision_language_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    return {row_of_text("aya_vision", [](C config, W files) { return text_part(config, files, "cohere2"); }),
            row_of_text("gemma3", [](C config, W files) { return text_part(config, files, "gemma3_text"); }),
            row_of_text("idefics3", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("internvl", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("llama4", [](C config, W files) { return text_part(config, files, "llama4_text"); }),
            row_of_text("llava", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("llava_next", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("llava_onevision", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("mistral3", [](C config, W files) { return text_part(config, files, "mistral"); }),
            row_of_text("paligemma", describe_paligemma),
            row_of_text("qwen2_5_vl", [](C config, W files) { return text_part(config, files, "qwen2_5_vl_text"); }),
            row_of_text("qwen2_audio", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("qwen2_vl", [](C config, W files) { return text_part(config, files, "qwen2_vl_text"); }),
            row_of_text("qwen3_vl", [](C config, W files) { return text_part(config, files, "qwen3_vl_text"); }),
            row_of_text("smolvlm", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("vipllava", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("voxtral", [](C config, W files) { return text_part(config, files, "llama"); })};
}

} // namespace attnlab::model
