// Text that a model writes on, one token at a time.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace attnlab::model {

struct WriteOptions {
    std::int64_t count = 1;   ///< at most so many tokens
    double temperature = 0.0; ///< logits are divided by it, and a token is drawn; 0: the likeliest each time
    std::uint64_t seed = 0;   ///< of the draws: one number in [0, 1) a token, compared with sums of probabilities by id
    std::vector<Ablation> ablations = {};
};

struct WrittenToken {
    std::int64_t id = 0;
    double probability = 0.0; ///< by the logits as they are, without a temperature
};

struct Written {
    enum class Stop { Count, End, Longest }; ///< End: the model ended its text, with a token that is left out
    Input input = {};                        ///< with what was written
    std::vector<WrittenToken> tokens = {};
    Stop stop = Stop::Count;
};

/// Writes behind the ids, or behind those of the decoder beside an encoder, and calls `found` after each token. Each
/// run takes over what the one before computed; the first takes it from `previous`. Throws Error where the model
/// predicts no next token, where it reads not one token more, for a temperature below 0, and for heads of another text;
/// Cancelled.
Written write_on(const Model& model, Input input, const WriteOptions& options, const RunControl& control = {},
                 const std::function<void(const WrittenToken&)>& found = nullptr, const Result* previous = nullptr);

} // namespace attnlab::model
