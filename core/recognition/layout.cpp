#include "core/recognition/layout.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/message.h"
#include "core/recognition/projections.h"
#include "core/recognition/recognition_state.h"
#include "core/resolved_problem.h"
#include "core/run_control.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace attnlab {
namespace {

constexpr Layout known_layouts[] = {{"BHLE"}, {"BLHE"}, {"HLE"},  {"LHE"}, {"BLE"},
                                    {"LBE"},  {"LE"},   {"BHLO"}, {"HLO"}, {"LO"}};
constexpr std::string_view with_heads = "BHLE", without_heads = "BLE";

/// The numbers of a tensor with permuted axes.
class PermutedSource : public NumberSource {
public:
    PermutedSource(Tensor tensor, Shape shape, Shape strides)
        : tensor_(std::move(tensor)), shape_(std::move(shape)), strides_(std::move(strides)) {}

    std::int64_t size() const override { return tensor_.size(); }
    void read(std::int64_t first, std::span<double> values) const override { gather(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { gather(first, values); }

private:
    /// Reads runs of the last axis where it is contiguous, and single numbers otherwise.
    template <class Number>
    void gather(std::int64_t first, std::span<Number> values) const {
        const auto width = std::max<std::int64_t>(1, shape_.back());
        for (std::size_t done = 0; done < values.size();) {
            const auto position = first + static_cast<std::int64_t>(done);
            const auto column = position % width;
            const auto run = std::min(width - column, static_cast<std::int64_t>(values.size() - done));
            const auto row = values.subspan(done, static_cast<std::size_t>(run));
            const auto start = offset_of_row(position / width) + column * strides_.back();
            if (strides_.back() == 1) {
                tensor_.read(start, row);
            } else {
                for (std::size_t k = 0; k < row.size(); ++k)
                    tensor_.read(start + static_cast<std::int64_t>(k) * strides_.back(), row.subspan(k, 1));
            }
            done += static_cast<std::size_t>(run);
        }
    }

    std::int64_t offset_of_row(std::int64_t row) const {
        std::int64_t offset = 0;
        for (std::size_t axis = shape_.size() - 1; axis-- > 0;) {
            offset += row % shape_[axis] * strides_[axis];
            row /= shape_[axis];
        }
        return offset;
    }

    Tensor tensor_;
    Shape shape_, strides_;
};

} // namespace

std::span<const Layout> layouts() { return known_layouts; }

const Layout& layout(std::string_view id) {
    if (const auto* found = lookup(known_layouts, id))
        return *found;
    throw Error({ATTNLAB_TEXT("layout: '%1' is not one of %2"), {std::string(id), listed(known_layouts, &Layout::id)}});
}

bool has_heads(const Layout& layout) { return layout.id.find('H') != layout.id.npos; }

std::string axes_text(const Layout& layout) {
    std::string text;
    for (const char axis : layout.id)
        text += (text.empty() ? "(" : ", ") + std::string(1, axis);
    return text + ")";
}

Tensor permuted(const Tensor& tensor, std::span<const int> order, const RunControl* control) {
    Shape strides(tensor.shape().size(), 1);
    for (std::size_t axis = strides.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * tensor.shape()[axis];
    Shape shape, moved;
    for (const int axis : order) {
        shape.push_back(tensor.shape()[static_cast<std::size_t>(axis)]);
        moved.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    if (std::is_sorted(order.begin(), order.end()))
        return tensor;
    auto source = std::make_shared<PermutedSource>(tensor, shape, std::move(moved));
    if (!tensor.in_memory())
        return Tensor::from(std::move(shape), std::move(source), tensor.dtype());
    Tensor result(std::move(shape), 0.0, tensor.dtype());
    constexpr std::size_t at_once = 1 << 16;
    const auto values = result.mutable_values();
    for (std::size_t done = 0; done < values.size(); done += at_once) {
        if (control)
            control->checkpoint();
        source->read(static_cast<std::int64_t>(done), values.subspan(done, std::min(at_once, values.size() - done)));
    }
    return result;
}

Tensor arranged(const Tensor& tensor, const Layout& layout, std::string_view name, const RunControl* control) {
    if (layout.id.ends_with('O'))
        throw Error({ATTNLAB_TEXT("layout: %1 is for attention weights alone, expected another one for %2"),
                     {std::string(layout.id), std::string(name)}});
    if (tensor.shape().size() != layout.id.size())
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected the axes %3 as the layout says"),
                     {std::string(name), to_string(tensor.shape()), axes_text(layout)}});
    const bool heads = has_heads(layout);
    std::vector<int> order;
    Shape shape;
    for (const char axis : heads ? with_heads : without_heads) {
        const auto place = layout.id.find(axis);
        if (place == layout.id.npos && !heads)
            continue;
        if (place != layout.id.npos)
            order.push_back(static_cast<int>(place));
        shape.push_back(place == layout.id.npos ? 1 : tensor.shape()[place]);
    }
    return permuted(tensor, order, control).reshaped(std::move(shape));
}

// Implements the part of core/recognition/recognition_state.h about the axes of query, key, value and x.

namespace {

constexpr std::int64_t widest_head = 256; ///< of existing models; a larger width means that heads are not split yet

/// The number of heads and their width.
struct Part {
    std::int64_t heads, width;
};

/// (B,L,H*E) or (L,H*E) as (B,H,L,E).
Tensor parted(const Tensor& tensor, const Part& part) {
    const auto& shape = tensor.shape();
    const auto batches = shape.size() == 3 ? shape[0] : 1;
    constexpr int heads_first[] = {0, 2, 1, 3};
    return permuted(tensor.reshaped({batches, tensor.dim(-2), part.heads, part.width}), heads_first);
}

Part part_of(const HeldArray& array, std::int64_t width, std::int64_t heads, const char* parameter) {
    if (heads < 1 || width < 1 || width % heads != 0) {
        const auto numbers = listed(divisors(width), [](std::int64_t count) { return std::to_string(count); });
        throw Error({ATTNLAB_TEXT("%1: is %2, which does not divide the last axis of %3 %4, expected one of %5"),
                     {parameter, std::to_string(heads), label_of(array), to_string(array.tensor.shape()), numbers}});
    }
    return {heads, width / heads};
}

bool declares(const Mechanism& variant, std::string_view parameter) {
    return std::any_of(variant.parameters.begin(), variant.parameters.end(),
                       [&](const Parameter& known) { return known.name == parameter; });
}

void part_heads(Reading& reading) {
    auto& tensors = reading.result.problem.tensors;
    const auto part = [&](const std::string& role, const Part& by) {
        const auto& array = *reading.origins.at(role);
        auto& tensor = tensors.at(role);
        const auto width = tensor.dim(-1);
        const bool is_part = array.tensor.shape().empty() || width != array.tensor.dim(-1); // of a fused array
        const auto name = is_part ? array.name + "." + role : array.name;
        const auto shape = to_string(is_part ? tensor.shape() : array.tensor.shape());
        tensor = parted(tensor, by);
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, L, H, E) with H = %3: last axis %4 = %3 x %5"),
                      {name, shape, std::to_string(by.heads), std::to_string(width), std::to_string(by.width)}});
        reading.result.parts_heads = true;
    };
    // For arrays without an axis for heads, in this program's order.
    const auto whole = [&](const char* role) -> const Tensor* {
        const auto found = tensors.find(role);
        return reading.origins.contains(role) && found != tensors.end() &&
                       (found->second.rank() == 2 || found->second.rank() == 3)
                   ? &found->second
                   : nullptr;
    };
    const auto heads = *reading.choices.num_heads;
    std::optional<Part> queries;
    if (const auto* query = whole("query")) {
        queries = part_of(*reading.origins.at("query"), query->dim(-1), heads, "num_heads");
        part("query", *queries);
    }
    // Key heads are as wide as query heads; there are as many value heads as key heads.
    std::optional<std::int64_t> kv = reading.choices.num_kv_heads;
    if (const auto* key = whole("key")) {
        const auto as_wide = queries && key->dim(-1) % queries->width == 0 ? key->dim(-1) / queries->width : 0;
        if (!kv && as_wide > 0 && heads % as_wide == 0)
            kv = as_wide;
        const auto keys = part_of(*reading.origins.at("key"), key->dim(-1), kv.value_or(heads),
                                  reading.choices.num_kv_heads ? "num_kv_heads" : "num_heads");
        kv = keys.heads;
        part("key", keys);
    }
    if (const auto* value = whole("value"))
        part("value", part_of(*reading.origins.at("value"), value->dim(-1), kv.value_or(heads),
                              reading.choices.num_kv_heads ? "num_kv_heads" : "num_heads"));
}

