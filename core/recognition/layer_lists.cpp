#include "core/recognition/layer_lists.h"

#include "core/recognition/array_names.h"
#include "core/recognition/mask_arrays.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace attnlab {
namespace {

/// Splits a trailing number, or one before ".weights" and similar: "attentions.3" is {"attentions.", 3}.
std::optional<std::pair<std::string, long>> numbered(const std::string& name) {
    const auto end = name.find_last_not_of("0123456789");
    const auto start = end == std::string::npos ? 0 : end + 1;
    constexpr std::size_t most_digits = 6;
    if (start == name.size() || name.size() - start > most_digits)
        return std::nullopt;
    return std::pair{name.substr(0, start), std::stol(name.substr(start))};
}

/// Concatenates tensors of the same size.
class Sequence : public NumberSource {
public:
    explicit Sequence(std::vector<Tensor> parts) : parts_(std::move(parts)), each_(parts_.front().size()) {}
    std::int64_t size() const override { return each_ * static_cast<std::int64_t>(parts_.size()); }
    void read(std::int64_t first, std::span<double> values) const override { take(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { take(first, values); }

private:
    template <class Number>
    void take(std::int64_t first, std::span<Number> values) const {
        while (!values.empty()) {
            const auto count = std::min(each_ - first % each_, static_cast<std::int64_t>(values.size()));
            parts_[static_cast<std::size_t>(first / each_)].read(first % each_,
                                                                 values.first(static_cast<std::size_t>(count)));
            values = values.subspan(static_cast<std::size_t>(count));
            first += count;
        }
    }

    std::vector<Tensor> parts_;
    std::int64_t each_;
};

/// A single layer needs a telling name: "attentions.".
bool is_called_weights(const std::string& prefix) {
    const auto meaning = known_name(prefix.substr(0, prefix.find_last_not_of("./") + 1));
    return prefix.ends_with('.') && meaning && meaning->role == "weights";
}

} // namespace

std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays) {
    std::map<std::pair<std::string, std::string>, std::map<long, const HeldArray*>> by_stem;
    for (const auto& array : arrays)
        if (const auto parts = numbered(array.name))
            by_stem[{array.file, parts->first}].emplace(parts->second, &array);
    std::vector<LayerList> lists;
    for (const auto& [stem, members] : by_stem) {
        LayerList list{stem.second, {}};
        for (const auto& [number, array] : members)
            list.members.push_back(array);
        const auto& first = list.members.front()->tensor;
        const bool weights = (list.members.size() > 1 || is_called_weights(stem.second)) && first.rank() >= 3 &&
                             first.rank() <= 4 &&
                             std::all_of(list.members.begin(), list.members.end(), [&](const HeldArray* array) {
                                 return array->tensor.shape() == first.shape() && looks_like_weights(array->tensor);
                             });
        if (weights)
            lists.push_back(std::move(list));
    }
    return lists;
}

Tensor stacked(const LayerList& list) {
    if (list.members.size() == 1)
        return list.members.front()->tensor;
    std::vector<Tensor> parts;
    for (const auto* member : list.members)
        parts.push_back(member->tensor);
    auto shape = parts.front().shape();
    if (shape.size() == 3) // (H,L,S) of one sequence
        shape.insert(shape.begin(), 1);
    shape.insert(shape.begin(), static_cast<std::int64_t>(parts.size()));
    const auto dtype = parts.front().dtype();
    const bool in_memory = std::all_of(parts.begin(), parts.end(), [](const Tensor& part) { return part.in_memory(); });
    auto source = std::make_shared<Sequence>(std::move(parts));
    if (!in_memory)
        return Tensor::from(std::move(shape), std::move(source), dtype);
    Tensor result(std::move(shape), 0.0, dtype);
    source->read(0, result.mutable_values());
    return result;
}

} // namespace attnlab
