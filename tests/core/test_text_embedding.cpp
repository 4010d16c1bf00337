#include "core/model/text_embedding.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace attnlab;
using namespace attnlab::test;

namespace {

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// A folder of sentence-transformers without a model.
void write_modules(const QTemporaryDir& folder, const QByteArray& pooling, const QByteArray& more) {
    write(folder.filePath("modules.json"),
          R"([{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
              {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"})" +
              more + "]");
    write(folder.filePath("1_Pooling/config.json"), pooling);
}

const QByteArray normalize =
    R"(, {"idx": 2, "name": "2", "path": "2_N", "type": "sentence_transformers.models.Normalize"})";

/// The last hidden states that Transformers computes: (positions, width).
std::vector<std::vector<double>> hidden_states(const std::string& name) {
    const auto expected = expected_arrays(name);
    std::string last;
    for (int i = 0; expected.contains("encoder.hidden." + std::to_string(i)); ++i)
        last = "encoder.hidden." + std::to_string(i);
    const auto& tensor = expected.at(last);
    const auto values = tensor.values();
    const auto width = static_cast<std::size_t>(tensor.dim(-1));
    std::vector<std::vector<double>> rows;
    for (std::size_t at = 0; at < values.size(); at += width)
        rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                          values.begin() + static_cast<std::ptrdiff_t>(at + width));
    return rows;
}

/// What each kind of pooling makes of a column.
double pooled(const QString& kind, const std::vector<double>& column) {
    const double sum = std::accumulate(column.begin(), column.end(), 0.0), count = static_cast<double>(column.size());
    double weighted = 0.0;
    for (std::size_t i = 0; i < column.size(); ++i)
        weighted += static_cast<double>(i + 1) * column[i];
    if (kind == "pooling_mode_cls_token")
        return column.front();
    if (kind == "pooling_mode_lasttoken")
        return column.back();
    if (kind == "pooling_mode_max_tokens")
        return *std::ranges::max_element(column);
    if (kind == "pooling_mode_mean_sqrt_len_tokens")
        return sum / std::sqrt(count);
    return kind == "pooling_mode_weightedmean_tokens" ? weighted / (count * (count + 1.0) / 2.0) : sum / count;
}

} // namespace

/// Embeddings of sentence-transformers from the hidden states of Transformers.
class TestTextEmbedding : public QObject {
    Q_OBJECT

private slots:
    void poolsAsTheFolderSays_data() {
        QTest::addColumn<QString>("kind");
        for (const auto* kind :
             {"pooling_mode_cls_token", "pooling_mode_max_tokens", "pooling_mode_mean_tokens",
              "pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"})
            QTest::newRow(kind) << kind;
    }
    void poolsAsTheFolderSays() {
        QFETCH(QString, kind);
        const QTemporaryDir folder;
        write_modules(folder, "{\"word_embedding_dimension\": 32, \"" + kind.toUtf8() + "\": true}", normalize);
        const auto pooling = model::read_text_pooling(folder.path().toStdString());
        QVERIFY(pooling.is_given && pooling.normalizes);
        const auto opened = model::Model::open(model_folder("bert"));
        const auto result = opened.run(input_of("bert", expected_arrays("bert")));
        const auto embedding = model::text_embedding(opened, result, pooling);

        const auto rows = hidden_states("bert");
        QCOMPARE(embedding.size(), rows.front().size());
        std::vector<double> expected;
        for (std::size_t i = 0; i < embedding.size(); ++i) {
            std::vector<double> column;
            for (const auto& row : rows)
                column.push_back(row[i]);
            expected.push_back(pooled(kind, column));
        }
        const double length = std::sqrt(std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0));
        for (double& value : expected)
            value /= length;
        QVERIFY(difference(embedding, expected, false) < 1e-5);
    }

    void severalKindsFollowOneAnother() {
        const QTemporaryDir folder;
        write_modules(folder, R"({"pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true})", "");
        const auto pooling = model::read_text_pooling(folder.path().toStdString());
        QCOMPARE(pooling.text(), std::string("max, mean"));
        const auto opened = model::Model::open(model_folder("bert"));
        const auto result = opened.run(input_of("bert", expected_arrays("bert")));
        QCOMPARE(model::text_embedding(opened, result, pooling).size(), 2 * hidden_states("bert").front().size());
    }

    void whatIsNotComputedIsNamed_data() {
        QTest::addColumn<QByteArray>("pooling");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QString>("name");
        const QByteArray mean = R"({"pooling_mode_mean_tokens": true})";
        QTest::newRow("layer") << mean << QByteArray(R"(, {"path": "2", "type": "sentence_transformers.models.Dense"})")
                               << "sentence_transformers.models.Dense";
        QTest::newRow("no kind") << QByteArray("{}") << QByteArray() << "pooling_mode_mean_tokens";
        QTest::newRow("unknown kind") << QByteArray(R"({"pooling_mode": "median"})") << QByteArray() << "median";
    }
    void whatIsNotComputedIsNamed() {
        QFETCH(QByteArray, pooling);
        QFETCH(QByteArray, more);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        write_modules(folder, pooling, more);
        try {
            model::read_text_pooling(folder.path().toStdString());
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(name), error.what());
            return;
        }
        QFAIL("nothing was refused");
    }

    void cosineOfTwo() {
        const std::vector<float> a{3.0F, 4.0F}, b{4.0F, 3.0F}, zero{0.0F, 0.0F};
        QVERIFY(std::abs(model::cosine(a, b) - 0.96) < 1e-12);
        QVERIFY_THROWS_EXCEPTION(Error, model::cosine(a, zero));
        QVERIFY_THROWS_EXCEPTION(Error, model::cosine(a, std::vector<float>{1.0F}));
    }
};

ATTNLAB_TEST(TestTextEmbedding)
#include "test_text_embedding.moc"
