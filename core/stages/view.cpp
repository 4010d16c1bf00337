#include "core/stages/view.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/message.h"
#include "core/stages/normaliser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <numeric>

namespace attnlab {
namespace {

const Input output_weights[] = {
    {.name = "w_o",
     .dims = "H*Ev Do | Do H*Ev",
     .fill = InputFill::Projection,
     .fallback = "o_proj.weight",
     .help = ATTNLAB_TEXT("The output projection: what the values of each head become in the output")},
    {.name = "o_proj.weight",
     .dims = "Do H*Ev",
     .fill = InputFill::Linear,
     .required = false,
     .help = ATTNLAB_TEXT("The same as torch stores it, (out, in)")},
};

const Input words[] = {
    {.name = "word_ids",
     .dims = "S",
     .fill = InputFill::Halves,
     .dtype = DType::Int64,
     .fallback = "key_word_ids",
     .help = ATTNLAB_TEXT("The word of each token: equal neighbours are one word, a negative number is a word of its "
                          "own")},
    {.name = "key_word_ids",
     .dims = "S",
     .fill = InputFill::Halves,
     .dtype = DType::Int64,
     .required = false,
     .help = ATTNLAB_TEXT("The same for keys that are not the queries' tokens")},
    {.name = "query_word_ids",
     .dims = "L",
     .fill = InputFill::Halves,
     .dtype = DType::Int64,
     .required = false,
     .required_with = "key_word_ids",
     .help = ATTNLAB_TEXT("The same for queries")},
};

constexpr WeightsView views[] = {
    {.id = "value_norm",
     .title = ATTNLAB_TEXT("weights × ‖v‖"),
     .formula = "|a_ij| ‖v_j‖",
     .help = ATTNLAB_TEXT("What each key adds to the output: its weight times the length of its value. A key that is "
                          "read only because something must be read has a short value, and disappears."),
     .source = "Kobayashi et al. 2020, Attention is Not Only a Weight, section 2"},
    {.id = "output_norm",
     .title = ATTNLAB_TEXT("weights × ‖v W_O‖"),
     .formula = "|a_ij| ‖v_j W_O‖",
     .help =
         ATTNLAB_TEXT("The same after the output projection of the head, which may shorten or lengthen the values."),
     .source = "Kobayashi et al. 2020, Attention is Not Only a Weight, section 2",
     .inputs = output_weights},
    {.id = "no_sink",
     .title = ATTNLAB_TEXT("without key %1, rest renormalised"),
     .formula = "a_ij / Σ_k a_ik over the keys that stay",
     .help = ATTNLAB_TEXT("Columns are left out, the first one unless others are given, and the rest of each row is "
                          "divided by its sum: what a head reads beside its sink."),
     .source = "Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks, section 3.1"},
    {.id = "words",
     .title = ATTNLAB_TEXT("weights by words"),
     .formula = "Σ over the keys of a word, mean over the queries of a word",
     .help = ATTNLAB_TEXT("Tokens are joined to words: to a word goes the sum of the weights of its tokens, from a "
                          "word the mean."),
     .source = "Clark et al. 2019, What Does BERT Look At?, section 4.1",
     .inputs = words},
};

std::string_view id_in(std::string_view chosen) { return chosen.substr(0, chosen.find(':')); }

/// Word of each token, from 0: a new one where the number changes or is negative.
std::vector<std::size_t> numbered(std::span<const std::int64_t> ids) {
    std::vector<std::size_t> numbers(ids.size(), 0);
    for (std::size_t k = 1; k < ids.size(); ++k)
        numbers[k] = numbers[k - 1] + (ids[k] != ids[k - 1] || ids[k] < 0 ? 1 : 0);
    return numbers;
}

std::size_t count_of(const std::vector<std::size_t>& numbers) { return numbers.empty() ? 0 : numbers.back() + 1; }

/// The texts of words: "Washington" of "Wash" and "##ington"; without tokens their numbers, "0" or "1–2".
std::vector<std::string> texts_of(const std::vector<std::size_t>& numbers, const std::vector<std::string>& tokens) {
    std::vector<std::string> texts(count_of(numbers));
    if (tokens.size() < numbers.size()) {
        for (std::size_t first = 0; first < numbers.size();) {
            auto end = first + 1;
            while (end < numbers.size() && numbers[end] == numbers[first])
                ++end;
            texts[numbers[first]] = std::to_string(first) + (end - first > 1 ? "–" + std::to_string(end - 1) : "");
            first = end;
        }
        return texts;
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        auto& text = texts[numbers[k]];
        text += !text.empty() && tokens[k].starts_with("##") ? tokens[k].substr(2) : tokens[k];
    }
    return texts;
}

/// The length of each row times the weight that it is read with: `lengths` (B,H,S).
Tensor times_lengths(const Tensor& weights, const Tensor& lengths, const RunControl& control) {
    Tensor view(weights.shape());
    const auto out = view.mutable_values();
    const auto L = weights.dim(2), S = weights.dim(3);
    for (std::int64_t row = 0; row < weights.size() / std::max<std::int64_t>(1, S); ++row) {
        control.checkpoint();
        const double* length = lengths.data() + row / L * S;
        for (std::int64_t j = 0; j < S; ++j)
            out[static_cast<std::size_t>(row * S + j)] = std::abs(weights.data()[row * S + j]) * length[j];
    }
    return view;
}

double length_of(const double* row, std::int64_t width) {
    double sum = 0.0;
    for (std::int64_t c = 0; c < width; ++c)
        sum += row[c] * row[c];
    return std::sqrt(sum);
}

/// (B,H,S): ‖v_j‖, or ‖v_j W‖ with the rows of `projection` (H Ev, D) of the head.
Tensor lengths_of(const Tensor& values, std::int64_t heads, const Tensor* projection, const RunControl& control) {
    const auto B = values.dim(0), shared = values.dim(1), S = values.dim(2), Ev = values.dim(3);
    Tensor lengths({B, heads, S});
    const auto out = lengths.mutable_values();
    std::vector<double> projected(projection ? static_cast<std::size_t>(projection->dim(1)) : 0);
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t j = 0; j < S; ++j) {
                control.checkpoint();
                const double* value = values.data() + ((b * shared + h * shared / heads) * S + j) * Ev;
                auto& length = out[static_cast<std::size_t>((b * heads + h) * S + j)];
                if (!projection) {
                    length = length_of(value, Ev);
                    continue;
                }
                std::ranges::fill(projected, 0.0);
                for (std::int64_t c = 0; c < Ev; ++c)
                    for (std::size_t d = 0; d < projected.size(); ++d)
                        projected[d] +=
                            value[c] *
                            projection->data()[(h * Ev + c) * projection->dim(1) + static_cast<std::int64_t>(d)];
                length = length_of(projected.data(), std::ssize(projected));
            }
    return lengths;
}

const std::vector<Axis> axes_of_weights = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};

