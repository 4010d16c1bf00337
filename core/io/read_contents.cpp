#include "core/io/read_contents.h"

#include "core/io/capture_file.h"
#include "core/io/csv.h"
#include "core/io/elements.h"
#include "core/io/figure_file.h"
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/label_files.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/torch_file.h"
#include "core/io/workspace_file.h"

#include <algorithm>
#include <span>
#include <utility>

namespace attnlab::io {
namespace {

/// True where there is a spec or a view; a plain archive of arrays has neither.
bool is_workspace(const AttentionProblem& problem, const std::string& view_json) {
    return problem.spec != AttentionSpec{} || problem.compared_with || problem.key_grid || view_json != "{}";
}

/// Adds the contents of one file to those of others.
class FileReader {
public:
    FileReader(Contents& contents, const std::filesystem::path& path, const ReadLimits& limits)
        : contents_(contents), path_(path), file_(path.string()), stem_(path.stem().string()), limits_(limits) {}

    void read() {
        switch (format_of(path_, limits_.control)) {
        case FileFormat::Npz:
            return read_archive();
        case FileFormat::Npy:
            return read_array();
        case FileFormat::Safetensors:
            return read_tensors_and_others();
        case FileFormat::Torch:
            return read_torch_save();
        case FileFormat::Table:
            return read_text();
        case FileFormat::Json:
            for (auto& [name, labels] : read_labels_json(read_file(path_, largest_labels_file, limits_.control), file_,
                                                         stem_, limits_.control))
                hold(name, std::move(labels));
            return;
        case FileFormat::Figure:
            return read_settings();
        default: // arrays alone, or unknown
            for (auto& [name, tensor] : read_tensors(path_, limits_))
                hold(name, std::move(tensor));
        }
    }

private:
    void hold(std::string name, Tensor tensor) {
        contents_.arrays.push_back({std::move(name), std::move(tensor), file_});
    }
    void hold(std::string name, std::vector<std::string> labels) {
        if (!labels.empty())
            contents_.labels.push_back({std::move(name), std::move(labels), file_});
    }
    void leave(std::string name, Message what) {
        contents_.others.push_back({std::move(name), std::move(what), file_});
    }

    void read_archive() {
        auto archive = read_npz(path_, limits_, Members::Workspace, OtherTypes::Name);
        std::string view_json = "{}";
        AttentionProblem problem;
        read_workspace_member(archive, file_, problem, &view_json, limits_.control);
        for (auto& [name, tensor] : archive.tensors)
            hold(name, std::move(tensor));
        for (auto& [name, labels] : archive.labels)
            hold(name, std::move(labels));
        for (auto& [name, why] : archive.refused)
            leave(name, std::move(why));
        for (const auto& name : archive.unread) {
            limits_.checkpoint();
            leave(name, {ATTNLAB_TEXT("is not an array (.npy)")});
        }
        if (is_workspace(problem, view_json))
            return hold_workspace(std::move(problem), std::move(view_json));
        hold("query_tokens", std::move(problem.query_tokens));
        hold("key_tokens", std::move(problem.key_tokens));
    }

    void hold_workspace(AttentionProblem problem, std::string view_json) {
        if (contents_.workspace)
            throw Error({ATTNLAB_TEXT("%1: is a workspace, as another of the files is; expected one"), {file_}});
        contents_.workspace = std::move(problem);
        contents_.view_json = std::move(view_json);
    }

    void read_settings() {
        auto figure = read_figure(path_, limits_.control);
        for (auto& [name, tensor] : figure.problem.tensors)
            hold(name, std::move(tensor));
        figure.problem.tensors.clear();
        hold_workspace(std::move(figure.problem), std::move(figure.view_json));
    }

    void read_array() {
        try {
            hold(stem_, read_npy(path_, limits_));
        } catch (const UnreadableType& error) {
            if (!error.is_text())
                throw;
            const auto bytes = read_file(path_, largest_labels_file, limits_.control);
            try {
                hold(stem_, read_npy_texts(std::as_bytes(std::span(bytes)), file_, limits_));
            } catch (const UnreadableType& of_texts) { // texts of several sequences
                leave(stem_, of_texts.message());
            }
        }
    }

    void read_tensors_and_others() {
        std::map<std::string, Message> refused;
        std::map<std::string, std::string, std::less<>> metadata;
        auto tensors = read_safetensors(path_, limits_, &refused, &metadata);
        for (const auto& [name, tensor] : tensors)
            hold(name, tensor);
        if (const auto found = metadata.find(capture_metadata); found != metadata.end()) {
            if (contents_.capture)
                throw Error({ATTNLAB_TEXT("%1: is a capture, as another of the files is; expected one"), {file_}});
            contents_.capture = read_capture(found->second, file_, std::move(tensors), limits_.control);
        }
        for (auto& [name, why] : refused)
            leave(name, std::move(why));
    }

    void read_torch_save() {
        auto torch = read_torch(path_, limits_);
        for (auto& [name, tensor] : torch.tensors)
            hold(std::move(name), std::move(tensor));
        for (auto& [name, labels] : torch.labels)
            hold(std::move(name), std::move(labels));
        for (auto& [name, what] : torch.others)
            leave(std::move(name), std::move(what));
    }

    void read_text() {
        const auto text = read_file(path_, std::min(largest_text, most_in_memory(limits_)), limits_.control);
        if (path_.extension() == ".txt" && is_label_text(text, limits_.control)) {
            hold(stem_, read_label_text(text, file_, limits_.control));
            return;
        }
        auto table = read_table(text, file_, limits_);
        hold(stem_, std::move(table.values));
        hold("query_tokens", std::move(table.row_labels));
        if (!table.column_labels.empty())
            leave("column labels", {ATTNLAB_TEXT("%1 column labels are not read: labels of keys come as key_tokens"),
                                    {std::to_string(table.column_labels.size())}});
    }

    Contents& contents_;
    const std::filesystem::path& path_;
    std::string file_, stem_;
    const ReadLimits& limits_;
};

/// Reads the numbers that are deferred.
void load_all(Contents& contents) {
    std::vector<Tensor*> arrays;
    for (auto& array : contents.arrays)
        arrays.push_back(&array.tensor);
    if (contents.capture) // the same arrays
        for (auto& [name, tensor] : contents.capture->tensors)
            arrays.push_back(&tensor);
    load(arrays);
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

Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits) {
    Contents contents;
    auto left = limits;
    left.defer = true;
    for (const auto& path : paths) {
        const auto arrays_before = contents.arrays.size(), labels_before = contents.labels.size();
        FileReader(contents, path, left).read();
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
        load_all(contents);
    return contents;
}

} // namespace attnlab::io
