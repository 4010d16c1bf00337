// Implements the part of recovery_copy.h about reading a copy.
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/recovery_copy.h"
#include "core/io/recovery_format.h"
#include "core/io/workspace.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace attnlab::io {

namespace recovery {

std::string escaped(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte < 0x7f && c != '%')
            text += c;
        else
            text += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return text;
}

std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            bytes += text[at];
            continue;
        }
        unsigned char byte = 0;
        const auto digits = text.substr(at + 1, 2);
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || read.ptr != digits.data() + 2)
            throw Error({ATTNLAB_TEXT("'%1' is no name of a file or an array"), {std::string(text)}});
        bytes += static_cast<char>(byte);
        at += 2;
    }
    return bytes;
}

} // namespace recovery

namespace {

/// No limits, since the data was in memory before.
constexpr ReadLimits everything{.max_elements = std::numeric_limits<std::int64_t>::max() / 16,
                                .max_bytes = std::numeric_limits<std::int64_t>::max() / 2,
                                .map_from = std::numeric_limits<std::int64_t>::max(),
                                .memory = std::numeric_limits<std::int64_t>::max()};

[[noreturn]] void fail(const std::filesystem::path& folder) {
    throw Error({ATTNLAB_TEXT("%1: is damaged"), {(folder / recovery::work_file).string()}});
}

FileStamp stamp_from(const JsonNode& place) {
    place.require_keys({"size", "modified", "inode"});
    return {place.at("size").integer(), place.at("modified").integer(), place.at("inode").integer()};
}

Shape shape_from(const JsonNode& place) {
    Shape shape;
    for (const auto& size : place.items())
        shape.push_back(size.integer());
    return shape;
}

/// The title, the file and its stamp. A copy without them is still usable.
UnsavedWork about(const std::filesystem::path& folder) {
    constexpr std::int64_t largest = 1 << 20;
    const auto path = folder / recovery::about_file;
    UnsavedWork work;
    try {
        const auto json = parse_json(read_file(path, largest), path.string());
        const auto& root = json.root();
        UnsavedWork read;
        read.title = root.at("title").text();
        read.path = recovery::unescaped(root.at("path").text());
        if (const auto* stamp = root.find("stamp"))
            read.stamp = stamp_from(*stamp);
        work = std::move(read);
    } catch (const Error&) {
    }
    return work;
}

/// One array of the list.
struct RecoveredEntry {
    explicit RecoveredEntry(const JsonNode& place)
        : json(place), name(recovery::unescaped(place.at("name").text())), shape(shape_from(place.at("shape"))) {
        place.require_keys({"name", "shape", "dtype", "file", "stamp", "offset", "type", "swapped", "own", "edits"});
        const auto word = place.at("dtype").text();
        for (const auto& type : element_types())
            if (name_of(type.dtype) == word)
                dtype = type.dtype;
    }
    const JsonNode& json;
    std::string name;
    Shape shape;
    DType dtype = DType::Float64;
};

class Reader {
public:
    Reader(const std::filesystem::path& folder, const ReadLimits& limits)
        : folder_(folder), limits_(limits), archive_(read_npz(folder / recovery::work_file, limits, Members::All)) {}

    RecoveredWork read() {
        found_.work = about(folder_);
        auto& problem = found_.work.problem;
        spec_from_json(member(recovery::workspace_member), problem, &found_.work.view_json);
        const auto json =
            parse_json(member(recovery::arrays_member), (folder_ / recovery::work_file).string() + ": arrays");
        const auto& root = json.root();
        if (root.at("version").integer() != recovery::version)
            root.at("version").fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected 1"));
        for (const auto& place : root.at("arrays").items()) {
            limits_.checkpoint();
            const RecoveredEntry entry(place);
            if (auto tensor = read(entry))
                problem.tensors.emplace(entry.name, std::move(*tensor));
        }
        return std::move(found_);
    }

private:
    const std::string& member(const std::string& name) const {
        const auto found = archive_.others.find(name);
        if (found == archive_.others.end())
            fail(folder_);
        return found->second;
    }

