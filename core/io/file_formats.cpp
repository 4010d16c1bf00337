#include "core/io/file_formats.h"

#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/utf8.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <span>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace attnlab::io {
namespace {

/// Bytes by which a format is recognised, as format_of_beginning() promises.
constexpr std::int64_t known_by = 256;

/// The memory of this machine, or of the control group of this process.
std::int64_t memory_of_machine() {
    auto memory = std::numeric_limits<std::int64_t>::max();
    if (const auto pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE); pages > 0 && size > 0)
        memory = static_cast<std::int64_t>(pages) * size;
    for (const auto* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::int64_t limit = 0;
        if (std::ifstream(file) >> limit && limit > 0) // "max": none
            memory = std::min(memory, limit);
    }
    return memory;
}

/// The same, or less after `ulimit -v`.
std::int64_t memory_of_process() {
    static const auto of_machine = memory_of_machine();
    auto memory = of_machine;
    for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (::getrlimit(kind, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(memory))
            memory = static_cast<std::int64_t>(limit.rlim_cur);
    }
    return memory;
}

std::string lower_suffix(const std::filesystem::path& path) {
    const auto suffix = lowered(path.extension().string());
    return suffix.empty() ? suffix : suffix.substr(1);
}

/// The row with this suffix, and its entry.
std::pair<const FileFormat*, const TensorFormat*> by_suffix(const std::filesystem::path& path) {
    const auto suffix = lower_suffix(path);
    for (const auto& format : file_formats())
        if (const auto found = std::ranges::find(format.suffixes, suffix, &TensorFormat::suffix);
            found != format.suffixes.end())
            return {&format, &*found};
    return {};
}

/// The most certain one.
std::pair<const FileFormat*, Match> by_content(const FileBeginning& beginning) {
    std::pair<const FileFormat*, Match> best{nullptr, Match::No};
    for (const auto& format : file_formats())
        if (const auto match = format.match ? format.match(beginning) : Match::No; match > best.second)
            best = {&format, match};
    return best;
}

template <class Has>
std::vector<std::string> suffixes_of(Has has) {
    std::vector<std::string> suffixes;
    for (const auto& format : file_formats())
        for (const auto& one : format.suffixes)
            if (has(format, one))
                suffixes.emplace_back(one.suffix);
    return suffixes;
}

} // namespace

#define ATTNLAB_FILE_FORMAT(name) FileFormat name();
#include "file_format_list.inc"
#undef ATTNLAB_FILE_FORMAT

std::span<const FileFormat> file_formats() {
    static const auto table = [] {
        std::vector<FileFormat> rows = {
#define ATTNLAB_FILE_FORMAT(name) name(),
#include "file_format_list.inc"
#undef ATTNLAB_FILE_FORMAT
        };
        std::ranges::sort(rows, {}, &FileFormat::place);
        return rows;
    }();
    return table;
}

std::int64_t most_in_memory(const ReadLimits& limits) {
    return std::min(limits.max_bytes, limits.memory.value_or(memory_of_process() / 4 * 3));
}

const FileFormat* format_of(const std::filesystem::path& path, const RunControl* control) {
    const auto beginning = read_beginning(path, known_by);
    const auto [found, match] = by_content({beginning, &path, control});
    if (match > Match::Doubtful)
        return found;
    const auto* format = by_suffix(path).first;
    return match == Match::Doubtful && (!format || format->is_text) ? found : format;
}

const FileFormat* format_of_beginning(std::string_view bytes) { return by_content({bytes}).first; }

void fail_by_format(const std::filesystem::path& path) {
    if (read_beginning(path, 4) == "GGUF")
        throw Error({ATTNLAB_TEXT("%1: holds a model (GGUF), which 'attnlab model' opens; expected arrays: %2"),
                     {path.string(), suffix_list(readable_suffixes())}});
    throw Error(
        {ATTNLAB_TEXT("%1: is of an unknown type, expected %2"), {path.string(), suffix_list(readable_suffixes())}});
}

void add_label(std::string label, std::vector<std::string>& labels, std::string_view name) {
    if (std::ssize(labels) == most_labels)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 labels"), {std::string(name), std::to_string(most_labels)}});
    if (std::ssize(label) > longest_label)
        throw Error({ATTNLAB_TEXT("%1: label '%2' has %3 bytes; at most %4 may be read"),
                     {std::string(name), excerpt(label), std::to_string(label.size()), std::to_string(longest_label)}});
    labels.push_back(std::move(label));
}

void check_name(std::string_view name, std::string_view file) {
    if (std::ssize(name) > longest_name)
        throw Error({ATTNLAB_TEXT("%1: the name '%2' has %3 bytes; at most %4 may be read"),
                     {std::string(file), excerpt(name), std::to_string(name.size()), std::to_string(longest_name)}});
}

std::string excerpt(std::string_view text, std::size_t most) {
    auto length = std::min(text.size(), most);
    while (length < text.size() && length > 0 && is_continuation(text[length]))
        --length;
    std::string result(text.substr(0, length));
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
    return result + (length < text.size() ? "…" : "");
}

