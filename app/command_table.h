// The commands, and their descriptions for help, completion scripts and the man page.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"

#include <QString>
#include <QStringList>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::app {

struct Command {
    const char* name;
    int (*run)(const QStringList& arguments); ///< `arguments` begins with the program's name
};

/// By name.
std::span<const Command> commands();
/// Null for an unknown name.
const Command* findCommand(std::string_view name);
/// Throws UsageError that names the command most similar to `word`.
[[noreturn]] void refuseCommand(const QString& word);

/// The output of `attnlab --help`.
std::string usageText();
/// Prints help on one command, or on all.
int helpCommand(const QStringList& arguments);

/// The declarations of the command's parser.
Declarations declarationsOf(const Command& command);

/// Prints a completion script for bash, zsh or fish.
int completionCommand(const QStringList& arguments);
/// Prints the manual page, in troff.
int manCommand(const QStringList& arguments);

// The commands that do not open a window. Each returns an exit code and throws UsageError or attnlab::Error.

/// `arguments` begins with the program's name; the command's own name is removed.
int codeCommand(const QStringList& arguments);
int computeCommand(const QStringList& arguments);
int compareCommand(const QStringList& arguments, Backends backends);
int gradeCommand(const QStringList& arguments);
int pageCommand(const QStringList& arguments);
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
