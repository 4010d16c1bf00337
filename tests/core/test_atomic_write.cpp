// The state of a file while it is written, and after its writer has crashed.
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/temporary_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attnlab;
using namespace attnlab::io;
using namespace attnlab::test;

Q_DECLARE_METATYPE(attnlab::io::TemporaryFile::Kind)

namespace {

/// A separate process that runs `work`, then waits until it is killed.
class OtherProcess {
public:
    explicit OtherProcess(const std::function<void()>& work, int error = -1) {
        int ready[2];
        if (::pipe(ready) != 0)
            qFatal("no pipe");
        id_ = ::fork();
        if (id_ == 0) {
            if (error >= 0)
                ::dup2(error, STDERR_FILENO);
            work();
            const char done = 1;
            if (::write(ready[1], &done, 1) == 1)
                for (;;)
                    ::pause();
            ::_exit(1);
        }
        ::close(ready[1]);
        char done = 0;
        while (::read(ready[0], &done, 1) < 0 && errno == EINTR)
            continue;
        ::close(ready[0]);
    }
    ~OtherProcess() { end(SIGKILL); }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    /// The signal that ended it; 0 if it ended otherwise.
    int end(int signal) {
        if (id_ <= 0)
            return 0;
        ::kill(id_, signal);
        int status = 0;
        ::waitpid(id_, &status, 0);
        id_ = 0;
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    void send(int signal) const { ::kill(id_, signal); }
    bool lives() const { return ::waitpid(id_, nullptr, WNOHANG) == 0; }

private:
    pid_t id_ = 0;
};

/// A separate device, since an error would replace that of the system; without the permission to make one, a pipe.
void makeDevice(const QString& path) {
    if (::mknod(qPrintable(path), S_IFCHR | 0600, ::makedev(1, 7)) != 0)
        QCOMPARE(::mkfifo(qPrintable(path), 0600), 0);
}

std::filesystem::path folderOf(const QTemporaryDir& folder) { return to_path(folder.path()); }

} // namespace

class TestAtomicWrite : public QObject {
    Q_OBJECT
private slots:
    void anExceptionKeepsTheOldFile() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.bin");
        put_file(path, "precious");
        const auto write = [&](std::ostream& file) {
            file << "half";
            throw std::runtime_error("stop");
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, write_file(to_path(path), write));
        QCOMPARE(file_bytes(path), QByteArray("precious"));
        QCOMPARE(entries(folder.path()), QStringList{"x.bin"});
    }

