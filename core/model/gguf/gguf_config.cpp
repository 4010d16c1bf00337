#include "core/model/gguf/gguf_config.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <optional>
#include <string>

namespace attnlab::model {
namespace {

constexpr double default_base = 10000.0;                                   ///< of rotary positions
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

} // namespace

std::int64_t GgufKeys::integer(std::string_view key) const {
    const auto* value = file_.metadata.find(full(key));
    const auto* each = value ? std::get_if<GgufIntegers>(&value->held) : nullptr;
    if (!each || each->empty())
        return file_.metadata.integer(full(key));
    if (std::adjacent_find(each->begin(), each->end(), std::not_equal_to()) != each->end())
        throw Error(
            {ATTNLAB_TEXT("%1: '%2' has another number for each block, %3 and so on; blocks that differ are "
                          "not supported"),
             {file_.metadata.file(), full(key), std::to_string(each->front()) + ", " + std::to_string((*each)[1])}});
    return each->front();
}

double GgufKeys::number(std::string_view key) const { return as_written(file_.metadata.number(full(key))); }

void GgufKeys::copy_integer(std::string_view key, Json& config, const char* to) const {
    if (has(key))
        config[to] = integer(key);
}

void GgufKeys::copy_number(std::string_view key, Json& config, const char* to) const {
    if (has(key))
        config[to] = number(key);
}

std::int64_t GgufKeys::rows(std::string_view name) const {
    const auto* weight = file_.weights->peek(name);
    if (!weight)
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2'"), {file_.metadata.file(), std::string(name)}});
    return weight->rows();
}

void GgufKeys::require(std::string_view key, std::int64_t expected) const {
    if (has(key) && integer(key) != expected)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {metadata().file(), full(key), std::to_string(integer(key)), std::to_string(expected)}});
}

void GgufKeys::require_number(std::string_view key, double expected) const {
    if (has(key) && number(key) != expected)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {metadata().file(), full(key), to_text(number(key)), to_text(expected)}});
}

void GgufKeys::require_flag(std::string_view key, bool expected) const {
    if (has(key) && flag(key) != expected)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {metadata().file(), full(key), flag(key) ? "true" : "false", expected ? "true" : "false"}});
}

void GgufKeys::require_one_of(std::string_view key, std::string_view expected) const {
    if (has(key) && (", " + std::string(expected) + ", ").find(", " + text(key) + ", ") == std::string::npos)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {metadata().file(), full(key), "'" + text(key) + "'", std::string(expected)}});
}

double GgufKeys::factor_or(std::string_view key, double absent) const {
    const double factor = number_or(key, absent);
    return factor == 0.0 ? absent : factor;
}

std::int64_t GgufKeys::even_width() const {
    return integer("embedding_length") / std::max<std::int64_t>(1, integer("attention.head_count"));
}

std::int64_t GgufKeys::head_width() const {
    const auto width = has("attention.key_length") ? integer("attention.key_length") : even_width();
    if (has("attention.value_length") && integer("attention.value_length") != width)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4 as for keys"),
                     {metadata().file(), full("attention.value_length"),
                      std::to_string(integer("attention.value_length")), std::to_string(width)}});
    return width;
}

std::int64_t GgufKeys::plain_head_width() const {
    require("attention.key_length", even_width());
    require("attention.head_count_kv", integer("attention.head_count"));
    return head_width();
}

namespace {

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

    bool is_yarn() const { return type == "yarn"; }
    bool is_longrope() const { return type == "longrope"; }
};

Scaling scaling_of(const GgufKeys& keys) {
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
    return scaling;
}

/// Where the two programs would divide the pairs between both ends of YaRN's ramp in other ways: llama.cpp has no
/// numbers for a factor below 1, and a ramp that ends outside of the pairs.
void check_yarn(const GgufKeys& keys, double factor) {
    constexpr auto base = "rope.freq_base", length = "rope.scaling.original_context_length";
    constexpr double fastest = 32.0; // rotations within the original length, of the first pairs that keep their angle
    const auto fail = [&](std::string_view key, double value, const Message& expected) {
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {keys.metadata().file(), keys.full(key), to_text(value), expected}});
    };
    if (factor < 1.0)
        fail("rope.scaling.factor", factor, ATTNLAB_TEXT("1 or more with YaRN"));
    const auto original = static_cast<double>(keys.integer(keys.has(length) ? length : "context_length"));
    const double waves = original / (2.0 * std::numbers::pi);
    if (waves < 1.0)
        fail(length, original, ATTNLAB_TEXT("7 or more with YaRN"));
    const double lowest = std::ceil(100.0 * std::sqrt(std::max(1.0, waves / fastest))) / 100.0;
    if (const double given = keys.number_or(base, default_base); given <= lowest)
        fail(base, given, {ATTNLAB_TEXT("a number above %1 with YaRN"), {to_text(lowest)}});
}

/// Phi-3 has the factors of longrope as tensors. llama.cpp chooses between them by the size of its context, a multiple
/// of 256, and not by the length of the text: here the context is as small as the text allows.
void add_long_factors(const GgufKeys& keys, Json& config) {
    const auto *near = keys.tensor("rope_factors_short.weight"), *far = keys.tensor("rope_factors_long.weight");
    if (!near || !far)
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', which longrope needs"),
                     {keys.metadata().file(), near ? "rope_factors_long.weight" : "rope_factors_short.weight"}});
    for (const auto* key : {"rope.scaling.factor", "rope.scale_linear"}) // llama.cpp multiplies both
        keys.require_number(key, 1.0);
    constexpr std::int64_t smallest_context = 256;
    constexpr auto key = "rope.scaling.original_context_length";
    const auto original = keys.integer(keys.has(key) ? key : "context_length") / smallest_context * smallest_context;
    config["original_max_position_embeddings"] = std::max<std::int64_t>(original, 1);
    config["rope_scaling"] = {{"type", "longrope"},
                              {"short_factor", numbers_of(original > 0 ? *near : *far)},
                              {"long_factor", numbers_of(*far)},
                              {"attention_factor", 1.0}}; // see gguf_rotary_magnitude()
}

} // namespace

