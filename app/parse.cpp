#include "app/parse.h"

#include "app/command_table.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "core/io/file_bytes.h"
#include "core/lookup.h"
#include "gpu/cuda_backend.h"
#include "ui/document/local_files.h"

#include <algorithm>
#include <string_view>

namespace attnlab::app {

namespace {
ParserWatch* watch = nullptr;
}

ParserWatch::ParserWatch() { watch = this; }
ParserWatch::~ParserWatch() { watch = nullptr; }

void parseOptions(CommandParser& parser, const QStringList& arguments) {
    if (!parser.parse(arguments))
        throw UsageError(parser.errorText().toStdString());
    if (const auto twice = parser.givenTwice(); !twice.isEmpty())
        throw UsageError("--" + twice.toStdString() + ": is given twice");
}

bool parse(CommandParser& parser, const QStringList& arguments) {
    if (watch) {
        watch->seen = parser.declared();
        return false;
    }
    const auto help = parser.addHelpOption();
    parseOptions(parser, arguments);
    if (!parser.isSet(help)) {
        if (parser.optionNames().contains(QLatin1String("format")) && !parser.isSet("out"))
            throw UsageError("--format: is the type of --out -, which is missing");
        return true;
    }
    // Qt knows the program's name only once there is an application object.
    printOut("%s", qPrintable(parser.helpText().replace(QLatin1String("<executable_name>"), QLatin1String("attnlab"))));
    return false;
}

QString required(const QCommandLineParser& parser, const char* option) {
    if (parser.value(option).isEmpty())
        throw UsageError("--" + std::string(option) + ": is missing");
    return parser.value(option);
}

const Stage& chosenStage(const QCommandLineParser& parser, const Trace& trace) {
    return stageNamed(parser.value("stage").toStdString(), trace);
}

std::string typedBytes(const QCommandLineParser& parser, const char* option) {
    return ui::toPath(parser.value(option)).native();
}

std::string givenText(const QCommandLineParser& parser, std::int64_t largest) {
    if (!parser.isSet("text-file"))
        return typedBytes(parser, "text");
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const auto file = ui::toPath(parser.value("text-file"));
    auto text = io::read_file(file, largest);
    if (text.starts_with(mark)) {
        text.erase(0, mark.size());
        printError("attnlab: note: " + file.string() + ": begins with a byte order mark, which is no part of the text");
    }
    return text;
}

const Stage& stageNamed(const std::string& name, const Trace& trace) {
    if (const Stage* stage = trace.find(name))
        return *stage;
    throw UsageError("--stage: '" + name + "' is not one of " + listed(trace.stages, &Stage::name));
}

void checkBackend(std::string_view id, Backends backends) {
    std::string known = "auto";
    for (const Backend* backend : backends)
        known += ", " + std::string(backend->id());
    const bool there = id == "auto" || std::any_of(backends.begin(), backends.end(),
                                                   [&](const Backend* backend) { return backend->id() == id; });
    if (const auto& why_none = gpu::devices().why_none; !there && id == "cuda" && why_none)
        throw Error({ATTNLAB_TEXT("The backend cuda is not there. %1"), {*why_none}});
    if (!there)
        throw UsageError("--backend: has '" + std::string(id) + "', expected one of " + known);
}

void printWarnings(const std::vector<Note>& notes) {
    for (const auto& note : notes)
        if (note.severity == Note::Severity::Warning)
            printError("attnlab: warning: " + note.message.english());
}

} // namespace attnlab::app
