// The table of architectures: from config.json and the names of tensors to what a model computes.
#pragma once

#include "core/model/config.h"
#include "core/model/description.h"
#include "core/model/weights/weight_files.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// Finds tensors below the prefix that a file uses, and describes what they are part of.
class Tensors {
public:
    /// The first of `prefixes` below which there is a tensor `probe`; the first if there is none.
    Tensors(const WeightFiles& files, std::initializer_list<std::string_view> prefixes, std::string_view probe);

    bool has(std::string_view name) const;
    /// Throws Error where it is missing or has another shape.
    const Weight* at(std::string_view name, const Shape& shape) const;
    /// nullptr where it is missing.
    const Weight* find(std::string_view name, const Shape& shape) const;
    /// With `name`.weight (out, in) and `name`.bias; in GGUF with the bias that is there.
    Linear linear(std::string_view name, std::int64_t inputs, std::int64_t outputs, bool has_bias) const;
    /// With `name`.weight (in, out) and `name`.bias.
    Linear conv1d(std::string_view name, std::int64_t inputs, std::int64_t outputs) const;
    /// With `name`.weight and .bias, or the older .gamma and .beta.
    Norm layer_norm(std::string_view name, std::int64_t width, double epsilon) const;
    Norm rms_norm(std::string_view name, std::int64_t width, double epsilon) const;
    /// The same tensors under another prefix.
    Tensors outside(std::string_view prefix = "") const { return {*files_, std::string(prefix)}; }
    Tensors below(std::string_view name) const { return {*files_, prefix_ + std::string(name)}; }

private:
    Tensors(const WeightFiles& files, std::string prefix) : files_(&files), prefix_(std::move(prefix)) {}

    const WeightFiles* files_;
    std::string prefix_;
};

/// A part of `whole`: `outputs` of them from `first` on.
Linear part_of(const Linear& whole, std::int64_t first, std::int64_t outputs);
/// Throws Error for an unknown name.
const Activation* activation_of(const Config& config, std::string_view key, std::string_view absent);
/// hidden / heads. Throws Error where that leaves a remainder.
std::int64_t even_head_width(const Config& config, std::string_view heads_key, std::int64_t hidden, std::int64_t heads);
double root_scale(std::int64_t width);
/// A matrix of vocabulary x width that may be that of the embedding. A file that holds it overrides `tied`.
Linear output_of(const Tensors& tensors, std::string_view name, const Weight* embedding, bool tied,
                 std::int64_t vocabulary, std::int64_t width);
/// `eos_token_id`: one, several or none.
std::vector<std::int64_t> ends_of(const Config& config);
/// Whether `architectures` of the configuration names a model with a head whose class ends so; true without any.
bool has_head(const Config& config, std::initializer_list<std::string_view> endings);

using Describe = Description (*)(const Config& config, const WeightFiles& files);

struct Architecture {
    std::string_view type; ///< model_type
    Describe describe;
};
std::span<const Architecture> architectures();

/// Throws Error for an unknown type, naming the known ones, for settings that are missing, wrong or not supported, for
/// tensors that are missing or have another shape, and for what concerns attention and is not read (unread.h).
Description describe(const Config& config, const WeightFiles& files, const RunControl& control = {});

Description describe_bert(const Config& config, const WeightFiles& files);
Description describe_roberta(const Config& config, const WeightFiles& files);
Description describe_distilbert(const Config& config, const WeightFiles& files);
Description describe_gpt2(const Config& config, const WeightFiles& files);
Description describe_gpt_neox(const Config& config, const WeightFiles& files);
Description describe_opt(const Config& config, const WeightFiles& files);
Description describe_llama(const Config& config, const WeightFiles& files);
Description describe_mistral(const Config& config, const WeightFiles& files);
Description describe_ministral(const Config& config, const WeightFiles& files);
Description describe_qwen2(const Config& config, const WeightFiles& files);
Description describe_qwen3(const Config& config, const WeightFiles& files);
Description describe_olmo2(const Config& config, const WeightFiles& files);
Description describe_olmo3(const Config& config, const WeightFiles& files);
Description describe_phi3(const Config& config, const WeightFiles& files);
Description describe_gemma2(const Config& config, const WeightFiles& files);
Description describe_gemma3(const Config& config, const WeightFiles& files);
Description describe_gpt_oss(const Config& config, const WeightFiles& files);
Description describe_t5(const Config& config, const WeightFiles& files);
Description describe_bart(const Config& config, const WeightFiles& files);
Description describe_marian(const Config& config, const WeightFiles& files);
Description describe_vit(const Config& config, const WeightFiles& files);

} // namespace attnlab::model
