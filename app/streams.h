// Standard input and output in place of files: "-".
#pragma once

#include "app/command_parser.h"

#include <memory>
#include <QString>
#include <QStringList>
#include <string>

namespace attnlab::app {

class StreamFolder;

/// The inputs of a command as files. "-" is standard input, copied to a file that is removed with this object; its type
/// is detected by its first bytes.
class InputFiles {
public:
    /// Throws UsageError where "-" is repeated, Error where standard input cannot be read or is too large.
    explicit InputFiles(const QStringList& names);
    ~InputFiles();
    InputFiles(const InputFiles&) = delete;
    InputFiles& operator=(const InputFiles&) = delete;

    const QStringList& names() const { return names_; }

private:
    QStringList names_;
    std::unique_ptr<StreamFolder> folder_;
};

/// Replaces the names of temporary files in a message by those of their streams.
std::string withStreamNames(std::string message);

/// ".npz, .npy, ...": of files with arrays, for help.
QString inputSuffixes();

/// Adds --format.
void addFormatOption(CommandParser& parser);

/// The destination of a command's result: the file of --out, or standard output for "-", with the type of --format.
class OutputFile {
public:
    /// `suffixes` are the writable ones. Throws UsageError for another, and without any.
    OutputFile(const QCommandLineParser& parser, const QStringList& suffixes);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// The file to write; its suffix determines the type.
    const QString& path() const { return path_; }
    QString suffix() const;
    /// Copies it to standard output if that is the destination. Throws OutputError.
    void finish();

private:
    QString path_;
    std::unique_ptr<StreamFolder> folder_; ///< null: a file
};

} // namespace attnlab::app
