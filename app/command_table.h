// The commands, and their descriptions for help, completion scripts and the man page.
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

} // namespace attnlab::app
