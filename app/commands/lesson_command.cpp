// Implements `attnlab lesson`: checks, packs and prints lessons.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "core/lookup.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/learn/handout.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_export.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace attnlab::app {
namespace {

using namespace lessons;

/// A lesson on disk, with the program's samples and formulas.
LessonFiles filesOf(const std::string& folder) {
    auto files = files_below(folder, {});
    files.model = models_below(ui::modelsFolder());
    files.resource = [](const std::string& name) -> std::optional<std::string> {
        QFile file(QStringLiteral(":/attnlab/") + QString::fromStdString(name));
        if (!file.open(QIODevice::ReadOnly))
            return std::nullopt;
        return file.readAll().toStdString();
    };
    return files;
}

void requireFolder(const std::string& folder) {
    std::error_code unreadable;
    if (!std::filesystem::exists(folder, unreadable))
        throw Error({ATTNLAB_TEXT("%1: no such folder"), {folder}});
    if (!std::filesystem::is_directory(folder, unreadable) && !folder.ends_with(lessons::archive_suffix))
        throw Error({ATTNLAB_TEXT("%1: is a file, expected the folder of a lesson"), {folder}});
}

void printClaim(const char* outcome, const ClaimReport& claim) {
    printOut("    %-6s %s", outcome, oneLine(claim.text).c_str());
    if (!claim.measured.empty())
        printOut("    (%s)", oneLine(claim.measured).c_str());
    printOut("\n");
}

void printText(const char* heading, const std::string& text) {
    if (!text.empty())
        printOut("%s%s\n\n", heading, text.c_str());
}

/// The step as a reader sees it, in every language.
void printTexts(const Step& step) {
    const auto result = lab::compute(step.scene);
    const Evaluation evaluation(step.scene, result);
    const auto asked_scene = question_scene(step);
    const auto asked_result = lab::compute(asked_scene);
    const Evaluation asked(asked_scene, asked_result);
    for (const auto language : lessons::languages) {
        if (!step.texts.contains(language))
            continue;
        const auto& text = step.text_in(language);
        printOut("\n## %s\n", oneLine(text.title).c_str());
        printText("", filled(text.body, evaluation));
        printText("", filled(text.question, evaluation));
        if (step.question)
            for (const auto& option : step.question->options)
                printText("- ", filled(text.options.find(option.id)->second, evaluation));
        printText("? ", filled(text.hint, evaluation));
        printText("> ", filled(text.answer, asked));
        for (const auto& [id, words] : text.whys)
            printText(("why " + id + ": ").c_str(), filled(words, asked));
        for (const auto& [id, words] : text.cards)
            printText((id + ": ").c_str(), filled(words, evaluation));
    }
}

/// What is asked of a check.
struct Thoroughness {
    bool texts = false; ///< print them
    int draws = 0;      ///< of refute()
};

/// Returns the number of mistakes.
std::size_t checkStep(const lessons::Lesson& lesson, const Step& step, const Thoroughness& asked) {
    auto report = check_step(lesson, step);
    if (asked.draws > 0)
        std::ranges::move(refute(lesson, step, asked.draws), std::back_inserter(report.mistakes));
    printOut("  %s\n", oneLine(step.id).c_str());
    for (const auto& claim : report.checks)
        printClaim(claim.holds ? "true" : "FALSE", claim);
    for (const auto& option : report.options)
        printClaim(option.claim.holds ? "answer" : "",
                   {option.id + ": " + option.claim.text, option.claim.holds, option.claim.measured});
    if (asked.texts)
        printTexts(step);
    flushOut(); // so that mistakes appear below their step
    for (const auto& mistake : report.mistakes)
        printError(mistake.text());
    return report.mistakes.size();
}

/// The heading above it in the list of lessons, if it names one, and its minutes.
std::string placeOf(const lessons::Lesson& lesson) {
    const auto* group = lookup(lessons::lesson_groups, lesson.group);
    return (group ? std::string(group->heading) + ", " : std::string()) + "about " +
           std::to_string(reading_minutes(lesson, lessons::languages.front())) + " min";
}

/// The list of lessons as the window shows it.
void printList() {
    auto shipped = ui::shippedLessons();
    const auto numbered = shipped.size();
    std::ranges::move(ui::shippedLectures(shipped), std::back_inserter(shipped));
    for (const auto& section : ui::lessonSections(shipped)) {
        printOut("%s\n", section.heading.toUtf8().constData());
        for (const auto i : section.lessons) {
            const auto& lesson = *shipped[i];
            const auto number = i < numbered ? std::to_string(i + 1) : std::string();
            printOut("  %2s  %s (%s%d min)\n", number.c_str(), lesson.title().toUtf8().constData(),
                     lesson.minutes() > 0.0 ? "" : "about ", lesson.readingMinutes());
        }
    }
}

std::size_t checkLesson(const std::string& folder, const Thoroughness& asked) {
    try {
        requireFolder(folder);
        const auto lesson = load_lesson(folder, filesOf(folder));
        printOut("%s: %s (%s)\n", oneLine(lesson.folder).c_str(),
                 oneLine(lesson.title_in(lessons::languages.front()).title).c_str(), placeOf(lesson).c_str());
        std::size_t mistakes = 0;
        for (const auto& step : lesson.steps)
            mistakes += checkStep(lesson, step, asked);
        return mistakes;
    } catch (const OutputError&) {
        throw;
    } catch (const Error& error) {
        flushOut();
        printError(error.what());
        return 1;
    }
}

QPageSize::PageSizeId readPaper(const QString& name) {
    if (name.compare(QLatin1String("A4"), Qt::CaseInsensitive) == 0)
        return QPageSize::A4;
    if (name.compare(QLatin1String("Letter"), Qt::CaseInsensitive) == 0)
        return QPageSize::Letter;
    throw UsageError("--paper: has '" + name.toStdString() + "', expected A4 or Letter");
}

QString readLanguage(const QString& code) {
    const auto known = ui::languages();
    if (!lookup(known, code, [](const auto& language) { return QLatin1String(language.code); }))
        throw UsageError("--language: has '" + code.toStdString() + "', expected one of " +
                         listed(known, &ui::Language::code));
    return code;
}

int readDraws(const QCommandLineParser& parser) {
    if (!parser.isSet("draws"))
        return 0;
    bool whole = false;
    const int draws = parser.value("draws").toInt(&whole);
    if (!whole || draws < 1)
        throw UsageError("--draws: has '" + parser.value("draws").toStdString() + "', expected a number from 1");
    return draws;
}

/// The statements of a handout must be true. Throws Error.
void requireSound(const std::string& folder) {
    requireFolder(folder);
    const auto lesson = load_lesson(folder, filesOf(folder));
    for (const auto& step : lesson.steps)
        if (const auto report = check_step(lesson, step); !report.mistakes.empty())
            throw LessonError(report.mistakes.front());
}

int writePacked(const QCommandLineParser& parser) {
    const auto folders = parser.positionalArguments();
    if (folders.size() != 1)
        throw UsageError("--pack: is made of one lesson, there are " + std::to_string(folders.size()));
    const auto file = parser.value("pack");
    if (!file.endsWith(QLatin1String(lessons::archive_suffix.data())))
        throw UsageError("--pack: has '" + file.toStdString() + "', expected a file name that ends in " +
                         std::string(lessons::archive_suffix));
    for (const char* option : {"texts", "draws", "language", "paper", "solutions"})
        if (parser.isSet(option))
            throw UsageError("--" + std::string(option) + ": changes nothing in a packed lesson, expected no --pack");
    checkOutput("pack", file, folders);
    const auto folder = folders.first().toStdString();
    requireSound(folder);
    lessons::write_archive(ui::toPath(file), filesOf(folder));
    return 0;
}

/// Boards draw the pictures, so this needs a QApplication, but no display.
int writeHandout(const QCommandLineParser& parser, const QStringList& arguments) {
    const auto folders = parser.positionalArguments();
    if (folders.size() != 1)
        throw UsageError("--handout: is made of one lesson, there are " + std::to_string(folders.size()));
    const auto paper = readPaper(parser.value("paper"));
    const auto language = readLanguage(parser.value("language"));
    if (!parser.value("handout").endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        throw UsageError("--handout: has '" + parser.value("handout").toStdString() +
                         "', expected a file name that ends in .pdf");
    if (parser.isSet("texts"))
        throw UsageError("--texts: prints while a lesson is checked, expected no --handout");
    checkOutput("handout", parser.value("handout"), {});
    requireSound(folders.first().toStdString());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QByteArray program = arguments.first().toLocal8Bit();
    char* words[] = {program.data(), nullptr};
    int count = 1;
    const QApplication application(count, words);
    ui::applyTheme(ui::ThemeChoice::Light);
    ui::applyLanguage(language);
    const QString folder = QFileInfo(folders.first()).absoluteFilePath();
    const auto kind = parser.isSet("solutions") ? ui::HandoutKind::Solutions : ui::HandoutKind::Questions;
    const auto handout = ui::makeHandout(ui::readLesson(folder, folder), kind);
    ui::writeBytes(parser.value("handout"), ui::handoutData(handout, paper));
    return 0;
}

} // namespace

int lessonCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Checks lessons: their files, statements, questions and numbers.");
    parser.addPositionalArgument(
        "FOLDER", "A lesson: a folder with scene.json and en.md, zh_CN.md or both, or an .attnlesson file.",
        "lesson FOLDER...");
    parser.addOptions(
        {{"texts", "Print the texts with their numbers filled in."},
         {"draws", "Also evaluate the checks on N draws and the whole range of each live control.", "N"},
         {"handout", "Write the lesson as a handout for students, without answers, instead of checking it.",
          "FILE.pdf"},
         {"solutions", "Of the handout: with all pictures, the answers and their explanations."},
         {"list", "Print the lessons of the program by groups, with the minutes that each takes, instead."},
         {"pack", "Write the lesson as one file, which a double click opens, instead of checking it.",
          "FILE.attnlesson"},
         {"language", "Of the handout: en or zh_CN.", "CODE", "en"},
         {"paper", "Of the handout: A4 or Letter.", "SIZE", "A4"}});
    if (!parse(parser, arguments))
        return 0;
    const auto folders = parser.positionalArguments();
    if (parser.isSet("list")) {
        if (!folders.isEmpty() || parser.optionNames().size() > 1)
            throw UsageError("--list: is of the program's lessons, expected no folder and no other option");
        printList();
        return 0;
    }
    if (folders.isEmpty())
        throw UsageError("lesson: no folder, expected that of a lesson");
    if (parser.isSet("handout") && parser.isSet("pack"))
        throw UsageError("--pack: is given together with --handout, expected one of them");
    if (parser.isSet("pack"))
        return writePacked(parser);
    if (parser.isSet("handout"))
        return writeHandout(parser, arguments);
    for (const char* option : {"language", "paper", "solutions"})
        if (parser.isSet(option))
            throw UsageError("--" + std::string(option) +
                             ": is that of a handout, expected --handout FILE.pdf with it");
    const Thoroughness asked{parser.isSet("texts"), readDraws(parser)};
    std::size_t mistakes = 0;
    for (const auto& folder : folders)
        mistakes += checkLesson(folder.toStdString(), asked);
    return mistakes == 0 ? 0 : 1;
}

} // namespace attnlab::app
