// Standard input and output in the place of files: "-".
#pragma once

#include "app/command_parser.h"

#include <memory>
#include <QStringList>
#include <string>

namespace attnlab::app {

class StreamFolder;

/// The inputs of a command as files. "-" is what standard input holds, read to its end into a file that goes with this
/// object; its type is found by its first bytes: an archive, .npy, safetensors or a table of text.
class InputFiles {
public:
    /// Throws UsageError where "-" is given twice, Error where standard input cannot be read or is too large.
    explicit InputFiles(const QStringList& names);
    ~InputFiles();
    InputFiles(const InputFiles&) = delete;
    InputFiles& operator=(const InputFiles&) = delete;

    const QStringList& names() const { return names_; }

private:
    QStringList names_;
    std::unique_ptr<StreamFolder> folder_;
};

/// A message in which files that take the place of a stream have its name.
std::string withStreamNames(std::string message);

/// Adds --format.
void addFormatOption(CommandParser& parser);

/// Where a command's result goes: the file of --out, or standard output for "-", whose type --format says.
class OutputFile {
public:
    /// `suffixes` are those that can be written. Throws UsageError for another, and where there is none.
    OutputFile(const QCommandLineParser& parser, const QStringList& suffixes);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// The file to write; its suffix says the type.
    const QString& path() const { return path_; }
    QString suffix() const;
    /// Sends it to standard output, where it is to go there. Throws OutputError.
    void finish();

private:
    QString path_;
    std::unique_ptr<StreamFolder> folder_; ///< null: a file
};

} // namespace attnlab::app
