#include "core/recognition/layer_conventions.h"

#include "core/recognition/array_names.h"
#include "core/recognition/mask_arrays.h"
#include "core/recognition/recognition_state.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace attnlab {
namespace {

constexpr std::string_view t5_self = "SelfAttention.", t5_cross = "EncDecAttention.", t5_block = "block.";

} // namespace

std::optional<std::int64_t> token_width(const ArrayName& meaning, const Tensor& tensor) {
    const auto& role = meaning.role;
    if (meaning.form == NameForm::ByHead && role == "w_q" && tensor.rank() == 3)
        return tensor.dim(1);
    if (tensor.rank() != 2)
        return std::nullopt;
    if (role == "in_proj_weight" || role == "q_proj_weight")
        return tensor.dim(1);
    if (role == "w_q" || role == "w_qkv")
        return tensor.dim(meaning.form == NameForm::Linear || meaning.form == NameForm::FusedLinear ||
                                  meaning.form == NameForm::FusedByHead
                              ? 1
                              : 0);
    return std::nullopt;
}

bool shares_relative_bias(std::string_view owner, std::string_view reader) {
    const auto stack = owner.rfind(t5_block);
    return owner.ends_with(t5_self) && reader.ends_with(t5_self) && stack != owner.npos &&
           reader.starts_with(owner.substr(0, stack + t5_block.size()));
}

bool stores_gain_without_one(std::string_view prefix, const Contents& contents) {
    constexpr std::string_view attention = "self_attn.";
    if (!prefix.ends_with(attention))
        return false;
    const auto block = prefix.substr(0, prefix.size() - attention.size());
    const auto any = [&](auto fits) {
        return std::any_of(contents.arrays.begin(), contents.arrays.end(), [&](const HeldArray& array) {
            const std::string_view name = array.name;
            return name.starts_with(block) && fits(name.substr(block.size()));
        });
    };
    constexpr std::string_view norms[] = {"input_layernorm.weight", "post_attention_layernorm.weight",
                                          "pre_feedforward_layernorm.weight", "post_feedforward_layernorm.weight"};
    const bool has_norms = std::all_of(std::begin(norms), std::end(norms), [&](std::string_view norm) {
        return any([&](std::string_view name) { return name == norm; });
    });
    // Others with norms of these names: Gemma 4, Gemma 3n, TimesFM.
    return has_norms && !any([](std::string_view name) {
               return name == "layer_scalar" || name.starts_with("altup.") || name.starts_with("mlp.ff0.");
           });
}

std::optional<Message> convention_of(std::string_view prefix) {
    if (!prefix.ends_with(t5_self) && !prefix.ends_with(t5_cross))
        return std::nullopt;
    return Message{ATTNLAB_TEXT("%1 is a layer of T5, which does not divide its scores (scale none) and in its "
                                "self-attention adds relative_attention_bias (position t5)"),
                   {std::string(prefix)}};
}

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

/// The rows of the steps of generate(), each widened by zeros. Parts (B,H,L,S) lie step by step, layer by layer.
class Steps : public NumberSource {
public:
    Steps(std::vector<Tensor> parts, std::size_t layers) : parts_(std::move(parts)), layers_(layers) {
        for (std::size_t part = 0; part < parts_.size(); part += layers_)
            rows_ += parts_[part].dim(-2);
        width_ = parts_.back().dim(-1);
        matrices_ = parts_.front().dim(-4) * parts_.front().dim(-3);
    }
    std::int64_t rows() const { return rows_; }
    std::int64_t width() const { return width_; }
    std::int64_t size() const override { return static_cast<std::int64_t>(layers_) * matrices_ * rows_ * width_; }
    void read(std::int64_t first, std::span<double> values) const override { take(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { take(first, values); }

private:
    template <class Number>
    void take(std::int64_t first, std::span<Number> values) const {
        while (!values.empty()) {
            const auto column = first % width_, matrix = first / width_ / rows_;
            const auto count = std::min(width_ - column, static_cast<std::int64_t>(values.size()));
            const auto into = values.first(static_cast<std::size_t>(count));
            auto row = first / width_ % rows_;
            auto part = static_cast<std::size_t>(matrix / matrices_); // the layer, in the step of the prompt
            for (; row >= parts_[part].dim(-2); part += layers_)
                row -= parts_[part].dim(-2);
            const auto& step = parts_[part];
            const auto own = std::clamp<std::int64_t>(step.dim(-1) - column, 0, count);
            step.read(((matrix % matrices_) * step.dim(-2) + row) * step.dim(-1) + column,
                      into.first(static_cast<std::size_t>(own)));
            std::fill(into.begin() + own, into.end(), Number{0});
            values = values.subspan(static_cast<std::size_t>(count));
            first += count;
        }
    }

    std::vector<Tensor> parts_;
    std::size_t layers_;
    std::int64_t rows_ = 0, width_ = 0, matrices_ = 0;
};

/// True where `next` may be the step after `last`, whose prompt was `first`.
bool follows(const Tensor& next, const Tensor& last, bool cross) {
    return next.rank() == 4 && last.rank() == 4 && next.dim(0) == last.dim(0) && next.dim(1) == last.dim(1) &&
           next.dim(2) == 1 && next.dim(3) == last.dim(3) + (cross ? 0 : 1);
}

/// Replaces lists "0.", "1.", ... that are steps of generate() by one.
void join_steps(std::vector<LayerList>& lists) {
    std::map<std::pair<std::string, std::string>, std::map<long, const LayerList*>> by_stem;
    for (const auto& list : lists)
        if (const auto parts =
                list.prefix.ends_with('.') ? numbered(list.prefix.substr(0, list.prefix.size() - 1)) : std::nullopt)
            by_stem[{list.members.front()->file, parts->first}].emplace(parts->second, &list);
    std::vector<LayerList> joined;
    std::vector<std::string> gone;
    for (const auto& [stem, steps] : by_stem) {
        LayerList all{stem.second, {}, steps.size()};
        const bool cross = stem.second.find("cross") != std::string::npos;
        const LayerList* last = nullptr;
        bool fits = steps.size() > 1 && steps.begin()->first == 0 &&
                    steps.rbegin()->first + 1 == static_cast<long>(steps.size());
        for (const auto& [number, step] : steps) {
            fits = fits && (!last ? step->members.front()->tensor.rank() == 4
                                  : step->members.size() == last->members.size() &&
                                        follows(step->members.front()->tensor, last->members.front()->tensor, cross));
            last = step;
            all.members.insert(all.members.end(), step->members.begin(), step->members.end());
        }
        if (!fits)
            continue;
        for (const auto& [number, step] : steps)
            gone.push_back(step->members.front()->file + '\n' + step->prefix);
        joined.push_back(std::move(all));
    }
    std::erase_if(lists, [&](const LayerList& list) {
        return std::ranges::find(gone, list.members.front()->file + '\n' + list.prefix) != gone.end();
    });
    lists.insert(lists.end(), joined.begin(), joined.end());
}

/// A single layer needs a telling name: "attentions.".
bool is_called_weights(const std::string& prefix) {
    const auto meaning = known_name(prefix.substr(0, prefix.find_last_not_of("./") + 1));
    return prefix.ends_with('.') && meaning && meaning->role == "weights";
}

} // namespace

std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays, const RunControl* control) {
    std::map<std::pair<std::string, std::string>, std::map<long, const HeldArray*>> by_stem;
    for (const auto& array : arrays) {
        if (control)
            control->checkpoint();
        if (const auto parts = numbered(array.name))
            by_stem[{array.file, parts->first}].emplace(parts->second, &array);
    }
    std::vector<LayerList> lists;
    for (const auto& [stem, members] : by_stem) {
        LayerList list{stem.second, {}};
        for (const auto& [number, array] : members)
            list.members.push_back(array);
        const auto& first = list.members.front()->tensor;
        const bool weights = first.rank() >= 3 && first.rank() <= 4 &&
                             std::all_of(list.members.begin(), list.members.end(), [&](const HeldArray* array) {
                                 return array->tensor.shape() == first.shape() && looks_like_weights(array->tensor);
                             });
        if (weights)
            lists.push_back(std::move(list));
    }
    join_steps(lists);
    std::erase_if(lists,
                  [](const LayerList& list) { return list.members.size() == 1 && !is_called_weights(list.prefix); });
    return lists;
}

