#include "ui/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace attnlab::ui::settings {
namespace {

constexpr auto theme_key = "look/theme";
constexpr auto language_key = "look/language";
constexpr auto recent_key = "files/recent";
constexpr auto folder_key = "files/folder";
constexpr auto geometry_key = "window/geometry";
constexpr auto state_key = "window/state";
constexpr int most_recent = 10;

} // namespace

ThemeChoice themeChoice() {
    const auto word = QSettings().value(theme_key).toString();
    return word == QLatin1String("dark")    ? ThemeChoice::Dark
           : word == QLatin1String("light") ? ThemeChoice::Light
                                            : ThemeChoice::System;
}

void setThemeChoice(ThemeChoice choice) {
    QSettings().setValue(theme_key, choice == ThemeChoice::Dark    ? "dark"
                                    : choice == ThemeChoice::Light ? "light"
                                                                   : "system");
}

QString language() { return QSettings().value(language_key).toString(); }
void setLanguage(const QString& code) { QSettings().setValue(language_key, code); }

QStringList recentFiles() {
    QStringList there;
    for (const auto& path : QSettings().value(recent_key).toStringList())
        if (QFileInfo::exists(path))
            there << path;
    return there;
}

void addRecentFile(const QString& path) {
    auto files = recentFiles();
    const auto absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recent_key, QStringList(files.mid(0, most_recent)));
}

void clearRecentFiles() { QSettings().remove(recent_key); }

QString lastFolder() {
    const auto folder = QSettings().value(folder_key).toString();
    return QFileInfo(folder).isDir() ? folder : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}
void setLastFolder(const QString& folder) { QSettings().setValue(folder_key, folder); }

QByteArray windowGeometry() { return QSettings().value(geometry_key).toByteArray(); }
QByteArray windowState() { return QSettings().value(state_key).toByteArray(); }
void setWindow(const QByteArray& geometry, const QByteArray& state) {
    QSettings().setValue(geometry_key, geometry);
    QSettings().setValue(state_key, state);
}

} // namespace attnlab::ui::settings
