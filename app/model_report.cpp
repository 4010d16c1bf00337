#include "app/model_report.h"

#include "app/json_output.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "core/model/model_results.h"
#include "core/model/pass_figures.h"
#include "core/model/sound.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace attnlab::app {
namespace {

using explain::HeadFigures;

constexpr std::size_t guessed = 5;

/// Equal where ids are: a spelling may stand for two of them.
std::vector<std::string> equalities(const std::vector<std::int64_t>& ids) {
    std::vector<std::string> texts;
    for (const auto id : ids)
        texts.push_back(std::to_string(id));
    return texts;
}

/// Figures by their names in the output.
struct NamedFigure {
    const char* name;
    std::optional<double> (*of)(const HeadFigures&);
};

template <auto member>
std::optional<double> mean(const HeadFigures& figures) {
    const auto& share = figures.*member;
    return share ? std::optional(share->mean) : std::nullopt;
}

/// Over the rows whose token was there before.
template <auto member>
std::optional<double> meanWhereSeen(const HeadFigures& figures) {
    const auto& share = figures.*member;
    return share ? std::optional(share->informative) : std::nullopt;
}

constexpr NamedFigure figure_names[] = {
    {"entropy", [](const HeadFigures& figures) { return std::optional(figures.entropy); }},
    {"max_weight", [](const HeadFigures& figures) { return std::optional(figures.max_weight); }},
    {"previous", mean<&HeadFigures::previous>},
    {"first", mean<&HeadFigures::first>},
    {"diagonal", mean<&HeadFigures::diagonal>},
    {"same_token", meanWhereSeen<&HeadFigures::same_token>},
    {"induction", meanWhereSeen<&HeadFigures::induction>},
    {"sink", [](const HeadFigures& figures) { return figures.sink; }},
};

std::vector<HeadFigures> figuresOf(const model::Result& result, const model::Pass& pass) {
    const bool is_decoder = pass.name.starts_with("decoder") && !result.input.decoder_ids.empty();
    const auto texts = equalities(is_decoder ? result.input.decoder_ids : result.input.ids);
    return model::figures_of(pass, texts);
}

QJsonArray jsonOfTokens(const std::vector<tokens::Token>& tokens, const std::vector<std::string>& labels) {
    QJsonArray all;
    for (const auto& token : tokens)
        all.append(QJsonObject{{"id", static_cast<qint64>(token.id)},
                               {"token", QString::fromStdString(token.text)},
                               {"text", QString::fromStdString(labels[static_cast<std::size_t>(all.size())])},
                               {"start", static_cast<qint64>(token.begin)},
                               {"end", static_cast<qint64>(token.end)},
                               {"special", token.special}});
    return all;
}

QJsonArray jsonOfHeads(const model::Result& result) {
    QJsonArray all;
    for (const auto& pass : result.passes) {
        const auto figures = figuresOf(result, *pass);
        for (std::size_t head = 0; head < figures.size(); ++head) {
            QJsonObject entry{{"pass", QString::fromStdString(pass->name)}, {"head", static_cast<qint64>(head)}};
            for (const auto& [name, of] : figure_names) {
                const auto value = of(figures[head]);
                if (value)
                    entry[QLatin1String(name)] = jsonOf(*value);
                else if (std::string_view(name) != "sink")
                    entry[QLatin1String(name)] = QJsonValue::Null;
            }
            all.append(entry);
        }
    }
    return all;
}

/// Without the space in front of a word.
void printTokens(const char* title, const std::vector<std::string>& labels) {
    if (labels.empty())
        return;
    std::string line;
    for (const auto& label : labels) {
        const auto first = label.find_first_not_of(' ');
        line += " " + (first == std::string::npos ? label : label.substr(first));
    }
    const int width = std::max(14, static_cast<int>(std::strlen(title)) + 1);
    printOut("%-*s%zu:%s\n", width, title, labels.size(), oneLine(line).c_str());
}

void printStack(const model::Stack& stack) {
    if (stack.blocks.empty())
        return;
    const auto& self = stack.attention();
    const auto keys = self.key_value_heads == self.heads
                          ? std::string()
                          : " (" + std::to_string(self.key_value_heads) + " of keys and values)";
    printOut("%-14s%zu layers x %lld heads%s, width %lld\n", stack.name.c_str(), stack.blocks.size(),
             static_cast<long long>(self.heads), keys.c_str(), static_cast<long long>(stack.width));
}

/// The head with the highest value of each figure.
void printExtremes(const model::Result& result) {
    struct Best {
        std::string pass;
        std::size_t head = 0;
        double value = -1.0;
    };
    std::vector<Best> best(std::size(figure_names));
    for (const auto& pass : result.passes) {
        const auto figures = figuresOf(result, *pass);
        for (std::size_t head = 0; head < figures.size(); ++head)
            for (std::size_t i = 0; i < best.size(); ++i)
                if (const auto value = figure_names[i].of(figures[head]); value && *value > best[i].value)
                    best[i] = {pass->name, head, *value};
    }
    printOut("highest\n");
    for (std::size_t i = 0; i < best.size(); ++i)
        if (best[i].value >= 0.0)
            printOut("  %-12s%-10s %s head %zu\n", figure_names[i].name, shortText(best[i].value).c_str(),
                     best[i].pass.c_str(), best[i].head);
}

QString qt(const std::string& text) { return QString::fromStdString(text); }

QJsonArray jsonOfUnread(const std::vector<model::UnreadEntry>& entries) {
    QJsonArray all;
    for (const auto& one : entries) {
        QJsonObject entry{{"file", qt(one.file)}, {"name", qt(one.name)}};
        if (!one.value.empty())
            entry["value"] = qt(one.value);
        entry["why"] = one.is_known() ? QJsonValue(qt(one.why.english())) : QJsonValue();
        all.append(entry);
    }
    return all;
}

/// What a user should hear of what is computed and what is not read.
std::vector<Message> notesOf(const model::Model& model) {
    auto notes = model.arithmetic_notes();
    std::ranges::move(model.description().unread.notes(), std::back_inserter(notes));
    return notes;
}

/// Adds what is not read, and the notes; `more` are of the input.
void addUnread(const model::Model& model, QJsonObject& all, const std::vector<Message>& more = {}) {
    const auto& unread = model.description().unread;
    auto given = more;
    std::ranges::move(notesOf(model), std::back_inserter(given));
    QJsonArray notes;
    for (const auto& note : given)
        notes.append(qt(note.english()));
    all["notes"] = notes;
    all["unread_settings"] = jsonOfUnread(unread.settings);
    all["unread_tensors"] = jsonOfUnread(unread.tensors);
}

void printUnread(const char* title, const std::vector<model::UnreadEntry>& entries) {
    if (entries.empty())
        return;
    printOut("%s\n", title);
    for (const auto& entry : entries)
        printOut("  %-40s %-20s %s\n", oneLine(entry.name).c_str(), oneLine(entry.value).c_str(),
                 entry.is_known() ? entry.why.english().c_str() : "not known");
}

void printStacks(const model::Description& description) {
    printOut("%-14s%s\n", "architecture", oneLine(description.type).c_str());
    for (const auto* stack : {&description.encoder, &description.decoder})
        if (*stack)
            printStack(**stack);
}

void printNotes(const std::vector<Message>& notes) {
    for (const auto& note : notes)
        printOut("note: %s\n", oneLine(note.english()).c_str());
}

/// How many frames a sound has, and its letters where the model gives such.
void printSound(const model::Model& model, const ModelInput& input, const model::Result& result) {
    const auto& frames = *model.description().first().embedding.frames;
    printOut("%-14s%zu frames, one each %s s\n", "sound", input.labels.size(), shortText(frames.seconds()).c_str());
    if (model::spells_frames(model))
        printOut("%-14s'%s'\n", "spelled", oneLine(model::spelled_text(model, result)).c_str());
}

QJsonArray jsonOfOutcomes(const model::Model& model, const model::Result& result, std::int64_t row) {
    QJsonArray outcomes;
    for (const auto& guess : model::likeliest(model, result, guessed, row))
        outcomes.append(QJsonObject{{"token", QString::fromStdString(guess.name)},
                                    {"text", QString::fromStdString(guess.label.empty() ? guess.name : guess.label)},
                                    {"id", static_cast<qint64>(guess.id)},
                                    {"probability", jsonOf(guess.probability)}});
    return outcomes;
}

void printOutcomes(const model::Model& model, const model::Result& result, std::int64_t row) {
    for (const auto& guess : model::likeliest(model, result, guessed, row)) {
        const auto& text = guess.label.empty() ? guess.name : guess.label;
        printOut("  %-10s %s\n", shortText(guess.probability).c_str(),
                 oneLine(text.empty() ? "#" + std::to_string(guess.id) : "'" + text + "'").c_str());
    }
}

/// The likeliest class of each token.
void printTokenClasses(const model::Model& model, const ModelInput& input, const model::Result& result) {
    printOut("likeliest class of each token\n");
    for (std::int64_t row = 0; row < result.logits.rows; ++row) {
        const auto best = model::likeliest(model, result, 1, row).front();
        const auto position = static_cast<std::size_t>(result.logit_positions[static_cast<std::size_t>(row)]);
        printOut("  %-10s %-14s %s\n", shortText(best.probability).c_str(), oneLine(best.name).c_str(),
                 position < input.labels.size() ? oneLine("'" + input.labels[position] + "'").c_str()
                                                : std::to_string(position).c_str());
    }
}

bool hasGuesses(const model::Model& model, const model::Result& result) {
    return result.is_of_classes || model.description().predicts_next();
}

} // namespace

