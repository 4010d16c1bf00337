// What the program remembers between runs.
#pragma once

#include "ui/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace attnlab::ui::settings {

ThemeChoice themeChoice();
void setThemeChoice(ThemeChoice choice);

/// "en", "zh_CN", or empty for the system's.
QString language();
void setLanguage(const QString& code);

/// Newest first; files that are gone are left out.
QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

/// Folder of the last open or save.
QString lastFolder();
void setLastFolder(const QString& folder);

QByteArray windowGeometry();
QByteArray windowState();
void setWindow(const QByteArray& geometry, const QByteArray& state);

} // namespace attnlab::ui::settings
