// A QCommandLineParser that exposes its declarations, for completion scripts and the man page.
#pragma once

#include <QCommandLineParser>

#include <algorithm>

namespace attnlab::app {

/// The declarations of a parser.
struct Declarations {
    struct Positional {
        QString name, description, syntax;
    };
    QString description;
    QList<Positional> positionals;
    QList<QCommandLineOption> options;
};

class CommandParser : public QCommandLineParser {
public:
    /// Allows repetition of these; any other option with a value may be given once.
    void allowSeveral(const QStringList& names) { repeated_ += names; }
    /// The first option with a value that is repeated without being allowed to, or an empty text.
    QString givenTwice() const {
        auto given = optionNames();
        for (const auto& option : declared_.options) {
            const auto& names = option.names();
            const auto count =
                std::count_if(given.begin(), given.end(), [&](const QString& name) { return names.contains(name); });
            if (count > 1 && !option.valueName().isEmpty() && !repeated_.contains(names.first()))
                return names.first();
        }
        return {};
    }
    void addOption(const QCommandLineOption& option) { addOptions({option}); }
    void addOptions(const QList<QCommandLineOption>& options) {
        declared_.options += options;
        QCommandLineParser::addOptions(options);
    }
    void addPositionalArgument(const QString& name, const QString& description, const QString& syntax) {
        declared_.positionals.push_back({name, description, syntax});
        QCommandLineParser::addPositionalArgument(name, description, syntax);
    }

    Declarations declared() const {
        auto all = declared_;
        all.description = applicationDescription();
        return all;
    }

private:
    Declarations declared_;
    QStringList repeated_;
};

} // namespace attnlab::app
