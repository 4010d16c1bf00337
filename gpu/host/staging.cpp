#include "gpu/host/staging.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"

#include <algorithm>
#include <cstring>

namespace attnlab::gpu {
namespace {

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Rows that a thread converts at a time.
constexpr std::int64_t numbers_of_a_task = 1 << 16;

} // namespace

Staging::Staging(Runtime& runtime, PinnedMemory& pinned, Stream stream, std::size_t bytes)
    : runtime_(runtime), pinned_(pinned), stream_(stream), bytes_(std::max<std::size_t>(512, bytes)),
      host_(pinned.take(bytes_)) {}

Staging::~Staging() {
    { const Settled settled(runtime_, stream_); }
    pinned_.give_back(std::move(host_));
}

std::size_t Staging::take(std::size_t bytes) {
    const auto room = 2 * half();
    if (used_ + bytes > room) {
        runtime_.synchronize(stream_);
        used_ = 0;
    }
    const auto at = used_;
    used_ += aligned(bytes);
    return at;
}

void Staging::put(const RowsOfArray& source, std::int64_t rows, std::int64_t width, std::int64_t padded,
                  Precision precision, void* to, const RunControl& control) {
    if (width == 0 && rows * padded > 0)
        runtime_.convert({nullptr, to, rows, 0, static_cast<int>(padded), precision}, stream_);
    if (width == 0 || rows == 0)
        return;
    const auto row_bytes = static_cast<std::size_t>(width) * sizeof(float);
    const auto padded_bytes = static_cast<std::int64_t>(precision == Precision::Float32 ? 4 : 2) * padded;
    const bool as_is = precision == Precision::Float32 && padded == width;
    const auto at_a_time = std::max<std::int64_t>(1, static_cast<std::int64_t>(half() / row_bytes));
    for (std::int64_t first = 0; first < rows; first += at_a_time) {
        const auto count = std::min(at_a_time, rows - first);
        const auto bytes = static_cast<std::size_t>(count) * row_bytes;
        const auto at = take(bytes);
        const auto of_a_task = std::max<std::int64_t>(1, numbers_of_a_task / width);
        flash::parallel_for(flash::thread_count(), (count + of_a_task - 1) / of_a_task, [&](int, std::int64_t task) {
            control.checkpoint();
            const auto start = task * of_a_task, many = std::min(of_a_task, count - start);
            const auto numbers = source(first + start, many);
            std::memcpy(host_.as() + at + static_cast<std::size_t>(start) * row_bytes, numbers.data(),
                        numbers.size() * sizeof(float));
        });
        auto* target = static_cast<unsigned char*>(to) + first * padded_bytes;
        if (as_is) {
            runtime_.copy_to_device(target, host_.as() + at, bytes, stream_);
            continue;
        }
        runtime_.copy_to_device(device_ + at, host_.as() + at, bytes, stream_);
        runtime_.convert({reinterpret_cast<const float*>(device_ + at), target, count, static_cast<int>(width),
                          static_cast<int>(padded), precision},
                         stream_);
    }
}

void Staging::put(const void* from, std::size_t bytes, void* to) {
    for (std::size_t first = 0; first < bytes; first += half()) {
        const auto count = std::min(half(), bytes - first);
        const auto at = take(count);
        std::memcpy(host_.as() + at, static_cast<const unsigned char*>(from) + first, count);
        runtime_.copy_to_device(static_cast<unsigned char*>(to) + first, host_.as() + at, count, stream_);
    }
}

} // namespace attnlab::gpu
