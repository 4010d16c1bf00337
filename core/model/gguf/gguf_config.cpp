#include "core/model/gguf/gguf_config.h"

#include "core/io/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace attnlab::model {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t largest_head_size = 1 << 28, most_blocks = 1 << 16; ///< what reads the configuration has its own

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
        : file_(file), architecture_(architecture), prefix_(std::string(architecture.name) + ".") {}

    const GgufArchitecture& architecture() const { return architecture_; }

    bool has(std::string_view key) const { return file_.metadata.has(full(key)); }
    std::string full(std::string_view key) const { return prefix_ + std::string(key); }
    /// Also of an array with one entry for each block where all are equal.
    std::int64_t integer(std::string_view key) const {
        const auto* value = file_.metadata.find(full(key));
        const auto* each = value ? std::get_if<GgufIntegers>(&value->held) : nullptr;
        if (!each || each->empty())
            return file_.metadata.integer(full(key));
        if (std::adjacent_find(each->begin(), each->end(), std::not_equal_to()) != each->end())
            throw Error(
                {ATTNLAB_TEXT("%1: '%2' has another number for each block, %3 and so on; blocks that differ are "
                              "not supported"),
                 {file_.metadata.file(), full(key),
                  std::to_string(each->front()) + ", " + std::to_string((*each)[1])}});
        return each->front();
    }
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
    bool has_tensor(std::string_view name) const { return file_.weights->peek(name) != nullptr; }
    /// nullptr without such a tensor.
    const Weight* tensor(std::string_view name) const { return file_.weights->find(name); }
    /// Rows of a matrix: (count, width).
    std::int64_t rows(std::string_view name) const {
        const auto* weight = file_.weights->peek(name);
        if (!weight)
            throw Error({ATTNLAB_TEXT("%1: has no tensor '%2'"), {file_.metadata.file(), std::string(name)}});
        return weight->rows();
    }

private:
    const GgufFile& file_;
    const GgufArchitecture& architecture_;
    std::string prefix_;
};

std::int64_t even_width(const Keys& keys) {
    return keys.integer("embedding_length") / std::max<std::int64_t>(1, keys.integer("attention.head_count"));
}

/// Throws unless a key that may be there has this value.
void require_equal(const Keys& keys, std::string_view key, std::int64_t expected) {
    if (keys.has(key) && keys.integer(key) != expected)
        throw Error(
            {ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
             {keys.metadata().file(), keys.full(key), std::to_string(keys.integer(key)), std::to_string(expected)}});
}

std::int64_t head_width(const Keys& keys) {
    const auto width = keys.has("attention.key_length") ? keys.integer("attention.key_length") : even_width(keys);
    if (keys.has("attention.value_length") && keys.integer("attention.value_length") != width)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4 as for keys"),
                     {keys.metadata().file(), keys.full("attention.value_length"),
                      std::to_string(keys.integer("attention.value_length")), std::to_string(width)}});
    return width;
}

/// Of architectures whose heads part the width evenly, each with keys of its own.
std::int64_t plain_head_width(const Keys& keys) {
    require_equal(keys, "attention.key_length", even_width(keys));
    require_equal(keys, "attention.head_count_kv", keys.integer("attention.head_count"));
    return head_width(keys);
}

std::vector<double> numbers_of(const Weight& weight) {
    std::vector<float> numbers(static_cast<std::size_t>(weight.rows() * weight.columns()));
    weight.read_rows(0, weight.rows(), numbers);
    return {numbers.begin(), numbers.end()};
}

/// The kind of scaling, and by how much, as llama.cpp reads them: a factor without a type is linear, and there is an
/// older key for it.
struct Scaling {
    std::string type = "linear";
    double factor = 0.0; ///< 0: none
    double extrapolation = 0.0;

    bool is_yarn() const { return extrapolation != 0.0; }
    bool is_longrope() const { return type == "longrope"; }
};

Scaling scaling_of(const Keys& keys) {
    Scaling scaling;
    if (keys.has("rope.scaling.type"))
        scaling.type = keys.text("rope.scaling.type");
    if (scaling.type != "none" && scaling.type != "linear" && scaling.type != "yarn" && scaling.type != "longrope")
        throw Error({ATTNLAB_TEXT("%1: '%2' is '%3', expected none, linear, yarn or longrope"),
                     {keys.metadata().file(), keys.full("rope.scaling.type"), scaling.type}});
    for (const auto* key : {"rope.scale_linear", "rope.scaling.factor"})
        if (keys.has(key)) {
            scaling.factor = keys.number(key);
            if (!std::isfinite(scaling.factor) || scaling.factor < 0.0)
                throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                             {keys.metadata().file(), keys.full(key), to_text(scaling.factor),
                              Message(ATTNLAB_TEXT("a number above 0"))}});
        }
    if (scaling.type == "none")
        scaling.factor = 0.0;
    const auto given = keys.has("rope.scaling.yarn_ext_factor") ? keys.number("rope.scaling.yarn_ext_factor") : -1.0;
    scaling.extrapolation = given >= 0.0 ? given : scaling.type == "yarn" ? 1.0 : 0.0;
    return scaling;
}

