#include "core/io/json.h"
#include "core/model/architectures.h"
#include "tests/core/io_support.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtEndian>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The configuration of a golden model without some settings, and with others changed.
QByteArray changed_config(const QString& name, const QJsonObject& changes, const QStringList& without = {}) {
    QFile file(QString::fromStdString((model_folder(name.toStdString()) / "config.json").string()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto config = QJsonDocument::fromJson(file.readAll()).object();
    for (const auto& key : without)
        config.remove(key);
    for (auto it = changes.begin(); it != changes.end(); ++it)
        config[it.key()] = it.value();
    return QJsonDocument(config).toJson();
}

/// The message, or an empty text where the configuration is accepted.
QString refusal(const QString& name, const QJsonObject& changes) {
    const auto files = model::open_weights(model_folder(name.toStdString()));
    const auto json = io::parse_json(changed_config(name, changes).toStdString(), "config.json");
    try {
        model::describe(model::Config(json.root()), *files);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

/// Of the golden model, for what does not read its weights, which are closed.
model::Description description_of(const QString& name, const QJsonObject& changes, const QStringList& without = {}) {
    const auto files = model::open_weights(model_folder(name.toStdString()));
    const auto json = io::parse_json(changed_config(name, changes, without).toStdString(), "config.json");
    return model::describe(model::Config(json.root()), *files);
}

} // namespace

/// Settings that are wrong, hostile or unknown end in an error that names them.
class TestModelConfig : public QObject {
    Q_OBJECT

private slots:
    /// As in Transformers: that of the type where the file does not mention it, and none where it is null.
    void classesHaveThePaddingOfTheirType_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonValue>("given");
        QTest::addColumn<qint64>("expected"); // -1: none
        QTest::newRow("gemma2, not mentioned") << "gemma2_classes" << QJsonValue(QJsonValue::Undefined) << qint64{0};
        QTest::newRow("gemma2, null") << "gemma2_classes" << QJsonValue() << qint64{-1};
        QTest::newRow("gemma2, own") << "gemma2_classes" << QJsonValue(7) << qint64{7};
        QTest::newRow("opt, not mentioned") << "opt_classes" << QJsonValue(QJsonValue::Undefined) << qint64{1};
        QTest::newRow("llama, not mentioned") << "llama_classes" << QJsonValue(QJsonValue::Undefined) << qint64{-1};
        QTest::newRow("gpt2, not mentioned") << "gpt2_classes" << QJsonValue(QJsonValue::Undefined) << qint64{-1};
    }
    void classesHaveThePaddingOfTheirType() {
        QFETCH(QString, name);
        QFETCH(QJsonValue, given);
        QFETCH(qint64, expected);
        const auto changes = given.isUndefined() ? QJsonObject() : QJsonObject{{"pad_token_id", given}};
        const auto description = description_of(name, changes, {"pad_token_id"});
        QVERIFY(description.head && description.head->pooling == model::Head::Pooling::Last);
        QCOMPARE(qint64{description.head->padding.value_or(-1)}, expected);
    }

    void positionsOfRoformerAreItsOwn() {
        const auto from = model_folder("roformer");
        const QTemporaryDir folder;
        QFile weights(QString::fromStdString((from / "model.safetensors").string()));
        QVERIFY(weights.open(QIODevice::ReadOnly));
        auto bytes = weights.readAll();
        const auto header =
            QJsonDocument::fromJson(bytes.mid(8, qFromLittleEndian<quint32>(bytes.constData()))).object();
        const auto begin = header["roformer.encoder.embed_positions.weight"]["data_offsets"][0].toInt() + 8 +
                           static_cast<int>(qFromLittleEndian<quint32>(bytes.constData()));
        bytes.replace(begin, 4, QByteArray::fromHex("0000803f")); // sin(0) is 1 then
        QFile changed(folder.filePath("model.safetensors"));
        QVERIFY(changed.open(QIODevice::WriteOnly) && changed.write(bytes) == bytes.size());
        changed.close();
        QVERIFY(QFile::copy(QString::fromStdString((from / "config.json").string()), folder.filePath("config.json")));
        const auto said = error_of([&] { model::Model::open(to_path(folder.path())); });
        QVERIFY2(said.contains("embed_positions.weight: is not the table of sines"), qPrintable(said));
    }

    /// One class and several labels have probabilities of their own; numbers are no classes.
    void outputsOfClassHeads_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonValue>("problem");
        QTest::addColumn<bool>("has_head");
        QTest::addColumn<bool>("is_independent");
        QTest::newRow("classes") << "bert_classes" << QJsonValue() << true << false;
        QTest::newRow("several labels") << "bert_classes" << QJsonValue("multi_label_classification") << true << true;
        QTest::newRow("one class") << "bert_rank" << QJsonValue() << true << true;
        QTest::newRow("a number") << "bert_rank" << QJsonValue("regression") << false << false;
        QTest::newRow("several numbers") << "llama_classes" << QJsonValue("regression") << false << false;
    }
    void outputsOfClassHeads() {
        QFETCH(QString, name);
        QFETCH(QJsonValue, problem);
        QFETCH(bool, has_head);
        QFETCH(bool, is_independent);
        const auto description = description_of(name, {{"problem_type", problem}});
        QCOMPARE(description.head.has_value(), has_head);
        QVERIFY(!has_head || description.head->is_independent == is_independent);
        const bool is_named = std::ranges::any_of(description.unread.settings, [](const model::UnreadEntry& entry) {
            return entry.name == "problem_type" && entry.is_said;
        });
        QCOMPARE(is_named, !has_head);
    }

    void wrongSettingsAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        const auto row = [](const char* name, const char* key, const QJsonValue& value) {
            QTest::addRow("%s %s %s", name, key, qPrintable(value.toVariant().toString())) << name << key << value;
        };
        row("llama", "model_type", "mamba");
        row("llama", "num_attention_heads", 0);
        row("llama", "num_attention_heads", -4);
        row("llama", "num_attention_heads", 1e18);
        row("llama", "num_key_value_heads", 3);
        row("llama", "hidden_size", 4e9);
        row("llama", "hidden_size", "32");
        row("llama", "num_hidden_layers", 1e9);
        row("llama", "rms_norm_eps", -1e-6);
        row("wav2vec2", "conv_stride", QJsonArray{2.5});
        row("bert", "layer_norm_eps", -1.0);
        row("t5", "layer_norm_epsilon", -1.0);
        row("deberta", "max_relative_positions", 2147483648.0);
        row("deberta_v2", "position_buckets", 2147483648.0);
        row("llama", "head_dim", 0);
        row("llama", "hidden_act", "xielu");
        row("llama", "rms_norm_eps", "small");
        row("gpt2", "activation_function", "snake");
        row("gpt2", "n_head", 5);
        row("gpt2", "add_cross_attention", true);
        row("bert", "num_attention_heads", 5);
        row("bert", "position_embedding_type", "relative_key");
        row("roberta", "pad_token_id", 500);
        row("gemma2", "layer_types", QJsonArray{"chunked_attention", "full_attention", "full_attention"});
        row("gemma2", "use_bidirectional_attention", true);
        row("gpt_oss", "num_experts_per_tok", 9);
        row("t5", "relative_attention_num_buckets", 1);
        row("longformer", "attention_window", 3);
        row("longformer", "attention_window", QJsonArray{4});
        row("longformer", "architectures", QJsonArray{"LongformerForSequenceClassification"});
        row("longt5", "encoder_attention_type", "transient-global");
        row("roformer", "rotary_value", true);
        row("deberta", "talking_head", true);
        row("phimoe", "num_experts_per_tok", 3);
        row("lfm2", "layer_types", QJsonArray{"conv", "mamba", "conv"});
        row("switch", "add_router_probs", true);
        row("vit", "patch_size", 64);
        row("gpt_neo", "is_causal", false);
        row("gptj", "rotary_dim", QJsonValue::Null); // of all numbers of a row
        row("llava_next_image", "image_grid_pinpoints", QJsonArray{QJsonArray{10, 24}});
        row("llava_next_image", "image_grid_pinpoints", QJsonArray{QJsonArray{12}});
        row("llava_next_image", "image_grid_pinpoints", QJsonArray{});
        row("llava_next_image", "vision_feature_select_strategy", "last");
        row("llava_onevision_image", "vision_aspect_ratio", "anyres");
        row("internvl_image", "downsample_ratio", 0.4);
        row("internvl_image", "vision_feature_layer", QJsonArray{0, 1});
        row("aya_vision_image", "vision_feature_layer", QJsonArray{0, 1});
        row("openai_gpt", "is_causal", false);
        row("xglm", "pad_token_id", 5);
        row("mt5", "scale_decoder_outputs", true);
        row("switch", "scale_decoder_outputs", true);
    }
    void wrongSettingsAreNamed() {
        QFETCH(QString, name);
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        const auto message = refusal(name, {{key, value}});
        QVERIFY2(message.contains(key), qPrintable(message));
    }

    /// With what is missing, and two lines of Python that show the attention all the same.
    void refusalsOfTypesNameTheCapture() {
        const auto files = model::open_weights(model_folder("llama"));
        for (const auto& [type, what] : {std::pair("mamba", "no attention"), std::pair("moonshine", "sound"),
                                         std::pair("imaginary", "no kind of model")}) {
            const auto text = changed_config("llama", {{"model_type", type}}).toStdString();
            const auto json = io::parse_json(text, "/models/mine/config.json");
            const auto message = error_of([&] { model::describe(model::Config(json.root()), *files); });
            QVERIFY2(message.contains(type) && message.contains(what), qPrintable(message));
            const auto lines = message.split('\n');
            QCOMPARE(lines.size(), 3);
            QVERIFY(lines[1].contains("from_pretrained(\"/models/mine\")"));
            QVERIFY(lines[2].contains("attnlab.capture(model, tokenizer=tokenizer)"));
        }
    }

    void typesOfLanguageModelsWithinOthers() {
        const auto message = refusal("llava", {{"text_config", QJsonObject{{"model_type", "mamba"}}}});
        QVERIFY2(message.contains("text_config.model_type") && message.contains("mamba"), qPrintable(message));
    }

    void theDocumentsNameEveryType() {
        const auto models = QString::fromUtf8(file_bytes(ATTNLAB_SOURCE_DIR "/docs/models.md"));
        const auto formats = QString::fromUtf8(file_bytes(ATTNLAB_SOURCE_DIR "/docs/file-formats.md"));
        const auto of_gguf = formats.mid(formats.indexOf("`general.architecture` is ")).section(". ", 0, 0);
        for (const auto& architecture : model::architectures()) {
            const auto type = QString::fromLatin1(architecture.type.data());
            QVERIFY2(models.contains('`' + type + '`'), qPrintable(type));
            QVERIFY2(of_gguf.contains(QString::fromLatin1(architecture.gguf.name.data())), qPrintable(type));
        }
    }

    /// T5 and its kin say in different ways whether logits are divided by the root of the width.
    void scaledLogits_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonObject>("changes");
        QTest::addColumn<bool>("is_scaled");
        const auto row = [](const char* name, const QJsonObject& changes, bool is_scaled) {
            QTest::addRow("%s %s", name, QJsonDocument(changes).toJson(QJsonDocument::Compact).constData())
                << name << changes << is_scaled;
        };
        for (const auto* name : {"t5", "umt5", "longt5"}) {
            row(name, {}, true);
            row(name, {{"tie_word_embeddings", true}}, true);
            row(name, {{"tie_word_embeddings", false}}, false);
            row(name, {{"scale_decoder_outputs", true}, {"tie_word_embeddings", false}}, true);
            row(name, {{"scale_decoder_outputs", false}}, false);
        }
        row("mt5", {}, false);
        row("switch", {}, true);
    }
    void scaledLogits() {
        QFETCH(QString, name);
        QFETCH(QJsonObject, changes);
        QFETCH(bool, is_scaled);
        const auto description = description_of(name, changes, {"scale_decoder_outputs", "tie_word_embeddings"});
        QCOMPARE(description.head->factor, is_scaled ? model::root_scale(description.decoder->width) : 1.0);
    }

    /// The function of the experts of Switch Transformers has a name of its own.
    void functionOfSwitchExperts() {
        const auto description = description_of("switch", {{"feed_forward_proj", "gelu"}}, {"dense_act_fn"});
        QCOMPARE(description.encoder->blocks.front().feed_forward.activation, model::find_activation("relu"));
    }

    void encodersThatAreNoDecoders() {
        for (const auto* name : {"layoutlm", "longformer"}) {
            const auto description = description_of(name, {{"is_decoder", true}});
            for (const auto& block : description.encoder->blocks)
                QVERIFY2(!block.self.causal, name);
        }
    }

    /// Transformers leaves the factors of the file out where the setting is not above 0.
    void factorsOfBeitNeedTheirSetting() {
        QVERIFY(refusal("beit", {}).isEmpty());
        const auto message = refusal("beit", {{"layer_scale_init_value", 0.0}});
        QVERIFY2(message.contains("lambda_1"), qPrintable(message));
    }

    void unknownScalingIsNamed() {
        const auto message = refusal("llama", {{"rope_parameters", QJsonObject{{"rope_type", "spiral"}}}});
        QVERIFY2(message.contains("rope_type") && message.contains("spiral"), qPrintable(message));
    }

    void shapesAreThoseOfTheConfiguration() {
        const auto message = refusal("llama", {{"intermediate_size", 49}});
        QVERIFY2(message.contains("model.layers.0.mlp.gate_proj.weight"), qPrintable(message));
        QVERIFY(refusal("llama", {}).isEmpty());
    }

    /// rope_theta and rope_scaling of older files are rope_parameters.
    void bothSpellingsOfRotarySettings() {
        const auto files = model::open_weights(model_folder("llama_yarn"));
        const auto described = [&](const QJsonObject& changes) {
            const auto json = io::parse_json(changed_config("llama_yarn", changes).toStdString(), "config.json");
            return *model::describe(model::Config(json.root()), *files).decoder->blocks.front().self.rotary;
        };
        const auto scaling = QJsonObject{{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}};
        const auto older =
            described({{"rope_parameters", QJsonValue::Null}, {"rope_theta", 10000.0}, {"rope_scaling", scaling}});
        QVERIFY(older == described({}));
        QVERIFY(!(described({{"rope_scaling", QJsonObject{{"type", "linear"}, {"factor", 4.0}}}}) == older));
    }
};

ATTNLAB_TEST(TestModelConfig)
#include "test_model_config.moc"
