// Writes and reads the folder of a RecoveryCopy.
#include "core/io/saved/recovery_copy.h"

#include "core/chunked_numbers.h"
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io::recovery {

/// A workspace without the arrays that are stored elsewhere; written last.
inline constexpr const char* work_file = "work.npz";
inline constexpr const char* about_file = "about.json"; ///< the document's title and file
inline constexpr const char* workspace_member = "workspace.json";
inline constexpr const char* arrays_member = "arrays.json"; ///< the position of each array
inline constexpr int version = 1;

/// A large array that is in no other file.
inline std::string array_file(int number) { return "array-" + std::to_string(number) + ".npy"; }
inline bool is_array_file(const std::filesystem::path& name) { return name.string().starts_with("array-"); }
/// The numbers written on top of the array with this index in the list.
inline std::string edits_member(std::size_t number) { return "edits-" + std::to_string(number); }

/// Names of files and arrays may hold any bytes; JSON holds UTF-8. Bytes beyond ASCII, and %, become %41.
std::string escaped(std::string_view bytes);
/// Throws Error for text that escaped() does not produce.
std::string unescaped(std::string_view text);

} // namespace attnlab::io::recovery

namespace attnlab::io {

std::unique_ptr<FileLock> FileLock::take(const std::filesystem::path& path) {
    constexpr mode_t for_its_owner = 0600;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_its_owner);
    if (descriptor < 0)
        return nullptr;
    // A previous owner may have removed the file between the two calls: a lock on it would not exclude others.
    struct stat locked, named;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::fstat(descriptor, &locked) != 0 ||
        ::stat(path.c_str(), &named) != 0 || locked.st_ino != named.st_ino || locked.st_dev != named.st_dev) {
        ::close(descriptor);
        return nullptr;
    }
    return std::unique_ptr<FileLock>(new FileLock(path, descriptor));
}

FileLock::~FileLock() {
    ::unlink(path_.c_str());
    ::close(descriptor_);
}

namespace {

constexpr std::int64_t most_inline = 1 << 17; ///< numbers; smaller arrays are written as a whole each time
constexpr std::int64_t most_edits = 1 << 22;  ///< numbers; with more edits the array is written anew

nlohmann::json to_json(const FileStamp& stamp) {
    return {{"size", stamp.size}, {"modified", stamp.modified}, {"inode", stamp.inode}};
}

/// Runs of numbers: for each the index of the first, their count, and the numbers.
class Edits {
public:
    explicit Edits(std::int64_t size) : most_(std::min(most_edits, size / 4)) {}

    /// False when there are too many.
    bool add(std::int64_t first, std::span<const double> numbers) {
        const std::int64_t head[] = {first, std::ssize(numbers)};
        append(std::as_bytes(std::span(head)));
        append(std::as_bytes(numbers));
        most_ -= std::ssize(numbers);
        return most_ >= 0;
    }
    const std::string& bytes() const { return bytes_; }

private:
    void append(std::span<const std::byte> bytes) {
        bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    std::int64_t most_;
    std::string bytes_;
};

/// The numbers of `now` that differ from those of `base`, of the same size; nullopt where there are too many.
std::optional<std::string> differences(const Tensor& base, const Tensor& now, const RunControl& control) {
    constexpr std::int64_t at_once = 1 << 16;
    Edits edits(now.size());
    std::vector<double> before(static_cast<std::size_t>(std::min(at_once, now.size()))), after(before.size());
    for (std::int64_t first = 0; first < now.size(); first += at_once) {
        control.checkpoint();
        const auto count = static_cast<std::size_t>(std::min(at_once, now.size() - first));
        base.read(first, std::span(before).first(count));
        now.read(first, std::span(after).first(count));
        constexpr std::size_t block = ChunkedNumbers::chunk_size;
        for (std::size_t at = 0; at < count; at += block) {
            const auto length = std::min(block, count - at);
            // Compares bits: 0 and -0 differ here.
            if (std::memcmp(&before[at], &after[at], length * sizeof(double)) != 0 &&
                !edits.add(first + static_cast<std::int64_t>(at), std::span(after).subspan(at, length)))
                return std::nullopt;
        }
    }
    return edits.bytes();
}

} // namespace

/// Writes one copy.
class RecoveryWriter {
public:
    RecoveryWriter(RecoveryCopy& copy, const UnsavedWork& work, const RunControl& control)
        : copy_(copy), work_(work), control_(control) {}

