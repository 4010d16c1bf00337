// Reading a file can be cancelled at any time: every reader polls often, in the time of its processor.
#include "core/io/npz.h"
#include "core/io/read_contents.h"
#include "core/recognition/recognition.h"
#include "core/run_control.h"
#include "tests/core/safetensors_support.h"
#include "tests/core/torch_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <ctime>
#include <functional>
#include <span>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Seconds of processor time of this thread: what other programs do meanwhile does not count.
double spent() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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
        double longest = 0.0, last = 0.0;
        int polls = 0, stop_at = -1;
        RunControl control;
        control.cancelled = [&] {
            longest = std::max(longest, spent() - last);
            last = spent();
            return polls++ == stop_at;
        };
        const auto read = [&] {
            try {
                recognise(io::read_contents(std::span(&file, 1), {.control = &control}), {}, &control);
            } catch (const Error&) {
            }
            longest = std::max(longest, spent() - last);
        };
        last = spent();
        read();
        constexpr double most = 0.2; // seconds
        QVERIFY2(longest < most, qPrintable(QString("%1 s without a poll").arg(longest)));
        const int all = polls;
        QVERIFY(all > 2);
        for (const int at : {0, all / 2, 9 * all / 10}) { // their number may differ a little from run to run
            polls = 0;
            stop_at = at;
            QVERIFY_THROWS_EXCEPTION(Cancelled, read());
        }
    }
};

ATTNLAB_TEST(TestCancelledReads)
#include "test_cancelled_reads.moc"
