#include "core/stages/notes.h"

#include "core/message.h"
#include "core/stages/decay.h"
#include "core/stages/normaliser.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace attnlab {
namespace {

struct RowCounts {
    RowsWithoutNumbers without;
    NotedRows all_blocked; ///< every key blocked, with a finite fill
    NotedRows single;      ///< one key left
};

bool any_odd(const Tensor& rows, std::int64_t row) {
    const auto width = static_cast<std::size_t>(rows.dim(-1));
    const auto values = rows.values().subspan(static_cast<std::size_t>(row) * width, width);
    return std::any_of(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
}

RowCounts count_rows(const Trace& trace, const Tensor& masked, const Tensor* blocked) {
    RowCounts counts;
    const auto L = masked.dim(2), S = masked.dim(3);
    const auto& weights = trace.find("weights")->value;
    const auto& scaled = trace.find("scaled")->value;
    const Stage* head_output = trace.find("head_output");
    const Stage* output = head_output ? head_output : trace.find("output");
    if (S == 0)
        return counts;
    for (std::int64_t row = 0; row < masked.size() / S; ++row) {
        const auto take = [&](NotedRows& rows) { rows.take(trace.query_tokens, row % L, row / L); };
        std::int64_t open = 0, unscored = 0, finite = 0, nan = 0;
        double sum = 0.0;
        for (std::int64_t j = row * S; j < (row + 1) * S; ++j) {
            const bool is_open = !blocked || blocked->data()[j] == 0.0;
            open += is_open;
            unscored += is_open && scaled.data()[j] == -infinity;
            finite += masked.data()[j] != -infinity;
            sum += weights.data()[j];
            nan += !(masked.data()[j] < std::numeric_limits<double>::infinity());
        }
        if (nan > 0)
            take(counts.without.nan);
        else if (finite == 0)
            take(unscored > 0 ? counts.without.without_key : counts.without.blocked);
        else if (open == 0)
            take(counts.all_blocked);
        else if (blocked && finite == 1 && S > 1 && sum == 1.0)
            take(counts.single);
        if (nan == 0 && output && any_odd(output->value, row))
            take(counts.without.odd_output);
    }
    return counts;
}

void note_sizes(std::vector<Note>& notes, const Tensor& masked, const Stage* query) {
    if (masked.dim(2) > 0 && masked.dim(3) == 0)
        notes.push_back(
            {Note::Severity::Warning, {ATTNLAB_TEXT("There are no keys: the output is 0 and lse is -inf")}});
    if (masked.size() > 0 && query && query->value.dim(-1) == 0)
        notes.push_back({Note::Severity::Warning, {ATTNLAB_TEXT("query and key have no features: every score is 0")}});
}

/// The sum of the first row that has weights, or 0.
double row_sum(const Tensor& weights) {
    const auto S = static_cast<std::size_t>(weights.dim(-1));
    const auto values = weights.values();
    for (std::size_t first = 0; S > 0 && first < values.size(); first += S) {
        double sum = 0.0;
        for (const double weight : values.subspan(first, S))
            sum += weight;
        if (sum != 0.0)
            return sum;
    }
    return 0.0;
}

void note_values(const std::string& name, const Tensor& tensor, std::vector<Note>& notes) {
    const auto values = tensor.values();
    const auto is_odd = [](double value) { return !std::isfinite(value); };
    note_nonfinite_values(
        notes, name, tensor.shape(),
        {std::ranges::count_if(values, is_odd), std::ranges::find_if(values, is_odd) - values.begin()});
}

} // namespace

void NotedRows::take(const std::vector<std::string>& labels, std::int64_t i, std::int64_t matrix) {
    if (of_matrix.size() <= static_cast<std::size_t>(matrix))
        of_matrix.resize(static_cast<std::size_t>(matrix) + 1);
    ++of_matrix[static_cast<std::size_t>(matrix)];
    if (count++ > 0)
        return;
    const auto at = static_cast<std::size_t>(i);
    first = at < labels.size() && !labels[at].empty() ? "“" + labels[at] + "”" : std::to_string(i);
}

Message NotedRows::counted(Matrices all) const {
    auto counts = of_matrix;
    counts.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, all.B * all.H)));
    if (std::ranges::adjacent_find(counts, std::not_equal_to<>()) == counts.end())
        return all.B > 1 ? Message{ATTNLAB_TEXT("%1 in each of %2 sequences"),
                                   {std::to_string(counts.front()), std::to_string(all.B)}}
                         : Message{"%1", {std::to_string(counts.front())}};
    bool heads_agree = true;
    std::int64_t of_sequences = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const auto first_head = k - k % static_cast<std::size_t>(all.H);
        heads_agree = heads_agree && counts[k] == counts[first_head];
        of_sequences += k == first_head ? counts[k] : 0;
    }
    if (heads_agree)
        return {ATTNLAB_TEXT("%1 over %2 sequences"), {std::to_string(of_sequences), std::to_string(all.B)}};
    return {ATTNLAB_TEXT("%1 over %2 heads"), {std::to_string(count), std::to_string(all.B * all.H)}};
}

