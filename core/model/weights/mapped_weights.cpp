#include "core/model/weights/mapped_weights.h"

#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/io/safetensors.h"
#include "core/io/torch_file.h"
#include "core/run_control.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace attnlab::model {

void MappedWeights::add(Weight weight) {
    const auto name = weight.name;
    if (weights_.emplace(name, std::move(weight)).second)
        names_.push_back(name);
}

std::span<const float> MappedWeights::keep(std::vector<float> numbers) {
    bytes_in_memory_ += static_cast<std::int64_t>(numbers.size() * sizeof(float));
    return in_memory_.emplace_back(std::move(numbers));
}

const Weight* MappedWeights::find(std::string_view name) const {
    if (knows(name)) {
        const std::scoped_lock lock(reading_);
        read_.emplace(name);
    }
    return peek(name);
}

std::vector<std::string> MappedWeights::unread() const {
    const std::scoped_lock lock(reading_);
    std::vector<std::string> left;
    for (const auto& name : names_)
        if (!read_.contains(name))
            left.push_back(name);
    for (const auto& [name, why] : refused_)
        if (!read_.contains(name))
            left.push_back(name);
    return left;
}

const Weight* MappedWeights::peek(std::string_view name) const {
    if (const auto found = weights_.find(name); found != weights_.end())
        return &found->second;
    if (const auto refused = refused_.find(name); refused != refused_.end())
        throw Error(refused->second);
    return nullptr;
}

void MappedWeights::check() const {
    for (const auto& file : files_)
        file->check();
}

std::optional<WeightType> weight_type(DType dtype) {
    switch (dtype) {
    case DType::Float64:
        return WeightType::F64;
    case DType::Float32:
        return WeightType::F32;
    case DType::Float16:
        return WeightType::F16;
    case DType::BFloat16:
        return WeightType::BF16;
    case DType::Bool:
    case DType::Int64:
        break;
    }
    return std::nullopt;
}

Message no_weights(const std::string& full_name, std::string_view type) {
    return {ATTNLAB_TEXT("%1: holds elements of type '%2', expected weights: floats of 16 to 64 bits"),
            {full_name, std::string(type)}};
}

// Implements add_safetensors() of mapped_weights.h.

void add_safetensors(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
                     const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    for (const auto& entry : io::safetensors_entries(file->file(), path.string(), {}, nullptr, &control)) {
        control.checkpoint();
        if (!wanted(entry.name))
            continue;
        const auto type = entry.type ? weight_type(entry.type->dtype) : std::nullopt;
        if (!type) {
            weights.refuse(entry.name, no_weights(entry.full_name, entry.type_name));
            continue;
        }
        const auto bytes = file->bytes().subspan(static_cast<std::size_t>(entry.begin),
                                                 static_cast<std::size_t>(entry.end - entry.begin));
        weights.add({entry.name, entry.full_name, entry.shape, *type, bytes});
    }
    weights.keep(file);
}

// Implements add_torch() of mapped_weights.h: weights in files of torch.save.

namespace {

bool is_in_order(const io::TorchView& view) { return view.count == 0 || view.layout.is_contiguous(); }

/// Empty for a tensor that can be used where it is, or copied into `room` bytes.
Message why_not(const io::TorchView& view, std::int64_t room) {
    if (!weight_type(view.layout.type->dtype))
        return no_weights(view.name, view.layout.type->safetensors);
    if (view.is_numpy)
        return {ATTNLAB_TEXT("%1: is a NumPy array within a pickle, expected a tensor"), {view.name}};
    if (!is_in_order(view) && view.count > room / static_cast<std::int64_t>(sizeof(float)))
        return {ATTNLAB_TEXT("%1: is saved as a view of other numbers, not one after the other, and too large to be "
                             "copied into memory; save it after contiguous()"),
                {view.name}};
    if (view.layout.swapped)
        return {ATTNLAB_TEXT("%1: is in the byte order of another machine; load it in PyTorch and save it again"),
                {view.name}};
    return {};
}

/// The numbers of a view, row-major. Float64 is rounded, as everywhere in a forward pass.
std::vector<float> copied(const io::MappedFile& file, const io::TorchView& view, const RunControl& control) {
    constexpr std::size_t between_checkpoints = std::size_t{1} << 16;
    const auto numbers =
        io::strided_numbers(std::make_shared<const io::MemoryBytes>(file.bytes()), view.layout, view.name);
    std::vector<float> values(static_cast<std::size_t>(view.count));
    for (std::size_t first = 0; first < values.size(); first += between_checkpoints) {
        control.checkpoint();
        const auto piece = std::span(values).subspan(first, std::min(between_checkpoints, values.size() - first));
        numbers->read(static_cast<std::int64_t>(first), piece);
    }
    return values;
}

} // namespace