TensorMap read_tensors(const std::filesystem::path& path, const ReadLimits& limits,
                       std::vector<std::string>* row_labels) {
    const auto* format = format_of(path, limits.control);
    if (!format)
        fail_by_format(path);
    return format->read(path, limits, row_labels);
}

bool stores_workspaces(const std::filesystem::path& path, const RunControl* control) {
    const auto* format = format_of(path, control);
    return format && format->stores_workspaces;
}

const Tensor& only_tensor(const std::filesystem::path& path, const TensorMap& tensors) {
    if (tensors.size() != 1)
        throw Error({ATTNLAB_TEXT("%1: a .%2 file holds one array, not %3; save as .npz"),
                     {path.string(), lower_suffix(path), std::to_string(tensors.size())}});
    return tensors.begin()->second;
}

std::span<const TensorFormat> tensor_formats() {
    static const auto table = [] {
        std::vector<TensorFormat> all;
        for (const auto& format : file_formats())
            all.insert(all.end(), format.suffixes.begin(), format.suffixes.end());
        return all;
    }();
    return table;
}

void write_tensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control,
                   const MatrixLabels& labels) {
    const auto* format = by_suffix(path).second;
    if (!format || !format->write)
        throw Error({ATTNLAB_TEXT("%1: cannot be written as this type, expected %2"),
                     {path.string(), suffix_list(writable_suffixes())}});
    format->write(path, tensors, labels, control);
}

const std::vector<std::string>& readable_suffixes() {
    static const auto suffixes = suffixes_of([](const auto&, const auto&) { return true; });
    return suffixes;
}

const std::vector<std::string>& writable_suffixes() {
    static const auto suffixes = suffixes_of([](const auto&, const TensorFormat& one) { return one.write != nullptr; });
    return suffixes;
}

const std::vector<std::string>& usual_suffixes() {
    static const auto suffixes = suffixes_of([](const FileFormat& format, const TensorFormat& one) {
        return format.holds_arrays && !one.is_picture && (one.write || &one == &format.suffixes.front());
    });
    return suffixes;
}

std::string suffix_list(const std::vector<std::string>& suffixes) {
    std::string text;
    for (const auto& suffix : suffixes)
        text += (text.empty() ? "." : ", .") + suffix;
    return text;
}

namespace {

/// Reads the numbers that are deferred.
void load_all(Contents& contents, const RunControl* control) {
    std::vector<Tensor*> arrays;
    for (auto& array : contents.arrays)
        arrays.push_back(&array.tensor);
    if (contents.capture) // the same arrays
        for (auto& [name, tensor] : contents.capture->tensors)
            arrays.push_back(&tensor);
    load(arrays, control);
}

/// Bytes of labels, each with its string.
std::int64_t size_of(std::span<const HeldLabels> labels) {
    std::size_t size = 0;
    for (const auto& list : labels)
        for (const auto& label : list.labels)
            size += sizeof(std::string) + label.size();
    return static_cast<std::int64_t>(size);
}

} // namespace

void FileContents::hold(std::string name, Tensor tensor) {
    limits_.checkpoint();
    contents_.arrays.push_back({std::move(name), std::move(tensor), name_, has_types_});
}

void FileContents::hold(std::string name, std::vector<std::string> labels) {
    if (!labels.empty())
        contents_.labels.push_back({std::move(name), std::move(labels), name_});
}

void FileContents::leave(std::string name, Message what) {
    limits_.checkpoint();
    contents_.others.push_back({std::move(name), std::move(what), name_});
}

void FileContents::hold_workspace(AttentionProblem problem, std::string view_json) {
    if (contents_.workspace)
        throw Error({ATTNLAB_TEXT("%1: is a workspace, as another of the files is; expected one"), {name_}});
    contents_.workspace = std::move(problem);
    contents_.view_json = std::move(view_json);
}

void FileContents::hold_capture(Capture capture) {
    if (contents_.capture)
        throw Error({ATTNLAB_TEXT("%1: is a capture, as another of the files is; expected one"), {name_}});
    contents_.capture = std::move(capture);
}

Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits) {
    Contents contents;
    auto left = limits;
    left.defer = true;
    for (const auto& path : paths) {
        const auto arrays_before = contents.arrays.size(), labels_before = contents.labels.size();
        const auto* format = format_of(path, left.control);
        if (!format)
            fail_by_format(path);
        FileContents file(contents, path, left, !format->is_text);
        format->read_contents(file);
        if (limits.defer)
            continue;
        std::vector<Tensor*> arrays;
        for (auto& array : std::span(contents.arrays).subspan(arrays_before))
            arrays.push_back(&array.tensor);
        const ArraysInMemory needed(arrays);
        needed.require(left, path.string());
        const auto labels = size_of(std::span<const HeldLabels>(contents.labels).subspan(labels_before));
        left.max_bytes = std::max<std::int64_t>(0, most_in_memory(left) - needed.bytes - labels);
    }
    if (!limits.defer)
        load_all(contents, limits.control);
    return contents;
}

} // namespace attnlab::io
