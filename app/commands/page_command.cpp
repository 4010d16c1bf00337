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
#include "ui/learn/lecture_dialog.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_export.h"
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
        const char *title, *title_zh, *summary, *summary_zh;
    };
    for (const auto& [kind, title, title_zh, summary, summary_zh] :
         {Lab{lab::BoardKind::ScaleLab, "Scale lab", "缩放实验",
              "Move d. With the scale none, scores grow with d, and one key takes nearly all the weight of its row. "
              "Divided by √d, they keep their variance, and the weights stay spread out.",
              "移动 d。不缩放时，得分随 d 增大，一行的权重几乎全落在一个键上；除以 √d "
              "后，得分的方差不变，权重保持分散。"},
          Lab{lab::BoardKind::MaskLab, "Mask lab", "掩码实验",
              "Choose masks, and see which keys each query may read, what a blocked key leaves behind, and whether an "
              "edited token reaches outputs that must not read it.",
              "选择掩码，看每个查询能关注哪些键、被屏蔽的键会留下什么，以及改动一个词元是否会影响本不该关注它的输出"
              "。"}}) {
        if (name != ui::textOf(lab::id_of(kind)))
            continue;
        options.title = QLatin1String(title);
        options.title_zh = QString::fromUtf8(title_zh);
        options.summary = QString::fromUtf8(summary);
        options.summary_zh = QString::fromUtf8(summary_zh);
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

/// A lecture of the program by its name, or an .attnlecture file; null for another name.
ui::LessonPtr lectureCalled(const QString& name) {
    const auto lessons = ui::shippedLessons();
    if (ui::isLectureFile(name))
        return ui::readLectureFile(name, lessons);
    for (const auto& lecture : ui::shippedLectures(lessons))
        if (ui::textOf(lecture->content().id) == name)
            return lecture;
    return nullptr;
}

/// The page of a lesson, a lecture or a lab; nullopt for another name.
std::optional<QByteArray> pageOf(const QString& name, const ui::LivePageOptions& options) {
    if (const auto folder = lessonFolder(name))
        return ui::lessonPage(ui::readLesson(*folder, *folder), options);
    if (auto lab = labPage(name, options))
        return lab;
    if (name == QLatin1String("-") || (QFileInfo(name).isFile() && !ui::isLectureFile(name)))
        return std::nullopt;
    const auto lecture = lectureCalled(name);
    return lecture ? std::optional(ui::lessonPage(lecture, options)) : std::nullopt;
}

} // namespace

int pageCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Writes one file of HTML that computes: inputs to edit, pickers of mechanism, scale, masks and position, and "
        "the arithmetic of each cell, with the engine inside. It needs no network. Of a lesson or a lecture it has "
        "every step with its question.\nscripts/web builds the engine for pages.");
    parser.addPositionalArgument("INPUT",
                                 "Arrays: " + inputSuffixes() +
                                     " or a workspace; or a lesson: its number or name in `attnlab lesson --list`, a "
                                     "folder, or an .attnlesson file; a lecture: its name, or an .attnlecture "
                                     "file; or scale_lab or mask_lab.",
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
    const auto page = words.size() == 1 ? pageOf(words.first(), options) : std::nullopt;
    if (page)
        requireNoOptions(parser);
    checkOutput("out", out.path(), page ? QStringList() : words);
    if (page) {
        ui::writeBytes(out.path(), *page);
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
