// Arrays of which only the header has been read.
#pragma once

#include "core/io/file_formats.h"
#include "core/number_source.h"
#include "core/tensor.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnlab::io {

/// The numbers of an array that a reader has described and not yet read (ReadLimits::defer).
class DeferredNumbers : public NumberSource {
public:
    struct How {
        /// Reads the array, with every check of the reader. Throws Error.
        std::function<Tensor()> load;
        /// Reads some of its numbers, without a checksum; empty: all are loaded at the first read.
        std::function<void(std::int64_t first, std::span<double> values)> read = {};
        std::int64_t bytes = 0;     ///< in memory once it is loaded; 0 for an array that stays in its file
        std::int64_t meanwhile = 0; ///< more bytes while it is loaded
    };
    DeferredNumbers(std::int64_t count, How how) : count_(count), how_(std::move(how)) {}

    std::int64_t bytes() const { return how_.bytes; }
    std::int64_t bytes_meanwhile() const { return how_.meanwhile; }
    Tensor load() const { return how_.load(); }

    std::int64_t size() const override { return count_; }
    void read(std::int64_t first, std::span<double> values) const override;
    void read(std::int64_t first, std::span<float> values) const override;

private:
    const std::int64_t count_;
    const How how_;
    mutable std::mutex mutex_;
    mutable std::optional<Tensor> loaded_;
};

Tensor deferred(Shape shape, DType dtype, DeferredNumbers::How how);

/// Null for other arrays.
const DeferredNumbers* deferred_in(const Tensor& tensor);

/// The bytes of memory that arrays of a file need.
struct ArraysInMemory {
    std::int64_t bytes = 0, meanwhile = 0; ///< when all are loaded, and more while one of them is

    /// Deferred numbers that several arrays share count once.
    explicit ArraysInMemory(std::span<Tensor* const> arrays);
    /// Throws Error naming `file` where this and `more` bytes exceed most_in_memory().
    void require(const ReadLimits& limits, std::string_view file, std::int64_t more = 0) const;
};

/// Replaces the deferred ones by the arrays. Throws Error.
void load(std::span<Tensor* const> arrays);

} // namespace attnlab::io