namespace {

const char* nameOf(model::Written::Stop stop) {
    switch (stop) {
    case model::Written::Stop::Count:
        return "count";
    case model::Written::Stop::End:
        return "end";
    case model::Written::Stop::Longest:
        return "longest";
    }
    return "";
}

} // namespace

std::optional<AlignmentReport> readAlignment(const QCommandLineParser& parser, const model::Result& result) {
    if (!parser.isSet("align"))
        return std::nullopt;
    const auto parts = parser.value("align").split(u':');
    AlignmentReport report{.pass = parts[0].trimmed().toStdString()};
    const auto pass = result.find(report.pass);
    if (!pass || !pass->is_cross() || parts.size() > 2) {
        std::string known;
        for (const auto& one : result.passes)
            if (one->is_cross())
                known += (known.empty() ? "" : ", ") + one->name;
        if (known.empty())
            throw UsageError("--align: this model has no cross-attention");
        throw UsageError("--align: is '" + parser.value("align").toStdString() + "', expected one of " + known +
                         ", or one of its heads, as " + known.substr(0, known.find(',')) + ":0");
    }
    if (parts.size() == 2) {
        bool is_number = false;
        report.head = parts[1].trimmed().toLongLong(&is_number);
        if (!is_number || *report.head < 0 || *report.head >= pass->heads)
            throw UsageError("--align: has the head '" + parts[1].toStdString() + "', expected a number from 0 to " +
                             std::to_string(pass->heads - 1));
    }
    report.best = model::best_keys(*pass, report.head);
    return report;
}

