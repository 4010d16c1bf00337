// Opens and saves tensors by file name, and reads all contents of files; the common rules of all readers.
#pragma once

#include "core/attention.h"
#include "core/recognition/recognition.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// Limits that every reader applies before it allocates memory.
struct ReadLimits {
    std::int64_t max_elements = std::int64_t{1} << 30; ///< per array
    std::int64_t max_bytes = std::int64_t{8} << 30;    ///< all arrays of one file together, in memory
    /// From this number of bytes on, an array of floats stays in its file (see Tensor::in_memory) and counts towards
    /// neither limit. Arrays in archives and in Fortran order are always read.
    std::int64_t map_from = std::int64_t{64} << 20;
    /// Bytes of memory that arrays may take up; nullopt: three quarters of the memory that this process can have.
    std::optional<std::int64_t> memory = std::nullopt;
    /// Reads headers only: arrays are deferred (see file_numbers.h), and the limits apply when their numbers are
    /// asked for. For callers that need no numbers, or read several files.
    bool defer = false;
    /// Polled by every reader, at least every few milliseconds of its work; null: cannot be cancelled. Must outlive the
    /// read, and what it defers.
    const RunControl* control = nullptr;

    /// Throws Cancelled.
    void checkpoint() const {
        if (control)
            control->checkpoint();
    }
};

/// Bytes that arrays may take up in memory: max_bytes and `memory`.
std::int64_t most_in_memory(const ReadLimits& limits);

/// Bytes of a text table, which is loaded as a whole.
inline constexpr std::int64_t largest_text = std::int64_t{1} << 30;

/// The largest number of labels (of rows, columns, tokens) along an axis, and of bytes of each.
inline constexpr std::int64_t most_labels = 1'000'000;
inline constexpr std::int64_t longest_label = std::int64_t{1} << 16;
/// Appends a label from the file `name`. Throws Error beyond the limits.
void add_label(std::string label, std::vector<std::string>& labels, std::string_view name);

/// The largest number of bytes of the name of an array or of a list of labels.
inline constexpr std::int64_t longest_name = 1000;
/// Throws Error naming `file` beyond it: names appear in messages, menus and lists.
void check_name(std::string_view name, std::string_view file);

/// One line of at most `most` bytes of `text` for a message, with "…" where it is cut, without splitting UTF-8
/// characters.
std::string excerpt(std::string_view text, std::size_t most = 40);

struct FileFormat;

/// By content, otherwise by extension; nullptr if neither is known. Throws Error when the file cannot be read;
/// Cancelled where `control`, if not null, is.
const FileFormat* format_of(const std::filesystem::path& path, const RunControl* control = nullptr);
/// By the first bytes of a file (256 suffice); nullptr if no format recognises them.
const FileFormat* format_of_beginning(std::string_view bytes);
/// Throws the Error that lists the readable types.
[[noreturn]] void fail_by_format(const std::filesystem::path& path);

/// The arrays of a file of any readable format (format_of). A file with one array names it after the file's stem.
/// If `row_labels` is not null, it receives the row labels of a text table, or the list "tokens" of a .pt. Throws Error
/// that names the file and the member.
TensorMap read_tensors(const std::filesystem::path& path, const ReadLimits& limits = {},
                       std::vector<std::string>* row_labels = nullptr);

/// True if a workspace can be saved to the file again, by its format. Throws Error as format_of.
bool stores_workspaces(const std::filesystem::path& path, const RunControl* control = nullptr);

/// Labels of a matrix, stored in text tables.
struct MatrixLabels {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
};

/// The files of one format that have the same suffix.
struct TensorFormat {
    /// The content of one file.
    enum class Holds { Matrix, Tensor, Tensors };

    std::string_view suffix; ///< without the dot
    Holds holds = Holds::Tensors;
    const char* title = nullptr; ///< for the user; ATTNLAB_TEXT
    /// Null for a read-only format.
    void (*write)(const std::filesystem::path& path, const TensorMap& tensors, const MatrixLabels& labels,
                  const RunControl& control) = nullptr;
    bool has_labels = false; ///< stores MatrixLabels
    bool is_picture = false; ///< programs write it for people to look at
};
/// The suffixes of all formats. Dialogs and commands use this table.
std::span<const TensorFormat> tensor_formats();

