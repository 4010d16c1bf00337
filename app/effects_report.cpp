#include "app/effects_report.h"

#include "app/json_output.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "core/model/effects.h"
#include "core/model/hidden_words.h"
#include "core/model/image_tokens.h"
#include "core/model/model_results.h"
#include "core/model/sound.h"

#include <algorithm>
#include <cmath>
#include <QJsonArray>
#include <QJsonObject>

namespace attnlab::app {
namespace {

using model::HeadEffect, model::Model, model::Result;

/// The text of a token as a reader sees it, or the name of a class; "#7" where there is none.
std::string wordOf(const Model& model, const Result& result, std::int64_t id) {
    auto word = model::label_of_outcome(model, result, id);
    if (word.empty() && !model.description().labels.empty())
        word = model::name_of_outcome(model, result, id);
    return word.empty() ? "#" + std::to_string(id) : word;
}

/// The number of a class, or "#7", or the one token of a text. A space in front is tried too: words of a sentence have
/// one.
std::int64_t outcomeOf(const QString& word, const Model& model, const Result& result) {
    bool is_number = false;
    const auto& labels = model.description().labels;
    const bool has_classes = !labels.empty();
    const bool is_id = word.startsWith(u'#') || has_classes || model::finds_spans(model) || !model.tokenizer();
    const auto id = (word.startsWith(u'#') ? word.mid(1) : word).toLongLong(&is_number);
    if (is_id && is_number)
        return id;
    if (has_classes) {
        const auto found = std::ranges::find(labels, word.toStdString());
        if (found != labels.end())
            return found - labels.begin();
    } else if (model::finds_spans(model)) {
        for (std::int64_t id_of = 0; id_of < std::ssize(result.input.ids); ++id_of)
            if (wordOf(model, result, id_of) == word.toStdString())
                return id_of;
    } else if (model.tokenizer()) {
        for (const auto& text : {" " + word.toStdString(), word.toStdString()}) {
            std::vector<std::int64_t> ids;
            for (const auto& token : model.tokenizer()->encode(text))
                if (!token.special)
                    ids.push_back(token.id);
            if (ids.size() == 1)
                return ids.front();
        }
    }
    throw UsageError("--between: '" + word.toStdString() + "' is not one token of this model, expected one or #ID");
}

model::OutcomePair pairOf(const QString& words, const Model& model, const Result& result) {
    const auto parts = words.split(u',');
    if (parts.size() != 2)
        throw UsageError("--between: is '" + words.toStdString() + "', expected two tokens, as Mary,John");
    return {outcomeOf(parts[0].trimmed(), model, result), outcomeOf(parts[1].trimmed(), model, result)};
}

/// The row of logits that is the answer: of the next token, of the class, of the last token's class or the last letter
/// of a sound, of where an answer begins, or of the first masked token.
std::int64_t answerRow(const Model& model, const Result& result, const std::string& option) {
    if (result.logits.rows == 0)
        throw UsageError("--" + option + ": needs an answer, and this model gives none");
    if (const auto letters = model::spelled_frames(model, result); !letters.empty())
        return letters.back();
    if (result.is_of_classes || model.description().predicts_next() || model::classifies_tokens(model))
        return result.logits.rows - 1;
    if (model::finds_spans(model))
        return 0;
    const auto masked =
        model::fills_masks(model) ? model::masked_positions(model, result.input.ids) : std::vector<std::int64_t>();
    const auto& positions = result.logit_positions;
    const auto found = masked.empty() ? positions.end() : std::ranges::find(positions, masked.front());
    if (found == positions.end())
        throw UsageError("--" + option + ": needs an answer, and this model gives none for this input");
    return found - positions.begin();
}

std::vector<HeadEffect> sorted(const EffectsReport& report) {
    auto effects = report.effects;
    const auto size = [](const HeadEffect& effect) {
        return effect.difference_change ? std::abs(*effect.difference_change) : effect.moved;
    };
    std::ranges::stable_sort(effects, std::greater<>(), size);
    return effects;
}

} // namespace

void addEffectOptions(CommandParser& parser) {
    parser.addOptions(
        {{"lens", "Print what the model would answer after each of its layers (logit lens): the last norm and the head "
                  "applied to hidden states."},
         {"words", "Hide every word, one at a time, from all attention, and print what the answer becomes."},
         {"effects", "Replace every head, one at a time, and print what the answer becomes; see --ablate-with."},
         {"between",
          "With --effects, --lens and --words: logit(A) - logit(B) of two tokens, as Mary,John or #17,#4, or its "
          "change; with "
          "--effects also what each head adds to it directly.",
          "A,B"},
         {"patch", "With --effects: a head gives what it gives for this text, which has as many tokens.", "TEXT"}});
}

void checkEffectOptions(const QCommandLineParser& parser) {
    if (parser.isSet("effects")) {
        if (parser.isSet("patch") && parser.isSet("ablate-with"))
            throw UsageError("--patch: is given together with --ablate-with, expected one of the two");
        return;
    }
    if (parser.isSet("patch"))
        throw UsageError("--patch: says how --effects works, which is missing");
    if (parser.isSet("between") && !parser.isSet("lens") && !parser.isSet("words"))
        throw UsageError("--between: says how --effects, --lens and --words work, which are missing");
}

std::optional<EffectsReport> readEffects(const QCommandLineParser& parser, const Model& model, const Result& result,
                                         model::Ablation::By by) {
    if (!parser.isSet("effects"))
        return std::nullopt;
    EffectsReport report{.row = answerRow(model, result, "effects")};
    if (parser.isSet("between"))
        report.pair = pairOf(parser.value("between"), model, result);
    Result other;
    if (parser.isSet("patch")) {
        if (!model.tokenizer())
            throw UsageError("--patch: this model has no tokenizer beside it");
        if (result.input.sound)
            throw UsageError("--patch: is a text, and this model reads a sound");
        if (result.input.ids.empty())
            throw UsageError("--patch: is a text, and this model reads an image");
        const auto text = parser.value("patch").toStdString();
        const auto images = model::images_of(result.input);
        auto input = model.input_of(images.empty() ? model.tokenizer()->encode(text)
                                                   : model::tokens_with_images(model, text, images));
        input.image = result.input.image;
        input.further_images = result.input.further_images;
        const bool reads_text = model.description().head && model.description().head->ending;
        input.decoder_ids = reads_text ? model.decoder_ids(input.ids) : result.input.decoder_ids;
        if (input.ids.size() != result.input.ids.size())
            throw UsageError("--patch: has " + std::to_string(input.ids.size()) + " tokens, expected " +
                             std::to_string(result.input.ids.size()) + ", as many as the text");
        other = model.run(std::move(input), {.logits = model::Options::Logits::None});
        by = model::Ablation::By::Other;
    }
    const model::EffectOptions options{.by = by, .other = &other, .row = report.row, .pair = report.pair};
    model::effects_of(model, result, options, {}, [&](const HeadEffect& effect) { report.effects.push_back(effect); });
    const auto place = [&](const HeadEffect& effect) {
        const auto pass = std::ranges::find(result.passes, effect.pass, [](const auto& one) { return one->name; });
        return std::pair(pass - result.passes.begin(), effect.head);
    };
    std::ranges::sort(report.effects, {}, place);
    if (report.pair)
        report.direct = model::direct_effects(model, result, report.row, report.pair->a, report.pair->b);
    return report;
}

void addEffects(const EffectsReport& report, const Model& model, const Result& result, QJsonObject& all) {
    const auto word = [&](std::int64_t id) { return QString::fromStdString(wordOf(model, result, id)); };
    QJsonArray effects;
    for (const auto& effect : report.effects) {
        QJsonObject entry{{"pass", QString::fromStdString(effect.pass)},
                          {"head", static_cast<qint64>(effect.head)},
                          {"answer", word(effect.answer)},
                          {"answer_id", static_cast<qint64>(effect.answer)},
                          {"answer_probability", jsonOf(effect.answer_probability)},
                          {"probability", jsonOf(effect.probability)},
                          {"moved", jsonOf(effect.moved)}};
        if (effect.difference_change)
            entry["difference_change"] = jsonOf(*effect.difference_change);
        effects.append(entry);
    }
    all["effects"] = effects;
    if (!report.pair)
        return;
    all["between"] = QJsonArray{word(report.pair->a), word(report.pair->b)};
    all["difference"] = jsonOf(model::logit_difference(result, report.row, *report.pair));
    QJsonArray direct;
    if (report.direct)
        for (const auto& one : *report.direct)
            direct.append(QJsonObject{{"pass", QString::fromStdString(one.pass)},
                                      {"head", static_cast<qint64>(one.head)},
                                      {"difference", jsonOf(one.difference)}});
    all["direct"] = report.direct ? QJsonValue(direct) : QJsonValue();
}

void printEffects(const EffectsReport& report, const Model& model, const Result& result) {
    const auto shares = model::probabilities(result, report.row);
    const auto best = std::ranges::max_element(shares) - shares.begin();
    printOut("%-14s%s  '%s'\n", "answer", shortText(shares[static_cast<std::size_t>(best)]).c_str(),
             oneLine(wordOf(model, result, best)).c_str());
    if (report.pair)
        printOut("%-14s%s  logit of '%s' minus that of '%s'\n", "difference",
                 shortText(model::logit_difference(result, report.row, *report.pair)).c_str(),
                 oneLine(wordOf(model, result, report.pair->a)).c_str(),
                 oneLine(wordOf(model, result, report.pair->b)).c_str());
    printOut("%s\n", report.pair ? "change of the difference, share of the answer that moves, answer without the head"
                                 : "share of the answer that moves, and the answer without the head");
    for (const auto& effect : sorted(report)) {
        const auto change = effect.difference_change ? shortText(*effect.difference_change) : std::string();
        printOut("  %-*s%-12s%-12s'%s'  %s head %lld\n", report.pair ? 12 : 0, change.c_str(),
                 shortText(effect.moved).c_str(), shortText(effect.answer_probability).c_str(),
                 oneLine(wordOf(model, result, effect.answer)).c_str(), effect.pass.c_str(),
                 static_cast<long long>(effect.head));
    }
    if (!report.pair)
        return;
    if (!report.direct) {
        printOut("no direct parts: a norm stands behind each attention, or a layer before the logits\n");
        return;
    }
    auto direct = *report.direct;
    std::ranges::stable_sort(direct, std::greater<>(), [](const auto& one) { return std::abs(one.difference); });
    printOut("added to the difference directly\n");
    for (const auto& one : direct)
        printOut("  %-12s%s head %lld\n", shortText(one.difference).c_str(), one.pass.c_str(),
                 static_cast<long long>(one.head));
}

namespace {

/// The logits of one row as the answer of a model.
Result rowOf(const model::Matrix& logits, const Result& result, std::int64_t row) {
    Result one{.input = result.input};
    one.is_of_classes = result.is_of_classes;
    one.is_independent = result.is_independent;
    one.logits = model::Matrix(1, logits.columns);
    std::copy_n(logits.row(row), logits.columns, one.logits.row(0));
    return one;
}

/// What the model as it is answers: the likeliest by the last row.
std::int64_t answerOf(const model::Matrix& logits) {
    const float* last = logits.row(logits.rows - 1);
    return std::max_element(last, last + logits.columns) - last;
}

QJsonArray likeliestOf(const Model& model, const Result& result, const Result& one) {
    QJsonArray outcomes;
    for (const auto& outcome : model::likeliest(model, one, 5))
        outcomes.append(QJsonObject{{"text", QString::fromStdString(wordOf(model, result, outcome.id))},
                                    {"id", static_cast<qint64>(outcome.id)},
                                    {"probability", jsonOf(outcome.probability)}});
    return outcomes;
}

} // namespace

std::optional<LensReport> readLens(const QCommandLineParser& parser, const Model& model, const Result& result) {
    if (!parser.isSet("lens"))
        return std::nullopt;
    LensReport report{.row = answerRow(model, result, "lens")};
    if (parser.isSet("between"))
        report.pair = pairOf(parser.value("between"), model, result);
    report.logits = model::lens(model, result, report.row);
    return report;
}

void addLens(const LensReport& report, const Model& model, const Result& result, QJsonObject& all) {
    QJsonArray layers;
    const auto answer = static_cast<std::size_t>(answerOf(report.logits));
    for (std::int64_t layer = 0; layer < report.logits.rows; ++layer) {
        const auto one = rowOf(report.logits, result, layer);
        QJsonObject entry{{"layer", static_cast<qint64>(layer)},
                          {"probability", jsonOf(model::probabilities(one, 0)[answer])},
                          {"likeliest", likeliestOf(model, result, one)}};
        if (report.pair)
            entry["difference"] = jsonOf(model::logit_difference(one, 0, *report.pair));
        layers.append(entry);
    }
    all["lens"] = layers;
}

void printLens(const LensReport& report, const Model& model, const Result& result) {
    const auto answer = answerOf(report.logits);
    printOut("layers: probability of '%s', %sand the likeliest outcome by the hidden state after so many blocks\n",
             oneLine(wordOf(model, result, answer)).c_str(), report.pair ? "difference, " : "");
    for (std::int64_t layer = 0; layer < report.logits.rows; ++layer) {
        const auto one = rowOf(report.logits, result, layer);
        const auto best = model::likeliest(model, one, 1).front();
        const auto difference = report.pair ? shortText(model::logit_difference(one, 0, *report.pair)) : std::string();
        printOut("  %-4lld%-12s%-*s%-12s'%s'\n", static_cast<long long>(layer),
                 shortText(model::probabilities(one, 0)[static_cast<std::size_t>(answer)]).c_str(),
                 report.pair ? 12 : 0, difference.c_str(), shortText(best.probability).c_str(),
                 oneLine(wordOf(model, result, best.id)).c_str());
    }
}

std::optional<WordsReport> readWords(const QCommandLineParser& parser, const Model& model, const Result& result) {
    if (!parser.isSet("words"))
        return std::nullopt;
    if (result.input.ids.empty())
        throw UsageError("--words: hides words of a text, and this model reads none");
    WordsReport report{.row = answerRow(model, result, "words")};
    if (parser.isSet("between"))
        report.pair = pairOf(parser.value("between"), model, result);
    report.words = model::words_of(model, result, report.row);
    report.logits = model::logits_without(model, result, report.row, report.words);
    return report;
}

namespace {

/// What becomes of the answer while one word is hidden.
struct WordEffect {
    const model::Word* word;
    Result one;
    double probability; ///< of the answer without a hidden word
    double moved;
    std::optional<double> difference_change;
};

std::vector<WordEffect> effectsOf(const WordsReport& report, const Result& result) {
    const auto answer = static_cast<std::size_t>(answerOf(report.logits));
    const auto whole = rowOf(report.logits, result, report.logits.rows - 1);
    const auto before = model::probabilities(whole, 0);
    std::vector<WordEffect> effects;
    for (std::size_t i = 0; i < report.words.size(); ++i) {
        auto one = rowOf(report.logits, result, static_cast<std::int64_t>(i));
        const auto after = model::probabilities(one, 0);
        const auto moved = model::moved_between(before, after, result.is_independent);
        std::optional<double> change;
        if (report.pair)
            change = model::logit_difference(one, 0, *report.pair) - model::logit_difference(whole, 0, *report.pair);
        effects.push_back({&report.words[i], std::move(one), after[answer], moved, change});
    }
    return effects;
}

QString textOf(const model::Word& word) {
    const auto text = QString::fromStdString(word.text);
    return !word.is_image ? text : text.isEmpty() ? "the image" : "the image " + text;
}

} // namespace

void addWords(const WordsReport& report, const Model& model, const Result& result, QJsonObject& all) {
    QJsonArray words;
    for (const auto& effect : effectsOf(report, result)) {
        QJsonObject entry{{"text", textOf(*effect.word)},
                          {"first", static_cast<qint64>(effect.word->positions.first)},
                          {"last", static_cast<qint64>(effect.word->positions.last - 1)},
                          {"probability", jsonOf(effect.probability)},
                          {"moved", jsonOf(effect.moved)},
                          {"likeliest", likeliestOf(model, result, effect.one)}};
        if (effect.difference_change)
            entry["difference_change"] = jsonOf(*effect.difference_change);
        words.append(entry);
    }
    all["words"] = words;
}

void printWords(const WordsReport& report, const Model& model, const Result& result) {
    auto effects = effectsOf(report, result);
    const auto size = [](const WordEffect& effect) {
        return effect.difference_change ? std::abs(*effect.difference_change) : effect.moved;
    };
    std::ranges::stable_sort(effects, std::greater<>(), size);
    printOut("words: %sshare of the answer '%s' that moves, and the answer while the word is hidden from attention\n",
             report.pair ? "change of the difference, " : "",
             oneLine(wordOf(model, result, answerOf(report.logits))).c_str());
    for (const auto& effect : effects) {
        const auto best = model::likeliest(model, effect.one, 1).front();
        const auto change = effect.difference_change ? shortText(*effect.difference_change) : std::string();
        printOut("  %-*s%-12s%-12s'%s'  without '%s', position %lld\n", report.pair ? 12 : 0, change.c_str(),
                 shortText(effect.moved).c_str(), shortText(best.probability).c_str(),
                 oneLine(wordOf(model, result, best.id)).c_str(), oneLine(textOf(*effect.word).toStdString()).c_str(),
                 static_cast<long long>(effect.word->positions.first));
    }
    if (model::reads_without_attention(model.description()))
        printOut("layers without attention still read the hidden words\n");
}

} // namespace attnlab::app
