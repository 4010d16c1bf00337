// The weights of a model: tensors that stay in their files, in their own types.
#pragma once

#include "core/message.h"
#include "core/run_control.h"
#include "core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// How the numbers of a weight are stored. From Q8_0 on in blocks of GGUF along the last axis.
enum class WeightType { F64, F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K, MXFP4 };

/// "F32", as files call it.
std::string_view name_of(WeightType type);

/// A tensor in a mapped file, or copied from it, row-major. Valid as long as its WeightFiles.
struct Weight {
    std::string name;  ///< as in the file
    std::string where; ///< the file and the name, for messages
    Shape shape;
    WeightType type = WeightType::F32;
    std::span<const std::byte> bytes; ///< not aligned

    /// Rows of the last axis: shape.back() numbers each. One row without axes.
    std::int64_t rows() const;
    std::int64_t columns() const;
    /// Widens (F64: rounds) rows [first, first + count) to float32; `out` has count * columns() numbers.
    void read_rows(std::int64_t first, std::int64_t count, std::span<float> out) const;
    /// The same for out.size() numbers of one row from `column` on. Of blocks the whole row is widened first.
    void read_part(std::int64_t row, std::int64_t column, std::span<float> out) const;
};

/// The tensors of a model. Files are mapped, not read: opening takes no time and no memory in their size. Thread-safe.
class WeightFiles {
public:
    virtual ~WeightFiles() = default;

    /// nullptr if there is no such tensor. Throws Error if the tensor exists but is not floating point, or has a type
    /// or layout that cannot be read. unread() counts the tensor as read.
    virtual const Weight* find(std::string_view name) const = 0;
    /// The same without counting.
    virtual const Weight* peek(std::string_view name) const { return find(name); }
    /// The names that find() knows, in the order of the files.
    virtual std::vector<std::string> names() const = 0;
    /// Names of tensors, as in the files, that find() was not asked for, also of those that it would refuse.
    virtual std::vector<std::string> unread() const { return {}; }
    /// What the files call a tensor of this name, for messages.
    virtual std::string name_in_files(std::string_view name) const { return std::string(name); }
    /// The tensors say what the model has: a bias counts wherever it is stored, and none is there for nothing. GGUF.
    virtual bool are_all_needed() const { return false; }
    /// Throws Error when a file was changed or cut short since it was opened: what was read from it is void. Call it
    /// after every computation.
    virtual void check() const = 0;
    /// The folder or file, for messages.
    virtual const std::string& where() const = 0;

    /// Throws Error that names the tensor, what is there and what was expected.
    const Weight& at(std::string_view name, const Shape& expected) const;
};

/// model.safetensors, or model.safetensors.index.json and its shards, or pytorch_model.bin (also with an index and
/// shards) in a folder. Throws Error; Cancelled.
std::shared_ptr<const WeightFiles> open_weights(const std::filesystem::path& folder, const RunControl& control = {});

} // namespace attnlab::model
