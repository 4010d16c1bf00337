// Where in a list an item is, by its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace attnlab::tokens {

/// Slots in one piece, of which the first free one after the place of a hash is taken: without memory of its own for
/// each item, large vocabularies are read faster than into a std::unordered_map.
class HashIndex {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    void reserve(std::size_t count) {
        std::size_t slots = 16;
        while (slots < 2 * count)
            slots *= 2;
        if (slots > slots_.size())
            enlarge(slots);
    }

    /// The index with this hash for which `is_it(index)` holds, or none.
    template <class IsIt>
    std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
        if (slots_.empty())
            return none;
        const auto mixed = mix(hash);
        for (auto at = mixed & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            const auto& slot = slots_[at];
            if (slot.index == none || (slot.hash == mixed && is_it(slot.index)))
                return slot.index;
        }
    }

    /// `index` is not `none`, and find() does not find it.
    void add(std::uint64_t hash, std::uint32_t index) {
        reserve(++count_);
        put({mix(hash), index});
    }

private:
    struct Slot {
        std::uint32_t hash = 0; ///< 32 mixed bits of it
        std::uint32_t index = none;
    };
    static std::uint32_t mix(std::uint64_t hash) {
        hash *= 0x9e3779b97f4a7c15U;
        return static_cast<std::uint32_t>(hash ^ hash >> 32);
    }

    void put(const Slot& slot) {
        auto at = slot.hash & (slots_.size() - 1);
        while (slots_[at].index != none)
            at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }

    void enlarge(std::size_t slots) {
        std::vector<Slot> before(slots);
        before.swap(slots_);
        for (const auto& slot : before)
            if (slot.index != none)
                put(slot);
    }

    std::vector<Slot> slots_; ///< none, or a power of two
    std::size_t count_ = 0;
};

} // namespace attnlab::tokens
