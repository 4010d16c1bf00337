#include "core/model/gguf/config.h"

#include "core/io/json.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <nlohmann/json.hpp>

namespace attnlab::model {
namespace {

using Json = nlohmann::json;

/// What was written as "1e-6" before it was stored as float32.
double as_written(double stored) {
    if (static_cast<double>(static_cast<float>(stored)) != stored)
        return stored;
    for (int digits = 1; digits <= 9; ++digits) {
        char text[32];
        std::snprintf(text, sizeof(text), "%.*g", digits, stored);
        const double written = std::strtod(text, nullptr);
        if (static_cast<float>(written) == static_cast<float>(stored))
            return written;
    }
    return stored;
}

/// Reads the keys of one architecture: "llama.block_count".
class Keys {
public:
    Keys(const GgufFile& file, const GgufArchitecture& architecture)
        : file_(file), prefix_(std::string(architecture.name) + ".") {}

    bool has(std::string_view key) const { return file_.metadata.has(full(key)); }
    std::string full(std::string_view key) const { return prefix_ + std::string(key); }
    std::int64_t integer(std::string_view key) const { return file_.metadata.integer(full(key)); }
    double number(std::string_view key) const { return as_written(file_.metadata.number(full(key))); }
    bool flag(std::string_view key) const { return file_.metadata.boolean(full(key)); }
    const std::string& text(std::string_view key) const { return file_.metadata.text(full(key)); }
    const GgufMetadata& metadata() const { return file_.metadata; }

    /// Copies a value where there is one.
    void copy_integer(std::string_view key, Json& config, const char* to) const {
        if (has(key))
            config[to] = integer(key);
    }
    void copy_number(std::string_view key, Json& config, const char* to) const {
        if (has(key))
            config[to] = number(key);
    }
    /// nullptr without such a tensor.
    const Weight* tensor(std::string_view name) const { return file_.weights->find(name); }
    /// Rows of a matrix: (count, width).
    std::int64_t rows(std::string_view name) const {
        const auto* weight = tensor(name);
        if (!weight)
            throw Error({ATTNLAB_TEXT("%1: has no tensor '%2'"), {file_.metadata.file(), std::string(name)}});
        return weight->rows();
    }

private:
    const GgufFile& file_;
    std::string prefix_;
};

std::int64_t head_width(const Keys& keys) {
    if (!keys.has("attention.key_length"))
        return keys.integer("embedding_length") / std::max<std::int64_t>(1, keys.integer("attention.head_count"));
    const auto width = keys.integer("attention.key_length");
    if (keys.has("attention.value_length") && keys.integer("attention.value_length") != width)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4 as for keys"),
                     {keys.metadata().file(), keys.full("attention.value_length"),
                      std::to_string(keys.integer("attention.value_length")), std::to_string(width)}});
    return width;
}

std::vector<double> numbers_of(const Weight& weight) {
    std::vector<float> numbers(static_cast<std::size_t>(weight.rows() * weight.columns()));
    weight.read_rows(0, weight.rows(), numbers);
    return {numbers.begin(), numbers.end()};
}

/// Phi-3 has the factors of longrope as tensors.
void add_long_factors(const Keys& keys, Json& config) {
    const auto *near = keys.tensor("rope_factors_short.weight"), *far = keys.tensor("rope_factors_long.weight");
    if (!near || !far)
        return;
    config["rope_scaling"] = {
        {"type", "longrope"}, {"short_factor", numbers_of(*near)}, {"long_factor", numbers_of(*far)}};
    keys.copy_number("rope.scaling.attn_factor", config["rope_scaling"], "attention_factor");
}

void add_scaling(const Keys& keys, Json& config) {
    keys.copy_integer("rope.scaling.original_context_length", config, "original_max_position_embeddings");
    if (!keys.has("rope.scaling.type"))
        return;
    const auto& type = keys.text("rope.scaling.type");
    if (type == "none" || type == "longrope")
        return;
    if (type != "linear" && type != "yarn")
        throw Error({ATTNLAB_TEXT("%1: '%2' is '%3', expected none, linear, yarn or longrope"),
                     {keys.metadata().file(), keys.full("rope.scaling.type"), type}});
    Json scaling{{"rope_type", type}, {"factor", keys.number("rope.scaling.factor")}};
    keys.copy_integer("rope.scaling.original_context_length", scaling, "original_max_position_embeddings");
    keys.copy_number("rope.scaling.yarn_beta_fast", scaling, "beta_fast");
    keys.copy_number("rope.scaling.yarn_beta_slow", scaling, "beta_slow");
    config["rope_scaling"] = scaling;
}