    /// nullopt where its file is gone or has changed.
    std::optional<Tensor> read(const RecoveredEntry& entry) {
        auto tensor = entry.json.find("file") ? mapped(entry) : kept(entry);
        if (!tensor)
            return std::nullopt;
        if (tensor->size() != element_count(entry.shape, entry.name))
            fail(folder_);
        auto result = tensor->reshaped(entry.shape).with_dtype(entry.dtype);
        tensor.reset(); // so that writing happens in place
        if (entry.json.find("edits"))
            apply(member(entry.json.at("edits").text()), result);
        return result;
    }

    Tensor kept(const RecoveredEntry& entry) const {
        if (entry.json.find("own")) {
            const std::filesystem::path file = entry.json.at("own").text();
            if (!recovery::is_array_file(file) || file.has_parent_path())
                fail(folder_);
            return read_npy(folder_ / file, limits_);
        }
        const auto found = archive_.tensors.find(recovery::escaped(entry.name));
        if (found == archive_.tensors.end())
            fail(folder_);
        return found->second;
    }

    std::optional<Tensor> mapped(const RecoveredEntry& entry) {
        const std::filesystem::path path = recovery::unescaped(entry.json.at("file").text());
        const auto stamp = stamp_from(entry.json.at("stamp"));
        const auto now = stamp_of(path);
        const std::vector<Argument> holes{path.string(), entry.name};
        if (!now) {
            found_.missing.push_back({ATTNLAB_TEXT("%1: is gone, and %2 was in it"), holes});
            return std::nullopt;
        }
        std::shared_ptr<const InputFile> file;
        if (now->same_content_as(stamp))
            file = std::make_shared<const InputFile>(path);
        if (!file || !file->stamp().same_content_as(stamp)) {
            found_.missing.push_back({ATTNLAB_TEXT("%1: has changed since, and %2 was in it"), holes});
            return std::nullopt;
        }
        const auto code = entry.json.at("type").text();
        const auto types = element_types();
        const auto type = std::ranges::find(types, code, &ElementType::safetensors);
        const auto offset = entry.json.at("offset").integer(), count = element_count(entry.shape, entry.name);
        if (type == types.end() || offset < 0 || offset > stamp.size || count > (stamp.size - offset) / type->size)
            fail(folder_);
        return Tensor::from({count},
                            numbers_in(file, offset, *type, entry.json.at("swapped").boolean(), count, path.string()),
                            entry.dtype);
    }

    void apply(const std::string& edits, Tensor& tensor) const {
        std::int64_t head[2];
        std::vector<double> numbers;
        for (std::size_t at = 0; at < edits.size(); at += numbers.size() * sizeof(double)) {
            if (edits.size() - at < sizeof(head))
                fail(folder_);
            std::memcpy(head, edits.data() + at, sizeof(head));
            at += sizeof(head);
            const auto [first, count] = head;
            const auto most = static_cast<std::int64_t>((edits.size() - at) / sizeof(double));
            if (first < 0 || first > tensor.size() || count < 1 || count > std::min(most, tensor.size() - first))
                fail(folder_);
            numbers.resize(static_cast<std::size_t>(count));
            std::memcpy(numbers.data(), edits.data() + at, numbers.size() * sizeof(double));
            tensor.write(first, numbers);
        }
    }

    std::filesystem::path folder_;
    ReadLimits limits_;
    Archive archive_;
    RecoveredWork found_;
};

} // namespace

RecoveredWork read_recovery_copy(const std::filesystem::path& copy, const RunControl& control) {
    auto limits = everything;
    limits.control = &control;
    std::error_code unknown;
    if (std::filesystem::is_directory(copy, unknown))
        return Reader(copy, limits).read();
    RecoveredWork found;
    found.work.problem = read_workspace(copy, &found.work.view_json, limits);
    return found;
}

std::optional<RecoveryLabel> recovery_label(const std::filesystem::path& copy) {
    constexpr std::int64_t second = 1'000'000'000;
    std::error_code unknown;
    const bool is_file = std::filesystem::is_regular_file(copy, unknown);
    const auto stamp = stamp_of(is_file ? copy : copy / recovery::work_file);
    if (!stamp)
        return std::nullopt;
    return RecoveryLabel{is_file ? std::string() : about(copy).title, stamp->modified / second};
}

} // namespace attnlab::io
