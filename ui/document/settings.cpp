#include "ui/document/settings.h"

#include "core/lookup.h"
#include "ui/document/document.h"
#include "ui/document/local_files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <iterator>
#include <utility>

namespace attnlab::ui::settings {
namespace {

constexpr auto theme_key = "look/theme";
constexpr auto motion_key = "look/reduced_motion";
constexpr auto language_key = "look/language";
constexpr auto recent_key = "files/recent";
constexpr auto recent_models_key = "files/recent_models";
constexpr auto folder_key = "files/folder";
constexpr auto picture_format_key = "export/picture_format";
constexpr auto keeps_inputs_key = "export/keeps_inputs";
constexpr auto last_key = "files/last";
constexpr auto reopen_key = "files/reopen_last";
constexpr auto geometry_key = "window/geometry";
constexpr auto state_key = "window/state";
const QString tried_key = QStringLiteral("model/tried");
const QString part_key = QStringLiteral("window/parts/%1");
constexpr auto undo_bytes_key = "edit/undo_bytes";
constexpr auto map_cells_key = "map/from_cells";
constexpr auto map_bytes_key = "map/bytes";
constexpr std::pair<ThemeChoice, const char*> theme_words[] = {{ThemeChoice::System, "system"},
                                                               {ThemeChoice::Light, "light"},
                                                               {ThemeChoice::Dark, "dark"},
                                                               {ThemeChoice::ContrastLight, "contrast_light"},
                                                               {ThemeChoice::ContrastDark, "contrast_dark"}};
constexpr int most_recent = 10;
constexpr qlonglong usual_map_cells = 4'000'000, usual_map_bytes = qlonglong{512} << 20;
constexpr qlonglong least_map_bytes = qlonglong{16} << 20; // enough for a view full of tiles

QStringList present(const char* key) {
    QStringList there;
    for (const auto& path : QSettings().value(key).toStringList())
        if (std::error_code ignored; std::filesystem::exists(toPath(path), ignored))
            there << path;
    return there;
}

/// They become the newest of the list.
void note(QSettings& settings, const char* key, const QStringList& paths) {
    auto all = present(key);
    for (const auto& path : paths) {
        const auto absolute = QFileInfo(path).absoluteFilePath();
        all.removeAll(absolute);
        all.prepend(absolute);
    }
    settings.setValue(key, QStringList(all.mid(0, most_recent)));
}

} // namespace

ThemeChoice themeChoice() {
    const auto word = QSettings().value(theme_key).toString();
    const auto* found = lookup(theme_words, word, [](const auto& row) { return QLatin1String(row.second); });
    return found ? found->first : ThemeChoice::System;
}

void setThemeChoice(ThemeChoice choice) {
    const auto* found = lookup(theme_words, choice, [](const auto& row) { return row.first; });
    QSettings().setValue(theme_key, found->second);
}

bool reducedMotion() { return QSettings().value(motion_key).toBool(); }
void setReducedMotion(bool reduced) { QSettings().setValue(motion_key, reduced); }

QString language() { return QSettings().value(language_key).toString(); }
void setLanguage(const QString& code) { QSettings().setValue(language_key, code); }

QStringList recentFiles() { return present(recent_key); }

void addRecentFiles(const QStringList& paths) {
    QSettings settings; // a single one: each writes a file when it is destroyed
    note(settings, recent_key, paths);
    if (!paths.isEmpty())
        settings.setValue(folder_key, QFileInfo(paths.first()).absolutePath());
}

void clearRecentFiles() { QSettings().remove(recent_key); }

QStringList recentModels() { return present(recent_models_key); }

void addRecentModel(const QString& path) {
    QSettings settings;
    note(settings, recent_models_key, {path});
}

void clearRecentModels() { QSettings().remove(recent_models_key); }

QStringList lastDocument() {
    auto paths = QSettings().value(last_key).toStringList();
    paths.removeAll(QString());
    return paths;
}
void setLastDocument(const QStringList& paths) { QSettings().setValue(last_key, paths); }
bool reopensLast() { return QSettings().value(reopen_key, true).toBool(); }
void setReopensLast(bool reopens) { QSettings().setValue(reopen_key, reopens); }

QString lastFolder() {
    const auto folder = QSettings().value(folder_key).toString();
    for (const auto& one : {folder, QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)})
        if (QFileInfo(one).isDir())
            return one;
    return QDir::homePath();
}
void setLastFolder(const QString& folder) { QSettings().setValue(folder_key, folder); }

QString pictureFormat() { return QSettings().value(picture_format_key).toString(); }
void setPictureFormat(const QString& suffix) { QSettings().setValue(picture_format_key, suffix); }
bool keepsInputs() { return QSettings().value(keeps_inputs_key, true).toBool(); }
void setKeepsInputs(bool keeps) { QSettings().setValue(keeps_inputs_key, keeps); }
bool hasChosenInputs() { return QSettings().contains(keeps_inputs_key); }

QByteArray windowGeometry() { return QSettings().value(geometry_key).toByteArray(); }
QByteArray windowState() { return QSettings().value(state_key).toByteArray(); }
void setWindow(const QByteArray& geometry, const QByteArray& state) {
    QSettings().setValue(geometry_key, geometry);
    QSettings().setValue(state_key, state);
}

bool isPartShown(const QString& id) { return QSettings().value(part_key.arg(id), true).toBool(); }
void setPartShown(const QString& id, bool shown) { QSettings().setValue(part_key.arg(id), shown); }

QStringList triedSteps() { return QSettings().value(tried_key).toStringList(); }
void setTriedSteps(const QStringList& ids) { QSettings().setValue(tried_key, ids); }

std::size_t undoBytes() {
    constexpr auto usual = static_cast<qulonglong>(Document::default_undo_bytes);
    return static_cast<std::size_t>(QSettings().value(undo_bytes_key, usual).toULongLong());
}
void setUndoBytes(std::size_t bytes) { QSettings().setValue(undo_bytes_key, static_cast<qulonglong>(bytes)); }

std::int64_t mapFromCells() { return QSettings().value(map_cells_key, usual_map_cells).toLongLong(); }
void setMapFromCells(std::int64_t cells) { QSettings().setValue(map_cells_key, static_cast<qlonglong>(cells)); }

std::size_t mapBytes() {
    return static_cast<std::size_t>(
        std::max(least_map_bytes, QSettings().value(map_bytes_key, usual_map_bytes).toLongLong()));
}
void setMapBytes(std::size_t bytes) { QSettings().setValue(map_bytes_key, static_cast<qlonglong>(bytes)); }

} // namespace attnlab::ui::settings