/// Notes the interpretation of an ambiguous rank, once.
void note_tokens(Reading& reading, const HeldArray& array) {
    const auto& shape = array.tensor.shape();
    if (shape.size() == 3 && shape[0] > shape[1])
        reading.note(
            {ATTNLAB_TEXT("%1 %2 is read as (B, L, D) with B = %3 and L = %4. %5 reads tokens first, as torch has them "
                          "without batch_first"),
             {array.name, to_string(shape), std::to_string(shape[0]), std::to_string(shape[1]), "--layout LBE"}});
}

void note_query(Reading& reading, const HeldArray& array) {
    const auto& shape = array.tensor.shape();
    if (shape.size() == 3 && shape[0] > 1) {
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, L, E): %3 sequences, one head; %4 reads "
                                   "heads, %5 tokens first, %6 parts the last axis"),
                      {array.name, to_string(shape), std::to_string(shape[0]), "--layout HLE", "--layout LHE",
                       "--set num_heads=N"}});
        reading.result.questions.push_back({Question::Kind::Layout,
                                            {ATTNLAB_TEXT("%1 has three axes %2"), {array.name, to_string(shape)}},
                                            {"BLE", "HLE", "LHE"}});
    } else if ((shape.size() == 2 || shape.size() == 3) && shape.back() > widest_head) {
        reading.note({ATTNLAB_TEXT("%1 %2 is read as one head %3 wide; %4 parts its last axis into heads"),
                      {array.name, to_string(shape), std::to_string(shape.back()), "--set num_heads=N"}});
    }
    if (shape.size() == 4 && shape[1] > shape[2]) {
        reading.note(
            {ATTNLAB_TEXT("%1 %2 is read as (B, H, L, E) with H = %3 and L = %4. %5 reads H = %4 and L = %3"),
             {array.name, to_string(shape), std::to_string(shape[1]), std::to_string(shape[2]), "--layout BLHE"}});
        reading.result.questions.push_back(
            {Question::Kind::Layout,
             {ATTNLAB_TEXT("%1 has more heads than tokens %2"), {array.name, to_string(shape)}},
             {"BHLE", "BLHE"}});
    }
}

