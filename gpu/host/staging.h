// Copies arrays to a device through a limited amount of pinned memory: the cores fill a part while an earlier one is
// copied; the device rounds and pads.
#pragma once

#include "core/attention.h"
#include "gpu/host/pinned.h"
#include "gpu/runtime.h"

#include <functional>

namespace attnlab::gpu {

/// Bytes of pinned memory, and as many of the device, for inputs on their way.
inline constexpr std::size_t most_staged_bytes = std::size_t{32} << 20;

/// Rows of float32 from the first-th row on.
using RowsOfArray = std::function<std::vector<float>(std::int64_t first, std::int64_t rows)>;

class Staging {
public:
    /// `bytes` is at least that of two rows.
    Staging(Runtime& runtime, PinnedMemory& pinned, Stream stream, std::size_t bytes);
    /// Waits for the copies.
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Sets the memory of the device to copy through, of the same size. Nothing else may use it until the stream is
    /// done with the copies.
    void set_device(unsigned char* device) { device_ = device; }
    /// Rows of `width` numbers become rows of `padded` in `precision`.
    void put(const RowsOfArray& source, std::int64_t rows, std::int64_t width, std::int64_t padded, Precision precision,
             void* to, const RunControl& control);
    /// Bytes as they are.
    void put(const void* from, std::size_t bytes, void* to);

private:
    /// A part of the pinned memory at an offset, at most half of it, which no copy reads any more.
    std::size_t take(std::size_t bytes);
    std::size_t half() const { return bytes_ / 2 / 256 * 256; }

    Runtime& runtime_;
    PinnedMemory& pinned_;
    const Stream stream_;
    const std::size_t bytes_;
    Buffer host_; ///< may be larger
    unsigned char* device_ = nullptr;
    std::size_t used_ = 0; ///< since the last wait
};

} // namespace attnlab::gpu
