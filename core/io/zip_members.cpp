#include "core/io/zip_members.h"

#include <algorithm>
#include <cstring>

namespace attnlab::io {
namespace {

/// Numbers of an archive, low byte first. A place outside gives 0, which no signature is and no check lets through.
class Numbers {
public:
    explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint64_t size() const { return bytes_.size(); }
    bool holds(std::uint64_t at, std::uint64_t count) const { return at <= size() && count <= size() - at; }
    std::uint64_t number(std::uint64_t at, unsigned width) const {
        std::uint64_t value = 0;
        for (unsigned byte = holds(at, width) ? width : 0; byte-- > 0;)
            value = value << 8 | std::to_integer<std::uint64_t>(bytes_[at + byte]);
        return value;
    }
    std::uint64_t u16(std::uint64_t at) const { return number(at, 2); }
    std::uint64_t u32(std::uint64_t at) const { return number(at, 4); }
    std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }
    bool says(std::uint64_t at, std::string_view text) const {
        return holds(at, text.size()) && std::memcmp(bytes_.data() + at, text.data(), text.size()) == 0;
    }

private:
    std::span<const std::byte> bytes_;
};

constexpr std::uint64_t beyond_32_bits = 0xffffffff;

struct Directory {
    std::uint64_t first = 0, last = 0;
};

std::optional<Directory> directory_of(const Numbers& archive) {
    constexpr std::uint64_t end_size = 22, longest_comment = 0xffff, locator_size = 20;
    if (archive.size() < end_size)
        return std::nullopt;
    const auto earliest = archive.size() - std::min(archive.size(), end_size + longest_comment);
    auto end = archive.size() - end_size;
    while (!archive.says(end, "PK\5\6"))
        if (end-- == earliest)
            return std::nullopt;
    auto length = archive.u32(end + 12), first = archive.u32(end + 16);
    if (length == beyond_32_bits || first == beyond_32_bits) {
        if (end < locator_size || !archive.says(end - locator_size, "PK\6\7"))
            return std::nullopt;
        const auto wide_end = archive.u64(end - locator_size + 8);
        if (!archive.says(wide_end, "PK\6\6"))
            return std::nullopt;
        length = archive.u64(wide_end + 40);
        first = archive.u64(wide_end + 48);
    }
    if (!archive.holds(first, length))
        return std::nullopt;
    return Directory{first, first + length};
}

struct Entry {
    std::uint64_t method, stored_size, size, local, name, name_length, next;
};

/// Replaces what did not fit into 32 bits.
void read_wide_sizes(const Numbers& archive, Entry& entry, std::uint64_t at, std::uint64_t last) {
    constexpr std::uint64_t wide_id = 1;
    for (std::uint64_t length = 0; at + 4 <= last; at += 4 + length) {
        length = archive.u16(at + 2);
        if (archive.u16(at) != wide_id)
            continue;
        auto field = at + 4;
        for (auto* value : {&entry.size, &entry.stored_size, &entry.local})
            if (*value == beyond_32_bits) {
                *value = archive.u64(field);
                field += 8;
            }
        return;
    }
}

std::optional<Entry> entry_at(const Numbers& archive, std::uint64_t at, std::uint64_t last) {
    constexpr std::uint64_t fixed = 46;
    if (at + fixed > last || !archive.says(at, "PK\1\2"))
        return std::nullopt;
    const auto extra = archive.u16(at + 30);
    Entry entry{archive.u16(at + 10),
                archive.u32(at + 20),
                archive.u32(at + 24),
                archive.u32(at + 42),
                at + fixed,
                archive.u16(at + 28),
                0};
    const auto first_extra = entry.name + entry.name_length;
    entry.next = first_extra + extra + archive.u16(at + 32);
    if (entry.next > last)
        return std::nullopt;
    read_wide_sizes(archive, entry, first_extra, first_extra + extra);
    return entry;
}

} // namespace

std::optional<std::size_t> stored_member(std::span<const std::byte> bytes, std::string_view name, std::uint64_t size) {
    const Numbers archive(bytes);
    const auto directory = directory_of(archive);
    if (!directory)
        return std::nullopt;
    for (auto entry = entry_at(archive, directory->first, directory->last); entry;
         entry = entry_at(archive, entry->next, directory->last)) {
        if (entry->name_length != name.size() || !archive.says(entry->name, name))
            continue;
        constexpr std::uint64_t fixed = 30, stored = 0;
        if (entry->method != stored || entry->size != size || entry->stored_size != size ||
            !archive.says(entry->local, "PK\3\4") || archive.u16(entry->local + 8) != stored)
            return std::nullopt;
        const auto first = entry->local + fixed + archive.u16(entry->local + 26) + archive.u16(entry->local + 28);
        return archive.holds(first, size) ? std::optional<std::size_t>(first) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace attnlab::io