void note_nonfinite_values(std::vector<Note>& notes, std::string_view tensor, const Shape& shape, NonfiniteCount odd) {
    if (odd.count == 0)
        return;
    Shape index(shape.size());
    for (auto axis = shape.size(); axis-- > 0; odd.first /= shape[axis])
        index[axis] = odd.first % shape[axis];
    notes.push_back({Note::Severity::Warning,
                     {ATTNLAB_TEXT("%1 holds values that are NaN or infinite: %2 (first at %3)"),
                      {std::string(tensor), std::to_string(odd.count), to_string(index)}}});
}

void note_rows_without_numbers(std::vector<Note>& notes, const RowsWithoutNumbers& rows, Matrices all) {
    const auto warn = [&](const NotedRows& noted, const char* text) {
        if (noted.count > 0)
            notes.push_back({Note::Severity::Warning, {text, {noted.counted(all), noted.first}}});
    };
    warn(rows.nan, ATTNLAB_TEXT("Rows whose weights are NaN: %1 (first: %2). A score there is NaN or infinite"));
    warn(rows.odd_output, ATTNLAB_TEXT("Rows whose output is NaN or infinite, though their weights are numbers: %1 "
                                       "(first: %2)"));
    warn(rows.blocked, ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Their weights and output are 0; "
                                    "torch.nn.MultiheadAttention gives NaN there"));
    warn(rows.without_key, ATTNLAB_TEXT("Rows that read no key: %1 (first: %2). Each key is blocked or has a score of "
                                        "-inf, so their weights and output are 0"));
}

void note_rows_blocked(std::vector<Note>& notes, const NotedRows& rows, const AttentionSpec& spec, Matrices all) {
    const auto warn = [&](Message message) { notes.push_back({Note::Severity::Warning, std::move(message)}); };
    if (rows.count > 0 && spec.mask_fill.mode == MaskFill::Mode::Replace)
        warn({ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). The fill %3 is finite, so their weights are "
                           "uniform over keys that should not be read"),
              {rows.counted(all), rows.first, to_text(spec.mask_fill.value)}});
    if (rows.count > 0 && spec.mask_fill.mode == MaskFill::Mode::Add)
        warn({ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Adding %3 to a whole row changes its weights "
                           "only by rounding: a large fill makes them uniform in float32, a larger one in float64"),
              {rows.counted(all), rows.first, to_text(spec.mask_fill.value)}});
}

std::vector<Note> notes_on_inputs(const Trace& trace) {
    std::vector<Note> notes;
    for (const auto* name : {"query", "key", "value"})
        if (const Stage* stage = trace.find(name))
            note_values(name, stage->value, notes);
    return notes;
}

void note_values_of(std::string_view tensor, const ResolvedProblem& problem, std::vector<Note>& notes) {
    if (const auto found = problem.tensors.find(tensor); found != problem.tensors.end())
        note_values(found->first, found->second, notes);
}

std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec) {
    std::vector<Note> notes;
    const Stage* blocked = trace.find("blocked");
    const auto& masked = trace.find("masked")->value;
    const auto rows = count_rows(trace, masked, blocked ? &blocked->value : nullptr);
    note_sizes(notes, masked, trace.find("query"));
    const auto on_inputs = notes_on_inputs(trace);
    notes.insert(notes.end(), on_inputs.begin(), on_inputs.end());
    const Matrices matrices{masked.dim(0), masked.dim(1)};
    note_rows_without_numbers(notes, rows.without, matrices);
    if (spec.normaliser.id.empty())
        note_rows_blocked(notes, rows.all_blocked, spec, matrices);
    if (rows.single.count > 0)
        notes.push_back({Note::Severity::Info,
                         {ATTNLAB_TEXT("Rows that see one key: %1 (first: %2). Its weight is 1 whatever the scores"),
                          {rows.single.counted(matrices), rows.single.first}}});
    if (const char* sums = normaliser_of(spec.normaliser).row_sums)
        notes.push_back({Note::Severity::Info, {sums}});
    if (!spec.decay.id.empty() && decay_of(spec.decay.id).multiplies_weights && spec.normaliser.id.empty())
        notes.push_back({Note::Severity::Info,
                         {ATTNLAB_TEXT("The decay multiplies the weights of the softmax: a row sums to less than 1")}});
    if (const double sum = row_sum(trace.find("weights")->value); spec.scale_after_softmax && sum != 0.0)
        notes.push_back(
            {Note::Severity::Info,
             {ATTNLAB_TEXT("The scale was applied after the softmax: a row of weights sums to %1, not to 1"),
              {to_text(std::round(sum * 1e6) / 1e6)}}});
    return notes;
}

} // namespace attnlab
