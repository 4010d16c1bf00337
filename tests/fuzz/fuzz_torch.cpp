#include "core/io/torch_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

namespace {

std::string little_endian(std::size_t value, int bytes) {
    std::string text;
    for (int byte = 0; byte < bytes; ++byte, value >>= 8)
        text += static_cast<char>(value & 0xff);
    return text;
}

/// A zip archive of a pickle and one storage, so that every change of either reaches the reader.
std::string archive_of(const std::string& pickle, const std::string& storage) {
    std::string archive, directory;
    for (const auto& [name, bytes] : {std::pair("f/data.pkl", pickle), std::pair("f/data/0", storage)}) {
        const auto size = little_endian(bytes.size(), 4);
        const auto shared = little_endian(20, 2) + std::string(12, '\0') + size + size +
                            little_endian(std::string_view(name).size(), 2) + little_endian(0, 2);
        directory +=
            "PK\1\2" + little_endian(20, 2) + shared + std::string(10, '\0') + little_endian(archive.size(), 4) + name;
        archive += "PK\3\4" + shared + name + bytes;
    }
    const auto end = std::string("PK\5\6") + std::string(4, '\0') + little_endian(2, 2) + little_endian(2, 2) +
                     little_endian(directory.size(), 4) + little_endian(archive.size(), 4) + little_endian(0, 2);
    return archive + directory + end;
}

/// File-backed arrays equal those read into memory.
void read_both(std::span<const std::byte> bytes) {
    const auto file = io::read_torch(bytes, "file.pt", fuzz::limits);
    auto mapped_limits = fuzz::limits;
    mapped_limits.map_from = 1;
    auto mapped = io::read_torch(bytes, "file.pt", mapped_limits);
    fuzz::require(mapped.tensors.size() == file.tensors.size());
    for (std::size_t i = 0; i < file.tensors.size(); ++i) {
        const auto& [name, tensor] = file.tensors[i];
        fuzz::require(mapped.tensors[i].first == name);
        fuzz::require(tensor.in_memory());
        const auto same = std::move(mapped.tensors[i].second); // releases its numbers
        fuzz::require(same == tensor);
    }
}

} // namespace

/// A file; or a pickle, whose length is in the first two bytes, and a storage.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto text = fuzz::text(data, size);
        if (size < 2 || text.starts_with("PK") || io::has_legacy_torch_signature(text))
            return read_both(fuzz::bytes(data, size));
        const auto length = std::size_t{data[0]} | std::size_t{data[1]} << 8;
        const auto pickle = text.substr(2, length);
        const auto archive = archive_of(pickle, text.substr(2 + pickle.size()));
        read_both(std::as_bytes(std::span(archive)));
    });
}
