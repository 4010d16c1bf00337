// Maps computed in parts: the same bits as in one run, whatever the parts are.
#include "core/io/npz.h"
#include "core/io/saved/map_part_file.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;

namespace {

AttentionProblem problemOf(std::int64_t L, std::int64_t S, const QString& kind) {
    AttentionProblem problem;
    problem.tensors = {{"query", random_normal({1, 2, L, 16}, 1)},
                       {"key", random_normal({1, 2, S, 16}, 2)},
                       {"value", random_normal({1, 2, S, 4}, 3)}};
    if (kind == "causal")
        problem.spec.masks = {{"causal", {}}};
    if (kind == "window")
        problem.spec.masks = {parse_mask("window:40")};
    if (kind == "padding") {
        Tensor padding({1, S}, 0.0, DType::Bool);
        for (std::int64_t j = S - S / 5; j < S; ++j)
            padding.mutable_values()[static_cast<std::size_t>(j)] = 1.0;
        problem.tensors["key_padding_mask"] = padding;
    }
    if (kind == "fill") {
        problem.spec.masks = {{"causal", {}}};
        problem.spec.mask_fill.value = -30.0;
    }
    if (kind == "far rows") {
        problem.tensors["attn_bias"] = Tensor({L, S}, 0.0);
        auto bias = problem.tensors["attn_bias"].mutable_values();
        for (std::int64_t j = 0; j < S; ++j)
            for (const auto i : {L / 3, L - 2})
                bias[static_cast<std::size_t>(i * S + j)] = -1e9;
    }
    if (kind == "NaN") {
        auto query = problem.tensors["query"].mutable_values();
        for (const auto i : {L + 3, L + L / 2, 2 * L - 1}) // of head 1
            query[static_cast<std::size_t>(i * 16)] = std::numeric_limits<double>::quiet_NaN();
    }
    return problem;
}

void compareBits(const MapBins& got, const MapBins& expected) {
    QCOMPARE(got.rows, expected.rows);
    QCOMPARE(got.columns, expected.columns);
    QVERIFY(test::same(got.log2_max, expected.log2_max));
    QVERIFY(test::same(got.kept, expected.kept));
    QVERIFY(test::same(got.sum, expected.sum));
}

MapPart partOf(const AttentionProblem& problem, const BinGrid& grid, BinSpan rows, Pool pool, const char* file) {
    return {file, io::origin_of(problem, 0, 1),
            pool, grid,
            rows, part_of_head(test::inputs_of_map(problem), 0, 1, grid, rows, pool).bins,
            {},   {}};
}

BinGrid gridOf(std::int64_t L, std::int64_t S, std::int64_t bins) { return grid_of({0, L, 0, S}, bins, bins); }

} // namespace