void addAlignment(const AlignmentReport& report, const ModelInput& input, QJsonObject& all) {
    QJsonArray words;
    for (std::size_t row = 0; row + 1 < report.best.size(); ++row) {
        const auto& best = report.best[row];
        words.append(QJsonObject{{"token", static_cast<qint64>(row) + 1},
                                 {"text", qt(input.target_labels[row + 1])},
                                 {"source", static_cast<qint64>(best.key)},
                                 {"source_text", qt(input.labels[static_cast<std::size_t>(best.key)])},
                                 {"weight", jsonOf(best.weight)}});
    }
    QJsonObject alignment{{"pass", qt(report.pass)}, {"tokens", words}};
    if (report.head)
        alignment["head"] = static_cast<qint64>(*report.head);
    all["alignment"] = alignment;
}

void printAlignment(const AlignmentReport& report, const ModelInput& input) {
    printOut("alignment     %s, %s: each token, the source token that was read most to write it, and the weight\n",
             report.pass.c_str(),
             report.head ? ("head " + std::to_string(*report.head)).c_str() : "mean over the heads");
    for (std::size_t row = 0; row + 1 < report.best.size(); ++row) {
        const auto& best = report.best[row];
        printOut("  '%s'  '%s'  %s\n", oneLine(input.target_labels[row + 1]).c_str(),
                 oneLine(input.labels[static_cast<std::size_t>(best.key)]).c_str(), shortText(best.weight).c_str());
    }
}

void addWritten(const WrittenReport& report, const model::Model& model, QJsonObject& all) {
    std::vector<std::int64_t> ids;
    for (const auto& token : report.written.tokens)
        ids.push_back(token.id);
    const auto labels = model::labels_of(model, ids);
    QJsonArray tokens;
    for (std::size_t i = 0; i < ids.size(); ++i)
        tokens.append(QJsonObject{{"id", static_cast<qint64>(ids[i])},
                                  {"text", qt(labels[i])},
                                  {"probability", jsonOf(report.written.tokens[i].probability)}});
    QJsonObject written{{"tokens", tokens}, {"text", qt(report.text)}, {"stopped", nameOf(report.written.stop)}};
    if (report.temperature > 0.0) {
        written["temperature"] = jsonOf(report.temperature);
        written["seed"] = static_cast<qint64>(report.seed);
    }
    all["written"] = written;
}

