// Numbers that stay in their file until they are read.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/number_source.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// `count` elements from byte `offset` of a file on, in this machine's byte order unless `swapped`. Not for types whose
/// values may be rejected (64-bit integers). `name` is the array's name in messages. Throws Error as InputFile::settle.
std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const InputFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name);

/// The position of a file-backed array: enough to find it again.
struct FilePlace {
    std::shared_ptr<const InputFile> file;
    std::int64_t offset = 0;
    const ElementType* type = nullptr;
    bool swapped = false;
};

/// nullopt where the numbers are not from numbers_in().
std::optional<FilePlace> place_of(const NumberSource& numbers);

/// Reads `values` from the elements that begin at `offset`, in pieces. `first` is the index of the first one in
/// messages. Throws Error as ByteSource and ElementType::decode.
void read_elements(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                   std::span<double> values, std::string_view name, std::size_t first = 0);
/// `count` of them in memory of their own. Throws as above, and Cancelled.
std::vector<double> elements_at(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                                std::int64_t count, std::string_view name, const ReadLimits& limits);

/// `count` numbers in memory, of which `read` makes those from its first argument on. Polls the limits between pieces,
/// and touches no memory before its piece: a cancelled read has little to free. Throws Cancelled.
std::vector<double> numbers_in_pieces(std::int64_t count, const ReadLimits& limits,
                                      const std::function<void(std::int64_t first, std::span<double> piece)>& read);

} // namespace attnlab::io
