// Numbers that lie elsewhere, some of which were written to.
#pragma once

#include "core/number_source.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace attnlab {

/// What is written is kept in blocks of numbers; everything else stays where `base` has it. A copy shares both until
/// one of the two is written to: it costs little, and so does one more number, however much was written before.
class PatchedNumbers : public NumberSource {
public:
    static constexpr std::int64_t block_size = 128;

    explicit PatchedNumbers(std::shared_ptr<const NumberSource> base) : base_(std::move(base)) {}

    std::int64_t size() const override { return base_->size(); }
    void read(std::int64_t first, std::span<double> values) const override;
    void read(std::int64_t first, std::span<float> values) const override;

    /// Throws Error when the numbers beside them, in their blocks, cannot be read.
    void write(std::int64_t first, std::span<const double> values);

    const std::shared_ptr<const NumberSource>& base() const { return base_; }
    /// Calls `see` with the blocks that were written to, in order, until it answers false: its first number's place and
    /// all of its numbers. False when it did.
    bool each_block(const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const;

private:
    using Block = std::vector<double>;
    /// Of consecutive blocks, so that a copy that is written to copies few pointers.
    static constexpr std::int64_t group_size = 256;
    using Group = std::array<std::shared_ptr<Block>, group_size>;

    template <class Number>
    void read_as(std::int64_t first, std::span<Number> values) const;
    Block& own_block(std::int64_t index);

    std::shared_ptr<const NumberSource> base_;
    std::map<std::int64_t, std::shared_ptr<Group>> groups_; ///< by the number of the group
};

} // namespace attnlab
