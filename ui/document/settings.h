// What the program remembers between runs.
#pragma once

#include "ui/widgets/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>

namespace attnlab::ui::settings {

ThemeChoice themeChoice();
void setThemeChoice(ThemeChoice choice);

/// "en", "zh_CN", or empty for the system's.
QString language();
void setLanguage(const QString& code);

/// Newest first; files that are gone are left out.
QStringList recentFiles();
/// Files that were opened or saved: now the newest of them, and the folder of the first is lastFolder().
void noteFiles(const QStringList& paths);
void clearRecentFiles();

/// Folder of the last open or save.
QString lastFolder();
void setLastFolder(const QString& folder);

QByteArray windowGeometry();
QByteArray windowState();
void setWindow(const QByteArray& geometry, const QByteArray& state);

/// Heads of more cells (L x S) than this are drawn as a map; smaller ones as a matrix with every stage.
std::int64_t mapFromCells();
void setMapFromCells(std::int64_t cells);
/// Most memory that tiles of maps may take.
std::size_t mapBytes();
void setMapBytes(std::size_t bytes);

} // namespace attnlab::ui::settings
