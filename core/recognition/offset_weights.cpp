#include "core/recognition/offset_weights.h"

#include "core/chunked_numbers.h"
#include "core/message.h"
#include "core/recognition/mask_arrays.h"
#include "core/run_control.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attnlab {
namespace {

constexpr std::string_view mask_name = "global_attention_mask", rows_name = "global_attentions";

/// The last axis of weights by offset: `global` columns, then the offsets -reach to reach.
struct OffsetColumns {
    std::int64_t global = 0, reach = 0;
};

/// The axes (matrices, rows, columns) of weights (..., B, H, L, columns).
struct Matrices {
    explicit Matrices(const Tensor& weights)
        : rows(weights.dim(-2)), columns(weights.dim(-1)), heads(weights.rank() > 2 ? weights.dim(-3) : 1),
          sequences(weights.rank() > 3 ? weights.dim(-4) : 1),
          count(rows * columns == 0 ? 0 : weights.size() / (rows * columns)) {}

    std::size_t sequence(std::int64_t matrix) const { return static_cast<std::size_t>(matrix / heads % sequences); }

    std::int64_t rows, columns, heads, sequences, count;
};

std::vector<double> row_of(const Tensor& tensor, std::int64_t row) {
    std::vector<double> numbers(static_cast<std::size_t>(tensor.dim(-1)));
    tensor.read(row * tensor.dim(-1), std::span(numbers));
    return numbers;
}

bool is_empty(const std::vector<double>& row) {
    return std::ranges::all_of(row, [](double weight) { return weight == 0.0; });
}

/// Calls `see` with the numbers of the rows of a matrix near both ends, which have offsets beyond them, until it
/// returns false. False if it did.
template <class See>
bool each_row_near_ends(std::int64_t tokens, std::int64_t reach, const RunControl* control, See see) {
    constexpr std::int64_t rows_between_polls = 64;
    const auto row = [&](std::int64_t i) {
        if (control && i % rows_between_polls == 0)
            control->checkpoint();
        return see(i);
    };
    for (std::int64_t i = 0; i < std::min(reach, tokens); ++i)
        if (!row(i))
            return false;
    for (auto i = std::max(reach, tokens - reach); i < tokens; ++i)
        if (!row(i))
            return false;
    return true;
}

/// The columns that the first matrix suggests: its last row that is not empty ends in `reach` zeros, for the keys
/// after it.
std::optional<OffsetColumns> suggested(const Tensor& weights, const RunControl* control) {
    const Matrices of(weights);
    for (auto i = of.rows - 1; i > 0; --i) {
        if (control)
            control->checkpoint();
        const auto row = row_of(weights, i);
        if (is_empty(row))
            continue;
        std::int64_t reach = 0;
        while (row[static_cast<std::size_t>(of.columns - 1 - reach)] == 0.0)
            ++reach;
        const auto global = of.columns - 1 - 2 * reach;
        return reach > 0 && global >= 0 && global <= of.rows ? std::optional(OffsetColumns{global, reach})
                                                             : std::nullopt;
    }
    return std::nullopt;
}

/// The place in `weights` of the first weight of an offset that leads beyond `tokens`; nullopt without one.
std::optional<std::int64_t> first_outside(const Tensor& weights, const OffsetColumns& by, std::int64_t tokens,
                                          const RunControl* control) {
    const Matrices of(weights);
    std::optional<std::int64_t> place;
    for (std::int64_t matrix = 0; matrix < of.count && !place; ++matrix)
        each_row_near_ends(tokens, by.reach, control, [&](std::int64_t i) {
            const auto row = row_of(weights, matrix * of.rows + i);
            for (std::int64_t offset = -by.reach; offset <= by.reach && !place; ++offset) {
                const auto column = by.global + by.reach + offset;
                if ((i + offset < 0 || i + offset >= tokens) && row[static_cast<std::size_t>(column)] != 0.0)
                    place = (matrix * of.rows + i) * of.columns + column;
            }
            return !place;
        });
    return place;
}

/// True where each row of the first matrix near an end reads itself, or nothing as padding and global tokens do.
bool read_themselves(const Tensor& weights, const OffsetColumns& by, const RunControl* control) {
    return each_row_near_ends(weights.dim(-2), by.reach, control, [&](std::int64_t i) {
        const auto row = row_of(weights, i);
        return is_empty(row) || row[static_cast<std::size_t>(by.global + by.reach)] != 0.0;
    });
}

using Places = std::vector<std::vector<std::int64_t>>; ///< of the global tokens of each sequence

/// Weights (..., B, H, L, tokens) for each key of weights by offset.
class ByKey : public NumberSource {
public:
    /// `rows` (..., B, H, at least `tokens`, G) are those of the global tokens; nullopt leaves them as they are.
    ByKey(Tensor weights, OffsetColumns by, std::int64_t tokens, Places places, std::optional<Tensor> rows)
        : weights_(std::move(weights)), of_(weights_), by_(by), tokens_(tokens), places_(std::move(places)),
          rows_(std::move(rows)) {}

