// The commands, and what help, completion scripts and the man page say of them.
#pragma once

#include "app/command_parser.h"

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
/// Null where there is none of this name.
const Command* findCommand(std::string_view name);
/// Throws UsageError that names the command most like `word`.
[[noreturn]] void refuseCommand(const QString& word);

/// What `attnlab --help` prints.
std::string usageText();
/// Of one command, or of all.
int helpCommand(const QStringList& arguments);

/// What the command's parser declares.
Declarations declarationsOf(const Command& command);

/// Prints a completion script for bash, zsh or fish.
int completionCommand(const QStringList& arguments);
/// Prints the manual page, in troff.
int manCommand(const QStringList& arguments);

} // namespace attnlab::app