class TestMapParts : public QObject {
    Q_OBJECT
private slots:
    void partsHaveTheBitsOfOneRun_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("bins");
        QTest::addColumn<bool>("mean");
        for (const auto& [L, S] : {std::pair{45, 900}, std::pair{700, 333}, std::pair{1500, 1500}})
            for (const auto* kind : {"none", "causal", "window", "padding", "fill", "far rows", "NaN"})
                for (const int bins : {4, 37, 5000})
                    for (const bool mean : {false, true})
                        if (bins < 5000 || L < 1000)
                            QTest::addRow("%d x %d, %s, %d bins, %s", L, S, kind, bins, mean ? "mean" : "max")
                                << L << S << QString(kind) << bins << mean;
    }
    void partsHaveTheBitsOfOneRun() {
        QFETCH(int, L);
        QFETCH(int, S);
        QFETCH(QString, kind);
        QFETCH(int, bins);
        QFETCH(bool, mean);
        const auto pool = mean ? Pool::Mean : Pool::Max;
        const auto problem = problemOf(L, S, kind);
        const auto grid = gridOf(L, S, bins);
        const auto whole = pool_of_head(test::inputs_of_map(problem), 0, 1, grid, pool).bins;
        const auto third = std::max<std::int64_t>(1, grid.rows() / 3);
        std::vector<MapPart> parts;
        for (const BinSpan rows : {BinSpan{third, third + 1}, BinSpan{third + 1, grid.rows()}, BinSpan{0, third}})
            parts.push_back(partOf(problem, grid, rows, pool, "part"));
        compareBits(merge(parts), whole);
    }

    void aPartIsSavedWhole_data() {
        QTest::addColumn<bool>("mean");
        QTest::addRow("max") << false;
        QTest::addRow("mean") << true;
    }
    void aPartIsSavedWhole() {
        QFETCH(bool, mean);
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "part.npz";
        auto part = partOf(problemOf(200, 100, "NaN"), gridOf(200, 100, 16), {3, 9}, mean ? Pool::Mean : Pool::Max, "");
        part.query_tokens = {"a", "b"};
        io::write_map_part(path, part);
        const auto read = io::read_map_part(path);
        QCOMPARE(read.file, path.string());
        QVERIFY(read.origin == part.origin && read.pool == part.pool && read.grid == part.grid &&
                read.rows == part.rows && read.query_tokens == part.query_tokens && read.key_tokens.empty());
        compareBits(read.bins, part.bins);
    }

    void mergeNamesWhatIsWrong_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("message");
        QTest::addRow("nothing") << "nothing"
                                 << "No parts of a map are given, expected at least one";
        QTest::addRow("missing") << "missing"
                                 << "No part has the rows 26:52, 78:100";
        QTest::addRow("twice") << "twice"
                               << "b and c both have the rows 26:39";
        QTest::addRow("settings") << "settings"
                                  << "b is a part of another map than a: a setting differs";
        QTest::addRow("query") << "query"
                               << "b is a part of another map than a: query differs";
        QTest::addRow("bins") << "bins"
                              << "b is a part of another map than a: the size of bins differs";
        QTest::addRow("pool") << "pool"
                              << "b is a part of another map than a: pool differs";
        QTest::addRow("head") << "head"
                              << "b is a part of another map than a: head differs";
    }
    void mergeNamesWhatIsWrong() {
        QFETCH(QString, what);
        QFETCH(QString, message);
        auto problem = problemOf(100, 60, "none");
        const auto grid = gridOf(100, 60, 8); // of 13 x 8 cells
        std::vector<MapPart> parts;
        const auto add = [&](BinSpan rows, const char* file) {
            parts.push_back(partOf(problem, grid, rows, Pool::Max, file));
        };
        if (what == "missing") {
            add({4, 6}, "b");
            add({0, 2}, "a");
        } else if (what == "twice") {
            add({0, 3}, "b");
            add({2, 8}, "c");
        } else if (what != "nothing") {
            add({0, 4}, "a");
            if (what == "settings")
                problem.spec.masks = {{"causal", {}}};
            if (what == "query")
                problem.tensors["query"] = random_normal({1, 2, 100, 16}, 9);
            add({4, 8}, "b");
            if (what == "bins")
                parts[1].grid.bin_columns = 7;
            if (what == "pool")
                parts[1].pool = Pool::Mean;
            if (what == "head")
                parts[1].origin.head = 0;
        }
        try {
            merge(parts);
            QFAIL("merged");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.what()), message);
        }
    }

    void otherFilesAreRefused_data() {
        QTest::addColumn<QString>("map_json");
        QTest::addColumn<QString>("message");
        const QString good =
            R"({"format":"attnlab-map-part","schema":1,"pool":"max","rows":[0,8],"columns":[0,8],"bin_rows":4,)"
            R"("bin_columns":4,"rows_of_bins":[0,2],"origin":{"settings":"","checksums":{},"batch":0,"head":0},)"
            R"("query_tokens":[],"key_tokens":[]})";
        const auto with = [&](const char* from, const char* to) { return QString(good).replace(from, to); };
        QTest::addRow("none") << QString() << "is not a part of a map";
        QTest::addRow("good") << good << QString();
        QTest::addRow("newer") << with("\"schema\":1", "\"schema\":2") << "'schema' is 2, expected 1";
        QTest::addRow("shape") << with("\"rows_of_bins\":[0,2]", "\"rows_of_bins\":[0,1]")
                               << "'log2_max' has shape (2, 2), expected (1, 2)";
        QTest::addRow("range") << with("\"rows_of_bins\":[0,2]", "\"rows_of_bins\":[1,3]") << "last <= 2";
        QTest::addRow("empty bins") << with("\"bin_rows\":4", "\"bin_rows\":0") << "'bin_rows' is 0";
        QTest::addRow("huge") << with("\"rows\":[0,8]", "\"rows\":[0,9223372036854775807]") << "'rows' is";
        QTest::addRow("pool") << with("\"max\"", "\"sum\"") << "'pool' is \"sum\"";
        QTest::addRow("mean without sums") << with("\"max\"", "\"mean\"") << "has no array 'sum'";
    }
    void otherFilesAreRefused() {
        QFETCH(QString, map_json);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "x.npz";
        io::Archive archive;
        archive.tensors["log2_max"] = Tensor({2, 2}, -1.0, DType::Float32);
        archive.tensors["kept"] = Tensor({2, 2}, 16.0, DType::Float32);
        if (!map_json.isEmpty())
            archive.others["map.json"] = map_json.toStdString();
        io::write_npz(path, archive);
        try {
            io::read_map_part(path);
            QVERIFY(message.isEmpty());
        } catch (const Error& error) {
            QVERIFY2(!message.isEmpty() && QString::fromStdString(error.what()).contains(message), error.what());
        }
    }
};

ATTNLAB_TEST(TestMapParts)
#include "test_map_parts.moc"
