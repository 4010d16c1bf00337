// The table of kinds of models: from config.json and the names of tensors to what a model computes. A file of
// core/model/architectures adds the rows of one family: <family>.cpp defines `<family>_architectures()`. CMake lists
// the files of that folder; what several families share is in core/model/architectures/shared.
#pragma once

#include "core/model/config.h"
#include "core/model/description.h"
#include "core/model/gguf/gguf_names.h"
#include "core/model/unread.h"
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
    /// The first number of its shape; 0 where it is missing.
    std::int64_t rows_of(std::string_view name) const;
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
    /// The same with a bias where the file has one.
    Norm layer_norm_with_or_without_bias(std::string_view name, std::int64_t width, double epsilon) const;
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
/// Causal attention from a fused matrix of 3 * hidden outputs. The query, key and value of a head follow one another:
/// BLOOM, GPT-NeoX. The output is left empty.
Attention fused_by_head(Linear fused, std::int64_t hidden, std::int64_t heads);
/// Throws Error for an unknown name.
const Activation* activation_of(const Config& config, std::string_view key, std::string_view absent);
/// hidden / heads. Throws Error where that leaves a remainder.
std::int64_t even_head_width(const Config& config, std::string_view heads_key, std::int64_t hidden, std::int64_t heads);
double root_scale(std::int64_t width);
/// A matrix of vocabulary x width that may be that of the embedding. A file that holds it overrides `tied`.
Linear output_of(const Tensors& tensors, std::string_view name, const Weight* embedding, bool tied,
                 std::int64_t vocabulary, std::int64_t width);
/// The embedding of a side, "encoder" or "decoder": its own where the file has one, else the shared one.
const Weight* side_embedding(const Tensors& tensors, const std::string& side, std::int64_t vocabulary,
                             std::int64_t width);
/// The matrix of a head that has none of its own: the shared embedding where the file has one, else the decoder's.
const Weight* head_embedding(const Tensors& tensors, const Weight* of_decoder);
/// `eos_token_id`: one, several or none.
std::vector<std::int64_t> ends_of(const Config& config);
/// Whether `architectures` of the configuration names a model with a head whose class ends so; true without any.
bool has_head(const Config& config, std::initializer_list<std::string_view> endings);

using Describe = Description (*)(const Config& config, const WeightFiles& files);

struct Architecture {
    std::string_view type; ///< model_type
    Describe describe;
    GgufArchitecture gguf = {}; ///< without a name: not read from GGUF
    /// Settings of config.json, and tensors, that have no effect in models of this type; beside those of all types.
    std::span<const KnownEntry> settings = {}, tensors = {};
    /// The id of padding, where the configuration does not mention it: Head::padding of classes.
    std::optional<std::int64_t> padding = {};
};
/// By type, in alphabetical order.
std::span<const Architecture> architectures();
/// nullptr for an unknown type.
const Architecture* find_architecture(std::string_view type);
/// Of a .gguf file. Throws Error for one that is not known, naming the known ones.
const Architecture& gguf_architecture(const GgufMetadata& metadata);

/// What `architecture` makes of a configuration, without what is left unread.
Description described(const Architecture& architecture, const Config& config, const WeightFiles& files);

/// Throws Error for an unknown type, with another way to see its attention, for settings that are missing, wrong or not
/// supported, for tensors that are missing or have another shape, and for what concerns attention and is not read
/// (unread.h).
Description describe(const Config& config, const WeightFiles& files, const RunControl& control = {});

} // namespace attnlab::model