Tensor stacked(const LayerList& list) {
    if (list.members.size() == 1)
        return list.members.front()->tensor;
    std::vector<Tensor> parts;
    for (const auto* member : list.members)
        parts.push_back(member->tensor);
    if (list.steps > 1) {
        const auto& first = parts.front();
        auto steps = std::make_shared<Steps>(parts, list.layers());
        const Shape all{static_cast<std::int64_t>(list.layers()), first.dim(0), first.dim(1), steps->rows(),
                        steps->width()};
        return Tensor::from(all, std::move(steps), first.dtype());
    }
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

// Implements the part of core/recognition/recognition_state.h about the state_dict of a whole torch.nn.Transformer.

std::optional<std::string> torch_transformer_prefix(Reading& reading) {
    // A lone encoder is read layer by layer.
    constexpr std::string_view encoder = "encoder.layers.0.self_attn.in_proj_weight",
                               decoder = "decoder.layers.0.self_attn.in_proj_weight";
    std::optional<std::string> prefix;
    for (const auto& array : reading.contents.arrays) {
        if (!array.name.ends_with(encoder))
            continue;
        const auto before = array.name.substr(0, array.name.size() - encoder.size());
        if (reading.holds(before + std::string(decoder))) {
            prefix = before;
            break;
        }
    }
    const auto& group = reading.choices.group;
    if (!prefix || (group && !group->empty() && prefix != group))
        return std::nullopt; // not one, or a single layer of it was requested
    if (reading.choices.variant != "transformer" && !reading.holds("src_embedding.weight")) {
        reading.note({ATTNLAB_TEXT("the layers of an nn.Transformer, without its tables src_embedding.weight, "
                                   "tgt_embedding.weight and generator.weight: each is read by itself")});
        return std::nullopt;
    }
    return prefix;
}

void add_zero_biases(Reading& reading) {
    auto& tensors = reading.result.problem.tensors;
    constexpr std::string_view parts[] = {"encoder.", "decoder.", "generator."}, weight = "weight", bias = "bias";
    bool added = false;
    for (const auto part : parts) {
        const auto belongs = [&](const auto& entry) { return entry.first.starts_with(part); };
        if (!reading.is_transformer || std::any_of(tensors.begin(), tensors.end(), [&](const auto& entry) {
                return belongs(entry) && entry.first.ends_with(bias);
            }))
            continue; // a missing bias among others is reported by the run
        TensorMap biases;
        for (const auto& entry : tensors)
            if (belongs(entry) && entry.first.ends_with(weight) && entry.second.rank() > 0) {
                const auto stem = entry.first.substr(0, entry.first.size() - weight.size());
                biases.emplace(stem + std::string(bias), Tensor({entry.second.dim(0)}));
            }
        added = added || !biases.empty();
        tensors.merge(biases);
    }
    if (added)
        reading.note({ATTNLAB_TEXT("the nn.Transformer has no biases (bias=False): they count as 0")});
}

} // namespace attnlab