/// Whether rope.scaling.attn_factor is the whole magnitude of cosines and sines, as files of Phi-3 and OLMo 3 have it;
/// else it multiplies that of the scaling.
bool has_whole_magnitude(const Keys& keys, const Scaling& scaling) {
    return scaling.is_longrope() || keys.has_tensor("rope_factors_short.weight") ||
           (scaling.is_yarn() && keys.architecture().type == "olmo2");
}

/// Phi-3 has the factors of longrope as tensors.
void add_long_factors(const Keys& keys, Json& config) {
    const auto *near = keys.tensor("rope_factors_short.weight"), *far = keys.tensor("rope_factors_long.weight");
    if (!near || !far)
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', which longrope needs"),
                     {keys.metadata().file(), near ? "rope_factors_long.weight" : "rope_factors_short.weight"}});
    config["rope_scaling"] = {
        {"type", "longrope"}, {"short_factor", numbers_of(*near)}, {"long_factor", numbers_of(*far)}};
    keys.copy_number("rope.scaling.attn_factor", config["rope_scaling"], "attention_factor");
}

void add_scaling(const Keys& keys, Json& config) {
    const auto scaling = scaling_of(keys);
    keys.copy_integer("rope.scaling.original_context_length", config, "original_max_position_embeddings");
    if (scaling.is_longrope() || keys.has_tensor("rope_factors_short.weight") ||
        keys.has_tensor("rope_factors_long.weight"))
        return add_long_factors(keys, config);
    const double factor = scaling.factor == 0.0 ? 1.0 : scaling.factor;
    if (!scaling.is_yarn()) {
        if (factor != 1.0)
            config["rope_scaling"] = {{"rope_type", "linear"}, {"factor", factor}};
        return;
    }
    Json yarn{{"rope_type", "yarn"}, {"factor", factor}};
    keys.copy_integer("rope.scaling.original_context_length", yarn, "original_max_position_embeddings");
    keys.copy_number("rope.scaling.yarn_beta_fast", yarn, "beta_fast");
    keys.copy_number("rope.scaling.yarn_beta_slow", yarn, "beta_slow");
    if (has_whole_magnitude(keys, scaling))
        keys.copy_number("rope.scaling.attn_factor", yarn, "attention_factor");
    keys.copy_number("rope.scaling.yarn_attn_factor", yarn, "attention_factor");
    if (keys.has("rope.scaling.yarn_log_multiplier") && keys.number("rope.scaling.yarn_log_multiplier") != 0.0) {
        yarn["mscale"] = 1.0;
        keys.copy_number("rope.scaling.yarn_log_multiplier", yarn, "mscale_all_dim");
    }
    config["rope_scaling"] = yarn;
}

