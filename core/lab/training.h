// Trains the queries and keys of one head by gradient descent, so that a lesson can watch it learn.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <vector>

namespace attnlab::lab {

/// The task: query i is to read the value of key i. The loss is the mean squared distance of output and value over all
/// rows and features. A step takes `rate` times the exact gradient from queries and keys; values stay.
struct Training {
    std::int64_t steps = 200; ///< of the whole training, 1 to most_steps
    std::int64_t at = 200;    ///< the step after which it is looked at: 0, as drawn, to `steps`
    double rate = 10.0;       ///< above 0
    bool operator==(const Training&) const = default;
};

inline constexpr std::int64_t most_steps = 1000;

struct Trained {
    AttentionProblem problem; ///< with query and key after step `at`
    std::vector<double> loss; ///< of the whole: before the first step and after each, steps + 1 numbers
};

/// `problem` is one of scaled_dot_product with L = S and one key head for each query head. Throws Error for another
/// one, Cancelled.
Trained train(AttentionProblem problem, const Training& training, const RunControl& control = {});

/// The loss of a head that reads every key alike: the mean squared distance of the values from their mean. NaN of a
/// trace without values.
double even_loss(const Trace& trace);

} // namespace attnlab::lab
