// Help, unknown commands, completion scripts and the man page.
#include "app/command_table.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab::app;
using namespace attnlab::test;

namespace {

const QStringList no_display{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};

} // namespace

class TestHelpCommand : public QObject {
    Q_OBJECT
private slots:
    void helpOfEverything() {
        const auto help = start({"help"}, no_display);
        QCOMPARE(help.code, 0);
        QCOMPARE(help.out, start({"--help"}, no_display).out);
        for (const auto& command : commands())
            QVERIFY2(help.out.contains(QStringLiteral("attnlab %1").arg(command.name)), command.name);
        QVERIFY(help.out.contains("count from 0"));
    }

    void helpOfEachCommand() {
        for (const auto& command : commands()) {
            const auto help = start({"help", command.name}, no_display);
            QCOMPARE(help.code, 0);
            QCOMPARE(help.out, start({command.name, "--help"}, no_display).out);
            for (const auto& option : declarationsOf(command).options)
                QVERIFY2(help.out.contains("--" + option.names().first()), qPrintable(option.names().first()));
        }
    }

    void wordsThatAreNoCommand_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("swapped") << QStringList{"comptue", "x.npz"} << "did you mean 'compute'";
        QTest::newRow("left out") << QStringList{"rnder"} << "did you mean 'render'";
        QTest::newRow("like none") << QStringList{"xyzzyxyzzy"} << "the commands are bench, code, compare";
        QTest::newRow("help of it") << QStringList{"help", "lst"} << "did you mean 'list'";
        QTest::newRow("two words of help") << QStringList{"help", "list", "map"} << "help: has 'map'";
        QTest::newRow("standard input for the window") << QStringList{"-"} << "-: standard input";
        QTest::newRow("shell") << QStringList{"completion", "csh"}
                               << "completion: has 'csh', expected bash, zsh or fish";
        QTest::newRow("man words") << QStringList{"man", "map"} << "man: has 'map'";
    }
    /// Without a display: opening a window would fail.
    void wordsThatAreNoCommand() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto outcome = start(arguments, no_display);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
        QVERIFY(outcome.out.isEmpty());
    }

    void filesGoToTheWindow() {
        const QTemporaryDir folder;
        // A window that is open would take the files.
        const auto usual = qgetenv("XDG_RUNTIME_DIR");
        const auto restore = qScopeGuard([&] { qputenv("XDG_RUNTIME_DIR", usual); });
        qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
        QFile file(folder.filePath("comptue"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const auto& name : {folder.filePath("comptue"), QStringLiteral("nowhere.npz")}) {
            const auto outcome = start({name}, no_display);
            QCOMPARE(outcome.code, 1);
            QVERIFY2(outcome.error.contains("no display"), qPrintable(outcome.error));
        }
    }

    void everyOptionIsInEveryScript_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("form");
        QTest::newRow("bash") << QStringList{"completion", "bash"} << "--%1";
        QTest::newRow("zsh") << QStringList{"completion", "zsh"} << "'*--%1[";
        QTest::newRow("fish") << QStringList{"completion", "fish"} << " -l %1";
        QTest::newRow("man") << QStringList{"man"} << "\\fB\\-\\-%1\\fR";
    }
    void everyOptionIsInEveryScript() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, form);
        const auto outcome = start(arguments, no_display);
        QCOMPARE(outcome.code, 0);
        QVERIFY(!outcome.out.contains("Usage:"));
        for (const auto& command : commands()) {
            QVERIFY2(outcome.out.contains(QLatin1String(command.name)), command.name);
            for (const auto& option : declarationsOf(command).options) {
                QString name = option.names().first();
                if (arguments.first() == "man")
                    name.replace('-', "\\-");
                QVERIFY2(outcome.out.contains(form.arg(name)), qPrintable(name));
            }
        }
    }

    /// The shell itself reads the script and completes.
    void bashCompletes() {
        if (QStandardPaths::findExecutable("bash").isEmpty())
            QSKIP("there is no bash");
        const auto complete = [](const QString& words, int at) {
            QProcess bash;
            bash.start("bash", {"-c", QStringLiteral("source <('%1' completion bash) || exit 1; COMP_WORDS=(%2); "
                                                     "COMP_CWORD=%3; _attnlab; printf '%s\\n' \"${COMPREPLY[@]}\"")
                                          .arg(QStringLiteral(ATTNLAB_PROGRAM), words)
                                          .arg(at)});
            bash.waitForFinished();
            return QString::fromUtf8(bash.readAllStandardOutput() + bash.readAllStandardError())
                .split('\n', Qt::SkipEmptyParts);
        };
        QCOMPARE(complete("attnlab comput", 1), QStringList{"compute"});
        QCOMPARE(complete("attnlab render --font-s", 2), QStringList{"--font-size"});
        QVERIFY(complete("attnlab compute --mask ''", 3).contains("window"));
        QCOMPARE(complete("attnlab completion z", 2), QStringList{"zsh"});
    }
};

ATTNLAB_TEST(TestHelpCommand)
#include "test_help_command.moc"
