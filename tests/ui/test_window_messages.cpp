// What other programs ask of the window, whole and broken, and who listens.
#include "core/message.h"
#include "tests/test_main.h"
#include "ui/remote/requests.h"
#include "written_arrays.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLocalServer>
#include <QLocalSocket>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtConcurrent>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr std::chrono::milliseconds patience{300};

QString refusalOf(const QByteArray& line) {
    try {
        parseRequest(line);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

/// What a listener says to these bytes; empty where it hangs up without a word.
QByteArray answerTo(const QString& socket, const QByteArray& bytes, int milliseconds = 5000) {
    QLocalSocket client;
    client.connectToServer(socket);
    if (!client.waitForConnected(milliseconds))
        return "no connection";
    client.write(bytes);
    QElapsedTimer time;
    time.start();
    while (!client.canReadLine() && client.state() == QLocalSocket::ConnectedState && time.elapsed() < milliseconds)
        QTest::qWait(1);
    return client.readLine();
}

} // namespace

class TestWindowMessages : public QObject, protected WrittenArrays {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void requestsComeBack() {
        const auto path = numbers("a.npz", {2, 2}, 0.0);
        for (const auto& request : {Request{}, Request{{path}}, Request{{path, folder_.path()}}})
            QCOMPARE(parseRequest(lineOf(request)), request);
        QVERIFY(parseAnswer(answerLine()).ok);
        QCOMPARE(parseAnswer(answerLine("why")).why, QString("why"));
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& line, const char* message) {
            QTest::newRow(name) << line << QString(message);
        };
        row("nothing", "\n", "is not valid JSON");
        row("no JSON", "show me\n", "is not valid JSON");
        row("no UTF-8", "{\"attnlab\":1,\"do\":\"\xff\"}\n", "is not valid JSON");
        row("a list", "[]\n", "expected an object");
        row("deep", QByteArray(1000, '[') + "\n", "levels deep");
        row("many values", "{\"a\":[" + QByteArray("1,").repeated(2000) + "1]}\n", "1000");
        row("no protocol", R"({"do":"raise"})", "'attnlab' is missing");
        row("newer", R"({"attnlab":2,"do":"raise"})", "'attnlab' is 2");
        row("another verb", R"({"attnlab":1,"do":"run"})", "'do' is");
        row("unknown key", R"({"attnlab":1,"do":"raise","x":1})", "x");
        row("twice", R"({"attnlab":1,"do":"raise","do":"show"})", "there twice");
        row("no paths", R"({"attnlab":1,"do":"show"})", "has no file to show");
        row("paths of raise", R"({"attnlab":1,"do":"raise","paths":["/tmp"]})", "expected no path");
        row("relative", R"({"attnlab":1,"do":"show","paths":["a.npz"]})", "expected an absolute path");
        row("missing", R"({"attnlab":1,"do":"show","paths":["/no/such/file"]})", "there is no such file");
        row("device", R"({"attnlab":1,"do":"show","paths":["/dev/zero"]})", "there is no such file");
        row("NUL", "{\"attnlab\":1,\"do\":\"show\",\"paths\":[\"/tmp\\u0000/x\"]}", "message: ");
        row("number", R"({"attnlab":1,"do":"show","paths":[1]})", "paths[0]");
        row("many", "{\"attnlab\":1,\"do\":\"show\",\"paths\":[" + QByteArray("\"/tmp\",").repeated(64) + "\"/tmp\"]}",
            "expected at most 64 paths");
    }
    void refused() {
        QFETCH(QByteArray, line);
        QFETCH(QString, message);
        const auto why = refusalOf(line);
        QVERIFY2(why.contains(message), qPrintable(why));
    }

    void aFolderOfThisUserAlone() {
        const auto before = qgetenv("XDG_RUNTIME_DIR");
        QTemporaryDir base;
        qputenv("XDG_RUNTIME_DIR", base.path().toLocal8Bit());
        const auto folder = runtimeFolder();
        QVERIFY(folder.startsWith(base.path()));
        QCOMPARE(runtimeFolder(), folder);
        QVERIFY(::chmod(folder.toLocal8Bit(), 0750) == 0);
        QVERIFY_THROWS_EXCEPTION(Error, runtimeFolder());
        QVERIFY(QDir().rmdir(folder));
        QVERIFY(QFile::link(base.path(), folder)); // another folder by a link
        QVERIFY_THROWS_EXCEPTION(Error, runtimeFolder());
        before.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before);
    }

    void oneWindowListens() {
        QTemporaryDir folder;
        const auto socket = windowSocket(folder.path());
        QVERIFY(!ask(socket, {}));
        QFile left(socket); // of a program that crashed
        QVERIFY(left.open(QIODevice::WriteOnly));
        left.close();
        auto first = std::make_unique<Listener>();
        QVERIFY(first->listen(folder.path()));
        struct stat status {};
        QVERIFY(::stat(socket.toLocal8Bit(), &status) == 0);
        QCOMPARE(status.st_mode & (S_IRWXG | S_IRWXO), mode_t{0});
        Listener second;
        QVERIFY(!second.listen(folder.path()));
        first.reset();
        QVERIFY(second.listen(folder.path()));
    }

    /// Of several that wait one listens as soon as the one before closes.
    void anotherTakesOver() {
        QTemporaryDir folder;
        const auto socket = windowSocket(folder.path());
        Listener first, second, third;
        for (auto* listener : {&first, &second, &third})
            listener->listenWhenFree(folder.path());
        QVERIFY(first.isListening() && !second.isListening() && !third.isListening());
        QLocalSocket left; // is not kept waiting by a program that closes
        left.connectToServer(socket);
        QTRY_COMPARE(first.connections(), 1);
        first.close();
        QTRY_COMPARE(left.state(), QLocalSocket::UnconnectedState);
        QTRY_VERIFY(second.isListening() || third.isListening());
        QVERIFY(second.isListening() != third.isListening());
        auto& now = second.isListening() ? second : third;
        QSignalSpy asked(&now, &Listener::asked);
        QVERIFY(answerTo(socket, lineOf({})).contains("true"));
        QCOMPARE(asked.size(), 1);
        now.close();
        QTRY_VERIFY(second.isListening() || third.isListening());
    }

    /// Programs that clean folders of temporary files remove sockets, locks and folders.
    void whatIsRemovedIsMadeAgain() {
        QTemporaryDir base;
        const auto folder = base.filePath("attnlab");
        makeOwnFolder(folder);
        const auto socket = windowSocket(folder);
        auto first = std::make_unique<Listener>(), second = std::make_unique<Listener>();
        first->listenWhenFree(folder);
        second->listenWhenFree(folder);
        QVERIFY(QFile::remove(socket));
        QTRY_VERIFY(ui::isListening(socket));
        QVERIFY(first->isListening() && !second->isListening()); // it has the lock
        QVERIFY(QDir(folder).removeRecursively());
        QTRY_VERIFY(ui::isListening(socket));
        QVERIFY(answerTo(socket, lineOf({})).contains("true"));
        QTRY_VERIFY(first->isListening() != second->isListening());
        (first->isListening() ? first : second).reset();
        QTRY_VERIFY(ui::isListening(socket));
    }

    void aPathThatIsTooLong() {
        QTemporaryDir base;
        const auto folder = base.filePath(QString(120, 'x'));
        makeOwnFolder(folder);
        Listener listener;
        try {
            listener.listenWhenFree(folder);
            QFAIL("listens");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("XDG_RUNTIME_DIR"), error.what());
        }
    }

    /// Files of /proc have no size, and reading some of them blocks.
    void aFileWithoutSize() {
        QVERIFY(refusalOf(R"({"attnlab":1,"do":"show","paths":["/proc/self/status"]})").contains("is empty"));
    }

    /// A program that hangs up is not one that will show the file.
    void aWindowThatCloses() {
        QTemporaryDir folder;
        QLocalServer closing;
        const auto socket = windowSocket(folder.path());
        QVERIFY(closing.listen(socket));
        auto answer = QtConcurrent::run([&] { return ask(socket, {}); });
        QTRY_VERIFY(closing.hasPendingConnections());
        closing.nextPendingConnection()->abort();
        QTRY_VERIFY(answer.isFinished());
        QVERIFY(!answer.result());
    }

    /// A program that asks and waits, as `attnlab FILE` does.
    void answers() {
        QTemporaryDir folder;
        Listener listener;
        QVERIFY(listener.listen(folder.path()));
        QSignalSpy asked(&listener, &Listener::asked);
        const auto path = numbers("a.npz", {2, 2}, 0.0), socket = windowSocket(folder.path());
        auto answer = QtConcurrent::run([&] { return ask(socket, {{path}}); });
        QTRY_VERIFY(answer.isFinished());
        QVERIFY(answer.result() && answer.result()->ok);
        QCOMPARE(asked.size(), 1);
        auto refusal = QtConcurrent::run([&] { return ask(socket, {{"/no/such/file"}}); });
        QTRY_VERIFY(refusal.isFinished());
        QVERIFY(!refusal.result()->ok && refusal.result()->why.contains("/no/such/file"));
        QCOMPARE(asked.size(), 1);
    }

    void aHangingWindow() {
        QTemporaryDir folder;
        QLocalServer deaf; // takes connections and never answers
        const auto socket = windowSocket(folder.path());
        QVERIFY(deaf.listen(socket));
        QElapsedTimer time;
        time.start();
        const auto answer = ask(socket, {}, std::chrono::milliseconds(100));
        QVERIFY(answer && answer->ok);
        QVERIFY(time.elapsed() < 2000);
    }

    void slowAndTooLong() {
        QTemporaryDir folder;
        Listener listener(patience);
        QVERIFY(listener.listen(folder.path()));
        const auto socket = windowSocket(folder.path());
        QVERIFY(answerTo(socket, "{\"attnlab\":1,").contains("has not come to its end in time"));
        QCOMPARE(answerTo(socket, ""), QByteArray());
        QVERIFY(answerTo(socket, QByteArray(longest_request, ' ')).contains("is longer than 65536 bytes"));
        QVERIFY(answerTo(socket, QByteArray(1 << 22, 'x')).contains("is longer than 65536 bytes"));
        QVERIFY(answerTo(socket, R"({"attnlab":1,"do":"raise"})"
                                 "\n")
                    .contains("true"));
        QTRY_COMPARE(listener.connections(), 0);
    }

    void manyAtOnce() {
        QTemporaryDir folder;
        Listener listener(patience);
        QVERIFY(listener.listen(folder.path()));
        std::vector<std::unique_ptr<QLocalSocket>> clients;
        for (int i = 0; i < 3 * Listener::most_connections; ++i) {
            clients.push_back(std::make_unique<QLocalSocket>());
            clients.back()->connectToServer(windowSocket(folder.path()));
            clients.back()->write("{"); // and no more
            QTest::qWait(1);
        }
        QVERIFY(listener.connections() <= 2 * Listener::most_connections); // half of them on their way out
        QTRY_VERIFY(listener.connections() <= Listener::most_connections);
        clients.clear();
        QTRY_COMPARE(listener.connections(), 0);
        QVERIFY(answerTo(windowSocket(folder.path()), lineOf({})).contains("true"));
    }

    /// Ten thousand of every kind of broken message, several programs at a time.
    void tenThousandMessages() {
        QTemporaryDir folder;
        Listener listener(patience);
        QVERIFY(listener.listen(folder.path()));
        QSignalSpy asked(&listener, &Listener::asked);
        const auto good = lineOf({{folder.path()}});
        QRandomGenerator random(1);
        int sent = 0, shown = 0, answered = 0;
        while (sent < 10'000) {
            std::vector<std::unique_ptr<QLocalSocket>> clients;
            for (int i = 0; i < 16; ++i) {
                auto& client = *clients.emplace_back(std::make_unique<QLocalSocket>());
                client.connectToServer(windowSocket(folder.path()));
                for (int k = 0; k < 40; ++k, ++sent) {
                    auto line = good;
                    switch (random.bounded(6)) {
                    case 0: // whole
                        ++shown;
                        break;
                    case 1: // changed bytes
                        for (int n = 0; n < 3; ++n)
                            line[random.bounded(static_cast<int>(line.size() - 1))] =
                                static_cast<char>(random.bounded(256));
                        line.replace('\n', ' ').append('\n');
                        break;
                    case 2: // cut
                        line = line.left(random.bounded(static_cast<int>(line.size()))).replace('\n', ' ') + "\n";
                        break;
                    case 3: // long
                        line = QByteArray(random.bounded(20'000), '[') + "\n";
                        break;
                    case 4:
                        line = "\n";
                        break;
                    default: // another file
                        line = R"({"attnlab":1,"do":"show","paths":["/no/such/file"]})"
                               "\n";
                    }
                    client.write(line);
                }
                if (random.bounded(2) == 0) // half of one more
                    client.write(good.left(random.bounded(static_cast<int>(good.size()))));
            }
            for (auto& client : clients) {
                int lines = 0;
                QElapsedTimer time;
                time.start();
                while (lines < 40 && time.elapsed() < 20'000) {
                    QTest::qWait(1);
                    for (; client->canReadLine(); ++lines)
                        QVERIFY(client->readLine().startsWith("{\"ok\":"));
                }
                answered += std::min(
                    lines, 40); // an unfinished message that times out gets an answer of its own, beyond these 40
            }
        }
        QCOMPARE(answered, sent);
        QVERIFY(asked.size() >= shown); // a changed byte may leave the message whole
        QTRY_COMPARE(listener.connections(), 0);
        QVERIFY(answerTo(windowSocket(folder.path()), good).contains("true"));
    }

    void anotherUser() {
        if (::getuid() != 0)
            QSKIP("only root can become another user");
        QTemporaryDir folder;
        Listener listener;
        QVERIFY(listener.listen(folder.path()));
        const auto socket = windowSocket(folder.path());
        QVERIFY(::chmod(folder.path().toLocal8Bit(), 0755) == 0); // as if the folder were open
        QVERIFY(::chmod(socket.toLocal8Bit(), 0777) == 0);
        QSignalSpy asked(&listener, &Listener::asked);
        const auto child = ::fork();
        if (child == 0) {
            constexpr uid_t nobody = 65534;
            const bool comes_through = ::setuid(nobody) == 0 && isListening(socket);
            const bool is_answered = ask(socket, {}, std::chrono::milliseconds(500)).has_value();
            ::_exit(comes_through && !is_answered ? 0 : 1);
        }
        int status = 1;
        QVERIFY(QTest::qWaitFor([&] { return ::waitpid(child, &status, WNOHANG) == child; }));
        QCOMPARE(status, 0); // it came through to the socket, and was hung up on
        QCOMPARE(asked.size(), 0);
        QCOMPARE(listener.connections(), 0);
    }
};

ATTNLAB_TEST(TestWindowMessages)
#include "test_window_messages.moc"
