#include "core/lessons/archive.h"

#include "core/io/npz.h"

#include <memory>
#include <utility>

namespace attnlab::lessons {
namespace {

constexpr std::int64_t most_packed_bytes = std::int64_t{1} << 26;

} // namespace

std::function<std::optional<std::string>(const std::string&)> members_of(const std::filesystem::path& archive) {
    return [archive, read = std::make_shared<std::optional<io::Archive>>()](
               const std::string& name) -> std::optional<std::string> {
        if (!*read) {
            io::ReadLimits limits;
            limits.max_bytes = most_packed_bytes;
            *read = io::read_npz(archive, limits, io::Members::All);
        }
        const auto& members = (*read)->others;
        const auto found = members.find(name);
        return found == members.end() ? std::nullopt : std::optional(found->second);
    };
}

void write_archive(const std::filesystem::path& archive, const LessonFiles& files) {
    io::Archive packed;
    const auto add = [&](const std::string& name) {
        if (auto bytes = files.in_lesson(name))
            packed.others.emplace(name, *std::move(bytes));
    };
    add("scene.json");
    for (const auto language : languages)
        add(std::string(language) + ".md");
    io::write_npz(archive, packed);
}

} // namespace attnlab::lessons
