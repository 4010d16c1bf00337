// Numbers that lie elsewhere than in memory.
#pragma once

#include <cstdint>
#include <span>

namespace attnlab {

/// A row of numbers that stays where it is, a mapped file for one, until pieces of it are asked for. All members may be
/// called from several threads at once. read() throws Error when the numbers cannot be had any more.
class NumberSource {
public:
    virtual ~NumberSource() = default;

    virtual std::int64_t size() const = 0;
    virtual void read(std::int64_t first, std::span<double> values) const = 0;
    /// Rounded where they are wider than float32.
    virtual void read(std::int64_t first, std::span<float> values) const = 0;
    /// Surely the same numbers, without reading them.
    virtual bool is_same(const NumberSource& other) const { return this == &other; }
};

} // namespace attnlab
