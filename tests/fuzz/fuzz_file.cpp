#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <unistd.h>

using namespace attnlab;

namespace {

/// In memory if there is such a folder.
std::filesystem::path temporary() {
    const std::filesystem::path memory = "/dev/shm";
    const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    return folder / ("attnlab-fuzz-" + std::to_string(::getpid()));
}

} // namespace

/// A file opened by name; its first byte selects the suffix. File-backed numbers equal those read into memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    static const auto suffixes = [] {
        auto all = io::readable_suffixes();
        std::ranges::sort(all);
        return all;
    }();
    const auto path = temporary().replace_extension(suffixes[data[0] % suffixes.size()]);
    {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
    }
    fuzz::guarded([&] {
        auto limits = fuzz::limits;
        std::string view;
        const auto held = io::read_problem(path, &view, limits);
        limits.map_from = 1;
        const auto left = io::read_problem(path, &view, limits);
        for (const auto& [name, tensor] : left.tensors)
            if (const auto other = held.tensors.find(name); other != held.tensors.end())
                fuzz::require(tensor == other->second);
    });
    std::filesystem::remove(path);
    return 0;
}
