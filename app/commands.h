// The commands that do not open a window. Each returns an exit code and throws UsageError or attnlab::Error.
#pragma once

#include "core/backend.h"

#include <QStringList>

#include <string_view>

namespace attnlab::app {

/// `arguments` begins with the program's name; the command's own name is removed.
int codeCommand(const QStringList& arguments);
int computeCommand(const QStringList& arguments);
int compareCommand(const QStringList& arguments, Backends backends);
int renderCommand(const QStringList& arguments, Backends backends);
int mapCommand(const QStringList& arguments);
int mergeCommand(const QStringList& arguments);
int modelCommand(const QStringList& arguments);
int lessonCommand(const QStringList& arguments);
int infoCommand(const QStringList& arguments);
int listCommand(const QStringList& arguments);
int devicesCommand(const QStringList& arguments);
int benchCommand(const QStringList& arguments);
int tokenizeCommand(const QStringList& arguments);

/// Throws UsageError when `id` is neither "auto" nor one of `backends`, Error with the reason where cuda is not
/// available.
void checkBackend(std::string_view id, Backends backends);

} // namespace attnlab::app
