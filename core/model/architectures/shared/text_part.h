// The language model of a folder that also holds a model for images or sound.
#pragma once

#include "core/model/architectures.h"

#include <span>
#include <string_view>

namespace attnlab::model {

/// Describes `text_config`, of `default_type` unless it has a model_type, or the configuration itself where a file has
/// no text_config. Throws Error unless the type is that of a decoder. A setting `ignored` has no effect. The head is a
/// plain matrix, as in Transformers: factors and caps of logits in text_config count only where `caps_logits`.
Description text_part(const Config& config, const WeightFiles& files, std::string_view default_type,
                      std::string_view ignored = {}, bool caps_logits = false);

/// Settings of the other parts, the first of them with a note, and their tensors.
extern const std::span<const KnownEntry> settings_of_other_parts, tensors_of_other_parts;

} // namespace attnlab::model