bool has_value_for_each_key(const Tensor& weights, const Tensor& values) {
    return values.rank() == 4 && values.dim(2) == weights.dim(3) && values.dim(0) == weights.dim(0) &&
           values.dim(1) > 0 && weights.dim(1) % values.dim(1) == 0;
}

const Stage* values_beside(const Trace& trace, const Stage& weights) {
    const Stage* projected = trace.beside(weights, "projected_value");
    return projected ? projected : trace.beside(weights, "value");
}

void require_values(const Stage& weights, std::string_view chosen, const Tensor& values) {
    if (!has_value_for_each_key(weights.value, values))
        throw Error({ATTNLAB_TEXT("view %1: %2 has no value for each key"), {std::string(chosen), weights.name}});
}

Tensor without(const Tensor& weights, const std::vector<std::int64_t>& keys, const RunControl& control) {
    auto shape = weights.shape();
    const auto S = shape.back();
    shape.back() = S - std::ssize(keys);
    Tensor view(shape);
    auto out = view.mutable_values().begin();
    for (std::int64_t row = 0; S > 0 && row < weights.size() / S; ++row) {
        control.checkpoint();
        const double* cells = weights.data() + row * S;
        double rest = 0.0;
        for (std::int64_t j = 0; j < S; ++j) {
            if (cells[j] < 0.0)
                throw Error(Message(ATTNLAB_TEXT("view no_sink: a weight is negative, so the rest of its row has no "
                                                 "sum of shares")));
            rest += std::ranges::binary_search(keys, j) ? 0.0 : cells[j];
        }
        for (std::int64_t j = 0; j < S; ++j)
            if (!std::ranges::binary_search(keys, j))
                *out++ = rest == 0.0 ? 0.0 : cells[j] / rest;
    }
    return view;
}

