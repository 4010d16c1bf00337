// A number source of which some numbers were overwritten.
#pragma once

#include "core/number_source.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace attnlab {

/// Written numbers are kept in blocks; all others stay in `base`. Copies share both until one of them is written to:
/// copying and writing one more number are cheap, however much was written before.
class PatchedNumbers : public NumberSource {
public:
    static constexpr std::int64_t block_size = 128;

    explicit PatchedNumbers(std::shared_ptr<const NumberSource> base) : base_(std::move(base)) {}

    std::int64_t size() const override { return base_->size(); }
    void read(std::int64_t first, std::span<double> values) const override;
    void read(std::int64_t first, std::span<float> values) const override;

    /// Throws Error when the other numbers of the written blocks cannot be read.
    void write(std::int64_t first, std::span<const double> values);

    const std::shared_ptr<const NumberSource>& base() const { return base_; }
    /// Calls `see` with each written block in order, the index of its first number and all its numbers, until it
    /// returns false. Returns false in that case.
    bool each_block(const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const;

private:
    using Block = std::vector<double>;
    /// Consecutive blocks are grouped, so that writing to a copy copies few pointers.
    static constexpr std::int64_t group_size = 256;
    using Group = std::array<std::shared_ptr<Block>, group_size>;

    template <class Number>
    void read_as(std::int64_t first, std::span<Number> values) const;
    Block& own_block(std::int64_t index);

    std::shared_ptr<const NumberSource> base_;
    std::map<std::int64_t, std::shared_ptr<Group>> groups_; ///< by group index
};

} // namespace attnlab
