#include "core/model/architectures.h"
#include "core/model/gguf/gguf_config.h"
#include "core/model/model.h"
#include "core/model/weights/gguf_file.h"
#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <optional>

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
        for (const auto* name : {"bert",
                                 "cohere",
                                 "cohere2",
                                 "gemma",
                                 "gemma2",
                                 "gemma3",
                                 "glm4",
                                 "gpt2",
                                 "gpt_neox",
                                 "gpt_neox_sequential",
                                 "gpt_oss",
                                 "nemotron",
                                 "olmo2",
                                 "olmoe",
                                 "phi",
                                 "phi3",
                                 "phi3_long",
                                 "qwen2",
                                 "qwen2_moe",
                                 "qwen3",
                                 "qwen3_moe",
                                 "seed_oss",
                                 "stablelm",
                                 "starcoder2",
                                 "bloom",
                                 "mpt",
                                 "falcon",
                                 "falcon_new",
                                 "t5",
                                 "t5_gated",
                                 "t5_encoder",
                                 "umt5",
                                 "distilbert",
                                 "roberta",
                                 "nomic_bert",
                                 "glm4_moe",
                                 "deepseek2_lite",
                                 "deepseek2_both",
                                 "deepseek2_yarn",
                                 "deepseek3",
                                 "minicpm3",
                                 "modernbert",
                                 "eurobert",
                                 "jina_v3",
                                 "apertus",
                                 "ernie4_5",
                                 "exaone4",
                                 "exaone4_full",
                                 "starcoder",
                                 "glm",
                                 "jamba",
                                 "lfm2",
                                 "qwen2vl",
                                 "qwen3vl"})
            QTest::newRow(name) << false;
        for (const auto* name :
             {"arcee", "granite", "granitemoe", "llama", "llama_linear", "llama_yarn", "mixtral", "olmo", "smollm3"})
            QTest::newRow(name) << true;
    }
    void computesWhatItsFolderComputes() {
        QFETCH(bool, is_interleaved);
        const auto folder = folder_of(QTest::currentDataTag());
        const auto expected_model = model::Model::open(folder);
        const auto found_model = model::Model::open(folder + "/model.gguf");
        QVERIFY(!found_model.tokenizer());
        model::Input input{.ids = {5, 3, 8, 9, 23, 0, 3, 17, 4}};
        if (expected_model.description().encoder && expected_model.description().decoder)
            input.decoder_ids = {0, 7, 3, 3, 21};
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
        for (const auto states : {&model::Result::encoder_hidden, &model::Result::decoder_hidden}) {
            QCOMPARE((found.*states).size(), (expected.*states).size());
            for (std::size_t i = 0; i < (found.*states).size(); ++i)
                QVERIFY(largest_difference((found.*states)[i]->values, (expected.*states)[i]->values) < 1e-4);
        }
    }

    /// The tokens that end a text are in the metadata of the tokenizer.
    void endsATextWhereTheFileSays() {
        const auto path = folder_of("qwen2") + "/model.gguf";
        auto file = model::open_gguf(path);
        file.metadata.add("tokenizer.ggml.eos_token_id", {std::int64_t{7}});
        file.metadata.add("tokenizer.ggml.eot_token_id", {std::int64_t{9}});
        const auto& architecture = model::gguf_architecture(file.metadata);
        const auto config = model::Json::parse(model::gguf_config(file, architecture.gguf, architecture.type));
        QVERIFY(config.at("eos_token_id") == (model::Json{7, 9}));
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

    void knowsTheFirstTokensOfSentencePiece() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("llama")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"<unk>", "<s>", "</s>", "▁a", "▁"}});
        metadata.add("tokenizer.ggml.scores", {model::GgufNumbers{0, 0, 0, -1, -2}});
        metadata.add("tokenizer.ggml.token_type", {model::GgufIntegers{2, 3, 3, 1, 1}});
        const auto ids_of = [&] {
            std::vector<std::int64_t> ids;
            for (const auto& token : model::gguf_tokenizer(metadata)->encode("a<unk>"))
                ids.push_back(token.id);
            return ids;
        };
        QCOMPARE(ids_of(), (std::vector<std::int64_t>{1, 3, 0}));
        metadata.add("tokenizer.ggml.bos_token_id", {std::int64_t{2}});
        QCOMPARE(ids_of(), (std::vector<std::int64_t>{2, 3, 0}));
    }

    void cutsTextsAsTheFileSays_data() {
        QTest::addColumn<QString>("pre");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* pre, const char* text, const QStringList& expected) {
            QTest::addRow("%s %s", pre, text) << pre << text << expected;
        };
        row("gpt-2", "ab1212", {"ab", "12", "12"});
        row("deepseek-llm", "ab1212 a", {"ab", "12", "12", "Ġa"});
        row("deepseek-llm", "a.b", {"a", ".", "b"});
        row("deepseek-coder", "ab1212", {"ab", "1", "2", "1", "2"});
        row("deepseek-v3", "ab1212 a", {"ab", "12", "1", "2", "Ġa"});
        row("deepseek-v3", "a.b", {"a", ".b"});
        row("deepseek-r1-qwen", "ab1212", {"ab", "1", "2", "1", "2"});
        row("exaone4", "ab1212", {"ab", "12", "12"});
        row("modern-bert", "a.b", {"a", ".", "b"});
        row("roberta-bpe", "ab a", {"ab", "Ġa"});
        row("lfm2", "1212", {"12", "1", "2"});
        row("viking", "b12 a.b", {"b", "1", "2", "Ġa", ".", "b"});
        row("trillion", "ab1212", {"ab", "12", "12"});
        row("hunyuan", "ab1212", {"ab", "1", "2", "1", "2"});
        row("seed-coder", "ab1212", {"ab", "1", "2", "1", "2"});
        row("qwen35", "ab1212", {"ab", "1", "2", "1", "2"});
        row("default", "ab1212 a.b", {"ab", "12", "1", "2", "Ġa", ".", "b"});
        row("", "ab1212 a.b", {"ab", "12", "1", "2", "Ġa", ".", "b"});
        row("falcon", "ab1212 a.b", {"ab", "12", "1", "2", "Ġa", ".", "b"});
        row("bloom", "b1 a.b", {"b1", "Ġa", ".", "b"});
    }
    void cutsTextsAsTheFileSays() {
        QFETCH(QString, pre);
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        if (!pre.isEmpty())
            metadata.add("tokenizer.ggml.pre", {pre.toStdString()});
        metadata.add("tokenizer.ggml.add_bos_token", {false});
        metadata.add("tokenizer.ggml.tokens",
                     {model::GgufTexts{"a", "b", "ab", "1", "2", "12", "Ġ", "Ġa", ".", ".b", "b1", "a."}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{"a b", "1 2", "Ġ a", ". b", "b 1", "a ."}});
        QStringList found;
        for (const auto& token : model::gguf_tokenizer(metadata)->encode(text.toStdString()))
            found << QString::fromStdString(token.text);
        QCOMPARE(found, expected);
    }

    void beginsTextsAsTheFileSays_data() {
        QTest::addColumn<QString>("pre");
        QTest::addColumn<bool>("adds");
        for (const auto* pre : {"llama3", "llama-v3", "llama-bpe", "tekken", "lfm2"})
            QTest::newRow(pre) << pre << true;
        for (const auto* pre : {"gpt-2", "qwen2", "smaug-bpe", "default", "falcon"})
            QTest::newRow(pre) << pre << false;
    }
    /// By the pre-tokenizer, unless a key says so.
    void beginsTextsAsTheFileSays() {
        QFETCH(QString, pre);
        QFETCH(bool, adds);
        for (const auto key : {std::optional<bool>(), std::optional(true), std::optional(false)}) {
            model::GgufMetadata metadata("m.gguf");
            metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
            metadata.add("tokenizer.ggml.pre", {pre.toStdString()});
            metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"a", "<s>"}});
            metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
            metadata.add("tokenizer.ggml.bos_token_id", {std::int64_t{1}});
            if (key)
                metadata.add("tokenizer.ggml.add_bos_token", {*key});
            QCOMPARE(model::gguf_tokenizer(metadata)->encode("a").size(),
                     key.value_or(adds) ? std::size_t{2} : std::size_t{1});
        }
    }

    /// Its ids have names all the same.
    void refusesTextsOfAnUnknownPreTokenizer() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        metadata.add("tokenizer.ggml.pre", {std::string("novel")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"a", "Ġb"}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
        const auto tokenizer = model::gguf_tokenizer(metadata);
        QCOMPARE(tokenizer->decode({0, 1}), "a b");
        const auto said = error_of([&] { tokenizer->encode("a"); });
        QVERIFY2(said.startsWith("m.gguf: the pre-tokenizer 'novel' is unknown"), qPrintable(said));
    }

    /// llama.cpp normalizes nothing here, as Transformers does for Qwen 2.
    void leavesLettersApart() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        metadata.add("tokenizer.ggml.pre", {std::string("qwen2")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"e", "Ì", "ģ", "Ã", "©"}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
        std::vector<std::int64_t> ids;
        for (const auto& token : model::gguf_tokenizer(metadata)->encode("e\u0301"))
            ids.push_back(token.id);
        QCOMPARE(ids, (std::vector<std::int64_t>{0, 1, 2}));
    }

    void findsControlTokensByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("type"); ///< 0: no types
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("is_found");
        for (const auto* name : {"<|im_end|>", "</s>", "<|fim_prefix|>", "[PAD]", "<|channel|>"})
            for (const int type : {0, 1, 3, 4})
                QTest::addRow("%s %d", name, type) << name << type << QString() << true;
        for (const int type : {0, 1, 3, 4})
            QTest::addRow("other %d", type) << "<|im_start|>" << type << QString() << (type > 1);
        QTest::newRow("another id") << "<PRE>" << 1 << "fim_pre_token_id" << false;
        QTest::newRow("another id, older key") << "<PRE>" << 1 << "prefix_token_id" << false;
        QTest::newRow("another end") << "<|im_end|>" << 1 << "eot_token_id" << true;
    }
    void findsControlTokensByName() {
        QFETCH(QString, name);
        QFETCH(int, type);
        QFETCH(QString, key);
        QFETCH(bool, is_found);
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        metadata.add("tokenizer.ggml.pre", {std::string("gpt-2")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"a", "b", name.toStdString()}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
        if (type > 0)
            metadata.add("tokenizer.ggml.token_type", {model::GgufIntegers{1, 1, type}});
        if (!key.isEmpty())
            metadata.add("tokenizer.ggml." + key.toStdString(), {std::int64_t{0}});
        const auto tokens = model::gguf_tokenizer(metadata)->encode("a" + name.toStdString());
        QCOMPARE(tokens.size() == 2 && tokens.back().id == 2, is_found);
    }

    void hasTheIdsOfLlamaCpp_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<QStringList>("keys");    ///< "bos_token_id=3", "add_bos_token"
        QTest::addColumn<QList<int>>("expected"); ///< of the text "a", which has the id 12; empty: refused
        QTest::addColumn<QString>("message");
        const auto row = [](const char* kind, int tokens, const QStringList& keys, const QList<int>& expected,
                            const char* message = "") {
            QTest::addRow("%s %d %s", kind, tokens, qPrintable(keys.join(' ')))
                << kind << tokens << keys << expected << message;
        };
        row("gpt-2", 20, {}, {12});
        row("gpt-2", 20, {"add_bos_token"}, {11, 12});
        row("gpt-2", 20, {"add_eos_token"}, {12, 11});
        row("gpt-2", 20, {"add_bos_token", "bos_token_id=3"}, {3, 12});
        row("glm4", 20, {"add_eos_token"}, {12, 11});
        row("glm4", 20, {"add_bos_token"}, {},
            "'tokenizer.ggml.add_bos_token' is true, but there is no 'tokenizer.ggml.bos_token_id'");
        row("llama-bpe", 20, {}, {11, 12});
        row("bert", 140, {}, {101, 12, 102});
        row("bert", 140, {"bos_token_id=3", "cls_token_id=3"}, {3, 12, 102});
        row("bert", 140, {"seperator_token_id=5"}, {101, 12, 5});
        row("bert", 140, {"cls_token_id=3"}, {},
            "'tokenizer.ggml.cls_token_id' is 3, expected 101 as for 'tokenizer.ggml.bos_token_id'");
        row("bert", 20, {"cls_token_id=3", "seperator_token_id=5"}, {3, 12, 5});
        row("t5", 20, {}, {12, 1});
    }
    void hasTheIdsOfLlamaCpp() {
        QFETCH(QString, kind);
        QFETCH(int, tokens);
        QFETCH(QStringList, keys);
        QFETCH(QList<int>, expected);
        QFETCH(QString, message);
        const bool is_bpe = kind.contains('-') || kind == "glm4";
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {is_bpe ? std::string("gpt2") : kind.toStdString()});
        model::GgufTexts texts;
        for (int id = 0; id < tokens; ++id)
            texts.push_back("[" + std::to_string(id) + "]");
        texts[12] = is_bpe ? "a" : "▁a";
        metadata.add("tokenizer.ggml.tokens", {texts});
        metadata.add("tokenizer.ggml.scores", {model::GgufNumbers(static_cast<std::size_t>(tokens), -1.0)});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
        if (is_bpe)
            metadata.add("tokenizer.ggml.pre", {kind.toStdString()});
        for (const auto& key : keys) {
            const auto parts = key.split('=');
            const auto name = "tokenizer.ggml." + parts.front().toStdString();
            if (parts.size() == 2)
                metadata.add(name, {std::int64_t{parts.back().toInt()}});
            else
                metadata.add(name, {true});
        }
        QList<int> found;
        const auto said = error_of([&] {
            for (const auto& token : model::gguf_tokenizer(metadata)->encode("a"))
                found << static_cast<int>(token.id);
        });
        QCOMPARE(found, expected);
        QVERIFY2(message.isEmpty() ? said.isEmpty() : said.endsWith(message), qPrintable(said));
    }

    void takesSpacesAsTheNamesSay_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("expected"); ///< of "a <x> a <s> a [MASK] a"
        const QStringList plain{"a", "Ġ", "<x>", "Ġ", "a", "Ġ", "<s>", "Ġ", "a", "Ġ", "[MASK]", "Ġ", "a"};
        QTest::newRow("other") << "general.name"
                               << "Phi 2" << plain;
        QTest::newRow("phi-3") << "general.name"
                               << "My Phi-3 mini"
                               << QStringList{"a", "Ġ", "<x>", "a", "Ġ", "<s>", "Ġ", "a", "Ġ", "[MASK]", "a"};
        QTest::newRow("modern-bert") << "general.name"
                                     << "Modern-BERT" << QStringList{"a",   "Ġ", "<x>", "Ġ",      "a", "Ġ",
                                                                     "<s>", "Ġ", "a",   "[MASK]", "Ġ", "a"};
    }
    /// Files do not store it.
    void takesSpacesAsTheNamesSay() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QStringList, expected);
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("gpt2")});
        metadata.add("tokenizer.ggml.pre", {std::string("gpt-2")});
        const model::GgufTexts texts{"a", "Ġ", "<x>", "<s>", "[MASK]"};
        metadata.add("tokenizer.ggml.tokens", {texts});
        metadata.add("tokenizer.ggml.token_type", {model::GgufIntegers{1, 1, 3, 3, 3}});
        metadata.add("tokenizer.ggml.merges", {model::GgufTexts{}});
        metadata.add(key.toStdString(), {value.toStdString()});
        QStringList found;
        for (const auto& token : model::gguf_tokenizer(metadata)->encode("a <x> a <s> a [MASK] a"))
            found << QString::fromStdString(texts[static_cast<std::size_t>(token.id)]);
        QCOMPARE(found, expected);
    }

    void dividesLongWords() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("bert")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"[UNK]", "[CLS]", "[SEP]", "▁a", "a"}});
        for (std::int64_t id = 0; const auto* name : {"unknown", "bos", "seperator"})
            metadata.add(std::string("tokenizer.ggml.") + name + "_token_id", {id++});
        QCOMPARE(model::gguf_tokenizer(metadata)->encode(std::string(150, 'a')).size(), std::size_t{152});
    }

    void foldsLettersAsTheFileSays_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("none") << QByteArray() << QStringList{"a", "e"};
        QTest::newRow("lowercase") << QByteArray("lowercase") << QStringList{"A", "é"};
        QTest::newRow("strip_accents") << QByteArray("strip_accents") << QStringList{"a", "é"};
    }
    void foldsLettersAsTheFileSays() {
        QFETCH(QByteArray, key);
        QFETCH(QStringList, expected);
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("bert")});
        metadata.add("tokenizer.ggml.tokens", {model::GgufTexts{"[UNK]", "[CLS]", "[SEP]", "▁a", "▁A", "▁e", "▁é"}});
        for (std::int64_t id = 0; const auto* name : {"unknown", "cls", "seperator"})
            metadata.add(std::string("tokenizer.ggml.") + name + "_token_id", {id++});
        if (!key.isEmpty())
            metadata.add("tokenizer.ggml.normalizer." + key.toStdString(), {false});
        QStringList found;
        for (const auto& token : model::gguf_tokenizer(metadata)->encode("A é"))
            if (!token.special)
                found << QString::fromStdString(token.text);
        QCOMPARE(found, expected);
    }

    void dividesWordsByTheirScores() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("t5")});
        metadata.add("tokenizer.ggml.tokens",
                     {model::GgufTexts{"<pad>", "</s>", "<unk>", "▁", "a", "b", "ab", "▁ab", "▁a", "<x>", "[PAD10]"}});
        metadata.add("tokenizer.ggml.scores", {model::GgufNumbers{0, 0, 0, -2, -3, -3, -4, -3.5, -3.6, -1000, -10000}});
        metadata.add("tokenizer.ggml.token_type", {model::GgufIntegers{3, 3, 2, 1, 1, 1, 1, 1, 1, 4, 5}});
        metadata.add("tokenizer.ggml.unknown_token_id", {std::int64_t{2}});
        metadata.add("tokenizer.ggml.eos_token_id", {std::int64_t{1}});
        const auto ids_of = [&](std::string_view text) {
            std::vector<std::int64_t> ids;
            for (const auto& token : model::gguf_tokenizer(metadata)->encode(text))
                ids.push_back(token.id);
            return ids;
        };
        QCOMPARE(ids_of("ab ba"), (std::vector<std::int64_t>{7, 3, 5, 4, 1}));
        QCOMPARE(ids_of("abab"), (std::vector<std::int64_t>{7, 6, 1}));
        QCOMPARE(ids_of("a<x>z"), (std::vector<std::int64_t>{8, 9, 3, 2, 1}));
        QCOMPARE(ids_of("a  a "), (std::vector<std::int64_t>{8, 3, 8, 3, 1}));
        QCOMPARE(ids_of(" a"), (std::vector<std::int64_t>{3, 8, 1})); // a space before the text, and its own
        metadata.add("tokenizer.ggml.remove_extra_whitespaces", {true});
        QCOMPARE(ids_of("a  a "), (std::vector<std::int64_t>{8, 8, 1}));
        metadata.add("tokenizer.ggml.add_eos_token", {false});
        QCOMPARE(ids_of("ab"), (std::vector<std::int64_t>{7}));
    }

    void refusesTokenizersThatItDoesNotKnow() {
        model::GgufMetadata metadata("m.gguf");
        metadata.add("tokenizer.ggml.model", {std::string("rwkv")});
        QCOMPARE(error_of([&] { model::gguf_tokenizer(metadata); }),
                 "m.gguf: 'tokenizer.ggml.model' is 'rwkv', expected gpt2, llama, bert or t5");
    }

    void refusesWhatItDoesNotKnow_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("message");
        QTest::newRow("architecture")
            << QByteArray("qwen2") << QByteArray("qwenX")
            << "'general.architecture' is 'qwenX'; known are apertus, arcee, bert, bloom, chatglm, cohere2, "
               "command-r, deepseek2, ernie4_5, eurobert, exaone4, falcon, gemma, gemma2, gemma3, glm4, glm4moe, "
               "gpt-oss, ";
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
