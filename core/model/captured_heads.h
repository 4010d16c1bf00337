// Heads of attention that another program has recorded, as those of a model.
#pragma once

#include "core/capture/capture.h"
#include "core/model/one_head.h"
#include "core/model/pass.h"

#include <optional>

namespace attnlab::model {

struct CapturedSize {
    std::int64_t batch = 1, queries = 0, keys = 0;
};
CapturedSize size_of(const Capture& capture, const CapturedPass& pass);

/// One head, or all, of sequence `batch`: queries and keys in float32, without values and lse. Masks, biases and given
/// weights stay where they are. Throws Error where a file cannot be read any more.
Pass pass_of(const Capture& capture, const CapturedPass& pass, std::int64_t batch,
             std::optional<std::int64_t> head = std::nullopt);

/// The labels of sequence `batch`.
PassTokens tokens_of(const Capture& capture, const CapturedPass& pass, std::int64_t batch);

} // namespace attnlab::model
