// How llama.cpp names what Transformers names otherwise, and the weights of a .gguf file under the names of
// Transformers.
#pragma once

#include "core/model/weights/gguf_file.h"

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::model {

/// Where one tensor of llama.cpp is in Transformers. Both without ".weight" and ".bias". A "*" in the second stands for
/// the number of an expert: llama.cpp has the tensors of all experts in one, "ffn_up_exps".
using TensorName = std::pair<std::string_view, std::string_view>;

/// A list of blocks: what precedes the number of a block in the file and in Transformers, and the names within a block.
struct GgufBlocks {
    std::string_view in_file = "blk.", in_model = "";
    std::span<const TensorName> inside = {};
};

class GgufKeys;

/// How llama.cpp spells what Transformers spells otherwise, for one kind of model.
struct GgufArchitecture {
    std::string_view name = "";         ///< general.architecture
    std::string_view encoder_name = ""; ///< the same of a file with the encoder alone; empty: there are no such files
    /// Names of tensors outside of blocks, and within block "blk.N.".
    std::span<const TensorName> outside = {}, inside = {};
    std::string_view block = "";             ///< "model.layers.": before the number of a block
    std::span<const GgufBlocks> stacks = {}; ///< an encoder and a decoder, instead of `inside` and `block`
    /// Makes config.json of the metadata, for a model of `type`. Throws Error.
    nlohmann::json (*config)(const GgufKeys& keys, std::string_view type) = nullptr;
    std::string_view causal_key = "is_causal"; ///< attention.causal in config.json
    bool has_rotary = true;
    bool has_experts = false; ///< may have them; else a file with experts is refused
    /// Rows of queries and keys are in the order of interleaved rotary positions.
    bool interleaved = false;
    bool has_whole_norms = false;    ///< weights of norms are stored with the 1 that Transformers adds
    bool heads_follow_kinds = false; ///< in fused matrices, the keys of all heads follow all queries
    std::string_view turned = "";    ///< matrices whose name contains it are stored transposed; empty: none
    bool magnifies_sliding = true;   ///< layers with a window have rope.scaling.attn_factor, too
    bool needs_head = false;         ///< a file without output.weight is refused; else the embedding takes its place
};

/// The name in Transformers; empty where there is none.
std::string transformers_name(const GgufArchitecture& names, std::string_view name);
/// The other way; the name itself where there is none.
std::string gguf_name(const GgufArchitecture& names, std::string_view name);

// The tensors of a .gguf file under the names that Transformers gives them.

/// Part of the name of a matrix with queries, keys and values.
inline constexpr std::string_view fused_matrix = ".attn_qkv.";

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
    /// A tensor of all experts, as one of each: `name` has a "*".
    void add_experts(const std::string& name, const std::string& file_name);

    std::shared_ptr<const WeightFiles> files_;
    const GgufArchitecture& architecture_;
    std::map<std::string, std::string, std::less<>> names_; ///< from names of Transformers to names of the file
    /// Headers of another shape: of transposed matrices, whose data is never read through them, and parts of matrices.
    std::map<std::string, Weight, std::less<>> made_;
    std::map<const Weight*, const Weight*> stored_;
    std::vector<std::string> order_;
};

} // namespace attnlab::model
