#include "core/model/weights/mapped_weights.h"

namespace attnlab::model {

void MappedWeights::add(Weight weight) {
    const auto name = weight.name;
    if (weights_.emplace(name, std::move(weight)).second)
        names_.push_back(name);
}

const Weight* MappedWeights::find(std::string_view name) const {
    if (knows(name)) {
        const std::scoped_lock lock(reading_);
        read_.emplace(name);
    }
    return peek(name);
}

std::vector<std::string> MappedWeights::unread() const {
    const std::scoped_lock lock(reading_);
    std::vector<std::string> left;
    for (const auto& name : names_)
        if (!read_.contains(name))
            left.push_back(name);
    for (const auto& [name, why] : refused_)
        if (!read_.contains(name))
            left.push_back(name);
    return left;
}

const Weight* MappedWeights::peek(std::string_view name) const {
    if (const auto found = weights_.find(name); found != weights_.end())
        return &found->second;
    if (const auto refused = refused_.find(name); refused != refused_.end())
        throw Error(refused->second);
    return nullptr;
}

void MappedWeights::check() const {
    for (const auto& file : files_)
        file->check();
}

std::optional<WeightType> weight_type(DType dtype) {
    switch (dtype) {
    case DType::Float64:
        return WeightType::F64;
    case DType::Float32:
        return WeightType::F32;
    case DType::Float16:
        return WeightType::F16;
    case DType::BFloat16:
        return WeightType::BF16;
    case DType::Bool:
    case DType::Int64:
        break;
    }
    return std::nullopt;
}

Message no_weights(const std::string& full_name, std::string_view type) {
    return {ATTNLAB_TEXT("%1: holds elements of type '%2', expected weights: floats of 16 to 64 bits"),
            {full_name, std::string(type)}};
}

} // namespace attnlab::model