Tensor by_words(const Tensor& weights, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns,
                const RunControl& control) {
    const auto n = count_of(rows), m = count_of(columns);
    Tensor view({weights.dim(0), weights.dim(1), static_cast<std::int64_t>(n), static_cast<std::int64_t>(m)});
    const auto out = view.mutable_values();
    std::vector<double> tokens(n, 0.0);
    for (const auto word : rows)
        tokens[word] += 1.0;
    const auto L = rows.size(), S = columns.size();
    for (std::size_t head = 0; head < static_cast<std::size_t>(weights.dim(0) * weights.dim(1)); ++head)
        for (std::size_t i = 0; i < L; ++i) {
            control.checkpoint();
            const double* cells = weights.data() + (head * L + i) * S;
            double* into = out.data() + (head * n + rows[i]) * m;
            for (std::size_t j = 0; j < S; ++j)
                into[columns[j]] += cells[j] / tokens[rows[i]];
        }
    return view;
}

/// (D, H Ev), as torch stores it, -> (H Ev, D).
Tensor rows_of_heads(const Tensor& weight) {
    Tensor turned({weight.dim(1), weight.dim(0)});
    const auto out = turned.mutable_values();
    for (std::int64_t row = 0; row < weight.dim(1); ++row)
        for (std::int64_t column = 0; column < weight.dim(0); ++column)
            out[static_cast<std::size_t>(row * weight.dim(0) + column)] = weight.value(column * weight.dim(1) + row);
    return turned;
}

std::vector<std::int64_t> ids_in(const TensorMap& tensors, const char* own) {
    const Tensor* ids = find_tensor(tensors, own);
    if (!ids)
        ids = find_tensor(tensors, "word_ids");
    std::vector<std::int64_t> numbers;
    if (ids)
        for (const double id : ids->values())
            numbers.push_back(static_cast<std::int64_t>(id));
    return numbers;
}

} // namespace

std::span<const WeightsView> weights_views() { return views; }

const WeightsView& view_of(std::string_view chosen) {
    if (const auto* found = lookup(views, id_in(chosen)))
        return *found;
    throw UnknownName(
        {ATTNLAB_TEXT("view: '%1' is not one of %2"), {std::string(id_in(chosen)), listed(views, &WeightsView::id)}});
}

std::string parse_view(std::string_view text) {
    const auto& view = view_of(text);
    if (view.id != "no_sink" && id_in(text) != text)
        throw Error(
            {ATTNLAB_TEXT("view %1: takes no value, and '%2' has one"), {std::string(view.id), std::string(text)}});
    keys_left_out(text);
    return std::string(text);
}

std::vector<std::int64_t> keys_left_out(std::string_view chosen) {
    if (id_in(chosen) != "no_sink")
        return {};
    std::vector<std::int64_t> keys;
    auto rest = id_in(chosen) == chosen ? std::string_view("0") : chosen.substr(id_in(chosen).size() + 1);
    while (true) {
        const auto comma = rest.find(',');
        const auto word = rest.substr(0, comma);
        std::int64_t key = -1;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), key);
        if (error != std::errc{} || end != word.data() + word.size() || key < 0 ||
            std::ranges::find(keys, key) != keys.end())
            throw Error({ATTNLAB_TEXT("view no_sink: has '%1', expected different numbers of keys from 0, joined by "
                                      "commas"),
                         {std::string(word)}});
        keys.push_back(key);
        if (comma == rest.npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    std::ranges::sort(keys);
    return keys;
}

void check_view(const ResolvedProblem& problem) {
    const auto& chosen = problem.spec.view;
    if (chosen.empty())
        return;
    parse_view(chosen);
    const auto S = problem.sizes.at("S");
    if (const auto keys = keys_left_out(chosen); !keys.empty() && keys.back() >= S)
        throw Error({ATTNLAB_TEXT("view no_sink: leaves out key %1, expected keys from 0 to %2"),
                     {std::to_string(keys.back()), std::to_string(S - 1)}});
    const auto id = id_in(chosen);
    if (const Tensor* w_o = find_tensor(problem.tensors, "w_o"); w_o && id == "output_norm")
        if (const auto rows = problem.sizes.at("H") * problem.sizes.at("Ev"); w_o->dim(0) != rows)
            throw Error({ATTNLAB_TEXT("w_o: has %1 rows, expected %2, the features of all heads"),
                         {std::to_string(w_o->dim(0)), std::to_string(rows)}});
    if (id == "words" && !problem.tensors.contains("query_word_ids") && problem.sizes.at("L") != S)
        throw Error({ATTNLAB_TEXT("query_word_ids: is missing, expected %1 numbers, one for each query; word_ids has "
                                  "one for each key"),
                     {std::to_string(problem.sizes.at("L"))}});
}

