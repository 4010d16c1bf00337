// Embeddings of texts as sentence-transformers makes them (Reimers & Gurevych 2019), and how similar two of them are.
#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace attnlab::model {

/// How the last hidden states of a text become one vector. Several kinds are put behind one another.
struct TextPooling {
    enum class Kind { First, Max, Mean, MeanOfRoot, WeightedMean, Last }; ///< MeanOfRoot: the sum / sqrt(tokens)
    std::vector<Kind> kinds = {Kind::Mean};
    bool normalizes = false; ///< to length 1
    bool is_given = false;   ///< by modules.json

    /// "mean, normalized"
    std::string text() const;
};

/// Of modules.json and the folders that it names; the mean where there is none, as in sentence-transformers. Throws
/// Error for a part that changes embeddings and is not computed, such as a layer behind the pooling.
TextPooling read_text_pooling(const std::filesystem::path& folder);

/// Of a result for a text. Throws Error for a model that reads images.
std::vector<float> text_embedding(const Model& model, const Result& result, const TextPooling& pooling);

/// Throws Error for other lengths, and for a vector of zeros.
double cosine(std::span<const float> a, std::span<const float> b);

} // namespace attnlab::model
