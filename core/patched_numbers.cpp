#include "core/patched_numbers.h"

#include <algorithm>
#include <atomic>

namespace attnlab {
namespace {

/// The object of `shared`, copied first when others share it.
template <class T>
T& owned(std::shared_ptr<T>& shared) {
    if (!shared)
        shared = std::make_shared<T>();
    else if (shared.use_count() > 1)
        shared = std::make_shared<T>(*shared);
    // Reads by other threads through copies that they have released happen before the writes below.
    std::atomic_thread_fence(std::memory_order_acquire);
    return *shared;
}

} // namespace

template <class Number>
void PatchedNumbers::read_as(std::int64_t first, std::span<Number> values) const {
    base_->read(first, values);
    const auto last = first + std::ssize(values);
    constexpr auto in_group = group_size * block_size;
    for (auto group = groups_.lower_bound(first / in_group); group != groups_.end(); ++group) {
        const auto group_first = group->first * in_group;
        if (group_first >= last)
            break;
        const auto begin = std::max<std::int64_t>(0, (first - group_first) / block_size),
                   end = std::min(group_size, (last - group_first + block_size - 1) / block_size);
        for (auto index = begin; index < end; ++index) {
            const auto* block = (*group->second)[static_cast<std::size_t>(index)].get();
            if (!block)
                continue;
            const auto block_first = group_first + index * block_size;
            const auto from = std::max(first, block_first), to = std::min(last, block_first + std::ssize(*block));
            std::transform(block->begin() + (from - block_first), block->begin() + (to - block_first),
                           values.begin() + (from - first), [](double value) { return static_cast<Number>(value); });
        }
    }
}

void PatchedNumbers::read(std::int64_t first, std::span<double> values) const { read_as(first, values); }
void PatchedNumbers::read(std::int64_t first, std::span<float> values) const { read_as(first, values); }

PatchedNumbers::Block& PatchedNumbers::own_block(std::int64_t index) {
    auto& block = owned(groups_[index / group_size])[static_cast<std::size_t>(index % group_size)];
    if (block)
        return owned(block);
    const auto first = index * block_size;
    Block numbers(static_cast<std::size_t>(std::min(block_size, size() - first)));
    base_->read(first, std::span(numbers));
    block = std::make_shared<Block>(std::move(numbers));
    return *block;
}

void PatchedNumbers::write(std::int64_t first, std::span<const double> values) {
    while (!values.empty()) {
        auto& block = own_block(first / block_size);
        const auto at = first % block_size;
        const auto part = values.first(static_cast<std::size_t>(std::min(std::ssize(values), std::ssize(block) - at)));
        std::copy(part.begin(), part.end(), block.begin() + at);
        values = values.subspan(part.size());
        first += std::ssize(part);
    }
}

bool PatchedNumbers::each_block(
    const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const {
    for (const auto& [number, group] : groups_)
        for (std::int64_t index = 0; index < group_size; ++index)
            if (const auto& block = (*group)[static_cast<std::size_t>(index)];
                block && !see((number * group_size + index) * block_size, *block))
                return false;
    return true;
}

} // namespace attnlab
