// Implements `attnlab completion` and `attnlab man`, both made from the declared options of every command.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"
#include "ui/drawing/colormap.h"

namespace attnlab::app {
namespace {

template <class Entries>
QStringList idsOf(const Entries& entries) {
    QStringList ids;
    for (const auto& entry : entries)
        ids << QString::fromStdString(std::string(entry.id));
    return ids;
}

/// The possible values of an option, if they are few: those of the engine's tables, or "max|mean" of its declaration.
QStringList wordsOf(const QCommandLineOption& option) {
    const QString name = option.names().first();
    if (name == QLatin1String("variant"))
        return idsOf(mechanisms());
    if (name == QLatin1String("scale"))
        return idsOf(scale_modes());
    if (name == QLatin1String("position"))
        return idsOf(position_terms()) << QStringLiteral("none");
    if (name == QLatin1String("normaliser"))
        return idsOf(normalisers());
    if (name == QLatin1String("decay"))
        return idsOf(decays()) << QStringLiteral("none");
    if (name == QLatin1String("mask"))
        return idsOf(mask_kinds()) << QString::fromLatin1(sliding_window_id.data(), sliding_window_id.size())
                                   << QStringLiteral("none");
    if (name == QLatin1String("colormap")) {
        QStringList ids;
        for (const auto& map : ui::colormaps())
            ids << map.id;
        return ids;
    }
    if (name == QLatin1String("backend"))
        return {"auto", "reference", "cpu", "cuda"};
    const QString value = option.valueName();
    return value.contains(QLatin1Char('|')) && value == value.toLower() && !value.contains(QLatin1Char('.'))
               ? value.split(QLatin1Char('|'))
               : QStringList();
}

QString dashed(const QCommandLineOption& option) { return QStringLiteral("--") + option.names().first(); }

QString namesOfCommands() {
    QStringList names;
    for (const auto& command : commands())
        names << QLatin1String(command.name);
    return names.join(QLatin1Char(' '));
}

/// All options with --help; `declared` are those of the command.
QList<QCommandLineOption> withHelp(QList<QCommandLineOption> declared) {
    return declared << QCommandLineOption(QStringLiteral("help"), QStringLiteral("Displays help."));
}

QString firstSentence(const QString& text) {
    const auto end = text.indexOf(QLatin1String(". "));
    return (end < 0 ? text : text.left(end + 1)).simplified();
}

QString bash() {
    QString script = QStringLiteral("# AttnLab: source <(attnlab completion bash)\n"
                                    "_attnlab() {\n"
                                    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                                    "    local options=\n"
                                    "    COMPREPLY=()\n"
                                    "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
                                    "        COMPREPLY=($(compgen -W \"%1 --help --version\" -- \"$current\") "
                                    "$(compgen -f -- \"$current\"))\n"
                                    "        return\n"
                                    "    fi\n"
                                    "    case ${COMP_WORDS[1]} in\n")
                         .arg(namesOfCommands());
    for (const auto& command : commands()) {
        QStringList options;
        QString values;
        for (const auto& option : withHelp(declarationsOf(command).options)) {
            options << dashed(option);
            if (const auto words = wordsOf(option); !words.isEmpty())
                values += QStringLiteral("        %1) COMPREPLY=($(compgen -W \"%2\" -- \"$current\")); return ;;\n")
                              .arg(dashed(option), words.join(QLatin1Char(' ')));
        }
        QString more;
        if (QLatin1String(command.name) == QLatin1String("completion"))
            more = QStringLiteral("        [[ $current != -* ]] && COMPREPLY=($(compgen -W \"bash zsh fish\" -- "
                                  "\"$current\")) && return\n");
        if (QLatin1String(command.name) == QLatin1String("help"))
            more = QStringLiteral("        [[ $current != -* ]] && COMPREPLY=($(compgen -W \"%1\" -- \"$current\")) && "
                                  "return\n")
                       .arg(namesOfCommands());
        script += QStringLiteral("    %1)\n        options=\"%2\"\n")
                      .arg(QLatin1String(command.name), options.join(QLatin1Char(' ')));
        if (!values.isEmpty())
            script += QStringLiteral("        case $before in\n") + values + QStringLiteral("        esac\n");
        script += more + QStringLiteral("        ;;\n");
    }
    return script + QStringLiteral("    esac\n"
                                   "    if [[ $current == -* ]]; then\n"
                                   "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                                   "    else\n"
                                   "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
                                   "    fi\n"
                                   "}\n"
                                   "complete -o filenames -F _attnlab attnlab\n");
}

/// Quotes for _arguments, which reads the text between single quotes.
QString zshText(QString text) {
    for (const char* special : {"\\", "[", "]", ":"})
        text.replace(QLatin1String(special), QLatin1Char('\\') + QLatin1String(special));
    return text.replace(QLatin1Char('\''), QLatin1String("'\\''"));
}

QString zsh() {
    QString script = QStringLiteral("#compdef attnlab\n"
                                    "# AttnLab: source <(attnlab completion zsh)\n"
                                    "_attnlab() {\n"
                                    "    if (( CURRENT == 2 )); then\n"
                                    "        compadd -- %1 --help --version\n"
                                    "        _files\n"
                                    "        return\n"
                                    "    fi\n"
                                    "    local command=$words[2]\n"
                                    "    shift words; (( CURRENT-- ))\n"
                                    "    case $command in\n")
                         .arg(namesOfCommands());
    for (const auto& command : commands()) {
        script += QStringLiteral("    %1)\n        _arguments \\\n").arg(QLatin1String(command.name));
        for (const auto& option : withHelp(declarationsOf(command).options)) {
            const auto words = wordsOf(option);
            QString value;
            if (!option.valueName().isEmpty())
                value = QLatin1Char(':') + zshText(option.valueName()) + QLatin1Char(':') +
                        (words.isEmpty() ? QStringLiteral("_files")
                                         : QLatin1Char('(') + words.join(QLatin1Char(' ')) + QLatin1Char(')'));
            script += QStringLiteral("            '*%1[%2]%3' \\\n")
                          .arg(dashed(option), zshText(firstSentence(option.description())), value);
        }
        const QString rest = QLatin1String(command.name) == QLatin1String("completion")
                                 ? QStringLiteral("(bash zsh fish)")
                             : QLatin1String(command.name) == QLatin1String("help")
                                 ? QLatin1Char('(') + namesOfCommands() + QLatin1Char(')')
                                 : QStringLiteral("_files");
        script += QStringLiteral("            '*: :%1'\n        ;;\n").arg(rest);
    }
    // A file in zsh's folders is the body of the function at its first call.
    return script + QStringLiteral("    esac\n}\n"
                                   "if [[ ${funcstack[1]-} = _attnlab ]]; then\n"
                                   "    _attnlab \"$@\"\n"
                                   "else\n"
                                   "    compdef _attnlab attnlab\n"
                                   "fi\n");
}

QString fishText(QString text) {
    return text.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('\''), QLatin1String("\\'"));
}

QString fish() {
    QString script = QStringLiteral("# AttnLab: attnlab completion fish | source\n");
    for (const auto& command : commands()) {
        const auto declared = declarationsOf(command);
        const QString name = QLatin1String(command.name);
        script += QStringLiteral("complete -c attnlab -n __fish_use_subcommand -a %1 -d '%2'\n")
                      .arg(name, fishText(firstSentence(declared.description)));
        for (const auto& option : withHelp(declared.options)) {
            script += QStringLiteral("complete -c attnlab -n '__fish_seen_subcommand_from %1' -l %2")
                          .arg(name, option.names().first());
            if (!option.valueName().isEmpty())
                script += QStringLiteral(" -r");
            if (const auto words = wordsOf(option); !words.isEmpty())
                script += QStringLiteral(" -f -a '%1'").arg(words.join(QLatin1Char(' ')));
            script += QStringLiteral(" -d '%1'\n").arg(fishText(firstSentence(option.description())));
        }
    }
    return script + QStringLiteral("complete -c attnlab -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh "
                                   "fish'\n"
                                   "complete -c attnlab -n '__fish_seen_subcommand_from help' -f -a '%1'\n")
                        .arg(namesOfCommands());
}

/// Escapes text for a manual page, so that troff interprets none of it.
QString troff(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1String("\\e")).replace(QLatin1Char('-'), QLatin1String("\\-"));
    if (text.startsWith(QLatin1Char('.')) || text.startsWith(QLatin1Char('\'')))
        text.prepend(QLatin1String("\\&"));
    return text.replace(QLatin1String("\n."), QLatin1String("\n\\&."))
        .replace(QLatin1String("\n'"), QLatin1String("\n\\&'"));
}

