// QCommandLineParser that can say what was declared, for completion scripts and the man page.
#pragma once

#include <QCommandLineParser>

namespace attnlab::app {

/// What was declared to a parser.
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
    void addOption(const QCommandLineOption& option) { addOptions({option}); }
    void addOptions(const QList<QCommandLineOption>& options) {
        told_.options += options;
        QCommandLineParser::addOptions(options);
    }
    void addPositionalArgument(const QString& name, const QString& description, const QString& syntax) {
        told_.positionals.push_back({name, description, syntax});
        QCommandLineParser::addPositionalArgument(name, description, syntax);
    }

    Declarations declared() const {
        auto told = told_;
        told.description = applicationDescription();
        return told;
    }

private:
    Declarations told_;
};

} // namespace attnlab::app
