#include "core/io/recovery_copy.h"

#include "core/chunked_numbers.h"
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/recovery_format.h"
#include "core/io/workspace.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <nlohmann/json.hpp>

namespace attnlab::io {
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

} // namespace attnlab::io
