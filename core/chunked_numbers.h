// Numbers in chunks that copies share, over an optional source outside memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

/// True if `shared` is the only owner of its object, which may then be written in place: reads of other threads through
/// copies that they have released happened before.
template <class T>
bool is_sole_owner(const std::shared_ptr<T>& shared) {
    if (shared.use_count() > 1)
        return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
}

/// Copies share all chunks; writing to a copy replaces only the chunks that it touches. Numbers of chunks that were
/// never written are read from the source. A chunk of zeros and ones takes a byte per number, any other 8 bytes.
class ChunkedNumbers {
public:
    static constexpr std::int64_t chunk_size = 128; ///< numbers

    explicit ChunkedNumbers(std::shared_ptr<const NumberSource> source)
        : size_(source->size()), source_(std::move(source)) {}
    /// Numbers without a source: all of them are in chunks.
    explicit ChunkedNumbers(std::span<const double> numbers) : size_(std::ssize(numbers)) { assign(numbers); }

    std::int64_t size() const { return size_; }
    /// Null where all numbers are in chunks.
    const std::shared_ptr<const NumberSource>& source() const { return source_; }

    void read(std::int64_t first, std::span<double> values) const;
    /// Rounded where they are wider than float32.
    void read(std::int64_t first, std::span<float> values) const;

    /// Throws Error when the other numbers of the written chunks cannot be read from the source.
    void write(std::int64_t first, std::span<const double> values);
    /// Writes all numbers. Chunks that already hold the same bits stay shared.
    void assign(std::span<const double> numbers);

    /// Calls `see` with each chunk in order, the index of its first number and all its numbers, until it returns
    /// false. Returns false in that case.
    bool each_chunk(const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const;

    /// True when both certainly hold the same numbers: the same source and the same shared chunks.
    bool shares_all_with(const ChunkedNumbers& other) const {
        return source_ == other.source_ && size_ == other.size_ && table_ == other.table_;
    }
    /// Compares numbers (NaN equals NaN) without reading shared chunks and the source. Both must have the same source,
    /// or none, and the same size.
    bool equals(const ChunkedNumbers& other) const;

    /// Calls `see` with the identity and the bytes of each allocation in memory. Where it returns false, the
    /// allocations inside are left out, and so may be the allocations of `seen`, which was visited before.
    void each_allocation(const std::function<bool(const void* identity, std::size_t bytes)>& see,
                         const ChunkedNumbers* seen = nullptr) const;

private:
    struct Chunk {
        bool of_bytes;
    };
    struct ByteChunk : Chunk {
        std::array<std::uint8_t, chunk_size> numbers;
    };
    struct DoubleChunk : Chunk {
        std::array<double, chunk_size> numbers;
    };
    using Numbers = std::array<double, chunk_size>;
    /// Consecutive chunks are grouped, so that writing to a copy copies few pointers.
    static constexpr std::int64_t group_size = 256;
    using Group = std::array<std::shared_ptr<const Chunk>, group_size>;
    using Table = std::map<std::int64_t, std::shared_ptr<Group>>; ///< by group index

    template <class Number>
    void read_as(std::int64_t first, std::span<Number> values) const;
    std::int64_t count_in(std::int64_t index) const { return std::min(chunk_size, size_ - index * chunk_size); }
    static std::shared_ptr<const Chunk> encoded(std::span<const double> numbers);
    template <class Number>
    static void decode(const Chunk& chunk, std::int64_t first, std::span<Number> numbers);
    const Group* find_group(std::int64_t number) const;
    const Chunk* find(std::int64_t index) const;
    void set(std::int64_t index, std::shared_ptr<const Chunk> chunk);
    bool equal_where_written(const ChunkedNumbers& other) const;

    std::int64_t size_;
    std::shared_ptr<const NumberSource> source_;
    std::shared_ptr<Table> table_; ///< null: no chunks
};

} // namespace attnlab
