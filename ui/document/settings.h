// Settings stored between runs.
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

/// The user's choice for ui/widgets/theme.h.
bool reducedMotion();
void setReducedMotion(bool reduced);

/// "en", "zh_CN", or empty for the system's.
QString language();
void setLanguage(const QString& code);

/// Newest first, without missing files.
QStringList recentFiles();
/// Notes opened or saved files: they become the newest, and the folder of the first becomes lastFolder().
void addRecentFiles(const QStringList& paths);
void clearRecentFiles();
/// The same of models: folders, and files of one.
QStringList recentModels();
void addRecentModel(const QString& path);
void clearRecentModels();

/// The files of the document that was open when the program was last closed: a workspace, or the files of its arrays.
QStringList lastDocument();
void setLastDocument(const QStringList& paths);
/// Whether it is opened at the start of the program; true at first.
bool reopensLast();
void setReopensLast(bool reopens);

/// Folder of the last open or save.
QString lastFolder();
void setLastFolder(const QString& folder);

/// The format of the last exported picture ("pdf"); empty at first.
QString pictureFormat();
void setPictureFormat(const QString& suffix);
/// Whether exported pictures carry their inputs; true at first.
bool keepsInputs();
void setKeepsInputs(bool keeps);
/// Whether the user has chosen that: the first export asks.
bool hasChosenInputs();

QByteArray windowGeometry();
QByteArray windowState();
void setWindow(const QByteArray& geometry, const QByteArray& state);

/// Whether the user wants to see a part of the workspace, such as "heads"; true until changed.
bool isPartShown(const QString& id);
void setPartShown(const QString& id, bool shown);

/// Which of the first experiments with the sample model were done, by their ids.
QStringList triedSteps();
void setTriedSteps(const QStringList& ids);

/// The memory limit of undo steps.
std::size_t undoBytes();
void setUndoBytes(std::size_t bytes);

/// Heads with more cells (L x S) than this are shown as a map; smaller ones as a matrix with every stage.
std::int64_t mapFromCells();
void setMapFromCells(std::int64_t cells);
/// The memory limit for tiles of maps.
std::size_t mapBytes();
void setMapBytes(std::size_t bytes);

} // namespace attnlab::ui::settings