    std::int64_t size() const override { return of_.count * tokens_ * tokens_; }
    void read(std::int64_t first, std::span<double> values) const override { take(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { take(first, values); }

private:
    template <class Number>
    void take(std::int64_t first, std::span<Number> values) const {
        while (!values.empty()) {
            const auto column = first % tokens_;
            const auto count = std::min(tokens_ - column, static_cast<std::int64_t>(values.size()));
            const auto row = by_key(first / tokens_ / tokens_, first / tokens_ % tokens_);
            std::transform(row.begin() + column, row.begin() + column + count, values.begin(),
                           [](double weight) { return static_cast<Number>(weight); });
            values = values.subspan(static_cast<std::size_t>(count));
            first += count;
        }
    }

    std::vector<double> by_key(std::int64_t matrix, std::int64_t i) const {
        std::vector<double> keys(static_cast<std::size_t>(tokens_));
        const auto row = row_of(weights_, matrix * of_.rows + i);
        const auto& places = places_[places_.size() == 1 ? 0 : of_.sequence(matrix)];
        for (std::size_t g = 0; g < places.size(); ++g)
            keys[static_cast<std::size_t>(places[g])] += row[g];
        for (auto offset = std::max(-by_.reach, -i); offset <= std::min(by_.reach, tokens_ - 1 - i); ++offset)
            keys[static_cast<std::size_t>(i + offset)] +=
                row[static_cast<std::size_t>(by_.global + by_.reach + offset)];
        const auto own = std::ranges::find(places, i);
        if (own == places.end() || !rows_)
            return keys;
        for (std::int64_t j = 0; j < tokens_; ++j) {
            double weight = 0.0;
            rows_->read((matrix * rows_->dim(-2) + j) * by_.global + (own - places.begin()), std::span(&weight, 1));
            keys[static_cast<std::size_t>(j)] += weight;
        }
        return keys;
    }

    Tensor weights_;
    Matrices of_;
    OffsetColumns by_;
    std::int64_t tokens_;
    Places places_;
    std::optional<Tensor> rows_;
};

/// The places of the global tokens by a mask (B, L) or (L); nullopt where it is none for `of`.
std::optional<Places> places_by(const Tensor& mask, const Matrices& of, const RunControl* control) {
    const auto tokens = mask.rank() > 0 ? mask.dim(-1) : 0;
    const auto sequences = mask.rank() == 2 ? mask.dim(0) : 1;
    if (mask.rank() < 1 || mask.rank() > 2 || tokens < 1 || tokens > of.rows ||
        (sequences != 1 && sequences != of.sequences) || !holds_only_zero_and_one(mask, control))
        return std::nullopt;
    Places places(static_cast<std::size_t>(sequences));
    for (std::size_t b = 0; b < places.size(); ++b) {
        std::vector<double> row(static_cast<std::size_t>(tokens));
        mask.read(static_cast<std::int64_t>(b) * tokens, std::span(row));
        for (std::int64_t j = 0; j < tokens; ++j)
            if (row[static_cast<std::size_t>(j)] == 1.0)
                places[b].push_back(j);
    }
    return places;
}

/// "attentions" as "global_attentions"; empty where the name is another one.
std::string global_name(const std::string& name) {
    constexpr std::string_view word = "attentions";
    const auto found = name.rfind(word);
    return found == name.npos ? std::string()
                              : name.substr(0, found) + std::string(rows_name) + name.substr(found + word.size());
}

/// The arrays of global rows that go with the weights, one for each layer in a list; empty unless all are there.
std::vector<const HeldArray*> global_rows(const Reading& reading, const HeldArray& origin) {
    std::vector<const HeldArray*> of{&origin}, found;
    if (reading.list && std::ranges::find(reading.list->members, &origin) != reading.list->members.end())
        of = reading.list->members;
    for (const auto* weights : of)
        for (const auto& candidate : reading.candidates)
            if (candidate.meaning && candidate.meaning->form == NameForm::GlobalRows && !candidate.chosen &&
                candidate.array->file == weights->file && candidate.array->name == global_name(weights->name))
                found.push_back(candidate.array);
    return found.size() == of.size() ? found : std::vector<const HeldArray*>();
}

bool are_rows_of(const HeldArray& rows, const Tensor& weights, std::int64_t layers, std::int64_t global,
                 std::int64_t tokens) {
    const Matrices of(weights);
    const auto& tensor = rows.tensor;
    return tensor.rank() >= 2 && tensor.dim(-1) == global && tensor.dim(-2) >= tokens && global > 0 &&
           tensor.size() * layers == of.count * tensor.dim(-2) * global;
}

std::string axes_of(const Tensor& weights) {
    constexpr const char* axes[] = {"(L, S)", "(H, L, S)", "(B, H, L, S)", "(layers, B, H, L, S)"};
    return axes[std::clamp<int>(static_cast<int>(weights.rank()), 2, 5) - 2];
}

/// Says that weights that are read by key look like those by offset.
void note_looks(Reading& reading, const HeldArray& origin, const Tensor& weights) {
    const auto by = suggested(weights, reading.control);
    if (!by || !read_themselves(weights, *by, reading.control) ||
        first_outside(weights, *by, weights.dim(-2), reading.control))
        return;
    std::vector<Argument> holes{origin.name, to_string(origin.tensor.shape()), axes_of(weights),
                                std::to_string(weights.dim(-1)), std::to_string(by->reach)};
    if (by->global > 0) {
        holes.insert(holes.end(), {std::to_string(by->global), std::string(mask_name)});
        return reading.note(
            {ATTNLAB_TEXT("%1 %2 is read as %3, with %4 keys. It looks like Longformer's weights, whose "
                          "columns are global tokens (%6), then offsets from the query, -%5 to %5. An "
                          "array %7 (B, L) beside it, 1 for each global token, has it read so"),
             std::move(holes)});
    }
    constexpr const char* layout_ids[] = {"LO", "HLO", "BHLO", "BHLO"};
    const auto rank = std::clamp<std::size_t>(origin.tensor.shape().size(), 2, 5);
    holes.emplace_back(std::string("--layout ") + layout_ids[rank - 2]);
    reading.note(
        {ATTNLAB_TEXT("%1 %2 is read as %3, with %4 keys. It looks like Longformer's weights, whose columns are "
                      "offsets from the query, -%5 to %5; %6 reads it so"),
         std::move(holes)});
    reading.result.questions.push_back({Question::Kind::Layout,
                                        {ATTNLAB_TEXT("the last axis of %1 %2 may be keys or offsets"),
                                         {origin.name, to_string(origin.tensor.shape())}},
                                        {std::string(layout_ids[rank - 2])}});
}

[[noreturn]] void refuse_columns(const HeldArray& origin, std::int64_t columns) {
    throw Error(
        {ATTNLAB_TEXT("%1: has %2 columns, expected 2w + 1, an odd number of offsets from the query. Columns of "
                      "global tokens in front need an array %3 (B, L)"),
         {label_of(origin), std::to_string(columns), std::string(mask_name)}});
}

[[noreturn]] void refuse_outside(const HeldArray& origin, const Tensor& weights, std::int64_t place,
                                 const OffsetColumns& by, std::int64_t tokens) {
    const auto column = place % weights.dim(-1), query = place / weights.dim(-1) % weights.dim(-2);
    throw Error(
        {ATTNLAB_TEXT("%1: has the weight %2 at offset %3 from query %4, expected 0 there, as there are %5 tokens. "
                      "Columns of global tokens in front need an array %6 (B, L)"),
         {label_of(origin), to_text(weights.value(place)), std::to_string(column - by.global - by.reach),
          std::to_string(query), std::to_string(tokens), std::string(mask_name)}});
}

/// Arrays of global tokens that were not read.
void leave_out(Reading& reading, const std::vector<const HeldArray*>& taken) {
    for (const auto& candidate : reading.candidates)
        if (is_of_global_tokens(candidate) && std::ranges::find(taken, candidate.array) == taken.end())
            reading.unused(
                *candidate.array,
                {ATTNLAB_TEXT(
                     "is read only beside Longformer's weights (B, H, L, G + 2w + 1), whose first G columns are global "
                     "tokens. G is the largest number of global tokens of a sequence in %1 (B, L). Weights at offsets "
                     "beyond the ends are 0. global_attentions have the shape (B, H, L, G)"),
                 {std::string(mask_name)}});
}

} // namespace

bool has_offsets(const Layout& layout) { return layout.id.ends_with('O'); }

bool is_called_global_rows(std::string_view name) { return name.find(rows_name) != name.npos; }

bool is_of_global_tokens(const Candidate& candidate) {
    return candidate.meaning && !candidate.chosen &&
           (candidate.meaning->form == NameForm::GlobalTokens || candidate.meaning->form == NameForm::GlobalRows);
}

void read_offset_weights(Reading& reading) {
    const auto found = reading.origins.find("weights");
    if (reading.contents.workspace || found == reading.origins.end() ||
        reading.result.problem.tensors.at("weights").rank() < 2)
        return leave_out(reading, {});
    const auto& origin = *found->second;
    auto& weights = reading.result.problem.tensors.at("weights");
    const Matrices of(weights);
    const auto& chosen = reading.choices.layout;
    const bool asked = reading.arranged && !chosen.empty() && has_offsets(layout(chosen));
    if (of.count == 0 || (!chosen.empty() && !asked)) // another layout says that the columns are keys
        return leave_out(reading, {});

    const HeldArray* mask = nullptr;
    Places places(1);
    auto tokens = of.rows;
    for (const auto& candidate : reading.candidates)
        if (is_of_global_tokens(candidate) && candidate.meaning->form == NameForm::GlobalTokens)
            if (auto read = places_by(candidate.array->tensor, of, reading.control)) {
                mask = candidate.array;
                places = std::move(*read);
                tokens = mask->tensor.dim(-1);
            }
    std::size_t global = 0;
    for (const auto& each : places)
        global = std::max(global, each.size());
    OffsetColumns by{static_cast<std::int64_t>(global), 0};
    by.reach = (of.columns - by.global - 1) / 2;
    const bool odd = of.columns > by.global && (of.columns - by.global) % 2 == 1;
    if (!asked && !mask) {
        note_looks(reading, origin, weights);
        return leave_out(reading, {});
    }
    if (asked && !odd)
        refuse_columns(origin, of.columns);
    const auto outside = odd ? first_outside(weights, by, tokens, reading.control) : std::nullopt;
    if (asked && outside)
        refuse_outside(origin, weights, *outside, by, tokens);
    if (!odd || outside || (!asked && !read_themselves(weights, by, reading.control)))
        return leave_out(reading, {});

    std::vector<const HeldArray*> taken;
    std::optional<Tensor> rows;
    const auto layers = global_rows(reading, origin);
    const auto count = std::ssize(layers);
    if (count > 0 && std::ranges::all_of(layers, [&](const HeldArray* array) {
            return array->tensor.shape() == layers.front()->tensor.shape() &&
                   are_rows_of(*array, weights, count, by.global, tokens);
        })) {
        rows = stacked({.prefix = {}, .members = layers});
        taken = layers;
        for (const auto* array : layers)
            reading.used(*array, "weights", {ATTNLAB_TEXT("read as the weights of the global tokens")});
    }
    if (mask) {
        reading.used(*mask, "weights", {ATTNLAB_TEXT("read as the places of the global tokens")});
        taken.push_back(mask);
    }
    auto shape = weights.shape();
    *(shape.end() - 1) = *(shape.end() - 2) = tokens;
    element_count(shape, label_of(origin)); // refuses what no memory can address
    const std::vector<Argument> holes{origin.name, to_string(origin.tensor.shape()), std::to_string(by.reach),
                                      to_string(shape), std::to_string(by.global)};
    reading.note(
        by.global == 0
            ? Message{ATTNLAB_TEXT("%1 %2: the columns are offsets from the query, -%3 to %3. The weights are "
                                   "laid out by key, %4"),
                      holes}
            : Message{ATTNLAB_TEXT("%1 %2: the columns are global tokens (%5), then offsets from the query, -%3 "
                                   "to %3. The weights are laid out by key, %4"),
                      holes});
    if (by.global > 0 && !rows)
        reading.note(
            {ATTNLAB_TEXT("the rows of global tokens are those of %1, which are 0 in Longformer. Their weights would "
                          "be in an array %2 (B, H, L, %3), which is missing"),
             {origin.name, global_name(origin.name).empty() ? std::string(rows_name) : global_name(origin.name),
              std::to_string(by.global)}});
    const auto dtype = weights.dtype();
    weights = Tensor::from(std::move(shape),
                           std::make_shared<ByKey>(weights, by, tokens, std::move(places), std::move(rows)), dtype);
    leave_out(reading, taken);
}

} // namespace attnlab
