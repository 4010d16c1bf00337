// Single heads of a model or a capture: their stages, and a problem to edit.
#pragma once

#include "core/attention.h"
#include "core/capture/capture.h"
#include "core/model/model.h"
#include "core/model/pass.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::model {

/// Labels of the tokens of a pass; empty: numbers.
struct PassTokens {
    std::vector<std::string> queries = {}, keys = {};
    bool keys_are_queries = false;
};
/// What a reader sees of ids: the text that they stand for, else their spelling, else the number.
std::vector<std::string> labels_of(const Model& model, const std::vector<std::int64_t>& ids,
                                   const RunControl& control = {});

/// The values of a query head, (1,1,keys,width); shape (0) where only weights were recorded.
Tensor values_of(const Pass& pass, std::int64_t head);

/// The weights of one head, (1,1,L,S), with the cells that no query may read as `blocked`. Takes memory in L x S: see
/// `pooled_weights` for long texts.
Trace trace_of(const Pass& pass, std::int64_t head, const PassTokens& tokens);

/// The largest weight of each block of `step` queries and `step` keys: (ceil(L / step), ceil(S / step)), computed by a
/// few rows at a time on all cores, with progress. Throws Cancelled.
Tensor pooled_weights(const Pass& pass, std::int64_t head, std::int64_t step, const RunControl& control = {});

/// The head of a model as inputs of scaled dot-product attention: unedited, its weights are the model's but for the
/// rounding to float32. A sink becomes one more key, of zeros, whose score is the sink's logit; a soft cap with a scale
/// other than 1 / sqrt(width) is reached by a factor on the query. Throws Error where that would take more than
/// `memory_limit`.
AttentionProblem problem_of(const Pass& pass, std::int64_t head, const PassTokens& tokens,
                            std::int64_t memory_limit = std::int64_t{1} << 30);
/// The same of all heads of the pass, as (1, heads, L, E).
AttentionProblem problem_of(const Pass& pass, const PassTokens& tokens,
                            std::int64_t memory_limit = std::int64_t{1} << 30);

// Heads of attention that another program has recorded, as those of a model.

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
