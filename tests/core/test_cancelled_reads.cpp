// Reading a file can be cancelled at any time: every reader polls often, in the time of its processor.
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/recognition/recognition.h"
#include "tests/core/poll_support.h"
#include "tests/core/safetensors_support.h"
#include "tests/core/torch_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTemporaryDir>

#include <optional>
#include <span>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QByteArray repeated(const QByteArray& text, int count) { return text.repeated(count); }

constexpr std::int64_t number_count = 6'000'000;

void write_deflated(const QString& path) {
    io::write_npz(path.toStdString(), {{{"query", Tensor({number_count}, 0.5)}}, {}});
}

QByteArray npy(const QByteArray& type, bool fortran, const QByteArray& shape, qsizetype bytes) {
    auto header =
        "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    header = header.leftJustified(117, ' ') + '\n';
    return QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
           QByteArray(bytes, '\0');
}

QByteArray many_tensors() {
    constexpr int count = 40'000;
    QByteArray header = "{";
    for (int i = 0; i < count; ++i)
        header += (i > 0 ? ",\"" : "\"") + QByteArray::number(i) +
                  "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[" + QByteArray::number(4 * i) + "," +
                  QByteArray::number(4 * i + 4) + "]}";
    return file(header + "}", QByteArray(4 * count, '\0'));
}

QByteArray many_values_in_torch() {
    using namespace torch;
    QByteArray items;
    for (int i = 0; i < 200'000; ++i)
        items += text(QByteArray::number(i)) + number(i);
    return torch_file("}(" + text("query") + tensor(storage(), 0, {4}, {1}) + items + "u");
}

/// A directory of empty members without local headers.
QByteArray many_members(int count, const QByteArray& suffix) {
    using torch::little;
    const QByteArray local("PK\3\4" + QByteArray(26, '\0'));
    QByteArray directory;
    for (int i = 0; i < count; ++i) {
        const auto name = QByteArray::number(i) + suffix;
        directory += "PK\1\2" + little<quint16>(20) + little<quint16>(20) + QByteArray(20, '\0') +
                     little(static_cast<quint16>(name.size())) + QByteArray(16, '\0') + name;
    }
    const auto entries = little(static_cast<quint64>(count)), size = little(static_cast<quint64>(directory.size()));
    const auto begin = little(static_cast<quint64>(local.size()));
    const auto wide = "PK\6\6" + little<quint64>(44) + little<quint16>(45) + little<quint16>(45) + QByteArray(8, '\0') +
                      entries + entries + size + begin;
    const auto locator = QByteArray("PK\6\7", 4) + QByteArray(4, '\0') +
                         little(static_cast<quint64>(local.size() + directory.size())) + little<quint32>(1);
    return local + directory + wide + locator + "PK\5\6" + QByteArray(4, '\0') + QByteArray(12, '\xff') +
           QByteArray(2, '\0');
}

/// Columns of a storage, which are gathered.
QByteArray strided_torch() {
    using namespace torch;
    constexpr qint64 rows = 2000, columns = 3000;
    return zip_of({{"f/data.pkl",
                    pickle(dictionary({{"query", tensor(storage(rows * columns), 0, {columns, rows}, {1, columns})}}))},
                   {"f/data/0", QByteArray(4 * rows * columns, '\0')}});
}

} // namespace

class TestCancelledReads : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void add(const char* name, const QByteArray& bytes) {
        put_file(folder_.filePath(name), bytes);
        QTest::newRow(name) << folder_.filePath(name);
    }

private slots:
    void isPolledAllAlong_data() {
        QTest::addColumn<QString>("path");
        write_deflated(folder_.filePath("deflated.npz"));
        QTest::newRow("deflated.npz") << folder_.filePath("deflated.npz");
        add("int64.npy", npy("<i8", false, "(6000000,)", 8 * number_count));
        add("fortran.npy", npy("<f4", true, "(2000, 3000)", 4 * number_count));
        add("texts.npy", npy("<U64", false, "(60000,)", qsizetype{256} * 60'000));
        put_sparse_npy(folder_.filePath("attn_mask.npy"), {6000, 5000}); // stays in its file, and is all zeros
        QTest::newRow("mask in its file") << folder_.filePath("attn_mask.npy");
        add("int64.safetensors",
            file("{\"query\":{\"dtype\":\"I64\",\"shape\":[6000000],\"data_offsets\":[0,48000000]}}",
                 QByteArray(8 * number_count, '\0')));
        add("many.safetensors", many_tensors());
        add("too_many_members.npz", many_members(1'000'000, {}));
        add("empty_arrays.npz", many_members(60'000, ".npy"));
        add("members.npz", many_members(65'000, {}));
        add("values.pt", many_values_in_torch());
        add("strided.pt", strided_torch());
        add("cells.csv", repeated("1.5,2.5,3.5\n", 400'000));
        add("lines_of_8.csv", repeated("1.5,2.5\n", 500'000));
        add("quotes.csv", "\"" + repeated("\"\"", 10'000'000) + "\",1\n");
        add("one_column.csv", repeated("1.5\n", 800'000));
        add("one_cell.csv", "\"" + QByteArray(30'000'000, 'x') + "\",1\n");
        add("labels.txt", repeated("word\n", 500'000));
        add("words.txt", repeated("word ", 500'000));
        add("labels.json", "[" + repeated("\"word\",", 500'000) + "\"word\"]");
        add("one_label.json", "[\"" + QByteArray(30'000'000, 'x') + "\"]");
        add("picture.svg", "<svg><metadata id=\"attnlab\">" + repeated("&quot;", 3'000'000) + "</metadata></svg>");
    }

    /// As a worker of the window reads. What is refused in the end counts as well.
    void isPolledAllAlong() {
        QFETCH(QString, path);
        const auto file = to_path(path);
        Contents contents; // freed after the measurement
        const auto read = [&](PollWatch& watch) -> std::optional<Recognition> {
            try {
                contents = io::read_contents(std::span(&file, 1), {.control = &watch.control()});
                return recognise(contents, {}, &watch.control());
            } catch (const Error&) {
                return {};
            }
        };
        const auto [longest, all] = least_pause(read);
        QVERIFY2(longest < longest_without_poll, qPrintable(QString("%1 s without a poll").arg(longest)));
        QVERIFY(all > 2);
        for (const int at : {0, all / 2, 9 * all / 10}) { // their number may differ a little from run to run
            PollWatch stopped(at);
            QVERIFY_THROWS_EXCEPTION(Cancelled, read(stopped));
        }
    }
};

ATTNLAB_TEST(TestCancelledReads)
#include "test_cancelled_reads.moc"
