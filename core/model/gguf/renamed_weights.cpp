#include "core/model/gguf/renamed_weights.h"

#include <algorithm>

namespace attnlab::model {
namespace {

/// Conv1D of GPT-2.
bool is_turned(const GgufArchitecture& architecture, const std::string& name) {
    return architecture.type == "gpt2" && name.find(".c_") != name.npos && name.ends_with(".weight");
}

} // namespace

RenamedWeights::RenamedWeights(std::shared_ptr<const WeightFiles> files, const GgufArchitecture& architecture)
    : files_(std::move(files)) {
    for (const auto& name : files_->names()) {
        auto other = transformers_name(architecture, name);
        if (other.empty() || !names_.emplace(other, name).second)
            continue;
        if (is_turned(architecture, other)) {
            const auto* weight = files_->find(name);
            auto& turned = turned_.emplace(other, *weight).first->second;
            std::reverse(turned.shape.begin(), turned.shape.end());
            stored_.emplace(&turned, weight);
        }
        order_.push_back(std::move(other));
    }
}

const Weight* RenamedWeights::find(std::string_view name) const {
    if (const auto turned = turned_.find(name); turned != turned_.end())
        return &turned->second;
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : files_->find(found->second);
}

const Weight* RenamedWeights::stored(const Weight* found) const {
    const auto other = stored_.find(found);
    return other == stored_.end() ? found : other->second;
}

} // namespace attnlab::model
