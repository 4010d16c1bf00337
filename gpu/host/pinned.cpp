#include "gpu/host/pinned.h"

#include <algorithm>

namespace attnlab::gpu {

Buffer PinnedMemory::take(std::size_t bytes) {
    const auto smallest = std::min_element(kept_.begin(), kept_.end(), [bytes](const Buffer& one, const Buffer& other) {
        return one.bytes() >= bytes && (other.bytes() < bytes || one.bytes() < other.bytes());
    });
    if (smallest != kept_.end() && smallest->bytes() >= bytes) {
        Buffer taken = std::move(*smallest);
        kept_.erase(smallest);
        kept_bytes_ -= taken.bytes();
        return taken;
    }
    try {
        return {runtime_, Buffer::Place::Pinned, bytes};
    } catch (const OutOfMemory&) {
        if (kept_.empty())
            throw;
    }
    kept_.clear(); // all are too small
    kept_bytes_ = 0;
    return {runtime_, Buffer::Place::Pinned, bytes};
}

void PinnedMemory::give_back(Buffer buffer) {
    if (buffer.bytes() == 0 || buffer.bytes() > most_kept_bytes)
        return;
    kept_bytes_ += buffer.bytes();
    kept_.push_back(std::move(buffer));
    while (kept_bytes_ > most_kept_bytes) {
        kept_bytes_ -= kept_.front().bytes();
        kept_.erase(kept_.begin());
    }
}

} // namespace attnlab::gpu