    void run() {
        write_about();
        for (const auto& [name, tensor] : work_.problem.tensors) {
            control_.checkpoint();
            nlohmann::json entry{
                {"name", recovery::escaped(name)}, {"shape", tensor.shape()}, {"dtype", name_of(tensor.dtype())}};
            if (!refer_to_file(tensor, entry))
                keep(name, tensor, entry);
            arrays_.push_back(std::move(entry));
        }
        archive_.others.emplace(recovery::workspace_member, spec_to_json(work_.problem, work_.view_json));
        archive_.others.emplace(recovery::arrays_member,
                                dump({{"version", recovery::version}, {"arrays", std::move(arrays_)}}));
        write_npz(copy_.folder_ / recovery::work_file, archive_, control_);
        copy_.bases_ = std::move(bases_);
        remove_unused_files();
    }

private:
    void write_about() {
        nlohmann::json json{{"title", work_.title}, {"path", recovery::escaped(work_.path.string())}};
        if (work_.stamp)
            json["stamp"] = to_json(*work_.stamp);
        auto text = dump(json);
        if (text == copy_.about_)
            return;
        write_file(copy_.folder_ / recovery::about_file, text, control_);
        copy_.about_ = std::move(text);
    }

    /// False where the numbers are not in an unchanged file, or too many were written on top.
    bool refer_to_file(const Tensor& tensor, nlohmann::json& entry) {
        const auto source = tensor.source();
        const auto place = source ? place_of(*source) : std::nullopt;
        if (!place || stamp_of(place->file->path()) != place->file->stamp())
            return false;
        Edits edits(tensor.size());
        if (!tensor.each_written(
                [&](std::int64_t first, std::span<const double> numbers) { return edits.add(first, numbers); }))
            return false;
        entry["file"] = recovery::escaped(place->file->path().string());
        entry["stamp"] = to_json(place->file->stamp());
        entry["offset"] = place->offset;
        entry["type"] = place->type->safetensors;
        entry["swapped"] = place->swapped;
        add_edits(edits.bytes(), entry);
        return true;
    }

    /// Stores it in the archive, or as a separate file.
    void keep(const std::string& name, const Tensor& tensor, nlohmann::json& entry) {
        if (tensor.size() <= most_inline) {
            archive_.tensors.emplace(recovery::escaped(name), tensor); // names of members must be UTF-8
            return;
        }
        if (const auto base = copy_.bases_.find(name);
            base != copy_.bases_.end() && base->second.tensor.size() == tensor.size()) {
            const auto edits = base->second.tensor.shares_storage_with(tensor)
                                   ? std::string()
                                   : differences(base->second.tensor, tensor, control_);
            if (edits) {
                entry["own"] = base->second.file;
                add_edits(*edits, entry);
                bases_.insert(*base);
                return;
            }
        }
        const auto file = recovery::array_file(++copy_.files_);
        const auto write = [&](std::ostream& stream) {
            NpyPieces pieces(tensor, compact_npy_type(tensor));
            for (std::string piece; stream && pieces.next(piece); control_.checkpoint())
                stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        };
        write_file(copy_.folder_ / file, write, control_);
        entry["own"] = file;
        // Recorded now: if this copy is cancelled, the next one need not write the array again.
        copy_.bases_.insert_or_assign(name, RecoveryCopy::Base{tensor, file});
        bases_.insert_or_assign(name, RecoveryCopy::Base{tensor, file});
    }

    void add_edits(const std::string& edits, nlohmann::json& entry) {
        if (edits.empty())
            return;
        const auto member = recovery::edits_member(arrays_.size());
        entry["edits"] = member;
        archive_.others.emplace(member, edits);
    }

    void remove_unused_files() const {
        std::set<std::filesystem::path> used;
        for (const auto& [name, base] : copy_.bases_)
            used.insert(base.file);
        std::error_code ignored;
        for (const auto& file : std::filesystem::directory_iterator(copy_.folder_, ignored))
            if (recovery::is_array_file(file.path().filename()) && !used.contains(file.path().filename()))
                std::filesystem::remove(file.path(), ignored);
    }

    RecoveryCopy& copy_;
    const UnsavedWork& work_;
    const RunControl& control_;
    Archive archive_;
    nlohmann::json arrays_ = nlohmann::json::array();
    std::map<std::string, RecoveryCopy::Base> bases_;
};

void RecoveryCopy::write(const UnsavedWork& work, const RunControl& control) {
    try {
        std::filesystem::create_directories(folder_);
    } catch (const std::filesystem::filesystem_error& error) {
        throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {folder_.string(), error.code().message()}});
    }
    RecoveryWriter(*this, work, control).run();
}

void RecoveryCopy::remove() {
    // Removes the work file first, so that the rest of a folder that cannot be removed is not offered.
    std::error_code ignored;
    std::filesystem::remove(folder_ / recovery::work_file, ignored);
    std::filesystem::remove_all(folder_, ignored);
    bases_.clear();
    about_.clear();
}

// Implements the part of recovery_copy.h about reading a copy.

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
            throw Error({ATTNLAB_TEXT("'%1' is not the name of a file or an array"), {std::string(text)}});
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
