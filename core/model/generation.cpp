#include "core/model/generation.h"

#include "core/model/model_results.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

/// Sums of probabilities in the order of ids pass `draw` at the token that is taken.
std::int64_t drawn(const Result& result, double temperature, double draw) {
    const auto row = result.logits.rows - 1;
    const float* logits = result.logits.row(row);
    const auto count = result.logits.columns;
    const auto largest = static_cast<double>(*std::max_element(logits, logits + count));
    std::vector<double> shares;
    double sum = 0.0;
    for (std::int64_t id = 0; id < count; ++id)
        sum += shares.emplace_back(std::exp((static_cast<double>(logits[id]) - largest) / temperature));
    double passed = 0.0;
    std::int64_t last = 0;
    for (std::int64_t id = 0; id < count; ++id) {
        const double share = shares[static_cast<std::size_t>(id)];
        passed += share;
        if (share > 0.0)
            last = id;
        if (passed > draw * sum)
            return id;
    }
    return last; // by rounding
}

std::int64_t likeliest_id(const Result& result) {
    const float* logits = result.logits.row(result.logits.rows - 1);
    return std::max_element(logits, logits + result.logits.columns) - logits;
}

/// Throws Error.
void check(const Model& model, const WriteOptions& options) {
    if (!model.description().predicts_next())
        throw Error(ATTNLAB_TEXT("This model predicts no next token, so it cannot write on"));
    if (!(options.temperature >= 0.0) || !std::isfinite(options.temperature))
        throw Error({ATTNLAB_TEXT("The temperature is %1, expected 0 or a positive number"),
                     {std::to_string(options.temperature)}});
    if (std::ranges::any_of(options.ablations, [](const auto& one) { return one.by == Ablation::By::Other; }))
        throw Error(ATTNLAB_TEXT("A head that gives what it gives for another text cannot write on, because that text "
                                 "has no further tokens"));
}

} // namespace

Written write_on(const Model& model, Input input, const WriteOptions& options, const RunControl& control,
                 const std::function<void(const WrittenToken&)>& found, const Result* previous) {
    check(model, options);
    const auto& description = model.description();
    const bool translates = description.encoder.has_value();
    if (translates && input.decoder_ids.empty())
        input.decoder_ids = model.shifted({});
    Written written{.input = std::move(input)};
    auto& ids = translates ? written.input.decoder_ids : written.input.ids;
    Random random(options.seed);
    Result result;
    for (std::int64_t i = 0; i < options.count; ++i) {
        if (description.longest > 0 && model.length_of(ids) >= description.longest) {
            if (i == 0)
                throw Error({ATTNLAB_TEXT("This model reads at most %1 tokens, and the text has them: nothing can be "
                                          "written behind it"),
                             {std::to_string(description.longest)}});
            written.stop = Written::Stop::Longest;
            return written;
        }
        const auto count = static_cast<double>(options.count), done = static_cast<double>(i);
        result = model.run(written.input, {.logits = Options::Logits::Last, .ablations = options.ablations},
                           control.part(done / count, (done + 1.0) / count), i == 0 ? previous : &result);
        const auto id =
            options.temperature > 0.0 ? drawn(result, options.temperature, random.uniform()) : likeliest_id(result);
        if (std::ranges::find(description.ends, id) != description.ends.end()) {
            written.stop = Written::Stop::End;
            return written;
        }
        ids.push_back(id);
        if (!translates)
            ++written.input.written;
        if (!translates && !written.input.types.empty())
            written.input.types.push_back(written.input.types.back());
        written.tokens.push_back({id, probabilities(result, result.logits.rows - 1)[static_cast<std::size_t>(id)]});
        if (found)
            found(written.tokens.back());
    }
    control.report(1.0);
    return written;
}

} // namespace attnlab::model
