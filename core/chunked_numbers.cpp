#include "core/chunked_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attnlab {
namespace {

/// The object of `shared`, copied first when others share it.
template <class T>
T& owned(std::shared_ptr<T>& shared) {
    if (!shared)
        shared = std::make_shared<T>();
    else if (!is_sole_owner(shared))
        shared = std::make_shared<T>(*shared);
    return *shared;
}

/// True for +0.0 and 1.0 only: -0.0 needs its sign.
bool fits_byte(double number) { return number == 1.0 || (number == 0.0 && !std::signbit(number)); }

} // namespace

std::shared_ptr<const ChunkedNumbers::Chunk> ChunkedNumbers::encoded(std::span<const double> numbers) {
    if (std::ranges::all_of(numbers, fits_byte)) {
        auto chunk = std::make_shared<ByteChunk>();
        chunk->of_bytes = true;
        std::ranges::transform(numbers, chunk->numbers.begin(),
                               [](double number) { return static_cast<std::uint8_t>(number); });
        return chunk;
    }
    auto chunk = std::make_shared<DoubleChunk>();
    chunk->of_bytes = false;
    std::ranges::copy(numbers, chunk->numbers.begin());
    return chunk;
}

/// Reads numbers from `first` of the chunk on.
template <class Number>
void ChunkedNumbers::decode(const Chunk& chunk, std::int64_t first, std::span<Number> numbers) {
    const auto read = [&](const auto& stored) {
        std::transform(stored.begin() + first, stored.begin() + first + std::ssize(numbers), numbers.begin(),
                       [](auto number) { return static_cast<Number>(number); });
    };
    if (chunk.of_bytes)
        read(static_cast<const ByteChunk&>(chunk).numbers);
    else
        read(static_cast<const DoubleChunk&>(chunk).numbers);
}

const ChunkedNumbers::Group* ChunkedNumbers::find_group(std::int64_t number) const {
    if (!table_)
        return nullptr;
    const auto found = table_->find(number);
    return found == table_->end() ? nullptr : found->second.get();
}

const ChunkedNumbers::Chunk* ChunkedNumbers::find(std::int64_t index) const {
    const auto* group = find_group(index / group_size);
    return group ? (*group)[static_cast<std::size_t>(index % group_size)].get() : nullptr;
}

void ChunkedNumbers::set(std::int64_t index, std::shared_ptr<const Chunk> chunk) {
    owned(owned(table_)[index / group_size])[static_cast<std::size_t>(index % group_size)] = std::move(chunk);
}

template <class Number>
void ChunkedNumbers::read_as(std::int64_t first, std::span<Number> values) const {
    if (source_)
        source_->read(first, values);
    if (!table_)
        return;
    const auto last = first + std::ssize(values);
    constexpr auto in_group = group_size * chunk_size;
    for (auto group = table_->lower_bound(first / in_group); group != table_->end(); ++group) {
        const auto group_first = group->first * in_group;
        if (group_first >= last)
            break;
        const auto begin = std::max<std::int64_t>(0, (first - group_first) / chunk_size),
                   end = std::min(group_size, (last - group_first + chunk_size - 1) / chunk_size);
        for (auto index = begin; index < end; ++index) {
            const auto* chunk = (*group->second)[static_cast<std::size_t>(index)].get();
            if (!chunk)
                continue;
            const auto chunk_first = group_first + index * chunk_size;
            const auto from = std::max(first, chunk_first), to = std::min(last, chunk_first + chunk_size);
            decode(*chunk, from - chunk_first,
                   values.subspan(static_cast<std::size_t>(from - first), static_cast<std::size_t>(to - from)));
        }
    }
}

void ChunkedNumbers::read(std::int64_t first, std::span<double> values) const { read_as(first, values); }
void ChunkedNumbers::read(std::int64_t first, std::span<float> values) const { read_as(first, values); }

void ChunkedNumbers::write(std::int64_t first, std::span<const double> values) {
    while (!values.empty()) {
        const auto index = first / chunk_size, at = first % chunk_size, count = count_in(index);
        const auto part =
            values.first(static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(values), count - at)));
        if (std::ssize(part) == count) {
            set(index, encoded(part));
        } else {
            Numbers numbers;
            const auto all = std::span(numbers).first(static_cast<std::size_t>(count));
            read(index * chunk_size, all);
            std::ranges::copy(part, all.begin() + at);
            set(index, encoded(all));
        }
        values = values.subspan(part.size());
        first += std::ssize(part);
    }
}

void ChunkedNumbers::assign(std::span<const double> numbers) {
    Numbers before;
    for (std::int64_t index = 0; index * chunk_size < size_; ++index) {
        const auto part =
            numbers.subspan(static_cast<std::size_t>(index * chunk_size), static_cast<std::size_t>(count_in(index)));
        const bool known = source_ || find(index);
        if (known)
            read(index * chunk_size, std::span(before).first(part.size()));
        if (!known || std::memcmp(before.data(), part.data(), part.size_bytes()) != 0)
            set(index, encoded(part));
    }
}

bool ChunkedNumbers::each_chunk(
    const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const {
    if (!table_)
        return true;
    Numbers numbers;
    for (const auto& [number, group] : *table_)
        for (std::int64_t at = 0; at < group_size; ++at)
            if (const auto& chunk = (*group)[static_cast<std::size_t>(at)]) {
                const auto index = number * group_size + at;
                const auto all = std::span(numbers).first(static_cast<std::size_t>(count_in(index)));
                decode(*chunk, 0, all);
                if (!see(index * chunk_size, all))
                    return false;
            }
    return true;
}

bool ChunkedNumbers::equal_where_written(const ChunkedNumbers& other) const {
    Numbers mine, others;
    if (!table_)
        return true;
    for (const auto& [number, group] : *table_) {
        const auto* beside_group = other.find_group(number);
        if (group.get() == beside_group)
            continue;
        for (std::size_t at = 0; at < group->size(); ++at) {
            const auto* chunk = (*group)[at].get();
            if (!chunk || (beside_group && (*beside_group)[at].get() == chunk))
                continue;
            const auto index = number * group_size + static_cast<std::int64_t>(at);
            const auto count = static_cast<std::size_t>(count_in(index));
            decode(*chunk, 0, std::span(mine).first(count));
            other.read(index * chunk_size, std::span(others).first(count));
            const auto equal = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
            if (!std::equal(mine.data(), mine.data() + count, others.data(), equal))
                return false;
        }
    }
    return true;
}

bool ChunkedNumbers::equals(const ChunkedNumbers& other) const {
    return table_ == other.table_ || (equal_where_written(other) && other.equal_where_written(*this));
}

void ChunkedNumbers::each_allocation(const std::function<bool(const void* identity, std::size_t bytes)>& see,
                                     const ChunkedNumbers* seen) const {
    constexpr std::size_t overhead = 32; // of an allocation and its reference counts
    constexpr std::size_t node = 64;     // of a map
    if (!table_ || !see(table_.get(), overhead + table_->size() * node))
        return;
    for (const auto& [number, group] : *table_) {
        const auto* known = seen ? seen->find_group(number) : nullptr;
        if (group.get() == known || !see(group.get(), overhead + sizeof(Group)))
            continue;
        for (std::size_t at = 0; at < group->size(); ++at)
            if (const auto* chunk = (*group)[at].get(); chunk && !(known && (*known)[at].get() == chunk))
                see(chunk, overhead + (chunk->of_bytes ? sizeof(ByteChunk) : sizeof(DoubleChunk)));
    }
}

} // namespace attnlab