void add_rotary(const Keys& keys, std::int64_t width, Json& config) {
    config["rope_theta"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    if (turned != width)
        config["partial_rotary_factor"] = static_cast<double>(turned) / static_cast<double>(width);
    add_scaling(keys, config);
    add_long_factors(keys, config);
}

void add_gemma(const Keys& keys, std::int64_t width, Json& config) {
    // llama.cpp tells the largest models, whose scale is another one, by their number of layers.
    const auto layers = keys.integer("block_count");
    const bool is_largest = config["model_type"] == "gemma2" ? layers == 46 : layers == 62;
    config["query_pre_attn_scalar"] =
        is_largest ? keys.integer("embedding_length") / keys.integer("attention.head_count") : width;
    keys.copy_number("attn_logit_softcapping", config, "attn_logit_softcapping");
    keys.copy_number("final_logit_softcapping", config, "final_logit_softcapping");
    keys.copy_number("rope.freq_base_swa", config, "rope_local_base_freq");
    keys.copy_integer("attention.sliding_window", config, "sliding_window");
    constexpr auto pattern = "attention.sliding_window_pattern";
    if (!keys.has(pattern))
        return;
    const auto* each = std::get_if<GgufIntegers>(&keys.metadata().find(keys.full(pattern))->held);
    if (!each) {
        config["sliding_window_pattern"] = keys.integer(pattern);
        return;
    }
    for (const auto slides : *each)
        config["layer_types"].push_back(slides ? "sliding_attention" : "full_attention");
}

void add_llama_like(const Keys& keys, const GgufArchitecture& architecture, Json& config) {
    const auto width = head_width(keys);
    config["head_dim"] = width;
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    config["attention_bias"] = keys.tensor("blk.0.attn_q.bias") != nullptr;
    config["mlp_bias"] = keys.tensor("blk.0.ffn_gate.bias") != nullptr;
    add_rotary(keys, width, config);
    if (architecture.type == "gemma2" || architecture.type == "gemma3_text")
        add_gemma(keys, width, config);
    if (architecture.type == "phi3" && keys.has("attention.sliding_window") &&
        keys.integer("attention.sliding_window") > 0)
        config["sliding_window"] = keys.integer("attention.sliding_window");
}

Json common(const Keys& keys, const GgufArchitecture& architecture) {
    Json config{{"model_type", architecture.type},
                {"vocab_size", keys.rows("token_embd.weight")},
                {"hidden_size", keys.integer("embedding_length")},
                {"intermediate_size", keys.integer("feed_forward_length")},
                {"num_hidden_layers", keys.integer("block_count")},
                {"num_attention_heads", keys.integer("attention.head_count")},
                {"max_position_embeddings", keys.integer("context_length")},
                {"tie_word_embeddings", keys.tensor("output.weight") == nullptr}};
    keys.copy_integer("attention.head_count_kv", config, "num_key_value_heads");
    return config;
}

Json gpt2_config(const Keys& keys) {
    return {{"model_type", "gpt2"},
            {"vocab_size", keys.rows("token_embd.weight")},
            {"n_embd", keys.integer("embedding_length")},
            {"n_inner", keys.integer("feed_forward_length")},
            {"n_layer", keys.integer("block_count")},
            {"n_head", keys.integer("attention.head_count")},
            {"n_positions", keys.rows("position_embd.weight")},
            {"layer_norm_epsilon", keys.number("attention.layer_norm_epsilon")},
            {"tie_word_embeddings", keys.tensor("output.weight") == nullptr}};
}

void add_gpt_neox(const Keys& keys, Json& config) {
    const auto width = head_width(keys);
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["use_parallel_residual"] = !keys.has("use_parallel_residual") || keys.flag("use_parallel_residual");
    config["rotary_emb_base"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    config["rotary_pct"] = static_cast<double>(turned) / static_cast<double>(std::max<std::int64_t>(1, width));
}

void add_bert(const Keys& keys, Json& config) {
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["max_position_embeddings"] = keys.rows("position_embd.weight");
    config["type_vocab_size"] = keys.rows("token_types.weight");
}

} // namespace

std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture) {
    const Keys keys(file, architecture);
    if (keys.has("expert_count") && keys.integer("expert_count") > 0)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3: models with experts are not read from GGUF"),
                     {file.metadata.file(), keys.full("expert_count"), std::to_string(keys.integer("expert_count"))}});
    if (architecture.type == "gpt2")
        return gpt2_config(keys).dump();
    auto config = common(keys, architecture);
    if (architecture.type == "gpt_neox")
        add_gpt_neox(keys, config);
    else if (architecture.type == "bert")
        add_bert(keys, config);
    else
        add_llama_like(keys, architecture, config);
    return config.dump();
}

} // namespace attnlab::model