void add_torch(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
               const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    const io::TorchContents contents(file->file(), path.string(), {.control = &control});
    for (const auto& [name, view] : contents.tensors()) {
        control.checkpoint();
        if (!wanted(name))
            continue;
        if (auto why = why_not(view, control.memory_limit - weights.bytes_in_memory()); !why.empty()) {
            weights.refuse(name, std::move(why));
            continue;
        }
        if (!is_in_order(view)) {
            const auto numbers = weights.keep(copied(*file, view, control));
            weights.add({name, view.name, view.shape, WeightType::F32, std::as_bytes(numbers)});
            continue;
        }
        const auto& layout = view.layout;
        const auto bytes = file->bytes().subspan(static_cast<std::size_t>(layout.offset),
                                                 static_cast<std::size_t>(view.count * layout.type->size));
        weights.add({name, view.name, view.shape, *weight_type(layout.type->dtype), bytes});
    }
    weights.keep(file);
}

namespace {

/// Neither absolute nor with "..": a link in the folder may lead elsewhere, as in the cache of Hugging Face.
bool stays_in_folder(const std::string& file) {
    const std::filesystem::path path(file);
    return path.is_relative() && path.has_filename() && file.find('\0') == std::string::npos &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".." || part == "."; });
}

} // namespace

ShardIndex parse_shard_index(std::string_view text, const std::string& name, const RunControl* control) {
    const auto json = io::parse_json(text, name, {.control = control});
    ShardIndex index;
    for (const auto& [tensor, file] : json.root().at("weight_map").members()) {
        if (control)
            control->checkpoint();
        if (!stays_in_folder(file.text()))
            file.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a file in the same folder"));
        index[file.text()].push_back(tensor);
    }
    if (index.empty())
        throw Error({ATTNLAB_TEXT("%1: names no tensor, expected the file of each in 'weight_map'"), {name}});
    return index;
}

// Implements open_weights() of weight_files.h: finds and maps the files of a folder.

namespace {

constexpr std::int64_t largest_index = std::int64_t{1} << 26;

struct FolderFormat {
    const char* file;
    const char* index;
    void (*add)(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
                const RunControl& control);
};
/// The first that is there is taken, as in Transformers.
constexpr FolderFormat formats[] = {
    {"model.safetensors", "model.safetensors.index.json", add_safetensors},
    {"pytorch_model.bin", "pytorch_model.bin.index.json", add_torch},
};

void add_shards(const std::filesystem::path& index_path, const FolderFormat& format, MappedWeights& weights,
                const RunControl& control) {
    const auto name = index_path.string();
    const auto text = io::read_file(index_path, largest_index, &control);
    for (const auto& [file, tensors] : parse_shard_index(text, name, &control)) {
        control.checkpoint();
        const auto shard = index_path.parent_path() / file;
        std::error_code ignored;
        if (!std::filesystem::exists(shard, ignored))
            throw Error({ATTNLAB_TEXT("%1: names the file '%2', which is not there"), {name, file}});
        const std::set<std::string, std::less<>> listed(tensors.begin(), tensors.end());
        format.add(
            shard, [&](const std::string& tensor) { return listed.contains(tensor); }, weights, control);
        for (const auto& tensor : tensors)
            if (!weights.knows(tensor))
                throw Error({ATTNLAB_TEXT("%1: says that '%2' is in '%3', where it is not"), {name, tensor, file}});
    }
}

} // namespace

std::shared_ptr<const WeightFiles> open_weights(const std::filesystem::path& folder, const RunControl& control) {
    auto weights = std::make_shared<MappedWeights>(folder.string());
    for (const auto& format : formats) {
        std::error_code ignored;
        if (const auto file = folder / format.file; std::filesystem::exists(file, ignored)) {
            format.add(
                file, [](const std::string&) { return true; }, *weights, control);
            return weights;
        }
        if (const auto index = folder / format.index; std::filesystem::exists(index, ignored)) {
            add_shards(index, format, *weights, control);
            return weights;
        }
    }
    throw Error({ATTNLAB_TEXT("%1: has no weights, expected model.safetensors, pytorch_model.bin or an index of one of "
                              "them"),
                 {folder.string()}});
}

} // namespace attnlab::model
