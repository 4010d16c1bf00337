// Numbers that are stored outside memory.
#pragma once

#include <cstdint>
#include <span>

namespace attnlab {

/// A sequence of numbers stored elsewhere, for example in a mapped file, and read in pieces. All members may be called
/// from several threads at once. read() throws Error when the numbers are no longer available.
class NumberSource {
public:
    virtual ~NumberSource() = default;

    virtual std::int64_t size() const = 0;
    virtual void read(std::int64_t first, std::span<double> values) const = 0;
    /// Rounded where they are wider than float32.
    virtual void read(std::int64_t first, std::span<float> values) const = 0;
    /// True when both are certainly the same numbers; does not read them.
    virtual bool is_same(const NumberSource& other) const { return this == &other; }
};

} // namespace attnlab