Stage view_of_weights(const Stage& weights, std::string_view chosen, const ViewInputs& inputs,
                      const RunControl& control) {
    const auto& view = view_of(chosen);
    control.require_memory("view", weights.value.shape(), 1.0);
    Stage stage{std::string(prefix_of(weights.name)) + "view",
                {},
                weights.axes,
                StageRole::Summary,
                {view.title},
                std::string(view.formula)};
    const auto labels = [&](std::vector<std::string> query, std::vector<std::string> key) {
        stage.tokens = std::make_shared<const TokenLabels>(TokenLabels{std::move(query), std::move(key)});
    };
    if (view.id == "value_norm" || view.id == "output_norm") {
        require_values(weights, view.id, inputs.values);
        const bool projects = view.id == "output_norm";
        if (projects && inputs.output_weight.size() == 0)
            throw Error(
                {ATTNLAB_TEXT("view %1: there is no output projection of these heads"), {std::string(view.id)}});
        if (projects && inputs.output_weight.dim(0) != weights.value.dim(1) * inputs.values.dim(3))
            throw Error(
                {ATTNLAB_TEXT("view %1: the output projection has %2 rows, expected %3, the features of all heads"),
                 {std::string(view.id), std::to_string(inputs.output_weight.dim(0)),
                  std::to_string(weights.value.dim(1) * inputs.values.dim(3))}});
        const auto lengths =
            lengths_of(inputs.values, weights.value.dim(1), projects ? &inputs.output_weight : nullptr, control);
        stage.value = times_lengths(weights.value, lengths, control);
        stage.tokens = weights.tokens;
    } else if (view.id == "no_sink") {
        const auto keys = keys_left_out(chosen);
        if (keys.back() >= weights.value.dim(3))
            throw Error({ATTNLAB_TEXT("view no_sink: leaves out key %1, expected keys from 0 to %2"),
                         {std::to_string(keys.back()), std::to_string(weights.value.dim(3) - 1)}});
        stage.value = without(weights.value, keys, control);
        std::vector<std::string> names;
        std::string left_out;
        for (std::int64_t j = 0; j < weights.value.dim(3); ++j) {
            const auto known = static_cast<std::size_t>(j) < inputs.tokens.key.size();
            if (std::ranges::binary_search(keys, j))
                left_out += (left_out.empty() ? "" : ", ") + std::to_string(j);
            else
                names.push_back(known ? inputs.tokens.key[static_cast<std::size_t>(j)] : std::to_string(j));
        }
        stage.operation = {view.title, {left_out}};
        labels(inputs.tokens.query, std::move(names));
    } else {
        const auto rows = numbered(inputs.query_words), columns = numbered(inputs.key_words);
        if (std::ssize(rows) != weights.value.dim(2) || std::ssize(columns) != weights.value.dim(3))
            throw Error(
                {ATTNLAB_TEXT("view words: %1 has %2 queries and %3 keys, and the words are of %4 and %5 tokens"),
                 {weights.name, std::to_string(weights.value.dim(2)), std::to_string(weights.value.dim(3)),
                  std::to_string(rows.size()), std::to_string(columns.size())}});
        stage.value = by_words(weights.value, rows, columns, control);
        labels(texts_of(rows, inputs.tokens.query), texts_of(columns, inputs.tokens.key));
    }
    return stage;
}

void add_view(Trace& trace, const ResolvedProblem& problem, const RunControl& control) {
    const auto& chosen = problem.spec.view;
    if (chosen.empty())
        return;
    check_view(problem);
    ViewInputs inputs;
    inputs.query_words = ids_in(problem.tensors, "query_word_ids");
    inputs.key_words = ids_in(problem.tensors, "key_word_ids");
    if (const Tensor* w_o = find_tensor(problem.tensors, "w_o"))
        inputs.output_weight = *w_o;
    else if (const Tensor* o_proj = find_tensor(problem.tensors, "o_proj.weight"))
        inputs.output_weight = rows_of_heads(*o_proj);
    const auto whole = [](const Stage& stage) { return stage.name.substr(prefix_of(stage.name).size()); };
    bool any = false;
    for (std::size_t k = 0; k < trace.stages.size(); ++k) {
        const auto& weights = trace.stages[k];
        if (whole(weights) != "weights" || weights.axes != axes_of_weights)
            continue;
        if (trace.beside(weights, "latent_output") && view_of(chosen).id.ends_with("_norm"))
            throw Error({ATTNLAB_TEXT("view %1: form=absorbed makes no values, expected form=plain"), {chosen}});
        const Stage* values = values_beside(trace, weights);
        inputs.values = values ? values->value : Tensor();
        inputs.tokens.query = weights.tokens ? weights.tokens->query : trace.query_tokens;
        inputs.tokens.key = weights.tokens ? weights.tokens->key : trace.key_tokens;
        auto view = view_of_weights(weights, chosen, inputs, control);
        trace.stages.insert(trace.stages.begin() + static_cast<std::ptrdiff_t>(k) + 1, std::move(view));
        ++k;
        any = true;
    }
    if (!any)
        throw Error({ATTNLAB_TEXT("view %1: %2 has no weights to show"), {chosen, problem.spec.variant}});
}

