// Tensors of mapped weight files by name, and the index of a model in several files.
#pragma once

#include "core/io/mapped_file.h"
#include "core/model/weights/weight_files.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::model {

class MappedWeights : public WeightFiles {
public:
    explicit MappedWeights(std::string where) : where_(std::move(where)) {}

    /// Keeps the file mapped.
    void keep(std::shared_ptr<const io::MappedFile> file) { files_.push_back(std::move(file)); }
    /// Keeps numbers in memory; they may be used as long as this object.
    std::span<const float> keep(std::vector<float> numbers);
    /// Of all numbers in memory.
    std::int64_t bytes_in_memory() const { return bytes_in_memory_; }
    /// Names that were added before stay as they were.
    void add(Weight weight);
    /// A tensor that is there, with the reason why find() refuses it.
    void refuse(const std::string& name, Message why) { refused_.emplace(name, std::move(why)); }
    bool knows(std::string_view name) const { return weights_.contains(name) || refused_.contains(name); }

    const Weight* find(std::string_view name) const override;
    const Weight* peek(std::string_view name) const override;
    std::vector<std::string> names() const override { return names_; }
    std::vector<std::string> unread() const override;
    void check() const override;
    const std::string& where() const override { return where_; }

private:
    std::string where_;
    std::vector<std::shared_ptr<const io::MappedFile>> files_;
    std::vector<std::vector<float>> in_memory_;
    std::int64_t bytes_in_memory_ = 0;
    std::map<std::string, Weight, std::less<>> weights_;
    std::map<std::string, Message, std::less<>> refused_;
    std::vector<std::string> names_;
    mutable std::mutex reading_;
    mutable std::set<std::string, std::less<>> read_; ///< guarded by reading_
};

/// Adds the tensors of one file for which `wanted` is true. Throws Error; Cancelled. Views whose numbers do not follow
/// each other, such as transposed ones, are copied, all together into at most `control.memory_limit` bytes.
using WantedName = std::function<bool(const std::string& name)>;
void add_safetensors(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
                     const RunControl& control);
void add_torch(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
               const RunControl& control);

/// The type of weights that these numbers are.
std::optional<WeightType> weight_type(DType dtype);
/// Why numbers of another type are no weights.
Message no_weights(const std::string& full_name, std::string_view type);

} // namespace attnlab::model

// model.safetensors.index.json: which file of the folder has which tensor.

namespace attnlab {
struct RunControl;
}

namespace attnlab::model {

/// The tensors of each shard, which is a file in the folder of the index.
using ShardIndex = std::map<std::string, std::vector<std::string>>;

/// `name` is used in messages. Throws Error for text that is no index, and for shards outside its folder; Cancelled
/// where `control`, if not null, is.
ShardIndex parse_shard_index(std::string_view text, const std::string& name, const RunControl* control = nullptr);

} // namespace attnlab::model
