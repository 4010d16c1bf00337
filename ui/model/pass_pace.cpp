#include "ui/model/pass_pace.h"

#include <algorithm>
#include <utility>

namespace attnlab::ui {

void PassPace::setLeft(std::map<std::int64_t, std::int64_t> left) {
    left_ = std::move(left);
    done_.clear();
    seconds_ = 0.0;
}

bool PassPace::hasLeft() const {
    return std::ranges::any_of(left_, [](const auto& passes) { return passes.second > 0; });
}

void PassPace::measured(double seconds, std::int64_t blocks) {
    const auto [place, is_new] = fastest_.try_emplace(blocks, seconds);
    if (!is_new)
        place->second = std::min(place->second, seconds);
}

void PassPace::took(double seconds, std::int64_t blocks) {
    measured(seconds, blocks);
    --left_[blocks];
    ++done_[blocks];
    seconds_ += seconds;
}

/// Least squares; a time never falls with the number of blocks.
double PassPace::passSeconds(std::int64_t blocks) const {
    if (fastest_.empty())
        return 0.0;
    const auto count = static_cast<double>(fastest_.size());
    double mean_blocks = 0.0, mean_seconds = 0.0, slowest = 0.0;
    for (const auto& [of, seconds] : fastest_) {
        mean_blocks += static_cast<double>(of) / count;
        mean_seconds += seconds / count;
        slowest = std::max(slowest, seconds);
    }
    if (fastest_.size() == 1)
        return slowest;
    double squares = 0.0, products = 0.0;
    for (const auto& [of, seconds] : fastest_) {
        const double from_mean = static_cast<double>(of) - mean_blocks;
        squares += from_mean * from_mean;
        products += from_mean * (seconds - mean_seconds);
    }
    const double slope = std::max(0.0, products / squares);
    return std::max(0.0, mean_seconds + slope * (static_cast<double>(blocks) - mean_blocks));
}

double PassPace::secondsLeft() const {
    const auto is_known = [this](const auto& passes) { return passes.second <= 0 || fastest_.contains(passes.first); };
    if (fastest_.size() < 2 && !std::ranges::all_of(left_, is_known))
        return 0.0;
    const auto expected = [this](const std::map<std::int64_t, std::int64_t>& passes) {
        double seconds = 0.0;
        for (const auto& [blocks, count] : passes)
            seconds += static_cast<double>(count) * passSeconds(blocks);
        return seconds;
    };
    const double of_done = expected(done_);
    return expected(left_) * (of_done > 0.0 ? std::max(1.0, seconds_ / of_done) : 1.0);
}

} // namespace attnlab::ui
