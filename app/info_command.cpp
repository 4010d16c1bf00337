#include "app/commands.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/recognition/recognition.h"
#include "core/variants.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstdio>

namespace attnlab::app {
namespace {

QJsonArray json(const Shape& shape) {
    QJsonArray sizes;
    for (const auto size : shape)
        sizes.append(static_cast<qint64>(size));
    return sizes;
}

QString text(const std::string& text) { return QString::fromStdString(text); }

QJsonArray json(const std::vector<std::string>& texts) {
    QJsonArray all;
    for (const auto& text : texts)
        all.append(QString::fromStdString(text));
    return all;
}

QJsonObject jsonOf(const Recognition& recognition, const std::vector<UnusedArray>& unused,
                   const std::optional<Message>& missing) {
    QJsonArray used_arrays, unused_arrays, notes, questions, masks;
    for (const auto& use : recognition.used) {
        QJsonObject entry{{"name", text(use.name)},
                          {"file", text(use.file)},
                          {"shape", json(use.shape)},
                          {"input", text(use.role)},
                          {"how", text(use.how.english())}};
        if (const auto* labels = use.labels_in(recognition.problem))
            entry["labels"] = json(*labels);
        else
            entry["dtype"] = text(std::string(name_of(use.dtype)));
        used_arrays.append(entry);
    }
    for (const auto& array : unused) {
        QJsonObject entry{{"name", text(array.name)}, {"file", text(array.file)}, {"why", text(array.why.english())}};
        if (array.shape)
            entry["shape"] = json(*array.shape);
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
    return all;
}

void printText(const Recognition& recognition, const std::vector<UnusedArray>& unused,
               const std::optional<Message>& missing) {
    const auto line = [](const std::string& name, const std::string& shape, const std::string& rest) {
        std::printf("  %-32s %-20s %s\n", name.c_str(), shape.c_str(), rest.c_str());
    };
    std::puts("used");
    for (const auto& use : recognition.used) {
        const auto how = use.how.empty() ? std::string() : ": " + use.how.english();
        const bool texts = use.labels_in(recognition.problem) != nullptr;
        line(use.name, to_string(use.shape) + " " + (texts ? "text" : std::string(name_of(use.dtype))), use.role + how);
    }
    if (recognition.used.empty())
        std::puts("  nothing");
    if (!unused.empty())
        std::puts("not used");
    for (const auto& array : unused)
        line(array.name, array.shape ? to_string(*array.shape) : "", array.why.english());
    for (const auto& note : recognition.notes)
        std::printf("note: %s\n", note.english().c_str());
    for (const auto& question : recognition.questions)
        std::printf("open: %s\n", question.text.english().c_str());
    if (missing) {
        std::printf("missing: %s\n", missing->english().c_str());
        return;
    }
    const auto& spec = recognition.problem.spec;
    std::string masks;
    for (const auto& mask : spec.masks)
        masks += (masks.empty() ? ", masks: " : ", ") + mask.id;
    std::printf("mechanism: %s%s\n", spec.variant.c_str(), masks.c_str());
}

} // namespace

int infoCommand(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Says what files hold and what would be made of it.");
    parser.addPositionalArgument("FILE", "Arrays or a workspace.", "info FILE...");
    addSpecOptions(parser);
    parser.addOption({"json", "Print JSON."});
    if (!parse(parser, arguments))
        return 0;
    const auto [recognition, problem] = recogniseInput(parser, parser.positionalArguments());
    auto unused = recognition.unused;
    const auto unread = unread_arrays(recognition, problem);
    unused.insert(unused.end(), unread.begin(), unread.end());
    const auto missing = lacking(recognition, problem);
    if (parser.isSet("json"))
        std::fputs(QJsonDocument(jsonOf(recognition, unused, missing)).toJson().constData(), stdout);
    else
        printText(recognition, unused, missing);
    return 0;
}

} // namespace attnlab::app
