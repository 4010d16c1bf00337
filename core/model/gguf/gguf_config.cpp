#include "core/model/gguf/gguf_config.h"

#include "core/tokens/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace attnlab::model {
namespace {

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

/// Whether rope.scaling.attn_factor is the whole magnitude of cosines and sines, as files of Phi-3 and OLMo 3 have it;
/// else it multiplies that of the scaling.
bool has_whole_magnitude(const GgufKeys& keys, const Scaling& scaling) {
    return scaling.is_longrope() || keys.has_tensor("rope_factors_short.weight") ||
           (scaling.is_yarn() && keys.architecture().yarn_has_whole_magnitude);
}

/// Phi-3 has the factors of longrope as tensors.
void add_long_factors(const GgufKeys& keys, Json& config) {
    const auto *near = keys.tensor("rope_factors_short.weight"), *far = keys.tensor("rope_factors_long.weight");
    if (!near || !far)
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', which longrope needs"),
                     {keys.metadata().file(), near ? "rope_factors_long.weight" : "rope_factors_short.weight"}});
    config["rope_scaling"] = {
        {"type", "longrope"}, {"short_factor", numbers_of(*near)}, {"long_factor", numbers_of(*far)}};
    for (const auto* key : {"rope.scaling.factor", "rope.scale_linear"}) // llama.cpp multiplies both
        keys.require_number(key, 1.0);
    if (!keys.has("rope.scaling.original_context_length"))
        config["original_max_position_embeddings"] = keys.integer("context_length");
    config["rope_scaling"]["attention_factor"] = keys.number_or("rope.scaling.attn_factor", 1.0);
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
    Json yarn{{"rope_type", "yarn"}, {"factor", factor}};
    keys.copy_integer("rope.scaling.original_context_length", yarn, "original_max_position_embeddings");
    // llama.cpp ignores both keys and uses these numbers, so a file with others is refused.
    keys.require_number("rope.scaling.yarn_beta_fast", 32.0);
    keys.require_number("rope.scaling.yarn_beta_slow", 1.0);
    if (has_whole_magnitude(keys, scaling))
        keys.copy_number("rope.scaling.attn_factor", yarn, "attention_factor");
    config["rope_scaling"] = yarn;
}

void add_gguf_rotary(const GgufKeys& keys, std::int64_t width, bool is_partial, Json& config) {
    config["rope_theta"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
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
    if (!architecture.has_rotary || has_whole_magnitude(keys, scaling_of(keys)))
        return 1.0;
    const double magnitude = keys.number_or("rope.scaling.attn_factor", 1.0);
    if (!std::isfinite(magnitude))
        throw Error({ATTNLAB_TEXT("%1: '%2' is not a finite number"),
                     {file.metadata.file(), keys.full("rope.scaling.attn_factor")}});
    return magnitude;
}

namespace {

std::string full(std::string_view key) { return "tokenizer.ggml." + std::string(key); }

std::optional<std::int64_t> id(const GgufMetadata& metadata, std::string_view key) {
    return metadata.has(full(key)) ? std::optional(metadata.integer(full(key))) : std::nullopt;
}

bool flag(const GgufMetadata& metadata, std::string_view key, bool absent) {
    return metadata.has(full(key)) ? metadata.boolean(full(key)) : absent;
}

tokens::PartsKind kind_of(const GgufMetadata& metadata) {
    const auto& model = metadata.text(full("model"));
    if (model == "gpt2")
        return tokens::PartsKind::ByteLevelBpe;
    if (model == "llama")
        return tokens::PartsKind::ScoredBpe;
    if (model == "bert")
        return tokens::PartsKind::WordPiece;
    if (model == "t5")
        return tokens::PartsKind::Unigram;
    throw Error(
        {ATTNLAB_TEXT("%1: '%2' is '%3', expected gpt2, llama, bert or t5"), {metadata.file(), full("model"), model}});
}

} // namespace

std::shared_ptr<const tokens::Tokenizer> gguf_tokenizer(const GgufMetadata& metadata, const RunControl& control) {
    if (!metadata.has(full("model")) || metadata.text(full("model")) == "none")
        return nullptr;
    tokens::TokenizerParts parts;
    parts.name = metadata.file();
    parts.kind = kind_of(metadata);
    if (metadata.has(full("pre")))
        parts.pre = metadata.text(full("pre"));
    parts.tokens = metadata.texts(full("tokens"));
    const bool is_scored = parts.kind == tokens::PartsKind::ScoredBpe;
    const bool is_unigram = parts.kind == tokens::PartsKind::Unigram;
    if (is_scored || is_unigram)
        for (const double score : metadata.numbers(full("scores")))
            parts.scores.push_back(static_cast<float>(score));
    if (metadata.has(full("token_type")))
        for (const auto type : metadata.integers(full("token_type")))
            parts.types.push_back(static_cast<tokens::TokenType>(type));
    if (parts.kind == tokens::PartsKind::ByteLevelBpe)
        parts.merges = metadata.texts(full("merges"));
    const auto id_or = [&](std::string_view key, std::int64_t absent) {
        const bool has_default = is_scored && absent < std::ssize(parts.tokens); // SentencePiece's first tokens
        return metadata.has(full(key)) || !has_default ? id(metadata, key) : std::optional(absent);
    };
    parts.bos = id_or("bos_token_id", 1);
    parts.eos = id_or("eos_token_id", 2);
    parts.unk = id_or("unknown_token_id", 0);
    parts.cls = metadata.has(full("cls_token_id")) ? id(metadata, "cls_token_id") : parts.bos;
    parts.sep = id(metadata, "seperator_token_id"); // llama.cpp spells it so
    parts.add_bos =
        flag(metadata, "add_bos_token",
             is_scored || (parts.kind == tokens::PartsKind::ByteLevelBpe && tokens::pre_adds_bos(parts.pre)));
    parts.add_eos = flag(metadata, "add_eos_token", is_unigram);
    parts.add_space_prefix = flag(metadata, "add_space_prefix", true);
    if (parts.kind == tokens::PartsKind::WordPiece) {
        parts.lowercase = flag(metadata, "normalizer.lowercase", true);
        parts.strip_accents = flag(metadata, "normalizer.strip_accents", parts.lowercase);
    }
    if (is_unigram) {
        parts.joins_spaces = flag(metadata, "remove_extra_whitespaces", false);
        if (metadata.has(full("precompiled_charsmap")))
            for (const auto byte : metadata.integers(full("precompiled_charsmap")))
                parts.charsmap.push_back(static_cast<char>(byte));
    }
    return build_tokenizer(parts, control);
}

} // namespace attnlab::model
