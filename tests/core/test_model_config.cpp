#include "core/io/json.h"
#include "core/model/architectures.h"
#include "tests/core/io_support.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The configuration of a golden model with some settings changed; QJsonValue::Undefined takes one away.
QByteArray changed_config(const QString& name, const QJsonObject& changes) {
    QFile file(QString::fromStdString((model_folder(name.toStdString()) / "config.json").string()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto config = QJsonDocument::fromJson(file.readAll()).object();
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

} // namespace

/// Settings that are wrong, hostile or unknown end in an error that names them.
class TestModelConfig : public QObject {
    Q_OBJECT

private slots:
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
        for (const auto& [type, what] : {std::pair("mamba", "no attention"), std::pair("whisper", "sound"),
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
