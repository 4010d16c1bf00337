#include "core/model/text_embedding.h"

#include "core/io/file_bytes.h"
#include "core/io/json.h"
#include "core/model/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace attnlab::model {
namespace {

namespace fs = std::filesystem;
using Kind = TextPooling::Kind;

constexpr std::int64_t largest_pooling_settings = std::int64_t{1} << 20;

struct PoolingKind {
    Kind kind;
    std::string_view key, name; ///< of 1_Pooling/config.json before and after sentence-transformers 5.2
};
/// In the order in which they follow one another.
constexpr std::array pooling_kinds{
    PoolingKind{Kind::First, "pooling_mode_cls_token", "cls"},
    PoolingKind{Kind::Max, "pooling_mode_max_tokens", "max"},
    PoolingKind{Kind::Mean, "pooling_mode_mean_tokens", "mean"},
    PoolingKind{Kind::MeanOfRoot, "pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"},
    PoolingKind{Kind::WeightedMean, "pooling_mode_weightedmean_tokens", "weightedmean"},
    PoolingKind{Kind::Last, "pooling_mode_lasttoken", "lasttoken"}};

io::Json json_in(const fs::path& path, const io::JsonLimits& limits = {}) {
    return io::parse_json(io::read_file(path, largest_pooling_settings), path.string(), limits);
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::vector<Kind> kinds_in(const fs::path& path) {
    const auto json = json_in(path);
    const Config config(json.root());
    std::vector<Kind> kinds;
    if (config.has("pooling_mode")) {
        const auto name = config.text("pooling_mode", "");
        for (const auto& kind : pooling_kinds)
            if (kind.name == name)
                return {kind.kind};
        config.fail("pooling_mode", "cls, max, mean, mean_sqrt_len_tokens, weightedmean, lasttoken");
    }
    for (const auto& kind : pooling_kinds)
        if (config.flag(kind.key, false))
            kinds.push_back(kind.kind);
    if (kinds.empty())
        config.fail("pooling_mode_mean_tokens", ATTNLAB_TEXT("true, or another kind of pooling"));
    return kinds;
}

/// Settings that change a text before the model reads it.
void refuse_changes_of_text(const fs::path& folder) {
    if (const auto path = folder / "sentence_bert_config.json"; is_there(path)) {
        const auto json = json_in(path);
        Config(json.root()).refuse("do_lower_case");
    }
    if (const auto path = folder / "config_sentence_transformers.json"; is_there(path)) {
        const auto json = json_in(path);
        if (const Config config(json.root()); config.has("default_prompt_name"))
            config.fail("default_prompt_name", ATTNLAB_TEXT("none: AttnLab puts no prompt in front of a text"));
    }
}

/// Adds a vector of one kind.
void add_pooled(const Matrix& rows, Kind kind, std::vector<float>& out) {
    for (std::int64_t column = 0; column < rows.columns; ++column) {
        double sum = 0.0, weights = 0.0, largest = -INFINITY;
        for (std::int64_t row = 0; row < rows.rows; ++row) {
            const double value = rows.row(row)[column];
            const double weight = kind == Kind::WeightedMean ? static_cast<double>(row + 1) : 1.0;
            sum += weight * value;
            weights += weight;
            largest = std::max(largest, value);
        }
        double pooled = sum / weights;
        if (kind == Kind::First || kind == Kind::Last)
            pooled = rows.row(kind == Kind::First ? 0 : rows.rows - 1)[column];
        else if (kind == Kind::Max)
            pooled = largest;
        else if (kind == Kind::MeanOfRoot)
            pooled = sum / std::sqrt(weights);
        out.push_back(static_cast<float>(pooled));
    }
}

double euclidean_length(std::span<const float> values) {
    double squares = 0.0;
    for (const double value : values)
        squares += value * value;
    return std::sqrt(squares);
}

} // namespace

std::string TextPooling::text() const {
    std::string words;
    for (const auto kind : kinds) {
        const auto found = std::ranges::find(pooling_kinds, kind, &PoolingKind::kind);
        words += (words.empty() ? "" : ", ") + std::string(found->name);
    }
    return normalizes ? words + ", normalized" : words;
}

TextPooling read_text_pooling(const fs::path& folder) {
    const auto path = folder / "modules.json";
    if (!is_there(path))
        return {};
    refuse_changes_of_text(folder);
    TextPooling pooling{.is_given = true};
    const auto json = json_in(path, {.any_root = true}); // a list
    for (const auto& item : json.root().items()) {
        const Config module(item);
        const auto type = module.text("type", ""), place = module.text("path", "");
        const auto name = type.substr(type.rfind('.') + 1);
        if (name == "Transformer") {
            if (!place.empty())
                module.fail("path", ATTNLAB_TEXT("the folder itself"));
        } else if (name == "Pooling") {
            pooling.kinds = kinds_in(folder / fs::path(place).filename() / "config.json");
        } else if (name == "Normalize") {
            pooling.normalizes = true;
        } else {
            throw Error({ATTNLAB_TEXT("%1: has the module %2, which AttnLab does not compute"), {path.string(), type}});
        }
    }
    return pooling;
}

std::vector<float> text_embedding(const Model& model, const Result& result, const TextPooling& pooling) {
    const auto& description = model.description();
    const auto& stack = description.first();
    if (stack.embedding.patches)
        throw Error(ATTNLAB_TEXT("This model reads an image, which has no embedding as a text"));
    auto rows = *(description.encoder ? result.encoder_hidden : result.decoder_hidden).back();
    if (!stack.shows_norm)
        normalize(rows, stack.norm);
    std::vector<float> embedding;
    for (const auto kind : pooling.kinds)
        add_pooled(rows, kind, embedding);
    if (pooling.normalizes)
        for (const double length = std::max(euclidean_length(embedding), 1e-12); float& value : embedding)
            value = static_cast<float>(value / length);
    return embedding;
}

double cosine(std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size())
        throw Error({ATTNLAB_TEXT("The embeddings have %1 and %2 numbers, expected as many"),
                     {std::to_string(a.size()), std::to_string(b.size())}});
    const double lengths = euclidean_length(a) * euclidean_length(b);
    if (lengths == 0.0)
        throw Error(ATTNLAB_TEXT("An embedding of zeros has no direction"));
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum / lengths;
}

} // namespace attnlab::model
