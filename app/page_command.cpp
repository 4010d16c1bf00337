// Implements `attnlab page`: a problem or a lesson as a page of HTML that computes.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/lab/board.h"
#include "core/lookup.h"
#include "ui/document/local_files.h"
#include "ui/export/live_page.h"
#include "ui/learn/displayed_lesson.h"
#include "ui/widgets/text.h"

#include <QDir>
#include <QFileInfo>

#include <optional>

namespace attnlab::app {
namespace {

/// The folder of a lesson: one of the program's by its number, id or folder name, or one on disk. nullopt: no lesson.
std::optional<QString> lessonFolder(const QString& name) {
    if (QFileInfo(name).isDir() || name.endsWith(QLatin1String(lessons::archive_suffix.data())))
        return QFileInfo(name).absoluteFilePath();
    const QDir shelf(QStringLiteral(":/attnlab/lessons"));
    const auto shipped = shelf.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    bool is_number = false;
    const auto number = name.toInt(&is_number);
    if (is_number && !QFileInfo::exists(name)) {
        if (number < 1 || number > shipped.size())
            throw UsageError("page: there is no lesson " + name.toStdString() + ", expected 1 to " +
                             std::to_string(shipped.size()));
        return shelf.filePath(shipped[number - 1]);
    }
    for (const auto& folder : shipped)
        if (folder == name || folder.section(QLatin1Char('-'), 1) == name)
            return shelf.filePath(folder);
    return std::nullopt;
}

/// A lab as it is opened from the menu; nullopt for another name.
std::optional<QByteArray> labPage(const QString& name, ui::LivePageOptions options) {
    struct Lab {
        lab::BoardKind kind;
        const char *title, *title_zh;
    };
    for (const auto& [kind, title, title_zh] : {Lab{lab::BoardKind::ScaleLab, "Scale lab", "缩放实验"},
                                                Lab{lab::BoardKind::MaskLab, "Mask lab", "掩码实验"}}) {
        if (name != ui::textOf(lab::id_of(kind)))
            continue;
        options.title = QLatin1String(title);
        options.title_zh = QString::fromUtf8(title_zh);
        return ui::livePage(lab::free_lab_scene(kind), lab::free_lab_view(kind), options);
    }
    return std::nullopt;
}

QString pageLanguage(const QCommandLineParser& parser) {
    auto code = parser.value("language");
    if (!code.isEmpty() &&
        !lookup(ui::languages(), code, [](const auto& language) { return QLatin1String(language.code); }))
        throw UsageError("--language: has '" + code.toStdString() + "', expected one of " +
                         listed(ui::languages(), &ui::Language::code));
    return code;
}

void requireNoOptions(const CommandParser& parser) {
    for (const auto& option : parser.optionNames())
        if (!QStringList{"out", "language"}.contains(option))
            throw UsageError("--" + option.toStdString() +
                             ": does not go with a lesson or a lab, which have their own");
}

QByteArray lessonPage(const QString& folder, const ui::LivePageOptions& options) {
    const auto files = ui::lessonFiles(folder);
    return ui::livePage(lessons::load_lesson(folder.toStdString(), files), files, options);
}

} // namespace

int pageCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Writes one file of HTML that computes: inputs to edit, pickers of mechanism, scale, masks and position, and "
        "the arithmetic of each cell, with the engine inside. It needs no network. Of a lesson it has every step with "
        "its question.\nscripts/web builds the engine for pages.");
    parser.addPositionalArgument("INPUT",
                                 "Arrays: " + inputSuffixes() +
                                     " or a workspace; or a lesson: its number or name in `attnlab lesson --list`, a "
                                     "folder, or an .attnlesson file; or scale_lab or mask_lab.",
                                 "page INPUT...");
    addSpecOptions(parser);
    addCompareOption(parser);
    parser.addOptions({{"title", "Of arrays: the heading of the page. Default: the name of the file.", "TEXT"},
                       {"language", "en or zh_CN; default: the language of the browser.", "CODE"},
                       {"out", "The page; - is standard output.", "FILE.html|-"}});
    addFormatOption(parser);
    if (!parse(parser, arguments))
        return 0;
    OutputFile out(parser, {QStringLiteral("html")});
    ui::LivePageOptions options;
    options.language = pageLanguage(parser);
    const auto words = parser.positionalArguments();
    const auto folder = words.size() == 1 ? lessonFolder(words.first()) : std::nullopt;
    const auto lab = words.size() == 1 ? labPage(words.first(), options) : std::nullopt;
    if (folder || lab)
        requireNoOptions(parser);
    checkOutput("out", out.path(), folder || lab ? QStringList() : words);
    if (folder || lab) {
        ui::writeBytes(out.path(), lab ? *lab : lessonPage(*folder, options));
    } else {
        const InputFiles inputs(words);
        options.title = parser.isSet("title") || words.isEmpty() ? parser.value("title")
                                                                 : QFileInfo(words.first()).completeBaseName();
        ui::writeBytes(out.path(), ui::livePage(readProblem(parser, inputs.names()), options));
    }
    out.finish();
    return 0;
}

} // namespace attnlab::app
