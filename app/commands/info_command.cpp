// Implements `attnlab info`: the arrays of files, and how they would be read.
#include "app/command_table.h"
#include "app/json_output.h"
#include "app/model_report.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/recognition/recognition.h"

#include <QJsonArray>
#include <QJsonObject>

#include <filesystem>

namespace attnlab::app {
namespace {

QString text(const std::string& text) { return QString::fromStdString(text); }

QJsonArray json(const std::vector<std::string>& texts) {
    QJsonArray all;
    for (const auto& text : texts)
        all.append(QString::fromStdString(text));
    return all;
}

QJsonObject described(const Recognition& recognition, const std::vector<UnusedArray>& unused,
                      const std::optional<Message>& missing) {
    QJsonArray used_arrays, unused_arrays, notes, questions, masks;
    for (const auto& use : recognition.used) {
        QJsonObject entry{{"name", text(use.name)},
                          {"file", text(withStreamNames(use.file))},
                          {"shape", jsonOf(use.shape)},
                          {"input", text(use.role)},
                          {"how", text(use.how.english())}};
        if (const auto* labels = use.labels_in(recognition.problem))
            entry["labels"] = json(*labels);
        else
            entry["dtype"] = text(std::string(name_of(use.dtype)));
        used_arrays.append(entry);
    }
    for (const auto& array : unused) {
        QJsonObject entry{{"name", text(array.name)},
                          {"file", text(withStreamNames(array.file))},
                          {"why", text(array.why.english())}};
        if (array.shape)
            entry["shape"] = jsonOf(*array.shape);
        unused_arrays.append(entry);
    }
    for (const auto& note : recognition.notes)
        notes.append(text(note.english()));
    for (const auto& question : recognition.questions) {
        QJsonArray answers;
        for (const auto& answer : question.answers)
            answers.append(text(answer));
        questions.append(QJsonObject{{"text", text(question.text.english())}, {"answers", answers}});
    }
    for (const auto& mask : recognition.problem.spec.masks)
        masks.append(text(mask.id));
    QJsonObject all{{"workspace", recognition.is_workspace},
                    {"used", used_arrays},
                    {"unused", unused_arrays},
                    {"notes", notes},
                    {"questions", questions}};
    if (missing)
        all["missing"] = text(missing->english());
    else
        all["variant"] = text(recognition.problem.spec.variant);
    all["masks"] = masks;
    if (const auto offset = recognition.problem.spec.query_offset)
        all["query_offset"] = static_cast<qint64>(*offset);
    return all;
}

void printText(const Recognition& recognition, const std::vector<UnusedArray>& unused,
               const std::optional<Message>& missing) {
    const auto line = [](const std::string& name, const std::string& shape, const std::string& rest) {
        printOut("  %-32s %-20s %s\n", oneLine(name).c_str(), oneLine(shape).c_str(), oneLine(rest).c_str());
    };
    printOut("used\n");
    for (const auto& use : recognition.used) {
        const auto how = use.how.empty() ? std::string() : ": " + use.how.english();
        const bool texts = use.labels_in(recognition.problem) != nullptr;
        line(use.name, to_string(use.shape) + " " + (texts ? "text" : std::string(name_of(use.dtype))), use.role + how);
    }
    if (recognition.used.empty())
        printOut("  nothing\n");
    if (!unused.empty())
        printOut("not used\n");
    for (const auto& array : unused)
        line(array.name, array.shape ? to_string(*array.shape) : "", array.why.english());
    for (const auto& note : recognition.notes)
        printOut("note: %s\n", oneLine(note.english()).c_str());
    for (const auto& question : recognition.questions)
        printOut("open: %s\n", oneLine(question.text.english()).c_str());
    if (missing) {
        printOut("missing: %s\n", oneLine(missing->english()).c_str());
        return;
    }
    const auto& spec = recognition.problem.spec;
    const auto masks = spec.masks.empty() ? std::string() : ", masks: " + listed(spec.masks, &Selection::id);
    const auto offset = spec.query_offset ? ", query offset: " + std::to_string(*spec.query_offset) : std::string();
    printOut("mechanism: %s%s%s\n", spec.variant.c_str(), masks.c_str(), offset.c_str());
}

/// A folder with config.json, or a .gguf file.
bool isModel(const QString& argument) {
    const auto path = modelPath(argument);
    std::error_code ignored;
    return path.extension() == ".gguf" || std::filesystem::exists(path / "config.json", ignored);
}

int modelInfo(const CommandParser& parser) {
    const auto names = parser.positionalArguments();
    if (names.size() != 1)
        throw UsageError("info: has " + std::to_string(names.size()) + " files, expected a model alone");
    for (const auto& option : parser.optionNames())
        if (option != QLatin1String("json"))
            throw UsageError("--" + option.toStdString() + ": has no effect on a model");
    printModelInfo(model::Model::open(modelPath(names.first())), parser.isSet("json"));
    return 0;
}

} // namespace

int infoCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Lists the arrays of files and how they would be read.");
    parser.addPositionalArgument("FILE", "Arrays, a workspace, or a model: a folder with config.json, or a GGUF file.",
                                 "info FILE...");
    addSpecOptions(parser);
    parser.addOption({"json", "Print JSON."});
    if (!parse(parser, arguments))
        return 0;
    for (const auto& name : parser.positionalArguments())
        if (isModel(name))
            return modelInfo(parser);
    const InputFiles files(parser.positionalArguments());
    auto [recognition, problem] = recogniseInput(parser, files.names(), {.defer = true});
    auto unused = recognition.unused;
    const auto unread = unread_arrays(recognition, problem);
    unused.insert(unused.end(), unread.begin(), unread.end());
    const auto missing = lacking(recognition, problem);
    recognition.used = read_arrays(recognition, problem);
    if (parser.isSet("json"))
        printJson(described(recognition, unused, missing));
    else
        printText(recognition, unused, missing);
    return 0;
}

} // namespace attnlab::app
