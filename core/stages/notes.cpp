#include "core/stages/notes.h"

#include "core/message.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab {
namespace {

struct RowCounts {
    std::int64_t empty = 0;       ///< no key left: lse is -inf
    std::int64_t all_blocked = 0; ///< every key blocked, by a finite fill
    std::int64_t single = 0;      ///< one key left
    std::int64_t nan = 0;         ///< no numbers
    std::string first_empty, first_blocked, first_single, first_nan;
};

std::string row_name(const Trace& trace, std::int64_t row, std::int64_t L) {
    const auto i = static_cast<std::size_t>(row % L);
    return i < trace.query_tokens.size() && !trace.query_tokens[i].empty() ? "“" + trace.query_tokens[i] + "”"
                                                                           : std::to_string(i);
}

RowCounts count_rows(const Trace& trace, const Tensor& masked, const Tensor* blocked) {
    RowCounts counts;
    const auto L = masked.dim(2), S = masked.dim(3);
    const auto& weights = trace.find("weights")->value;
    if (S == 0)
        return counts;
    const auto count = [&](std::int64_t& counter, std::string& first, std::int64_t row) {
        if (counter++ == 0)
            first = row_name(trace, row, L);
    };
    for (std::int64_t row = 0; row < masked.size() / S; ++row) {
        std::int64_t open = 0, finite = 0, nan = 0;
        double sum = 0.0;
        for (std::int64_t j = 0; j < S; ++j) {
            open += !blocked || blocked->data()[row * S + j] == 0.0;
            finite += masked.data()[row * S + j] != -std::numeric_limits<double>::infinity();
            sum += weights.data()[row * S + j];
            nan += !(masked.data()[row * S + j] < std::numeric_limits<double>::infinity());
        }
        if (nan > 0)
            count(counts.nan, counts.first_nan, row);
        else if (finite == 0)
            count(counts.empty, counts.first_empty, row);
        else if (open == 0)
            count(counts.all_blocked, counts.first_blocked, row);
        else if (blocked && finite == 1 && S > 1 && sum == 1.0)
            count(counts.single, counts.first_single, row);
    }
    return counts;
}

void note_rows(std::vector<Note>& notes, const RowCounts& rows, const AttentionSpec& spec) {
    const auto warn = [&](Message message) { notes.push_back({Note::Severity::Warning, std::move(message)}); };
    if (rows.empty > 0)
        warn({ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Their weights and output are 0; "
                           "torch.nn.MultiheadAttention gives NaN there"),
              {std::to_string(rows.empty), rows.first_empty}});
    if (rows.all_blocked > 0 && spec.mask_fill.mode == MaskFill::Mode::Replace)
        warn({ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). The fill %3 is finite, so their weights are "
                           "uniform over keys that should not be read"),
              {std::to_string(rows.all_blocked), rows.first_blocked, to_text(spec.mask_fill.value)}});
    if (rows.all_blocked > 0 && spec.mask_fill.mode == MaskFill::Mode::Add)
        warn(
            {ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Adding %3 to a whole row leaves its weights as "
                          "if nothing was masked; in float32 a large fill rounds them to uniform"),
             {std::to_string(rows.all_blocked), rows.first_blocked, to_text(spec.mask_fill.value)}});
    if (rows.single > 0)
        notes.push_back({Note::Severity::Info,
                         {ATTNLAB_TEXT("Rows that see one key: %1 (first: %2). Its weight is 1 whatever the scores"),
                          {std::to_string(rows.single), rows.first_single}}});
}

void note_numbers(std::vector<Note>& notes, const Trace& trace, const RowCounts& rows) {
    const auto on_inputs = notes_on_inputs(trace);
    notes.insert(notes.end(), on_inputs.begin(), on_inputs.end());
    if (rows.nan > 0)
        notes.push_back({Note::Severity::Warning,
                         {ATTNLAB_TEXT("Rows whose weights are NaN: %1 (first: %2). A score there is NaN or infinite"),
                          {std::to_string(rows.nan), rows.first_nan}}});
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
    const auto bad = std::count_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    if (bad > 0)
        notes.push_back({Note::Severity::Warning,
                         {ATTNLAB_TEXT("%1 holds values that are NaN or infinite: %2"), {name, std::to_string(bad)}}});
}

} // namespace

std::vector<Note> notes_on_inputs(const Trace& trace) {
    std::vector<Note> notes;
    for (const auto* name : {"query", "key", "value"})
        if (const Stage* stage = trace.find(name))
            note_values(name, stage->value, notes);
    return notes;
}

void note_values_of(std::string_view tensor, const AttentionProblem& problem, std::vector<Note>& notes) {
    if (const auto found = problem.tensors.find(tensor); found != problem.tensors.end())
        note_values(found->first, found->second, notes);
}

std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec) {
    std::vector<Note> notes;
    const Stage* blocked = trace.find("blocked");
    const auto& masked = trace.find("masked")->value;
    const auto rows = count_rows(trace, masked, blocked ? &blocked->value : nullptr);
    note_sizes(notes, masked, trace.find("query"));
    note_numbers(notes, trace, rows);
    note_rows(notes, rows, spec);
    if (const double sum = row_sum(trace.find("weights")->value); spec.scale_after_softmax && sum != 0.0)
        notes.push_back(
            {Note::Severity::Info,
             {ATTNLAB_TEXT("The scale was applied after the softmax: a row of weights sums to %1, not to 1"),
              {to_text(std::round(sum * 1e6) / 1e6)}}});
    return notes;
}

} // namespace attnlab