void printWritten(const WrittenReport& report, const model::Model& model) {
    std::string how = "the likeliest each time";
    if (report.temperature > 0.0)
        how = "temperature " + shortText(report.temperature) + ", seed " + std::to_string(report.seed);
    if (report.written.stop == model::Written::Stop::End)
        how += "; the model ended the text";
    if (report.written.stop == model::Written::Stop::Longest)
        how += "; this model reads at most " + std::to_string(model.description().longest) + " tokens";
    printOut("%-14s'%s'  %zu tokens, %s\n", "written", oneLine(report.text).c_str(), report.written.tokens.size(),
             how.c_str());
}

void printModelJson(const model::Model& model, const ModelInput& input, const model::Result& result,
                    const ModelReports& reports) {
    const auto next = hasGuesses(model, result) ? jsonOfOutcomes(model, result, result.logits.rows - 1) : QJsonArray();
    QJsonObject all{{"architecture", QString::fromStdString(model.description().type)},
                    {"precision", qt(std::string(name_of(model.description().arithmetic)))},
                    {"tokens", jsonOfTokens(input.tokens, input.labels)},
                    {"next", next},
                    {"heads", jsonOfHeads(result)}};
    if (input.unknown > 0)
        all["unknown_tokens"] = static_cast<qint64>(input.unknown);
    if (!input.targets.empty())
        all["decoder_tokens"] = jsonOfTokens(input.targets, input.target_labels);
    if (model::finds_spans(model) && result.logits.rows == 2)
        all["answer"] =
            QJsonObject{{"begin", jsonOfOutcomes(model, result, 0)}, {"end", jsonOfOutcomes(model, result, 1)}};
    if (model::classifies_tokens(model)) {
        QJsonArray classes;
        for (std::int64_t row = 0; row < result.logits.rows; ++row)
            classes.append(jsonOfOutcomes(model, result, row));
        all["classes"] = classes;
    }
    if (const auto& frames = model.description().first().embedding.frames) {
        QJsonArray times;
        for (const auto& label : input.labels)
            times.append(qt(label));
        all["frames"] = times;
        all["seconds_per_frame"] = jsonOf(frames->seconds());
    }
    if (model::spells_frames(model))
        all["spelled"] = qt(model::spelled_text(model, result));
    if (reports.written)
        addWritten(*reports.written, model, all);
    if (reports.effects)
        addEffects(*reports.effects, model, result, all);
    if (reports.lens)
        addLens(*reports.lens, model, result, all);
    if (reports.words)
        addWords(*reports.words, model, result, all);
    if (reports.alignment)
        addAlignment(*reports.alignment, input, all);
    addUnread(model, all, input.notes);
    printJson(all);
}

void printModelSummary(const model::Model& model, const ModelInput& input, const model::Result& result) {
    printStacks(model.description());
    printOut("%-14s%s\n", "precision", std::string(name_of(model.description().arithmetic)).c_str());
    if (input.input.sound)
        printSound(model, input, result);
    else
        printTokens("tokens", input.labels);
    if (input.unknown > 0)
        printOut("%-14s%lld of %zu tokens stand for words that the vocabulary does not have\n", "unknown",
                 static_cast<long long>(input.unknown), input.tokens.size());
    printTokens("decoder tokens", input.target_labels);
    if (hasGuesses(model, result)) {
        printOut("%s\n", result.is_of_classes ? "likeliest classes" : "likeliest next tokens");
        printOutcomes(model, result, result.logits.rows - 1);
    }
    if (model::finds_spans(model) && result.logits.rows == 2) {
        printOut("the answer begins at\n");
        printOutcomes(model, result, 0);
        printOut("the answer ends at\n");
        printOutcomes(model, result, 1);
    }
    if (model::classifies_tokens(model) && !model::spells_frames(model))
        printTokenClasses(model, input, result);
    printExtremes(result);
    printNotes(input.notes);
    printNotes(notesOf(model));
}

void printModelInfo(const model::Model& model, bool as_json) {
    const auto& description = model.description();
    if (as_json) {
        QJsonObject all{{"architecture", qt(description.type)}};
        QJsonArray stacks;
        for (const auto* stack : {&description.encoder, &description.decoder})
            if (*stack)
                stacks.append(QJsonObject{
                    {"name", qt((*stack)->name)},
                    {"layers", static_cast<qint64>((*stack)->blocks.size())},
                    {"heads", (*stack)->blocks.empty() ? 0 : static_cast<qint64>((*stack)->attention().heads)},
                    {"width", static_cast<qint64>((*stack)->width)}});
        all["stacks"] = stacks;
        addUnread(model, all);
        printJson(all);
        return;
    }
    printStacks(description);
    printUnread("settings that have no effect", description.unread.settings);
    printUnread("tensors that are not read", description.unread.tensors);
    printNotes(notesOf(model));
}

} // namespace attnlab::app
