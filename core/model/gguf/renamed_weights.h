// The tensors of a .gguf file under the names that Transformers gives them.
#pragma once

#include "core/model/gguf/gguf_architectures.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attnlab::model {

struct GgufHeads {
    std::int64_t heads = 1, key_value_heads = 1, width = 1;
};

/// Where queries, keys and values of a block are in one matrix, "attn_qkv", and the architecture has three, its rows
/// are parted.
class RenamedWeights : public WeightFiles {
public:
    /// Throws Error for a fused matrix of another shape.
    RenamedWeights(std::shared_ptr<const WeightFiles> files, const GgufArchitecture& architecture,
                   const GgufHeads& heads);

    const Weight* find(std::string_view name) const override;
    const Weight* peek(std::string_view name) const override;
    std::vector<std::string> names() const override { return order_; }
    std::vector<std::string> unread() const override { return files_->unread(); }
    std::string name_in_files(std::string_view name) const override { return gguf_name(architecture_, name); }
    bool are_all_needed() const override { return true; }
    void check() const override { files_->check(); }
    const std::string& where() const override { return files_->where(); }

    /// The tensor as the file stores it. `found` is a result of find(), which transposes the matrices of GPT-2.
    const Weight* stored(const Weight* found) const;

private:
    void add(const std::string& name, const std::string& file_name);
    /// "blk.0.attn_qkv.weight" as three.
    void add_parts(const std::string& file_name, const GgufHeads& heads);

    std::shared_ptr<const WeightFiles> files_;
    const GgufArchitecture& architecture_;
    std::map<std::string, std::string, std::less<>> names_; ///< from names of Transformers to names of the file
    /// Headers of another shape: of transposed matrices, whose data is never read through them, and parts of matrices.
    std::map<std::string, Weight, std::less<>> made_;
    std::map<const Weight*, const Weight*> stored_;
    std::vector<std::string> order_;
};

} // namespace attnlab::model