std::vector<std::int64_t> words_of(std::span<const std::string> tokens) {
    const auto begins = [](const std::string& token) {
        return token.starts_with(' ') || token.starts_with("▁") || token.starts_with("Ġ");
    };
    const auto continues = [](const std::string& token) { return token.starts_with("##"); };
    const bool marks_begins = std::ranges::any_of(tokens, begins),
               marks_continues = std::ranges::any_of(tokens, continues);
    std::vector<std::int64_t> ids;
    std::int64_t word = -1;
    for (const auto& token : tokens) {
        const bool joins = marks_begins ? !begins(token) : marks_continues && continues(token);
        if (word < 0 || !joins)
            ++word;
        ids.push_back(word);
    }
    return ids;
}

void add_word_ids(AttentionProblem& problem) {
    const auto has = [&](const char* name) { return problem.tensors.contains(name); };
    if (has("word_ids") || (has("key_word_ids") && has("query_word_ids")))
        return;
    auto plain = problem;
    plain.spec.view.clear();
    const auto sizes = resolve(plain).sizes;
    const auto ids_for = [](std::int64_t count, const std::vector<std::string>& tokens) {
        std::vector<double> ids(static_cast<std::size_t>(count));
        std::iota(ids.begin(), ids.end(), 0.0);
        if (std::ssize(tokens) == count)
            std::ranges::copy(words_of(tokens), ids.begin());
        return Tensor({count}, std::move(ids), DType::Int64);
    };
    const auto L = sizes.at("L"), S = sizes.at("S");
    const bool same = L == S && (problem.key_tokens.empty() || problem.key_tokens == problem.query_tokens);
    if (same) {
        problem.tensors.emplace("word_ids", ids_for(L, problem.query_tokens));
        return;
    }
    problem.tensors.insert_or_assign("query_word_ids", ids_for(L, problem.query_tokens));
    problem.tensors.insert_or_assign("key_word_ids", ids_for(S, problem.key_tokens));
}

std::optional<Message> refusal_of_view(std::string_view id, const AttentionProblem& problem, const Trace& trace,
                                       const Stage& weights) {
    if (weights.axes != axes_of_weights)
        return Message(ATTNLAB_TEXT("Views are of weights of queries and keys."));
    if (id == "no_sink") {
        const auto values = weights.value.values();
        if (std::ranges::any_of(values, [](double weight) { return weight < 0.0; }))
            return Message(ATTNLAB_TEXT("Some weights are negative: the rest of a row is no sum of shares."));
    }
    if (!id.ends_with("_norm"))
        return std::nullopt;
    if (trace.beside(weights, "latent_output"))
        return Message(ATTNLAB_TEXT("form=absorbed makes no values; the form plain does."));
    const Stage* values = values_beside(trace, weights);
    if (!values || !has_value_for_each_key(weights.value, values->value))
        return Message(ATTNLAB_TEXT("There is no value for each key."));
    if (id != "output_norm")
        return std::nullopt;
    // An array that the mechanism itself would read changes its output.
    const auto own = inputs_of(mechanism_of(problem.spec.variant), problem.spec.parameters);
    const bool given = problem.tensors.contains("w_o") || problem.tensors.contains("o_proj.weight");
    const bool reads = find_input(own, "w_o") || find_input(own, "o_proj.weight");
    if (!prefix_of(weights.name).empty() || (reads && !given))
        return Message(ATTNLAB_TEXT("There is no output projection w_o of these heads."));
    return std::nullopt;
}

} // namespace attnlab
