#include "ui/learn/shelf.h"

#include "core/lessons/lecture.h"
#include "core/lessons/load.h"
#include "ui/document/sample_model.h"

#include <QDir>
#include <QFile>

namespace attnlab::ui {
namespace {

const QString resources = QStringLiteral(":/attnlab");

std::optional<std::string> resourceAt(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return file.readAll().toStdString();
}

std::function<std::optional<std::string>(const std::string&)> resourcesBelow(const QString& folder) {
    return [folder](const std::string& name) {
        return resourceAt(folder + QLatin1Char('/') + QString::fromStdString(name));
    };
}

/// A folder of the file system or of Qt's resources; samples and formulas are always the program's.
lessons::LessonFiles filesOf(const QString& folder) {
    if (folder.startsWith(QLatin1String(":/")))
        return {resourcesBelow(folder), resourcesBelow(resources), lessons::models_below(modelsFolder())};
    auto files = lessons::files_below(folder.toStdString(), {});
    files.resource = resourcesBelow(resources);
    files.model = lessons::models_below(modelsFolder());
    return files;
}

} // namespace

LessonPtr readLesson(const QString& folder, const QString& key) {
    return std::make_shared<const Lesson>(lessons::load_lesson(folder.toStdString(), filesOf(folder)), key);
}

std::vector<LessonPtr> shippedLessons() {
    std::vector<LessonPtr> lessons;
    const QDir shelf(resources + QStringLiteral("/lessons"));
    for (const auto& name : shelf.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        try {
            lessons.push_back(readLesson(shelf.filePath(name), name));
        } catch (const Error& error) { // a program without its files beside it has no model for some of them
            qWarning("%s", error.what());
        }
    }
    return lessons;
}

std::vector<LessonPtr> shippedLectures(const std::vector<LessonPtr>& lessons) {
    std::vector<const lessons::Lesson*> contents;
    for (const auto& lesson : lessons)
        contents.push_back(&lesson->content());
    std::vector<LessonPtr> lectures;
    const QDir shelf(resources + QStringLiteral("/lectures"));
    for (const auto& file : shelf.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        try {
            const auto text = resourceAt(file.filePath());
            const auto name = file.completeBaseName();
            lectures.push_back(
                std::make_shared<const Lesson>(lessons::read_lecture(text.value_or(std::string()), name.toStdString(),
                                                                     file.filePath().toStdString(), contents),
                                               QStringLiteral("lecture/") + name));
        } catch (const Error& error) {
            qWarning("%s", error.what());
        }
    }
    return lectures;
}

} // namespace attnlab::ui
