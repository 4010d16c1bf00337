#include "core/model/architectures/shared/text_part.h"

#include <string>

namespace attnlab::model {
namespace {

constexpr const char* not_read = ATTNLAB_TEXT("is about images, sound or video, which this model reads only elsewhere");

constexpr KnownEntry other_settings[] = {
    {.names = "vision_config audio_config",
     .why = ATTNLAB_TEXT("the part of the model for images or sound is not read: this is its language model alone"),
     .is_said = true},
    {.names = "image_* video_* vision_* audio_* projector_* *_projector_* mm_tokens_per_image spatial_merge_size "
              "projection_dim boi_token* eoi_token* scale_factor downsample_* use_image_newline_parameter "
              "adapter_layer_norm_eps alignment_layer perceiver_config img_* use_thumbnail resampler_* hidden_size "
              "out_hidden_size in_chans spatial_patch_size tokens_per_second",
     .why = not_read}};

constexpr KnownEntry other_tensors[] = {
    {.names = "vision_tower.* vision_model.* visual.* multi_modal_projector.* image_newline audio_tower.* "
              "mlp1.* model.vision_tower.* model.vision_model.* model.visual.* model.multi_modal_projector.* "
              "model.image_newline model.audio_tower.* model.connector.*",
     .why = not_read}};

/// The tensors of the language model under the names that it has in a file of its own.
class TextWeights : public WeightFiles {
public:
    TextWeights(const WeightFiles& files, bool is_tied) : files_(files) {
        for (const std::string_view blocks :
             {"language_model.model.", "model.language_model.model.", "model.language_model.", "model.text_model.",
              "language_model.", "model."})
            if (files.peek(std::string(blocks) + "embed_tokens.weight")) {
                blocks_ = blocks;
                break;
            }
        for (const std::string_view outside : {"", "language_model.", "model.language_model."})
            if (files.peek(std::string(outside) + std::string(head))) {
                outside_ = outside;
                return;
            }
        shares_embedding_ = is_tied;
    }

    const Weight* find(std::string_view name) const override { return files_.find(name_in_files(name)); }
    const Weight* peek(std::string_view name) const override { return files_.peek(name_in_files(name)); }
    std::vector<std::string> names() const override { return files_.names(); }
    void check() const override { files_.check(); }
    const std::string& where() const override { return files_.where(); }
    std::string name_in_files(std::string_view name) const override {
        constexpr std::string_view below = "model.";
        if (name == head && shares_embedding_)
            name = "model.embed_tokens.weight";
        return name.starts_with(below) ? blocks_ + std::string(name.substr(below.size()))
                                       : outside_ + std::string(name);
    }

private:
    static constexpr std::string_view head = "lm_head.weight";
    const WeightFiles& files_;
    std::string blocks_ = "model.", outside_ = {};
    bool shares_embedding_ = false;
};

} // namespace

const std::span<const KnownEntry> settings_of_other_parts = other_settings, tensors_of_other_parts = other_tensors;

Description text_part(const Config& config, const WeightFiles& files, std::string_view default_type,
                      std::string_view ignored, bool caps_logits) {
    const auto own = config.object("text_config");
    const auto text = (own ? *own : config).without(ignored);
    const auto type = own ? own->text("model_type", default_type) : std::string(default_type);
    const auto* architecture = find_architecture(type);
    if (!architecture)
        throw Error({ATTNLAB_TEXT("%1: 'text_config.model_type' is \"%2\", a type that AttnLab does not compute"),
                     {config.node().name_of_text(), type}});
    const bool has_head = model::has_head(config, {"ForConditionalGeneration", "ForCausalLM", "ForImageTextToText"});
    const TextWeights weights(files, config.flag("tie_word_embeddings", false) || !has_head);
    auto description = described(*architecture, text, weights);
    if (!description.decoder || description.encoder)
        throw Error({ATTNLAB_TEXT("%1: 'text_config.model_type' is \"%2\", expected the type of a decoder"),
                     {config.node().name_of_text(), type}});
    if (!has_head)
        description.head.reset();
    description.text_type = type;
    if (description.head && !caps_logits) {
        description.head->factor = 1.0;
        description.head->soft_cap = 0.0;
        for (const auto* key : {"final_logit_softcapping", "logit_scale", "logits_scaling"})
            text.ignore(key, ATTNLAB_TEXT("counts in the language model alone, not in a model around it"));
    }
    return description;
}

} // namespace attnlab::model
