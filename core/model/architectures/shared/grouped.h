// Layers whose inputs and outputs come in groups: each group of outputs reads its own inputs.
#pragma once

#include "core/model/architectures.h"

#include <cstdint>
#include <string_view>

namespace attnlab::model {

/// A convolution over one row at a time: `name`.weight (outputs, inputs / groups, 1) and `name`.bias. With more than
/// one group, the matrix that multiplies all inputs is kept in `description`.
Linear pointwise(const Tensors& tensors, std::string_view name, std::int64_t inputs, std::int64_t outputs,
                 std::int64_t groups, bool has_bias, Description& description);
/// The same of a tensor (groups, inputs / groups, outputs / groups).
Linear grouped(const Tensors& tensors, std::string_view name, std::int64_t inputs, std::int64_t outputs,
               std::int64_t groups, Description& description);
/// `groups` of config.json by the name `key`, which must divide both.
std::int64_t groups_of(const Config& config, std::string_view key, std::int64_t absent, std::int64_t inputs,
                       std::int64_t outputs);

} // namespace attnlab::model
