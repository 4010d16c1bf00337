// Converts the metadata of a .gguf file to an equivalent config.json and to a tokenizer.
#pragma once

#include "core/model/gguf/gguf_names.h"
#include "core/model/weights/gguf_file.h"
#include "core/tokens/tokenizer.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace attnlab::model {

using Json = nlohmann::json;

/// Reads the keys of one architecture: "llama.block_count". The accessors throw Error where a key is missing or of
/// another type.
class GgufKeys {
public:
    GgufKeys(const GgufFile& file, const GgufArchitecture& architecture)
        : file_(file), architecture_(architecture), prefix_(file.metadata.text("general.architecture") + ".") {}

    const GgufArchitecture& architecture() const { return architecture_; }

    bool has(std::string_view key) const { return file_.metadata.has(full(key)); }
    std::string full(std::string_view key) const { return prefix_ + std::string(key); }
    /// Also of an array with one entry for each block where all are equal.
    std::int64_t integer(std::string_view key) const;
    double number(std::string_view key) const;
    bool flag(std::string_view key) const { return file_.metadata.boolean(full(key)); }
    const std::string& text(std::string_view key) const { return file_.metadata.text(full(key)); }
    const GgufMetadata& metadata() const { return file_.metadata; }

    /// Copies a value where there is one.
    void copy_integer(std::string_view key, Json& config, const char* to) const;
    void copy_number(std::string_view key, Json& config, const char* to) const;
    double number_or(std::string_view key, double absent) const { return has(key) ? number(key) : absent; }
    /// The same of a factor, whose 0 means none.
    double factor_or(std::string_view key, double absent) const;
    bool has_experts() const { return has("expert_count") && integer("expert_count") > 0; }
    bool has_tensor(std::string_view name) const { return file_.weights->peek(name) != nullptr; }
    /// nullptr without such a tensor.
    const Weight* tensor(std::string_view name) const { return file_.weights->find(name); }
    /// Rows of a matrix: (count, width).
    std::int64_t rows(std::string_view name) const;

    /// Throws unless a key that may be there has this value.
    void require(std::string_view key, std::int64_t expected) const;
    void require_number(std::string_view key, double expected) const;
    void require_flag(std::string_view key, bool expected) const;
    /// `expected`: texts with ", " between them.
    void require_one_of(std::string_view key, std::string_view expected) const;
    /// The width of a head: attention.key_length, or an even part of the embedding.
    std::int64_t head_width() const;
    /// Whether the file is one of the encoder alone.
    bool has_encoder_alone() const { return metadata().text("general.architecture") == architecture_.encoder_name; }
    /// Of kinds whose heads part the width evenly, each with keys of its own.
    std::int64_t plain_head_width() const;

private:
    std::int64_t even_width() const;

    const GgufFile& file_;
    const GgufArchitecture& architecture_;
    std::string prefix_;
};

// Parts of config.json, for GgufArchitecture::config.

/// model_type, the sizes that all kinds have, and whether the embedding is tied.
Json common_gguf_config(const GgufKeys& keys, std::string_view type);
/// The same under the names of GPT-2, with learned positions.
Json gpt2_gguf_config(const GgufKeys& keys, std::string_view type);
/// Rotary positions of a head of `width`; `is_partial`: a part of it may be rotary. Every setting is written, so that
/// no default of Transformers replaces one of llama.cpp.
void add_gguf_rotary(const GgufKeys& keys, std::int64_t width, bool is_partial, Json& config);
/// The scaling of rotary positions alone.
void add_gguf_scaling(const GgufKeys& keys, Json& config);
/// `layer_types` from flags of the blocks, or from a period, the last of each without a window.
void add_gguf_layer_types(const GgufKeys& keys, std::int64_t period, Json& config);

/// Throws Error that names file and key for what is missing, wrong or not supported.
std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture, std::string_view type);
/// For the parts of fused matrices; where there are none, the defaults.
GgufHeads gguf_heads(const GgufFile& file, const GgufArchitecture& architecture);

/// What llama.cpp multiplies cosines and sines with beside the factor that a config.json has.
double gguf_rotary_magnitude(const GgufFile& file, const GgufArchitecture& architecture);

// The tokenizer in a .gguf file.

/// nullptr without one. Throws Error for a kind that is not known, and Cancelled.
std::shared_ptr<const tokens::Tokenizer> gguf_tokenizer(const GgufMetadata& metadata, const RunControl& control = {});

} // namespace attnlab::model