/// The synopsis of a manual page: without "Usage:" and the indent below it.
QString synopsis() {
    return QString::fromStdString(usageText())
        .remove(QLatin1String("Usage: "))
        .replace(QLatin1String("\n       "), QLatin1String("\n"));
}

QString manPage() {
    QString page = QStringLiteral(".TH ATTNLAB 1 \"\" \"AttnLab %1\"\n"
                                  ".SH NAME\nattnlab \\- see, compute and compare attention\n"
                                  ".SH SYNOPSIS\n.nf\n%2.fi\n.SH COMMANDS\n")
                       .arg(QCoreApplication::applicationVersion(), troff(synopsis()));
    for (const auto& command : commands()) {
        const auto declared = declarationsOf(command);
        QString syntax = QLatin1String(command.name);
        for (const auto& positional : declared.positionals)
            syntax = positional.syntax;
        page += QStringLiteral(".SS attnlab %1\n%2\n").arg(troff(syntax), troff(declared.description));
        for (const auto& positional : declared.positionals)
            page += QStringLiteral(".TP\n\\fI%1\\fR\n%2\n").arg(troff(positional.name), troff(positional.description));
        for (const auto& option : withHelp(declared.options)) {
            page += QStringLiteral(".TP\n\\fB%1\\fR").arg(troff(dashed(option)));
            if (!option.valueName().isEmpty())
                page += QStringLiteral(" \\fI%1\\fR").arg(troff(option.valueName()));
            page += QLatin1Char('\n') + troff(option.description()) + QLatin1Char('\n');
        }
    }
    return page;
}

} // namespace

int completionCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Prints a completion script for a shell, made of what the commands declare. For "
                                     "bash: source <(attnlab completion bash).");
    parser.addPositionalArgument("SHELL", "bash, zsh or fish.", "completion bash|zsh|fish");
    if (!parse(parser, arguments))
        return 0;
    const auto words = parser.positionalArguments();
    const QString shell = words.value(0);
    if (words.size() != 1 || !QStringList{"bash", "zsh", "fish"}.contains(shell))
        throw UsageError("completion: has '" + words.join(QLatin1Char(' ')).toStdString() +
                         "', expected bash, zsh or fish");
    const QString script = shell == QLatin1String("bash") ? bash() : shell == QLatin1String("zsh") ? zsh() : fish();
    printOut("%s", script.toUtf8().constData());
    return 0;
}

int manCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Prints the manual page: attnlab man | man -l -");
    if (!parse(parser, arguments))
        return 0;
    if (const auto words = parser.positionalArguments(); !words.isEmpty())
        throw UsageError("man: has '" + words.first().toStdString() + "', expected nothing");
    printOut("%s", manPage().toUtf8().constData());
    return 0;
}

} // namespace attnlab::app
