// Numbers that stay in their file until they are asked for.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/number_source.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

/// `count` elements from byte `offset` of a file on, in this machine's byte order unless `swapped`. Elements whose
/// values may be refused (integers of 64 bits) are not for this. `name` is what messages call the array. Throws Error
/// as InputFile::settle.
std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const InputFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name);

/// Where an array lies that stays in its file: enough to find it again.
struct FilePlace {
    std::shared_ptr<const InputFile> file;
    std::int64_t offset = 0;
    const ElementType* type = nullptr;
    bool swapped = false;
};

/// Nothing where the numbers are not those of numbers_in().
std::optional<FilePlace> place_of(const NumberSource& numbers);

/// Fills `values` from the elements that begin at `offset`, a piece at a time. `first` is what messages call the first
/// of them. Throws Error as ByteSource and ElementType::decode.
void read_elements(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                   std::span<double> values, std::string_view name, std::size_t first = 0);

} // namespace attnlab::io
