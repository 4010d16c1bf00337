#include "core/model/gguf/gguf_config.h"
#include "core/model/model.h"
#include "core/model/weights/gguf_file.h"
#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

namespace {

double largest_difference(std::span<const float> a, std::span<const float> b) {
    double largest = a.size() == b.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
    return largest;
}

std::vector<float> weights_of(const model::Pass& pass) {
    std::vector<float> all;
    for (std::int64_t head = 0; head < pass.heads; ++head) {
        const auto weights = pass.weights(head);
        all.insert(all.end(), weights.begin(), weights.end());
    }
    return all;
}

std::string folder_of(const QString& name) { return data_path("gguf/models/" + name.toStdString()); }

} // namespace

/// tests/data/make_gguf_models.py made the models.
class TestGgufModels : public QObject {
    Q_OBJECT

private slots:
    void computesWhatItsFolderComputes_data() {
        QTest::addColumn<bool>("is_interleaved");
        for (const auto* name : {"bert",      "cohere",    "cohere2",   "gemma",      "gemma2",
                                 "gemma3",    "glm4",      "gpt2",      "gpt_neox",   "gpt_neox_sequential",
                                 "gpt_oss",   "nemotron",  "olmo2",     "olmoe",      "phi",
                                 "phi3",      "phi3_long", "qwen2",     "qwen2_moe",  "qwen3",
                                 "qwen3_moe", "seed_oss",  "stablelm",  "starcoder2", "bloom",
                                 "mpt",       "falcon",    "falcon_new"})
            QTest::newRow(name) << false;
        for (const auto* name : {"arcee", "granite", "llama", "llama_linear", "llama_yarn", "mixtral", "smollm3"})
            QTest::newRow(name) << true;
    }
    void computesWhatItsFolderComputes() {
        QFETCH(bool, is_interleaved);
        const auto folder = folder_of(QTest::currentDataTag());
        const auto expected_model = model::Model::open(folder);
        const auto found_model = model::Model::open(folder + "/model.gguf");
        QVERIFY(!found_model.tokenizer());
        const model::Input input{.ids = {5, 3, 8, 9, 23, 0, 3, 17, 4}};
        const auto expected = expected_model.run(input, {.logits = model::Options::Logits::All});
        const auto found = found_model.run(input, {.logits = model::Options::Logits::All});
        QCOMPARE(found.passes.size(), expected.passes.size());
        for (std::size_t i = 0; i < found.passes.size(); ++i) {
            QVERIFY(largest_difference(weights_of(*found.passes[i]), weights_of(*expected.passes[i])) < 1e-5);
            if (is_interleaved) // the same numbers in another order, as they are in the file
                continue;
            QVERIFY(largest_difference(found.passes[i]->query, expected.passes[i]->query) < 1e-4);
            QVERIFY(largest_difference(found.passes[i]->key, expected.passes[i]->key) < 1e-4);
        }
        QVERIFY(largest_difference(found.logits.values, expected.logits.values) < 1e-4);
        const auto& hidden = found.decoder_hidden.empty() ? found.encoder_hidden : found.decoder_hidden;
        const auto& wanted = found.decoder_hidden.empty() ? expected.encoder_hidden : expected.decoder_hidden;
        QCOMPARE(hidden.size(), wanted.size());
        for (std::size_t i = 0; i < hidden.size(); ++i)
            QVERIFY(largest_difference(hidden[i]->values, wanted[i]->values) < 1e-4);
    }

    void makesTheTokenizerOfTheFile() {
        model::GgufMetadata metadata("m.gguf");
        QVERIFY(!model::gguf_tokenizer(metadata));
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        metadata.add("tokenizer.ggml.pre", {std::string("gpt-2")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"a", "b", "ab", "Ġ", "Ġab", "<s>"}});
        metadata.add("tokenizer.ggml.token_type", {model::GgufIntegers{1, 1, 1, 1, 1, 3}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{"a b", "Ġ ab"}});
        metadata.add("tokenizer.ggml.bos_token_id", {std::int64_t{5}});
        metadata.add("tokenizer.ggml.add_bos_token", {true});
        std::vector<std::int64_t> ids;
        for (const auto& token : model::gguf_tokenizer(metadata)->encode("ab ab"))
            ids.push_back(token.id);
        QCOMPARE(ids, (std::vector<std::int64_t>{5, 2, 4}));
    }

    void refusesTokenizersThatItDoesNotKnow() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("rwkv")});
        QCOMPARE(error_of([&] { model::gguf_tokenizer(metadata); }),
                 "m.gguf: 'tokenizer.ggml.model' is 'rwkv', expected gpt2, llama or bert");
    }

    void refusesWhatItDoesNotKnow_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("message");
        QTest::newRow("architecture")
            << QByteArray("qwen2") << QByteArray("qwenX")
            << "'general.architecture' is 'qwenX'; known are arcee, bert, bloom, command-r, "
               "cohere2, falcon, gemma, gemma2, gemma3, glm4, gpt2, gptneox, gpt-oss, granite, ";
        QTest::newRow("key") << QByteArray("qwen2.block_count") << QByteArray("qwen2.block_counX")
                             << "has no 'qwen2.block_count', expected an integer";
        QTest::newRow("tensor") << QByteArray("blk.1.attn_k.weight") << QByteArray("blk.1.attn_X.weight")
                                << "has no tensor 'blk.1.attn_k.weight', expected one of shape";
        QTest::newRow("embedding") << QByteArray("token_embd.weight") << QByteArray("token_embX.weight")
                                   << "has no tensor 'token_embd.weight'";
    }
    void refusesWhatItDoesNotKnow() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, message);
        auto bytes = data_bytes("gguf/models/qwen2/model.gguf");
        bytes.replace(bytes.indexOf(from), from.size(), to);
        const ModelFolder folder("m.gguf", bytes);
        const auto said = error_of([&] { model::open_gguf_model(to_path(folder.path("m.gguf"))); });
        QVERIFY2(said.startsWith(folder.path("m.gguf")) && said.contains(message), qPrintable(said));
    }
};

ATTNLAB_TEST(TestGgufModels)
#include "test_gguf_models.moc"
