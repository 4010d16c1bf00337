// How long it takes to replace every head of a model, from the passes that were timed so far.
#pragma once

#include <cstdint>
#include <map>

namespace attnlab::ui {

/// A pass takes a fixed time and one for each block that it computes. Both are fitted to the fastest pass of each
/// number of blocks: whatever else the machine does makes passes slower, never faster. Seconds.
class PassPace {
public:
    /// The passes to come, by the number of their blocks. What was timed stays.
    void setLeft(std::map<std::int64_t, std::int64_t> left);
    bool hasLeft() const;
    /// A pass that is not among those to come.
    void measured(double seconds, std::int64_t blocks);
    /// One of those to come is done.
    void took(double seconds, std::int64_t blocks);
    /// Of a pass of so many blocks; before passes of two lengths were timed, at least this long.
    double passSeconds(std::int64_t blocks) const;
    /// Of the passes to come, slower by what those done were slower than expected; 0: not known, because passes of one
    /// length were timed and those of others are to come.
    double secondsLeft() const;

private:
    std::map<std::int64_t, std::int64_t> left_;
    std::map<std::int64_t, double> fastest_;
    std::map<std::int64_t, std::int64_t> done_;
    double seconds_ = 0.0; ///< of those done
};

} // namespace attnlab::ui
