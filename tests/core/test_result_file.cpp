// Numbers of a result with their tokens, axes and settings, as files that are read back.
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/saved/result_file.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace attnlab;
using namespace attnlab::io;

namespace {

Stage weights() {
    Stage stage;
    stage.name = "weights";
    stage.value = Tensor({1, 2, 2, 3}, {0.5, 0.25, 0.25, 1.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 3.0, 0.1, 0.2, 0.7});
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    return stage;
}

const ResultInfo info{"AttnLab test", R"({"variant":"dot_product"})", {"naïve", "=SUM(A1)"}, {"我", "🚀", "a\"b,c"}};

std::string text_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestResultFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path at(const char* name) const { return folder_.filePath(name).toStdString(); }

    static QJsonObject json_of(const std::string& text) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    }
    static void explains(const QJsonObject& about) {
        QCOMPARE(about["program"].toString(), QString("AttnLab test"));
        QCOMPARE(about["axes"]["weights"].toArray(), (QJsonArray{"batch", "head", "query", "key"}));
        QCOMPARE(about["key_tokens"].toArray()[1].toString(), QString("🚀"));
        QCOMPARE(about["settings"]["variant"].toString(), QString("dot_product"));
    }

private slots:
    void archives() {
        const auto stage = weights();
        const auto path = at("out.npz");
        write_result(path, {&stage}, info);
        const auto archive = read_npz(path, {}, Members::All, OtherTypes::Name);
        QCOMPARE(archive.tensors.size(), std::size_t{1});
        QVERIFY(archive.tensors.at("weights") == stage.value);
        QVERIFY(archive.labels.at("query_tokens") == info.query_tokens);
        QVERIFY(archive.labels.at("key_tokens") == info.key_tokens);
        explains(json_of(archive.others.at("about.json")));
        // Nothing in the file is foreign to the program itself.
        const auto contents = read_contents(std::span(&path, 1));
        QVERIFY(contents.others.empty());
        QCOMPARE(contents.labels.size(), std::size_t{2});
        write_result(at("again.npz"), {&stage}, info);
        QCOMPARE(text_in(at("again.npz")), text_in(path));
    }

    void tensors() {
        const auto stage = weights();
        write_result(at("out.safetensors"), {&stage}, info);
        std::map<std::string, std::string, std::less<>> metadata;
        const auto read = read_safetensors(at("out.safetensors"), {}, nullptr, &metadata);
        QVERIFY(read.at("weights") == stage.value);
        explains(json_of(metadata.at("attnlab_about")));
    }

    void long_tables() {
        const auto stage = weights();
        write_long_table(at("long.csv"), {&stage}, info, {.byte_order_mark = true, .escapes_formulas = true});
        const auto text = text_in(at("long.csv"));
        QVERIFY(text.starts_with("\xEF\xBB\xBFstage,batch,head,query,key,query_token,key_token,value\n"));
        QVERIFY(text.find("weights,0,0,0,1,naïve,🚀,0.25\n") != text.npos);
        QVERIFY(text.find("weights,0,1,0,2,naïve,\"a\"\"b,c\",0.6666666666666666\n") != text.npos);
        QVERIFY(text.find(",'=SUM(A1),我,1\n") != text.npos);
        QCOMPARE(std::ranges::count(text, '\n'), 13);
        // Without the options: as it is.
        write_long_table(at("plain.tsv"), {&stage}, info, {.separator = '\t'});
        const auto plain = text_in(at("plain.tsv"));
        QVERIFY(plain.starts_with("stage\tbatch\t"));
        QVERIFY(plain.find("\t=SUM(A1)\t") != plain.npos);
        Stage other = stage;
        other.axes.back() = Axis::Feature;
        QVERIFY_THROWS_EXCEPTION(Error, write_long_table(at("two.csv"), {&stage, &other}, info, {}));
    }

    /// Tokens of rows and columns come back as those of queries and keys.
    void labelled_tables() {
        const Tensor matrix({2, 3}, {0.5, 0.25, 0.25, 1.0, 0.0, 0.0});
        const auto path = at("weights.csv");
        write_matrix_table(path, matrix, info.query_tokens, info.key_tokens, {.labels = true, .byte_order_mark = true});
        const auto contents = read_contents(std::span(&path, 1));
        QVERIFY(contents.others.empty());
        QVERIFY(contents.arrays.front().tensor == matrix);
        QCOMPARE(contents.labels.size(), std::size_t{2});
        QVERIFY(contents.labels[0].labels == info.query_tokens && contents.labels[1].labels == info.key_tokens);
    }
};

ATTNLAB_TEST(TestResultFile)
#include "test_result_file.moc"