    void theOldFileIsThereUntilAllIsWritten() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.bin");
        put_file(path, "precious");
        write_file(to_path(path), [&](std::ostream& file) {
            file << std::string(1 << 20, 'x') << std::flush;
            QCOMPARE(file_bytes(path), QByteArray("precious"));
        });
        QCOMPARE(file_bytes(path), QByteArray(1 << 20, 'x'));
    }

    void aStreamSeeksAsAnArchiveNeeds() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.bin");
        const std::string large(200'000, 'b');
        write_file(to_path(path), [&](std::ostream& file) {
            file << "aaaa" << large;
            QCOMPARE(static_cast<std::int64_t>(file.tellp()), std::int64_t{200'004});
            file.seekp(1);
            file << "cc";
            file.seekp(0, std::ios::end);
            file.put('d');
        });
        QCOMPARE(file_bytes(path), QByteArray("acca") + QByteArray::fromStdString(large) + "d");
    }

    void aTemporaryTakesTheTargetsPlace_data() {
        QTest::addColumn<TemporaryFile::Kind>("kind");
        QTest::newRow("unnamed") << TemporaryFile::Kind::Unnamed;
        QTest::newRow("named") << TemporaryFile::Kind::Named;
    }
    void aTemporaryTakesTheTargetsPlace() {
        QFETCH(TemporaryFile::Kind, kind);
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.bin");
        put_file(path, "old");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        {
            const TemporaryFile given_up(to_path(path), kind);
            QCOMPARE(entries(folder.path()).size(), given_up.has_name() ? 2 : 1);
        }
        QCOMPARE(entries(folder.path()), QStringList{"x.bin"});

        TemporaryFile file(to_path(path), kind);
        OutputStream stream(file.descriptor(), to_path(path));
        stream << "new" << std::flush;
        QVERIFY(file.take_name());
        QCOMPARE(file_bytes(path), QByteArray("old"));
        file.replace_target();
        QCOMPARE(file_bytes(path), QByteArray("new"));
        QCOMPARE(entries(folder.path()), QStringList{"x.bin"});
        QCOMPARE(std::filesystem::status(to_path(path)).permissions(), std::filesystem::perms(0600));
    }

    void whatADeadWriterLeftIsRemoved() {
        const QTemporaryDir folder;
        const auto target = folderOf(folder) / "x.bin";
        OtherProcess writer([&] {
            const auto* file = new TemporaryFile(target, TemporaryFile::Kind::Named);
            (void)file; // the state when the process crashes
        });
        QCOMPARE(entries(folder.path()).size(), 1);
        remove_stale_temporaries(folderOf(folder));
        QCOMPARE(entries(folder.path()).size(), 1); // its writer is alive
        QCOMPARE(writer.end(SIGKILL), SIGKILL);
        QCOMPARE(entries(folder.path()).size(), 1);
        write_file(target, "x");
        QCOMPARE(entries(folder.path()), QStringList{"x.bin"});
    }

    void onlyOwnTemporariesAreRemoved() {
        const QTemporaryDir folder;
        std::filesystem::path own;
        {
            const TemporaryName name(folderOf(folder));
            own = name.path();
        }
        const auto beside = [&](const QString& name) { return folder.filePath(name); };
        const auto own_name = QString::fromStdString(own.filename().string());
        put_file(beside(".attnlab-otherhost-1-1.tmp"), "of another host");
        put_file(beside(own_name + "x"), "no temporary");
        put_file(beside("x" + own_name), "no temporary");
        QVERIFY(QFile::link(beside("x" + own_name), beside(own_name.chopped(4) + "1.tmp")));
        QCOMPARE(::mkfifo((own.string().substr(0, own.string().size() - 4) + "2.tmp").c_str(), 0600), 0);
        const auto before = entries(folder.path());
        QCOMPARE(before.size(), 5);
        remove_stale_temporaries(folderOf(folder)); // returns without blocking: the pipe has no writer
        QCOMPARE(entries(folder.path()), before);
        put_file(QString::fromStdString(own.string()), "left behind");
        remove_stale_temporaries(folderOf(folder));
        QCOMPARE(entries(folder.path()), before);
        if (::geteuid() != 0)
            QSKIP("files of another user cannot be made");
        put_file(QString::fromStdString(own.string()), "of another user");
        QCOMPARE(::chown(own.c_str(), 12345, 12345), 0);
        remove_stale_temporaries(folderOf(folder));
        QCOMPARE(entries(folder.path()).size(), 6);
    }

    void aSignalRemovesWhatIsUnderWay_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("INT") << SIGINT << QByteArray("attnlab: interrupted\n");
        QTest::newRow("TERM") << SIGTERM << QByteArray("attnlab: terminated\n");
        QTest::newRow("HUP") << SIGHUP << QByteArray("attnlab: hung up\n");
    }
    void aSignalRemovesWhatIsUnderWay() {
        QFETCH(int, signal);
        QFETCH(QByteArray, says);
        const QTemporaryDir folder;
        const auto target = folderOf(folder) / "x.bin";
        put_file(folder.filePath("x.bin"), "precious");
        QFile error(folder.filePath("error"));
        QVERIFY(error.open(QIODevice::ReadWrite));
        OtherProcess writer(
            [&] {
                std::signal(signal, SIG_DFL);
                clean_up_on_signals();
                for (int i = 0; i < 3; ++i) {
                    const auto* file = new TemporaryFile(target, TemporaryFile::Kind::Named);
                    (void)file;
                }
            },
            error.handle());
        QCOMPARE(entries(folder.path()).size(), 5);
        QCOMPARE(writer.end(signal), signal);
        QCOMPARE(entries(folder.path()), (QStringList{"error", "x.bin"}));
        QCOMPARE(file_bytes(folder.filePath("x.bin")), QByteArray("precious"));
        QCOMPARE(file_bytes(folder.filePath("error")), says);
    }

    void anIgnoredSignalStaysIgnored() {
        const QTemporaryDir folder;
        OtherProcess writer([&] {
            std::signal(SIGHUP, SIG_IGN);
            clean_up_on_signals();
            const auto* file = new TemporaryFile(folderOf(folder) / "x.bin", TemporaryFile::Kind::Named);
            (void)file;
        });
        writer.send(SIGHUP);
        QVERIFY(writer.lives());
        QCOMPARE(entries(folder.path()).size(), 1);
    }

    void aLinkToNothingStaysALink() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("there"));
        QVERIFY(QFile::link("there/x.bin", folder.filePath("link.bin")));
        write_file(to_path(folder.filePath("link.bin")), "new");
        QVERIFY(QFileInfo(folder.filePath("link.bin")).isSymLink());
        QCOMPARE(file_bytes(folder.filePath("there/x.bin")), QByteArray("new"));
        QCOMPARE(entries(folder.filePath("there")), QStringList{"x.bin"});
    }

    void outputsAreCheckedBeforehand_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("new") << "new.bin" << QString();
        QTest::newRow("there") << "there.bin" << QString();
        QTest::newRow("folder") << "folder"
                                << "folder: is a folder, expected a file";
        QTest::newRow("pipe") << "pipe"
                              << "pipe: is not a regular file";
        QTest::newRow("device") << "device"
                                << "device: is not a regular file";
        QTest::newRow("loop") << "loop"
                              << "loop: cannot be written: Too many levels of symbolic links";
        QTest::newRow("no folder") << "none/x.bin"
                                   << "none/x.bin: cannot be written: No such file or directory";
        QTest::newRow("a file for a folder") << "there.bin/x"
                                             << "there.bin/x: cannot be written: Not a directory";
    }
    void outputsAreCheckedBeforehand() {
        QFETCH(QString, name);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        put_file(folder.filePath("there.bin"), "old");
        QVERIFY(QDir(folder.path()).mkdir("folder"));
        QCOMPARE(::mkfifo(qPrintable(folder.filePath("pipe")), 0600), 0);
        makeDevice(folder.filePath("device"));
        QVERIFY(QFile::link("loop", folder.filePath("loop")));
        const auto before = entries(folder.path());
        const auto path = to_path(folder.filePath(name));
        const auto said = error_of([&] { check_output(path); });
        QVERIFY2(says.isEmpty() ? said.isEmpty() : said.endsWith(says), qPrintable(said));
        QCOMPARE(entries(folder.path()), before);
        const auto then = error_of([&] { write_file(path, "new"); });
        QCOMPARE(then, said);
    }
};

ATTNLAB_TEST(TestAtomicWrite)
#include "test_atomic_write.moc"