/// `is_partial`: a part of a head may be rotary.
void add_rotary(const Keys& keys, std::int64_t width, bool is_partial, Json& config) {
    config["rope_theta"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    if (!is_partial)
        require_equal(keys, "rope.dimension_count", width);
    else if (turned != width)
        config["partial_rotary_factor"] = static_cast<double>(turned) / static_cast<double>(width);
    add_scaling(keys, config);
}

/// `layer_types` from flags of the blocks, or from a period, the last of each without a window.
void add_layer_types(const Keys& keys, std::int64_t period, Json& config) {
    constexpr auto pattern = "attention.sliding_window_pattern";
    std::vector<bool> slides;
    const auto* value = keys.metadata().find(keys.full(pattern));
    if (const auto* each = value ? std::get_if<GgufIntegers>(&value->held) : nullptr) {
        slides.assign(each->begin(), each->end());
    } else {
        if (value)
            period = keys.integer(pattern);
        const auto layers = std::min(keys.integer("block_count"), most_blocks);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            slides.push_back(period <= 0 || layer % period < period - 1);
    }
    config["layer_types"] = Json::array();
    for (const bool one : slides)
        config["layer_types"].push_back(one ? "sliding_attention" : "full_attention");
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
    add_layer_types(keys, config["model_type"] == "gemma2" ? 2 : 6, config);
}

void add_llama_like(const Keys& keys, const GgufArchitecture& architecture, Json& config) {
    const auto width = head_width(keys);
    config["head_dim"] = width;
    keys.copy_integer("attention.head_count_kv", config, "num_key_value_heads");
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    add_rotary(keys, width, architecture.type == "phi3", config);
    if (architecture.type == "gemma2" || architecture.type == "gemma3_text")
        add_gemma(keys, width, config);
    if (architecture.type == "phi3" && keys.has("attention.sliding_window") &&
        keys.integer("attention.sliding_window") > 0)
        config["sliding_window"] = keys.integer("attention.sliding_window");
    if (architecture.type == "olmo2" && keys.has("attention.sliding_window") &&
        keys.integer("attention.sliding_window") > 0) {
        config["model_type"] = "olmo3";
        config["sliding_window"] = keys.integer("attention.sliding_window");
        add_layer_types(keys, 4, config);
    }
}

Json common(const Keys& keys, const GgufArchitecture& architecture) {
    Json config{{"model_type", architecture.type},
                {"vocab_size", keys.rows("token_embd.weight")},
                {"hidden_size", keys.integer("embedding_length")},
                {"intermediate_size", keys.integer("feed_forward_length")},
                {"num_hidden_layers", keys.integer("block_count")},
                {"num_attention_heads", keys.integer("attention.head_count")},
                {"max_position_embeddings", keys.integer("context_length")},
                {"tie_word_embeddings", !keys.has_tensor("output.weight")}};
    return config;
}

Json gpt2_config(const Keys& keys) {
    plain_head_width(keys);
    return {{"model_type", "gpt2"},
            {"vocab_size", keys.rows("token_embd.weight")},
            {"n_embd", keys.integer("embedding_length")},
            {"n_inner", keys.integer("feed_forward_length")},
            {"n_layer", keys.integer("block_count")},
            {"n_head", keys.integer("attention.head_count")},
            {"n_positions", keys.rows("position_embd.weight")},
            {"layer_norm_epsilon", keys.number("attention.layer_norm_epsilon")},
            {"tie_word_embeddings", !keys.has_tensor("output.weight")}};
}

void add_gpt_neox(const Keys& keys, Json& config) {
    const auto width = plain_head_width(keys);
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["use_parallel_residual"] = !keys.has("use_parallel_residual") || keys.flag("use_parallel_residual");
    config["rotary_emb_base"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    config["rotary_pct"] = static_cast<double>(turned) / static_cast<double>(std::max<std::int64_t>(1, width));
    add_scaling(keys, config);
}

void add_bert(const Keys& keys, Json& config) {
    plain_head_width(keys);
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["max_position_embeddings"] = keys.rows("position_embd.weight");
    config["type_vocab_size"] = keys.rows("token_types.weight");
}

Json whole_config(const Keys& keys, const GgufArchitecture& architecture) {
    if (architecture.type == "gpt2")
        return gpt2_config(keys);
    auto config = common(keys, architecture);
    if (architecture.type == "gpt_neox")
        add_gpt_neox(keys, config);
    else if (architecture.type == "bert")
        add_bert(keys, config);
    else
        add_llama_like(keys, architecture, config);
    return config;
}

} // namespace

std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture) {
    const Keys keys(file, architecture);
    if (keys.has("expert_count") && keys.integer("expert_count") > 0)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3: models with experts are not read from GGUF"),
                     {file.metadata.file(), keys.full("expert_count"), std::to_string(keys.integer("expert_count"))}});
    auto config = whole_config(keys, architecture);
    if (keys.has("attention.causal"))
        config[architecture.type == "bert" ? "is_decoder" : "is_causal"] = keys.flag("attention.causal");
    return config.dump();
}

GgufHeads gguf_heads(const GgufFile& file, const GgufArchitecture& architecture) {
    const Keys keys(file, architecture);
    GgufHeads heads{.heads = keys.integer("attention.head_count"), .width = head_width(keys)};
    heads.key_value_heads = keys.has("attention.head_count_kv") ? keys.integer("attention.head_count_kv") : heads.heads;
    for (const auto size : {heads.heads, heads.key_value_heads, heads.width})
        if (size < 1 || size > largest_head_size)
            throw Error({ATTNLAB_TEXT("%1: heads, heads of keys and their width are %2, %3 and %4, expected numbers "
                                      "above 0"),
                         {file.metadata.file(), std::to_string(heads.heads), std::to_string(heads.key_value_heads),
                          std::to_string(heads.width)}});
    return heads;
}

GgufRotary gguf_rotary(const GgufFile& file, const GgufArchitecture& architecture) {
    if (architecture.type == "gpt2" || architecture.type == "bert")
        return {};
    const Keys keys(file, architecture);
    const auto scaling = scaling_of(keys);
    GgufRotary rotary{.factor = scaling.factor == 0.0 ? 1.0 : scaling.factor};
    if (keys.has("rope.scaling.attn_factor") && !has_whole_magnitude(keys, scaling))
        rotary.magnitude = keys.number("rope.scaling.attn_factor");
    if (scaling.is_yarn())
        rotary.extrapolation = scaling.extrapolation;
    else if (keys.has("rope.scaling.yarn_attn_factor"))
        rotary.magnitude *= keys.number("rope.scaling.yarn_attn_factor");
    if (!std::isfinite(rotary.magnitude) || !std::isfinite(rotary.extrapolation))
        throw Error({ATTNLAB_TEXT("%1: '%2' is not a finite number"),
                     {file.metadata.file(), keys.full("rope.scaling.attn_factor")}});
    return rotary;
}

} // namespace attnlab::model