/// Notes how key or value is read where it has another number of axes than query.
void note_other_rank(Reading& reading, const std::string& role) {
    const auto query = reading.origins.find("query"), other = reading.origins.find(role);
    if (query == reading.origins.end() || other == reading.origins.end())
        return;
    const auto& tensors = reading.result.problem.tensors;
    const auto rank = tensors.at("query").rank(), its_rank = tensors.at(role).rank();
    if (rank == its_rank || std::min(rank, its_rank) < 2 || std::max(rank, its_rank) > 4)
        return;
    const std::vector<Argument> arrays{other->second->name, to_string(other->second->tensor.shape()),
                                       query->second->name, to_string(query->second->tensor.shape())};
    if (rank == 4 && its_rank == 3)
        return reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, S, E), shared by all heads of %3 %4; broadcasting in "
                                          "PyTorch would read (H, S, E). With four axes, (B, H, S, E), it is clear"),
                             arrays});
    constexpr const char* of_queries[] = {"(L, E)", "(B, L, E)", "(B, H, L, E)"};
    constexpr const char* of_keys[] = {"(S, E)", "(B, S, E)", "(B, H, S, E)"};
    auto holes = arrays;
    holes.insert(holes.end(), {of_keys[its_rank - 2], of_queries[rank - 2]});
    reading.note({ATTNLAB_TEXT("%1 %2 is read as %5, and %3 %4 as %6"), std::move(holes)});
}

void note_weights(Reading& reading, const HeldArray& array) {
    const auto& shape = array.tensor.shape();
    if (reading.result.problem.spec.variant != "given_weights" || shape.size() != 3 || shape[0] < 2 ||
        reading.result.problem.tensors.at("weights").rank() != 3)
        return;
    reading.note({ATTNLAB_TEXT("%1 %2 is read as (H, L, S), %3 heads of one sequence. %4 reads (B, L, S), a matrix for "
                               "each sequence, as nn.MultiheadAttention returns the mean over heads"),
                  {array.name, to_string(shape), std::to_string(shape[0]), "--layout BLE"}});
}

} // namespace

void read_axes(Reading& reading) {
    if (reading.contents.workspace)
        return;
    const auto& spec = reading.result.problem.spec;
    const auto inputs = inputs_of(mechanism_of(spec.variant), spec.parameters);
    const bool by_heads = find_input(inputs, "query") && !declares(mechanism_of(spec.variant), "num_heads");
    if (reading.choices.num_heads && by_heads)
        part_heads(reading);
    if (!reading.choices.layout.empty()) {
        if (!reading.arranged)
            reading.note(
                {ATTNLAB_TEXT("the layout %1 changes nothing: no array has such axes"), {reading.choices.layout}});
        return;
    }
    if (const auto weights = reading.origins.find("weights"); weights != reading.origins.end())
        note_weights(reading, *weights->second);
    if (const auto x = reading.origins.find("x"); x != reading.origins.end())
        note_tokens(reading, *x->second);
    if (const auto query = reading.origins.find("query"); query != reading.origins.end() && !reading.result.parts_heads)
        note_query(reading, *query->second);
    for (const char* role : {"key", "value"})
        note_other_rank(reading, role);
}

} // namespace attnlab
