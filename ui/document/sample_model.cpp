#include "ui/document/sample_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace attnlab::ui {
namespace {

/// Only an application knows where the program is, and commands run without one.
QString programFolder() {
    if (QCoreApplication::instance())
        return QCoreApplication::applicationDirPath();
    int count = 1;
    char name[] = "attnlab";
    char* words[] = {name, nullptr};
    const QCoreApplication application(count, words);
    return QCoreApplication::applicationDirPath();
}

} // namespace

std::filesystem::path modelsFolder() {
    const QDir program(programFolder());
    return QFileInfo(QDir::cleanPath(program.filePath(QStringLiteral(ATTNLAB_DATA_DIR "/models"))))
        .filesystemFilePath();
}

std::filesystem::path sampleModelFolder() {
    const auto folder = modelsFolder() / "sample";
    std::error_code ignored;
    return std::filesystem::is_directory(folder, ignored) ? folder : std::filesystem::path();
}

} // namespace attnlab::ui