void add_gguf_scaling(const GgufKeys& keys, Json& config) {
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
    check_yarn(keys, factor);
    Json yarn{{"rope_type", "yarn"}, {"factor", factor}};
    keys.copy_integer("rope.scaling.original_context_length", yarn, "original_max_position_embeddings");
    // llama.cpp ignores both keys and uses these numbers, so a file with others is refused.
    keys.require_number("rope.scaling.yarn_beta_fast", 32.0);
    keys.require_number("rope.scaling.yarn_beta_slow", 1.0);
    config["rope_scaling"] = yarn;
}

void add_gguf_rotary(const GgufKeys& keys, std::int64_t width, bool is_partial, Json& config) {
    config["rope_theta"] = keys.number_or("rope.freq_base", default_base);
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    if (!is_partial)
        keys.require("rope.dimension_count", width);
    else
        config["partial_rotary_factor"] =
            static_cast<double>(turned) / static_cast<double>(std::max<std::int64_t>(1, width));
    add_gguf_scaling(keys, config);
}

void add_gguf_layer_types(const GgufKeys& keys, std::int64_t period, Json& config) {
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

Json common_gguf_config(const GgufKeys& keys, std::string_view type) {
    const bool has_experts_alone = !keys.has("feed_forward_length") && keys.has("expert_feed_forward_length");
    const auto* inner = has_experts_alone ? "expert_feed_forward_length" : "feed_forward_length";
    Json config{{"model_type", type},
                {"vocab_size", keys.rows("token_embd.weight")},
                {"hidden_size", keys.integer("embedding_length")},
                {"intermediate_size", keys.integer(inner)},
                {"num_hidden_layers", keys.integer("block_count")},
                {"num_attention_heads", keys.integer("attention.head_count")},
                {"max_position_embeddings", keys.integer("context_length")},
                {"tie_word_embeddings", !keys.has_tensor("output.weight")}};
    return config;
}

Json gpt2_gguf_config(const GgufKeys& keys, std::string_view type) {
    return {{"model_type", type},
            {"vocab_size", keys.rows("token_embd.weight")},
            {"n_embd", keys.integer("embedding_length")},
            {"n_inner", keys.integer("feed_forward_length")},
            {"n_layer", keys.integer("block_count")},
            {"n_head", keys.integer("attention.head_count")},
            {"n_positions", keys.rows("position_embd.weight")},
            {"layer_norm_epsilon", keys.number("attention.layer_norm_epsilon")},
            {"tie_word_embeddings", !keys.has_tensor("output.weight")}};
}

namespace {

/// The tokens that end a text, or a turn of it.
void add_ends(const GgufMetadata& metadata, Json& config) {
    auto ends = Json::array();
    for (const auto* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"})
        if (metadata.has(key))
            ends.push_back(metadata.integer(key));
    if (!ends.empty())
        config["eos_token_id"] = ends;
}

} // namespace

std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture, std::string_view type) {
    const GgufKeys keys(file, architecture);
    if (keys.has_experts() && !architecture.has_experts)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3: models of this kind with experts are not read from GGUF"),
                     {file.metadata.file(), keys.full("expert_count"), std::to_string(keys.integer("expert_count"))}});
    if (constexpr auto head = "output.weight"; architecture.needs_head && !keys.has_tensor(head))
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', which llama.cpp expects of %3"),
                     {file.metadata.file(), head, std::string(architecture.name)}});
    auto config = architecture.config(keys, type);
    if (keys.has("attention.causal"))
        config[std::string(architecture.causal_key)] = keys.flag("attention.causal");
    add_ends(file.metadata, config);
    return config.dump();
}

GgufHeads gguf_heads(const GgufFile& file, const GgufArchitecture& architecture) {
    const auto is_fused = [](const std::string& name) { return name.find(fused_matrix) != name.npos; };
    if (std::ranges::none_of(file.weights->names(), is_fused))
        return {};
    const GgufKeys keys(file, architecture);
    GgufHeads heads{.heads = keys.integer("attention.head_count"), .width = keys.head_width()};
    heads.key_value_heads = keys.has("attention.head_count_kv") ? keys.integer("attention.head_count_kv") : heads.heads;
    for (const auto size : {heads.heads, heads.key_value_heads, heads.width})
        if (size < 1 || size > largest_head_size)
            throw Error({ATTNLAB_TEXT("%1: heads, heads of keys and their width are %2, %3 and %4, expected numbers "
                                      "above 0"),
                         {file.metadata.file(), std::to_string(heads.heads), std::to_string(heads.key_value_heads),
                          std::to_string(heads.width)}});
    return heads;
}

double gguf_rotary_magnitude(const GgufFile& file, const GgufArchitecture& architecture) {
    const GgufKeys keys(file, architecture);
    if (!architecture.has_rotary)
        return 1.0;
    const double magnitude = keys.number_or("rope.scaling.attn_factor", 1.0);
    if (!std::isfinite(magnitude))
        throw Error({ATTNLAB_TEXT("%1: '%2' is not a finite number"),
                     {file.metadata.file(), keys.full("rope.scaling.attn_factor")}});
    return magnitude;
}

} // namespace attnlab::model
