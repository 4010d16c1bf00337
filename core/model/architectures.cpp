#include "core/model/architectures.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

namespace attnlab::model {

#define ATTNLAB_ARCHITECTURES(family) std::vector<Architecture> family##_architectures();
#include "architecture_list.inc"
#undef ATTNLAB_ARCHITECTURES

namespace {

std::vector<Architecture> all_architectures() {
    std::vector<Architecture> all;
    for (auto* const of_family : {
#define ATTNLAB_ARCHITECTURES(family) &family##_architectures,
#include "architecture_list.inc"
#undef ATTNLAB_ARCHITECTURES
         })
        std::ranges::move(of_family(), std::back_inserter(all));
    std::ranges::sort(all, {}, &Architecture::type);
    return all;
}

/// Decoders read both ways where the configuration says so. A window then reaches its length to both sides, as in
/// Transformers.
void apply_is_causal(const Config& config, Description& description) {
    if (config.flag("is_causal", true))
        return;
    for (auto* stack : {&description.encoder, &description.decoder})
        if (*stack)
            for (auto& block : (*stack)->blocks) {
                if (block.self.causal && block.self.window > 0)
                    ++block.self.window;
                block.self.causal = false;
            }
}

std::optional<double> epsilon_of(const Norms& norms) {
    for (const auto* norm : {&norms.before, &norms.after, &norms.sum})
        if (*norm)
            return (*norm)->epsilon;
    return {};
}

/// What a setting says by a name that this type does not read is harmless where it is so anyway.
void ignore_repeated(const Config& config, const Description& description) {
    const auto& blocks = description.last().blocks;
    if (blocks.empty())
        return;
    const auto& self = description.last().attention();
    const auto epsilon = epsilon_of(blocks.front().self_norms);
    const auto number = [](std::int64_t size) { return std::optional(static_cast<double>(size)); };
    std::map<std::string_view, std::optional<double>> known{
        {"head_dim", number(self.width)}, {"num_attention_heads", number(self.heads)},
        {"n_head", number(self.heads)},   {"num_key_value_heads", number(self.key_value_heads)},
        {"layer_norm_eps", epsilon},      {"layer_norm_epsilon", epsilon},
        {"rms_norm_eps", epsilon},        {"norm_eps", epsilon},
    };
    std::int64_t window = 0;
    for (const auto& block : blocks)
        window = std::max(window, block.self.window);
    if (window > 0)
        known["sliding_window_size"] = number(window);
    if (self.rotary) {
        known["rope_theta"] = known["rotary_emb_base"] = self.rotary->base;
        known["partial_rotary_factor"] = known["rotary_pct"] =
            static_cast<double>(self.rotary->width) / static_cast<double>(self.width);
    }
    for (const auto& setting : config.unread()) {
        const auto found = known.find(setting.key);
        if (found != known.end() && found->second && setting.value->is_number() &&
            setting.value->number() == *found->second)
            config.ignore(setting.key, ATTNLAB_TEXT("says again what another setting decides"));
    }
}

} // namespace

Tensors::Tensors(const WeightFiles& files, std::initializer_list<std::string_view> prefixes, std::string_view probe)
    : files_(&files), prefix_(*prefixes.begin()) {
    for (const auto prefix : prefixes)
        if (files.peek(std::string(prefix) + std::string(probe))) {
            prefix_ = prefix;
            return;
        }
}

bool Tensors::has(std::string_view name) const { return files_->peek(prefix_ + std::string(name)) != nullptr; }

std::int64_t Tensors::rows_of(std::string_view name) const {
    const auto* found = files_->peek(prefix_ + std::string(name));
    return found && !found->shape.empty() ? found->shape.front() : 0;
}

const Weight* Tensors::at(std::string_view name, const Shape& shape) const {
    return &files_->at(prefix_ + std::string(name), shape);
}

const Weight* Tensors::find(std::string_view name, const Shape& shape) const {
    return has(name) ? at(name, shape) : nullptr;
}

Linear Tensors::linear(std::string_view name, std::int64_t inputs, std::int64_t outputs, bool has_bias) const {
    const std::string stem(name);
    return {.weight = at(stem + ".weight", {outputs, inputs}),
            .bias = has_bias                   ? at(stem + ".bias", {outputs})
                    : files_->are_all_needed() ? find(stem + ".bias", {outputs})
                                               : nullptr,
            .inputs = inputs,
            .outputs = outputs};
}

Linear Tensors::conv1d(std::string_view name, std::int64_t inputs, std::int64_t outputs) const {
    const std::string stem(name);
    return {.weight = at(stem + ".weight", {inputs, outputs}),
            .bias = at(stem + ".bias", {outputs}),
            .inputs = inputs,
            .outputs = outputs,
            .inputs_first = true};
}

Norm Tensors::layer_norm(std::string_view name, std::int64_t width, double epsilon) const {
    const std::string stem(name);
    const bool is_old = !has(stem + ".weight") && has(stem + ".gamma");
    return {.epsilon = epsilon,
            .weight = at(stem + (is_old ? ".gamma" : ".weight"), {width}),
            .bias = at(stem + (is_old ? ".beta" : ".bias"), {width})};
}

Norm Tensors::layer_norm_with_or_without_bias(std::string_view name, std::int64_t width, double epsilon) const {
    const std::string stem(name);
    return {.epsilon = epsilon, .weight = at(stem + ".weight", {width}), .bias = find(stem + ".bias", {width})};
}

Norm Tensors::rms_norm(std::string_view name, std::int64_t width, double epsilon) const {
    return {.kind = Norm::Kind::Rms, .epsilon = epsilon, .weight = at(std::string(name) + ".weight", {width})};
}

Linear part_of(const Linear& whole, std::int64_t first, std::int64_t outputs) {
    Linear part = whole;
    part.first = first;
    part.outputs = outputs;
    return part;
}

Attention fused_by_head(Linear fused, std::int64_t hidden, std::int64_t heads) {
    const auto width = hidden / heads;
    fused.group = width;
    fused.stride = 3 * width;
    return {.heads = heads,
            .key_value_heads = heads,
            .width = width,
            .scale = root_scale(width),
            .query = part_of(fused, 0, hidden),
            .key = part_of(fused, width, hidden),
            .value = part_of(fused, 2 * width, hidden),
            .causal = true};
}

const Activation* activation_of(const Config& config, std::string_view key, std::string_view absent) {
    const auto* found = find_activation(config.text(key, absent));
    if (!found)
        config.fail(key, {"%1", {known_activations()}});
    return found;
}

std::int64_t even_head_width(const Config& config, std::string_view heads_key, std::int64_t hidden,
                             std::int64_t heads) {
    if (hidden % heads != 0) {
        const auto width = std::to_string(hidden);
        if (config.has(heads_key))
            config.fail(heads_key, {ATTNLAB_TEXT("a divisor of %1"), {width}});
        throw Error({ATTNLAB_TEXT("config.json: the width is %1, expected a multiple of the %2 heads"),
                     {width, std::to_string(heads)}});
    }
    return hidden / heads;
}

double root_scale(std::int64_t width) { return 1.0 / std::sqrt(static_cast<double>(width)); }

Linear output_of(const Tensors& tensors, std::string_view name, const Weight* embedding, bool tied,
                 std::int64_t vocabulary, std::int64_t width) {
    const auto full = std::string(name) + ".weight";
    const bool is_own = tensors.has(full) || !tied;
    return {
        .weight = is_own ? tensors.at(full, {vocabulary, width}) : embedding, .inputs = width, .outputs = vocabulary};
}

bool has_head(const Config& config, std::initializer_list<std::string_view> endings) {
    if (!config.has("architectures"))
        return true;
    for (const auto& name : config.texts("architectures"))
        for (const auto ending : endings)
            if (name.ends_with(ending))
                return true;
    return false;
}

const Weight* side_embedding(const Tensors& tensors, const std::string& side, std::int64_t vocabulary,
                             std::int64_t width) {
    const auto own = side + ".embed_tokens.weight";
    return tensors.at(tensors.has(own) ? own : "shared.weight", {vocabulary, width});
}

const Weight* head_embedding(const Tensors& tensors, const Weight* of_decoder) {
    return tensors.has("shared.weight") ? tensors.at("shared.weight", of_decoder->shape) : of_decoder;
}

std::vector<std::int64_t> ends_of(const Config& config) {
    const auto* found = config.find("eos_token_id");
    if (!found)
        return {};
    if (!found->is_list())
        return {found->integer()};
    std::vector<std::int64_t> ends;
    for (const auto& item : found->items())
        ends.push_back(item.integer());
    return ends;
}

std::span<const Architecture> architectures() {
    static const auto all = all_architectures();
    return all;
}

const Architecture* find_architecture(std::string_view type) {
    const auto found = std::ranges::find(architectures(), type, &Architecture::type);
    return found == architectures().end() ? nullptr : &*found;
}

namespace {

constexpr std::string_view text_settings = "text_config.", image_settings = "vision_config.";

/// Why models of a type without a row cannot be computed here.
struct MissingPart {
    std::string_view types; ///< separated by spaces
    const char* what;
};
constexpr MissingPart missing_parts[] = {
    {"mamba mamba2 falcon_mamba rwkv xlstm", ATTNLAB_TEXT("it has no attention")},
    {"wav2vec2-bert wav2vec2-conformer speech_to_text seamless_m4t seamless_m4t_v2 clap moonshine unispeech "
     "unispeech-sat sew sew-d audio-spectrogram-transformer",
     ATTNLAB_TEXT("AttnLab does not compute how it reads sound")},
    {"swin swinv2 segformer convnext resnet detr mask2former dinat hiera sam",
     ATTNLAB_TEXT("AttnLab does not compute its convolutions and merged patches")},
    {"bigbird_pegasus reformer", ATTNLAB_TEXT("AttnLab does not compute its sparse attention")},
};

/// Attention of other models is recorded while Transformers computes them.
[[noreturn]] void fail_unknown_type(const Config& config, const std::string& type) {
    const auto& name = config.node().name_of_text();
    auto folder = std::filesystem::path(name).parent_path().string();
    if (folder.empty())
        folder = ".";
    const char* what = ATTNLAB_TEXT("no kind of model that AttnLab computes has this type");
    for (const auto& part : missing_parts)
        if ((" " + std::string(part.types) + " ").find(" " + type + " ") != std::string::npos)
            what = part.what;
    const auto load = ".from_pretrained(\"" + folder + "\")";
    const std::string record = R"(with attnlab.capture(model, tokenizer=tokenizer) as c: )"
                               R"(model(**tokenizer("Text", return_tensors="pt")); c.show())";
    throw Error(
        {ATTNLAB_TEXT("%1: 'model_type' is \"%2\": %3. In Python, AttnLab records its attention while Transformers "
                      "computes it:\n%4\n%5"),
         {name, type, Message{what}, "model, tokenizer = AutoModel" + load + ", AutoTokenizer" + load, record}});
}

std::string known_gguf_names() {
    std::set<std::string_view> names;
    for (const auto& architecture : architectures())
        names.insert({architecture.gguf.name, architecture.gguf.encoder_name});
    names.erase("");
    std::string list;
    for (const auto name : names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

} // namespace

const Architecture& gguf_architecture(const GgufMetadata& metadata) {
    const auto& name = metadata.text("general.architecture");
    const auto found = std::ranges::find_if(architectures(), [&](const auto& one) {
        return !name.empty() && (one.gguf.name == name || one.gguf.encoder_name == name);
    });
    if (found == architectures().end())
        throw UnknownName({ATTNLAB_TEXT("%1: 'general.architecture' is '%2'; known are %3"),
                           {metadata.file(), name, known_gguf_names()}});
    return *found;
}

Description described(const Architecture& architecture, const Config& config, const WeightFiles& files) {
    auto description = architecture.describe(config, files);
    description.type = architecture.type;
    if (const auto ends = ends_of(config); !ends.empty())
        description.ends = ends;
    if (description.head && description.head->pooling == Head::Pooling::Last && !description.head->ending &&
        !config.mentions("pad_token_id"))
        description.head->padding = architecture.padding;
    apply_is_causal(config, description);
    ignore_repeated(config, description);
    return description;
}

Description describe(const Config& config, const WeightFiles& files, const RunControl& control) {
    const auto type = config.has("model_type") ? config.text("model_type", "") : config.node().at("model_type").text();
    const auto* architecture = find_architecture(type);
    if (!architecture)
        fail_unknown_type(config, type);
    auto description = described(*architecture, config, files);
    // A file of several models holds the settings of the one that is read in an object of their own.
    const bool is_of_images = description.encoder && description.encoder->embedding.patches;
    const auto prefix = is_of_images ? image_settings : text_settings;
    std::vector<UnreadEntry> own, of_part;
    for (auto& entry : unread_settings(config, control)) {
        const auto other = std::ranges::find_if(
            description.part_types, [&entry](const auto& one) { return entry.name.starts_with(one.first); });
        if (other != description.part_types.end()) {
            account_settings(other->second, other->first, {std::move(entry)}, description.unread);
            continue;
        }
        const bool is_of_part = (is_of_images || !description.text_type.empty()) && entry.name.starts_with(prefix);
        (is_of_part ? of_part : own).push_back(std::move(entry));
    }
    account_settings(type, "", own, description.unread);
    account_settings(is_of_images ? type : description.text_type, prefix, of_part, description.unread);
    account_tensors(files, type, description.unread);
    return description;
}

} // namespace attnlab::model