/// The beginning of a file or of a stream.
struct FileBeginning {
    std::string_view bytes;
    const std::filesystem::path* path = nullptr; ///< null for a stream
    const RunControl* control = nullptr;
};
/// How certainly the content of a file shows its format. Of several formats the most certain one is taken. Doubtful
/// counts where the suffix is unknown or that of text.
enum class Match { No, Doubtful, Likely, Certain };

class FileContents;

/// A format that is read. The file core/io/formats/<name>.cpp adds a row: it defines `FileFormat <name>()`. CMake lists
/// the files of that folder.
struct FileFormat {
    int place; ///< of its suffixes in dialogs and messages: the lowest first
    std::span<const TensorFormat> suffixes;
    /// Null for a format that is known by its suffix alone.
    Match (*match)(const FileBeginning& beginning) = nullptr;
    /// See read_tensors(). Throws Error, Cancelled.
    TensorMap (*read)(const std::filesystem::path& path, const ReadLimits& limits,
                      std::vector<std::string>* row_labels);
    /// Adds all that a file holds: arrays, labels, a workspace (FileContents). Throws Error, Cancelled.
    void (*read_contents)(FileContents& file);
    /// Null for a format without workspaces; see read_problem() and read_view().
    AttentionProblem (*read_problem)(const std::filesystem::path& path, std::string* view_json,
                                     const ReadLimits& limits) = nullptr;
    std::optional<std::string> (*read_view)(const std::filesystem::path& path) = nullptr;
    bool is_text = false; ///< its numbers have no type
    bool holds_arrays = true;
    bool stores_workspaces = false; ///< write_workspace() writes it
};
std::span<const FileFormat> file_formats();

/// Throws Error unless there is one tensor.
const Tensor& only_tensor(const std::filesystem::path& path, const TensorMap& tensors);

/// Writes by extension: one matrix, one tensor or all tensors, depending on the format (Error for others). Atomic (see
/// write_file). Throws Error, Cancelled.
void write_tensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control = {},
                   const MatrixLabels& labels = {});

/// Suffixes of all tensor_formats, and of those that can be written.
const std::vector<std::string>& readable_suffixes();
const std::vector<std::string>& writable_suffixes();
/// The usual suffix of each format that programs store arrays in, and its others that can be written.
const std::vector<std::string>& usual_suffixes();
/// ".npz, .npy"
std::string suffix_list(const std::vector<std::string>& suffixes);

/// Throws the Error that writing to `path` would give, as far as it is known beforehand: a folder or a device, or not
/// writable. Also removes stale temporaries in its folder.
void check_output(const std::filesystem::path& path);

// Reads files into a list of their contents.

/// Where the reader of a format puts what it finds in a file.
class FileContents {
public:
    /// Adds to `contents`, which outlives it as `path` and `limits` do. `has_types`: see HeldArray.
    FileContents(Contents& contents, const std::filesystem::path& path, const ReadLimits& limits, bool has_types)
        : contents_(contents), path_(path), name_(path.string()), stem_(path.stem().string()), limits_(limits),
          has_types_(has_types) {}

    const std::filesystem::path& path() const { return path_; }
    const std::string& name() const { return name_; } ///< for messages
    const std::string& stem() const { return stem_; } ///< the name of a single array
    const ReadLimits& limits() const { return limits_; }

    void hold(std::string name, Tensor tensor);
    void hold(std::string name, std::vector<std::string> labels);
    /// Something that is not read, and why.
    void leave(std::string name, Message what);
    /// Without the tensors. Throws Error for a second one.
    void hold_workspace(AttentionProblem problem, std::string view_json);
    /// Its tensors are held, too. Throws Error for a second one.
    void hold_capture(Capture capture);

private:
    Contents& contents_;
    const std::filesystem::path& path_;
    std::string name_, stem_;
    const ReadLimits& limits_;
    bool has_types_;
};

/// The contents of all `paths`, in order: arrays of every readable format, labels, and a workspace's settings. Throws
/// Error with the file and the member for damaged data, and where two files are workspaces; Cancelled
/// (ReadLimits::control).
Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits = {});

} // namespace attnlab::io
