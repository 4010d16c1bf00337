#include "core/io/json.h"
#include "core/model/architectures.h"
#include "core/model/gguf/gguf_names.h"
#include "core/model/model.h"
#include "tests/core/gguf_support.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The tensors of a folder, and some under further names.
class MoreWeights : public model::WeightFiles {
public:
    explicit MoreWeights(std::shared_ptr<const model::WeightFiles> files) : files_(std::move(files)) {}
    void add(const std::string& name, model::Weight weight) {
        weight.name = name;
        more_[name] = std::move(weight);
    }

    const model::Weight* find(std::string_view name) const override {
        read_.insert(std::string(name));
        return peek(name);
    }
    const model::Weight* peek(std::string_view name) const override {
        const auto found = more_.find(name);
        return found == more_.end() ? files_ ? files_->find(name) : nullptr : &found->second;
    }
    std::vector<std::string> names() const override {
        auto all = files_ ? files_->names() : std::vector<std::string>();
        for (const auto& [name, weight] : more_)
            all.push_back(name);
        return all;
    }
    std::vector<std::string> unread() const override {
        std::vector<std::string> left;
        for (const auto& [name, weight] : more_)
            if (!read_.contains(name))
                left.push_back(name);
        return left;
    }
    void check() const override {}
    const std::string& where() const override { return where_; }

private:
    std::shared_ptr<const model::WeightFiles> files_;
    std::map<std::string, model::Weight, std::less<>> more_;
    mutable std::set<std::string> read_;
    std::string where_ = "FOLDER";
};

std::string golden_config(const QString& name, const QJsonObject& changes) {
    QFile file(QString::fromStdString((model_folder(name.toStdString()) / "config.json").string()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto config = QJsonDocument::fromJson(file.readAll()).object();
    for (auto it = changes.begin(); it != changes.end(); ++it)
        config[it.key()] = it.value();
    return QJsonDocument(config).toJson().toStdString();
}

model::Description described(const QString& name, const QJsonObject& changes, const model::WeightFiles& files) {
    const auto json = io::parse_json(golden_config(name, changes), "config.json");
    return model::describe(model::Config(json.root()), files);
}

model::Description described(const QString& name, const QJsonObject& changes) {
    return described(name, changes, *model::open_weights(model_folder(name.toStdString())));
}

const model::UnreadEntry* entry_of(const std::vector<model::UnreadEntry>& entries, const QString& name) {
    for (const auto& one : entries)
        if (one.name == name.toStdString())
            return &one;
    return nullptr;
}

QString notes_of(const model::Unread& unread) {
    QStringList notes;
    for (const auto& note : unread.notes())
        notes << QString::fromStdString(note.english());
    return notes.join('\n');
}

PatchedGguf gguf_of(const QString& name) {
    return PatchedGguf(data_bytes(("gguf/models/" + name + "/model.gguf").toStdString()));
}

model::Model opened(const PatchedGguf& file) {
    const ModelFolder folder("m.gguf", file.result());
    return model::open_gguf_model(to_path(folder.path("m.gguf")));
}

QString refused(const PatchedGguf& file) {
    return error_of([&] { opened(file); });
}

/// Of the first block.
model::Rotary rotary_of(const PatchedGguf& file) {
    const auto model = opened(file);
    return *model.description().decoder->blocks.front().self.rotary;
}

std::vector<std::int64_t> windows_of(const model::Description& description) {
    std::vector<std::int64_t> windows;
    for (const auto& block : description.decoder->blocks)
        windows.push_back(block.self.window);
    return windows;
}

} // namespace

/// Every key and tensor of a model has an effect, is known to have none, is named, or is refused.
class TestUnread : public QObject {
    Q_OBJECT

private slots:
    void settingsOfAttentionAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        const auto row = [](const char* name, const char* key, const QJsonValue& value) {
            QTest::addRow("%s %s", name, key) << name << key << value;
        };
        row("llama", "attention_multiplier", 0.5);
        row("llama", "sliding_window", 4);
        row("llama", "clip_qkv", 8.0);
        row("llama", "qk_norm", true);
        row("llama", "no_rope_layers", QJsonArray{1, 0, 1});
        row("llama", "layer_types", QJsonArray{"full_attention", "sliding_attention", "full_attention"});
        row("llama", "per_layer_config", QJsonObject{{"0", QJsonObject{{"num_attention_heads", 2}}}});
        row("llama", "rope_interleaved", true);
        row("gpt2", "rope_theta", 10000.0);
        row("gpt2", "alibi", true);
        row("phi3", "attention_bias", true);
        row("bert", "use_bidirectional_attention", true);
        row("opt", "normalize_before", true);
        row("t5", "attention_chunk_size", 4);
        row("vit", "window_size", 7);
        row("mistral", "logits_scaling", 4.0);
        row("gemma2", "attn_logit_softcapping", 0.0);
    }
    void settingsOfAttentionAreRefused() {
        QFETCH(QString, name);
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        const auto said = error_of([&] { described(name, {{key, value}}); });
        QVERIFY2(said.contains("config.json") && said.contains("'" + key + "'"), qPrintable(said));
        QVERIFY(notes_of(described(name, {{key, QJsonValue::Null}}).unread).isEmpty());
    }

    void settingsWithinObjectsCount() {
        const auto with = [](QJsonObject more) {
            more["rope_type"] = "linear";
            more["factor"] = 2.0;
            return QJsonObject{{"rope_parameters", more}};
        };
        const auto said = error_of([&] { described("llama2", with({{"mrope_section", QJsonArray{1, 1, 2}}})); });
        QVERIFY2(said.contains("'rope_parameters.mrope_section': [1,1,2]"), qPrintable(said));
        const auto notes = notes_of(described("llama2", with({{"beta_fast", 4.0}})).unread);
        QVERIFY2(notes.contains("rope_parameters.beta_fast") && notes.contains("rope_type"), qPrintable(notes));
    }

    /// What published files have beside the settings of their type.
    void harmlessSettingsOpen_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonObject>("more");
        const QJsonObject of_base{{"_name_or_path", "a/b"},
                                  {"torch_dtype", "bfloat16"},
                                  {"task_specific_params", QJsonObject{{"text-generation", QJsonObject{{"top_k", 5}}}}},
                                  {"temperature", 0.7},
                                  {"num_beams", 4},
                                  {"output_attentions", true},
                                  {"chunk_size_feed_forward", 128},
                                  {"cross_attention_hidden_size", QJsonValue::Null},
                                  {"attention_probs_dropout_prob", 0.1},
                                  {"_attn_implementation_autoset", true},
                                  {"is_causal", true},
                                  {"pruned_heads", QJsonObject()},
                                  {"use_sliding_window", false},
                                  {"sliding_window_pattern", QJsonValue::Null},
                                  {"unsloth_version", "1"}};
        for (const auto* name : {"llama", "gpt2", "gpt_neox", "bert", "t5", "bart", "opt", "gemma2", "vit"})
            QTest::addRow("%s, base class", name) << name << of_base;
        QTest::newRow("llama from Qwen") << "llama"
                                         << QJsonObject{{"use_sliding_window", false},
                                                        {"sliding_window", 32768},
                                                        {"max_window_layers", 21}};
        QTest::newRow("SmolLM") << "llama" << QJsonObject{{"rope_interleaved", false}, {"is_llama_config", true}};
        QTest::newRow("Qwen") << "qwen2" << QJsonObject{{"sliding_window", 32768}, {"use_mrope", false}};
        QTest::newRow("Gemma 2") << "gemma2"
                                 << QJsonObject{{"hidden_act", "gelu"},
                                                {"cache_implementation", "hybrid"},
                                                {"sliding_window_size", 6}};
        QTest::newRow("GPT-2") << "gpt2" << QJsonObject{{"n_ctx", 1024}, {"head_dim", 8}, {"num_key_value_heads", 4}};
        QTest::newRow("Pythia") << "gpt_neox" << QJsonObject{{"rope_theta", 10000}, {"partial_rotary_factor", 0.25}};
        QTest::newRow("BERT") << "bert" << QJsonObject{{"pooler_num_attention_heads", 12}, {"directionality", "bidi"}};
        QTest::newRow("BART") << "bart"
                              << QJsonObject{{"num_hidden_layers", 2},
                                             {"extra_pos_embeddings", 2},
                                             {"normalize_embedding", true},
                                             {"static_position_embeddings", false}};
        QTest::newRow("Phi-4") << "phi3" << QJsonObject{{"full_attn_mod", 1}, {"interpolate_factor", 1}};
        QTest::newRow("T5") << "t5" << QJsonObject{{"n_positions", 512}, {"output_past", true}};
    }
    void harmlessSettingsOpen() {
        QFETCH(QString, name);
        QFETCH(QJsonObject, more);
        const auto description = described(name, more);
        QCOMPARE(notes_of(description.unread), QString());
        for (const auto& entry : description.unread.settings)
            QVERIFY2(entry.is_known(), entry.name.c_str());
    }

    void unknownSettingsAreNamed() {
        const auto unread = described("llama", {{"unheard_of", 3}, {"use_cache", true}}).unread;
        QCOMPARE(notes_of(unread), QString("config.json: 'unheard_of' is 3, which AttnLab does not read"));
        QVERIFY(!entry_of(unread.settings, "unheard_of")->is_known());
        QVERIFY(entry_of(unread.settings, "use_cache")->is_known());
        QVERIFY(!entry_of(unread.settings, "hidden_size"));
        const auto notes = notes_of(described("llama", {{"auto_map", QJsonObject{{"AutoModel", "x.Y"}}}}).unread);
        QVERIFY2(notes.contains("'auto_map'") && notes.contains("not run"), qPrintable(notes));
    }

    void modelsOfTheTestsSayOnlyWhatIsMeant_data() {
        QTest::addColumn<QString>("path");
        const QString data = ATTNLAB_TEST_DATA_DIR;
        for (const auto& folder : {data + "/models", data + "/gguf/models"})
            for (const auto& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
                QTest::newRow(qPrintable(folder.section('/', -2) + " " + name)) << folder + "/" + name;
                if (QFile::exists(folder + "/" + name + "/model.gguf"))
                    QTest::newRow(qPrintable(name + ".gguf")) << folder + "/" + name + "/model.gguf";
            }
    }
    void modelsOfTheTestsSayOnlyWhatIsMeant() {
        QFETCH(QString, path);
        static const QMap<QString, QString> said{{"jamba", "'layer_types': layers 0, 2 have no attention to show"},
                                                 {"lfm2", "'layer_types': layers 0, 2 have no attention to show"},
                                                 {"qwen3_next", "'layer_types': layers 0, 2 have no attention to show"},
                                                 {"layoutlm", "here all boxes are 0"},
                                                 {"led", "to read all others"},
                                                 {"longformer", "to read all others"},
                                                 {"vit_mae", "'mask_ratio': training hides"}};
        const QString a_part_alone = "_config': the part of the model for "; // images or text
        const auto model = model::Model::open(to_path(path));
        const QFileInfo file(path);
        const auto name = file.isDir() ? file.fileName() : file.dir().dirName();
        const auto notes = model.description().unread.notes();
        for (const auto& note : notes)
            QVERIFY2(QString::fromStdString(note.english()).contains(said.value(name, a_part_alone)),
                     note.english().c_str());
        QVERIFY(!notes.empty() || !said.contains(name));
    }

    void tensorsOfBlocksAreRefused_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("another block") << "model.layers.3.self_attn.q_proj.weight"
                                       << "refused";
        QTest::newRow("a gate") << "model.layers.0.self_attn.gate.weight"
                                << "refused";
        QTest::newRow("sinks") << "model.layers.1.self_attn.sinks"
                               << "refused";
        QTest::newRow("positions") << "model.embed_positions.weight"
                                   << "refused";
        QTest::newRow("a bias of the head") << "lm_head.bias"
                                            << "refused";
        QTest::newRow("frequencies") << "model.layers.0.self_attn.rotary_emb.inv_freq"
                                     << "known";
        QTest::newRow("a head for classes") << "score.weight"
                                            << "known";
        QTest::newRow("anything") << "extra.projector.weight"
                                  << "named";
    }
    void tensorsOfBlocksAreRefused() {
        QFETCH(QString, tensor);
        QFETCH(QString, verdict);
        MoreWeights files(model::open_weights(model_folder("llama")));
        files.add(tensor.toStdString(), files.at("model.norm.weight", {32}));
        if (verdict == "refused") {
            const auto said = error_of([&] { described("llama", {}, files); });
            QVERIFY2(said.contains("FOLDER") && said.contains("'" + tensor + "'"), qPrintable(said));
            return;
        }
        const auto unread = described("llama", {}, files).unread;
        QCOMPARE(entry_of(unread.tensors, tensor)->is_known(), verdict == "known");
        QCOMPARE(notes_of(unread).contains(tensor), verdict == "named");
    }

    void fewerBlocksThanTheFileHasAreRefused() {
        const auto said = error_of([] { described("llama", {{"num_hidden_layers", 2}}); });
        QVERIFY2(said.contains("model.layers.2."), qPrintable(said));
    }

    void decodersMayReadBothWays_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"llama", "mistral", "qwen2", "qwen3", "olmo2", "phi3", "gemma2", "gemma3", "gpt_oss",
                                 "gpt2", "gpt_neox", "opt", "t5", "bart"})
            QTest::newRow(name) << name;
    }
    void decodersMayReadBothWays() {
        QFETCH(QString, name);
        const auto causal = described(name, {{"is_causal", true}}), both = described(name, {{"is_causal", false}});
        for (std::size_t i = 0; i < causal.decoder->blocks.size(); ++i) {
            const auto &one = causal.decoder->blocks[i].self, &other = both.decoder->blocks[i].self;
            QVERIFY(one.causal && !other.causal);
            QCOMPARE(other.window, one.window > 0 ? one.window + 1 : 0); // inclusive then, as in Transformers
        }
        if (both.encoder)
            QVERIFY(!both.encoder->blocks.front().self.causal);
    }

    void mistralWithTypesOfLayersIsMinistral() {
        const QJsonArray types{"full_attention", "sliding_attention", "full_attention"};
        QCOMPARE(windows_of(described("mistral", {})), (std::vector<std::int64_t>{6, 6, 6}));
        QCOMPARE(windows_of(described("mistral", {{"layer_types", types}})), (std::vector<std::int64_t>{0, 6, 0}));
        QCOMPARE(windows_of(described("mistral", {{"model_type", "ministral"}, {"layer_types", types}})),
                 (std::vector<std::int64_t>{0, 6, 0}));
    }

    void ownEmbeddingsOfASideCount() {
        MoreWeights files(model::open_weights(model_folder("bart")));
        const auto* shared = files.find("model.shared.weight");
        QVERIFY(shared);
        files.add("model.encoder.embed_tokens.weight", *shared);
        const auto description = described("bart", {}, files);
        QCOMPARE(description.encoder->embedding.tokens->name, "model.encoder.embed_tokens.weight");
        QCOMPARE(description.decoder->embedding.tokens->name, "model.shared.weight");
        QCOMPARE(description.head->output.weight->name, "model.shared.weight");
    }

    void filesBesideTheModelAreNamed() {
        const ModelFolder folder;
        for (const auto& file : QDir(QString::fromStdString(model_folder("bart").string())).entryInfoList(QDir::Files))
            QVERIFY(QFile::copy(file.filePath(), folder.path(file.fileName())));
        folder.put("adapter_config.json", "{}");
        folder.put("generation_config.json", R"({"decoder_start_token_id": 5, "num_beams": 4})");
        const auto model = model::Model::open(to_path(folder.folder.path()));
        QCOMPARE(model.description().decoder_start, std::optional<std::int64_t>(2));
        const auto& unread = model.description().unread;
        QVERIFY(entry_of(unread.settings, "num_beams")->is_known());
        const auto notes = notes_of(unread);
        QVERIFY2(notes.contains("'decoder_start_token_id': config.json has 2") &&
                     notes.contains("'adapter_config.json': an adapter beside the model is not applied"),
                 qPrintable(notes));
    }

    void otherNamesOfSettingsCount() {
        QCOMPARE(described("gpt2", {{"num_attention_heads", 2}}).decoder->blocks.front().self.heads, 2);
        QCOMPARE(described("distilbert", {{"num_attention_heads", 2}}).encoder->blocks.front().self.heads, 2);
        QVERIFY(error_of([] { described("t5", {{"head_dim", 6}}); }).contains("SelfAttention.q.weight"));
    }

    void aTargetKeepsItsLastWord() {
        const auto model = model::Model::open(model_folder("bart"));
        QCOMPARE(model.shifted({6, 7, 8}), (std::vector<std::int64_t>{2, 6, 7, 8}));
        QCOMPARE(model.shifted({6, 7, 2}), (std::vector<std::int64_t>{2, 6, 7}));
        QCOMPARE(model.shifted({}), (std::vector<std::int64_t>{2}));
    }

    void keysOfGgufAreRefused_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<double>("value");
        for (const auto* key : {"attention.scale", "attention.clamp_kqv", "attention.max_alibi_bias",
                                "attention.temperature_scale", "attention.output_scale", "attention.sliding_window",
                                "attention.shared_kv_layers", "logit_scale", "residual_scale", "embedding_scale",
                                "rope.freq_base_swa", "rope.dimension_count_swa", "rope.scaling.alpha",
                                "rope.scaling.yarn_beta_fast", "attention.key_length_swa", "full_attention_interval"})
            QTest::newRow(key) << QByteArray(key) << 3.5;
    }
    void keysOfGgufAreRefused() {
        QFETCH(QByteArray, key);
        QFETCH(double, value);
        for (const auto* name : {"qwen2", "gpt2", "bert"}) {
            auto file = gguf_of(name), neutral = gguf_of(name);
            const auto full = QByteArray(name) + "." + key;
            file.add(full, static_cast<float>(value));
            const auto said = refused(file);
            QVERIFY2(said.contains(QString::fromLatin1("'" + full + "'")), qPrintable(said));
            if (key == "rope.freq_base_swa" || key == "rope.scaling.yarn_beta_fast")
                continue;
            neutral.add(full, 0.0F);
            QCOMPARE(notes_of(opened(neutral).description().unread), QString());
        }
    }

    void keysOfGgufThatDoNotMatterAreListed() {
        auto file = gguf_of("qwen2");
        file.add("general.author", "x");
        file.add("qwen2.rope.scaling.finetuned", true);
        file.add("tokenizer.ggml.padding_token_id", 3);
        file.add("qwen2.novelty", 3);
        const auto model = opened(file);
        const auto& unread = model.description().unread;
        for (const auto* key : {"general.author", "qwen2.rope.scaling.finetuned", "tokenizer.ggml.padding_token_id"})
            QVERIFY(entry_of(unread.settings, key)->is_known());
        QVERIFY(notes_of(unread).endsWith("'qwen2.novelty' is 3, which AttnLab does not read"));
        QVERIFY(!entry_of(unread.settings, "qwen2.block_count"));
    }

    void ggufMayReadBothWays() {
        for (const auto* name : {"gemma", "gpt2", "llama", "olmo2", "phi3", "qwen2", "qwen3"}) {
            auto file = gguf_of(name);
            file.add(QByteArray(name) + ".attention.causal", false);
            const auto model = opened(file);
            for (const auto& block : model.description().decoder->blocks)
                QVERIFY2(!block.self.causal, name);
        }
        auto neox = gguf_of("gpt_neox");
        neox.add("gptneox.attention.causal", false);
        QVERIFY(!opened(neox).description().decoder->blocks.front().self.causal);
    }

    void scalingsOfGguf() {
        const auto with = [](const QString& name, const QByteArray& prefix, auto... pairs) {
            auto file = gguf_of(name);
            (file.add(prefix + pairs.first, pairs.second), ...);
            return rotary_of(file);
        };
        const auto qwen = [&](auto... pairs) { return with("qwen2", "qwen2.rope.", pairs...); };
        using std::pair;
        const auto plain = qwen(), linear = qwen(pair("scaling.type", "linear"), pair("scaling.factor", 4.0F));
        QCOMPARE(linear.frequencies.front(), plain.frequencies.front() / 4.0F);
        QVERIFY(qwen(pair("scaling.factor", 4.0F)) == linear);
        QVERIFY(qwen(pair("scale_linear", 4.0F)) == linear);
        QVERIFY(qwen(pair("scaling.type", "none"), pair("scaling.factor", 4.0F)) == plain);
        const auto neox = with("gpt_neox", "gptneox.rope.", pair("scaling.factor", 4.0F));
        QCOMPARE(neox.frequencies.front(), with("gpt_neox", "gptneox.rope.").frequencies.front() / 4.0F);

        const auto yarn = [&](auto... pairs) {
            return qwen(pair("scaling.type", "yarn"), pair("scaling.factor", 4.0F),
                        pair("scaling.original_context_length", 8), pairs...);
        };
        const double grown = 0.1 * std::log(4.0) + 1.0;
        QCOMPARE(yarn().factor, grown);
        QCOMPARE(yarn(pair("scaling.attn_factor", 0.5F)).factor, 0.5 * grown);
        QVERIFY(yarn(pair("scaling.yarn_beta_fast", 32.0F), pair("scaling.yarn_beta_slow", 1.0F)) == yarn());
        QCOMPARE(qwen(pair("scaling.factor", 4.0F), pair("scaling.attn_factor", 0.5F)).factor, 0.5);

        auto part = gguf_of("qwen2"), longrope = gguf_of("qwen2");
        part.rename("qwen2.rope.dimension_count", "qwen2.rope.dimension_counX");
        part.add("qwen2.rope.dimension_count", 2);
        QVERIFY(refused(part).contains("'qwen2.rope.dimension_count' is 2, expected 4"));
        longrope.add("qwen2.rope.scaling.type", "longrope");
        QVERIFY(refused(longrope).contains("rope_factors_short.weight"));
    }

    /// llama.cpp does not read the first four for Qwen 2, and has rules of its own for the others.
    void settingsThatLlamaCppReadsOtherwiseAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("scaling");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, const char* scaling, const char* key, double value) {
            QTest::addRow("%s %s %s", name, scaling, key) << name << QByteArray(scaling) << QByteArray(key) << value;
        };
        row("qwen2", "yarn", "qwen2.rope.scaling.yarn_attn_factor", 1.5);
        row("qwen2", "yarn", "qwen2.rope.scaling.yarn_ext_factor", 0.5);
        row("qwen2", "yarn", "qwen2.rope.scaling.yarn_log_multiplier", 0.5);
        row("qwen2", "yarn", "qwen2.rope.scaling.yarn_beta_fast", 4.0);
        row("qwen2", "yarn", "qwen2.rope.scaling.yarn_beta_slow", 2.0);
        row("qwen2", "", "qwen2.rope.scaling.yarn_attn_factor", 1.5);
        row("deepseek2_lite", "", "deepseek2.rope.scaling.attn_factor", 0.5);
        row("deepseek2_lite", "", "deepseek2.rope.scaling.factor", 4.0);
        row("deepseek2_lite", "", "deepseek2.rope.scale_linear", 4.0);
        row("deepseek2_lite", "yarn", "deepseek2.rope.scaling.yarn_log_multiplier", 0.0);
        row("modernbert", "", "modern-bert.rope.scaling.factor", 4.0);
        row("modernbert", "", "modern-bert.rope.scale_linear", 4.0);
        row("granite", "", "granite.rope.scaling.finetuned", 0.0);
        row("phi3_long", "", "phi3.rope.scaling.factor", 4.0);
        row("phi3_long", "", "phi3.rope.scale_linear", 4.0);
        row("gemma2", "", "gemma2.attention.causal", 0.0);
        row("gemma3", "", "gemma3.attention.causal", 0.0);
        row("gpt_oss", "", "gpt-oss.attention.causal", 0.0);
        row("bloom", "", "bloom.attention.causal", 0.0);
        row("mpt", "", "mpt.attention.causal", 0.0);
        row("lfm2", "", "lfm2.attention.causal", 0.0);
        row("bert", "", "bert.attention.causal", 1.0);
    }
    void settingsThatLlamaCppReadsOtherwiseAreRefused() {
        QFETCH(QString, name);
        QFETCH(QByteArray, scaling);
        QFETCH(QByteArray, key);
        QFETCH(double, value);
        auto file = gguf_of(name);
        if (!scaling.isEmpty()) {
            const auto prefix = key.left(key.indexOf('.'));
            file.add(prefix + ".rope.scaling.type", scaling.constData());
            file.add(prefix + ".rope.scaling.factor", 4.0F);
            file.add(prefix + ".rope.scaling.original_context_length", 8);
        }
        if (key.endsWith("finetuned") || key.endsWith("causal"))
            file.add(key, value != 0.0);
        else
            file.add(key, static_cast<float>(value));
        const auto said = refused(file);
        QVERIFY2(said.contains(QString::fromLatin1("'" + key + "'")), qPrintable(said));
    }

    void yarnThatIsDividedOtherwiseIsRefused_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("original");
        QTest::addColumn<double>("base");
        QTest::addColumn<QString>("message"); ///< empty: is read
        QTest::newRow("usual") << 4.0 << 4096 << 10000.0 << QString();
        QTest::newRow("smallest factor") << 1.0 << 4096 << 10000.0 << QString();
        QTest::newRow("smallest length") << 4.0 << 7 << 10000.0 << QString();
        QTest::newRow("small base") << 4.0 << 4096 << 4.6 << QString();
        QTest::newRow("factor") << 0.5 << 4096 << 10000.0
                                << "'qwen2.rope.scaling.factor' is 0.5, expected 1 or more with YaRN";
        QTest::newRow("length") << 4.0 << 6 << 10000.0
                                << "'qwen2.rope.scaling.original_context_length' is 6, expected 7 or more with YaRN";
        QTest::newRow("base") << 4.0 << 4096 << 3.0
                              << "'qwen2.rope.freq_base' is 3, expected a number above 4.52 with YaRN";
        QTest::newRow("base of 1") << 4.0 << 16 << 1.0
                                   << "'qwen2.rope.freq_base' is 1, expected a number above 1 with YaRN";
    }
    /// llama.cpp divides the pairs otherwise than Transformers where its ramp ends outside of them.
    void yarnThatIsDividedOtherwiseIsRefused() {
        QFETCH(double, factor);
        QFETCH(int, original);
        QFETCH(double, base);
        QFETCH(QString, message);
        auto file = gguf_of("qwen2");
        file.rename("qwen2.rope.freq_base", "general.xxxxxxxxxxxx");
        file.add("qwen2.rope.freq_base", static_cast<float>(base));
        file.add("qwen2.rope.scaling.type", "yarn");
        file.add("qwen2.rope.scaling.factor", static_cast<float>(factor));
        file.add("qwen2.rope.scaling.original_context_length", original);
        const auto said = refused(file);
        QVERIFY2(message.isEmpty() ? said.isEmpty() : said.contains(message), qPrintable(said));
    }

    /// The published gpt-oss does not; Transformers has `truncate` for it.
    void yarnOfGptOssIsRounded() {
        auto file = gguf_of("gpt_oss");
        for (const auto* key : {"gpt-oss.rope.scaling.original_context_length", "gpt-oss.rope.freq_base"})
            file.rename(key, "general." + QByteArray(QByteArray(key).size() - 8, 'x'));
        file.add("gpt-oss.rope.freq_base", 10.0F);
        file.add("gpt-oss.rope.scaling.original_context_length", 100);
        const auto model = opened(file);
        const auto& rotary = *model.description().decoder->blocks.back().self.rotary;
        QCOMPARE(rotary.frequencies.front(), 1.0F); // the ramp from 0 ...
        QCOMPARE(rotary.frequencies.back(), std::pow(10.0F, -0.5F) * (0.25F + 0.75F * 2.0F / 3.0F)); // ... to 3
    }

    /// llama.cpp chooses the factors by its context, whose size is a multiple of 256.
    void factorsOfLongTextsAreThoseOfAContext_data() {
        QTest::addColumn<int>("original"); ///< 0: no key
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("longest"); ///< text with the short factors
        QTest::newRow("both") << 512 << 1024 << 512;
        QTest::newRow("no multiple") << 600 << 1024 << 512;
        QTest::newRow("no key") << 0 << 1024 << 1024;
        QTest::newRow("less than a context") << 8 << 1024 << 0;
        QTest::newRow("small context") << 0 << 32 << 0;
    }
    void factorsOfLongTextsAreThoseOfAContext() {
        QFETCH(int, original);
        QFETCH(int, context);
        QFETCH(int, longest);
        auto file = gguf_of("phi3_long");
        for (const auto* key : {"phi3.rope.scaling.original_context_length", "phi3.context_length"})
            file.rename(key, "general." + QByteArray(QByteArray(key).size() - 8, 'x'));
        if (original > 0)
            file.add("phi3.rope.scaling.original_context_length", original);
        file.add("phi3.context_length", context);
        const auto rotary = rotary_of(file);
        const auto second = [&](int length) { return rotary.frequencies_for(length)[1] * 100.0F; }; // base^(1/2)
        if (longest > 0)
            QVERIFY(std::abs(second(longest) - 1.0F / 1.5F) < 1e-6F);
        QVERIFY(std::abs(second(longest + 1) - 0.25F) < 1e-6F);
    }

    void windowsOfPhi3AreNamed() {
        auto file = gguf_of("phi3");
        file.add("phi3.attention.sliding_window", 3);
        const auto model = opened(file);
        QCOMPARE(windows_of(model.description()), (std::vector<std::int64_t>{0, 0}));
        QVERIFY(notes_of(model.description().unread).contains("'phi3.attention.sliding_window': llama.cpp computes"));
    }

    void groupsOfExpertsCountByTheirTwoBest() {
        for (const auto gating : {1, 2}) { // softmax and sigmoid
            auto file = gguf_of(gating == 1 ? "deepseek2_lite" : "deepseek3");
            if (gating == 1) {
                file.add("deepseek2.expert_group_count", 4);
                file.add("deepseek2.expert_group_used_count", 2);
            }
            const auto model = opened(file);
            const auto& experts = *model.description().decoder->blocks.back().feed_forward.routed_experts;
            QCOMPARE(experts.groups, std::int64_t{4});
            QVERIFY(experts.groups_by_two);
        }
    }

    void headsAreExpectedAsByLlamaCpp_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_needed");
        for (const auto* name :
             {"apertus", "gpt_neox", "gpt_oss", "nemotron", "olmo2", "olmoe", "phi", "qwen2_moe", "stablelm"})
            QTest::newRow(name) << name << true;
        for (const auto* name : {"deepseek3", "glm4", "granite", "llama", "mixtral", "olmo", "phi3", "qwen3_moe"})
            QTest::newRow(name) << name << false;
    }
    /// Without a head of its own, a model has the embedding, or is refused.
    void headsAreExpectedAsByLlamaCpp() {
        QFETCH(QString, name);
        QFETCH(bool, is_needed);
        auto file = gguf_of(name);
        const QByteArray length("\x0d\0\0\0\0\0\0\0", 8); // of this name, and not of attn_output.weight
        file.rename(length + "output.weight", length + "outpuX.weight");
        const auto said = refused(file);
        QVERIFY2(said.contains("has no tensor 'output.weight', which llama.cpp expects of") == is_needed,
                 qPrintable(said));
    }

    void otherTextsAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("message"); ///< empty: is read
        QTest::newRow("relu") << "modernbert" << QByteArray("modern-bert.hidden_activation") << QByteArray("relu")
                              << "'modern-bert.hidden_activation' is 'relu', expected gelu, silu";
        QTest::newRow("silu") << "modernbert" << QByteArray("modern-bert.hidden_activation") << QByteArray("silu")
                              << QString();
        QTest::newRow("yarn") << "phi3" << QByteArray("phi3.rope.scaling.type") << QByteArray("yarn")
                              << "'phi3.rope.scaling.type' is 'yarn', expected none, linear, longrope";
        QTest::newRow("none") << "gpt_oss" << QByteArray("gpt-oss.rope.scaling.type") << QByteArray("none")
                              << "'gpt-oss.rope.scaling.type' is 'none', expected linear, yarn";
    }
    void otherTextsAreRefused() {
        QFETCH(QString, name);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(QString, message);
        auto file = gguf_of(name);
        if (key.startsWith("gpt-oss")) // has one
            file.rename(key, "general." + QByteArray(key.size() - 8, 'x'));
        file.add(key, value.constData());
        const auto said = refused(file);
        QVERIFY2(message.isEmpty() ? said.isEmpty() : said.contains(message), qPrintable(said));
    }

    void partsOfHeadsAreTurnedAsTheFileSays_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<int>("width");
        QTest::newRow("nemotron") << "nemotron" << QByteArray("nemotron") << 4;
        QTest::newRow("phi2") << "phi" << QByteArray("phi2") << 4;
        QTest::newRow("glm4") << "glm4" << QByteArray("glm4") << 4;
        QTest::newRow("chatglm") << "glm" << QByteArray("chatglm") << 128;
        QTest::newRow("stablelm") << "stablelm" << QByteArray("stablelm") << 4;
        QTest::newRow("gptneox") << "gpt_neox" << QByteArray("gptneox") << 4;
        QTest::newRow("phi3") << "phi3" << QByteArray("phi3") << 4;
        QTest::newRow("glm4moe") << "glm4_moe" << QByteArray("glm4moe") << 8;
    }
    /// The whole head without the key, too, whatever the default of Transformers is.
    void partsOfHeadsAreTurnedAsTheFileSays() {
        QFETCH(QString, name);
        QFETCH(QByteArray, prefix);
        QFETCH(int, width);
        const auto key = prefix + ".rope.dimension_count";
        for (const int turned : {0, width, width / 2}) {
            auto file = gguf_of(name);
            file.rename(key, "general" + QByteArray(key.size() - 7, 'x'));
            if (turned > 0)
                file.add(key, turned);
            QCOMPARE(rotary_of(file).width, turned > 0 ? turned : width);
        }
    }

    /// Where a file lacks a factor or has 0 there, llama.cpp has none.
    void missingFactorsAreThoseOfLlamaCpp() {
        const auto with = [](const QString& name, const QByteArray& key, std::optional<float> value) {
            auto file = gguf_of(name);
            file.rename(key, "general" + QByteArray(key.size() - 7, 'x'));
            if (value)
                file.add(key, *value);
            return opened(file);
        };
        for (const std::optional<float> value : {std::optional<float>(), std::optional(0.0F)}) {
            for (const QByteArray name : {"granite", "granitemoe"}) {
                const auto scaled = with(name, name + ".attention.scale", value);
                QCOMPARE(scaled.description().decoder->blocks.front().self.scale, 0.5); // heads have 4 numbers
                const auto embedded = with(name, name + ".embedding_scale", value);
                QCOMPARE(embedded.description().decoder->embedding.factor, 1.0);
                const auto added = with(name, name + ".residual_scale", value);
                QCOMPARE(added.description().decoder->blocks.front().self_norms.factor, 1.0);
                const auto scored = with(name, name + ".logit_scale", value);
                QCOMPARE(scored.description().head->factor, 1.0);
            }
            const auto cohere = with("cohere", "command-r.logit_scale", value);
            QCOMPARE(cohere.description().head->factor, 1.0);
        }
        auto plain = gguf_of("phi3_long");
        plain.rename("phi3.rope.scaling.attn_factor", "general.xxxxx.xxxxxxx.xxxxxxx");
        QCOMPARE(rotary_of(plain).factor, 1.0);
    }

    /// Files with experts alone need not say how wide other layers are.
    void widthsOfExpertsAreEnough() {
        for (const auto& [name, prefix] : {std::pair("gpt_oss", "gpt-oss"), std::pair("qwen3_moe", "qwen3moe")}) {
            auto file = gguf_of(name);
            const auto key = QByteArray(prefix) + ".feed_forward_length";
            file.rename(key, "general." + QByteArray(key.size() - 8, 'x'));
            QCOMPARE(refused(file), QString());
        }
    }

    void gemma3WithoutAWidthHasNoWindows() {
        auto file = gguf_of("gemma3");
        QVERIFY(windows_of(opened(file).description()).front() > 0);
        file.rename("gemma3.attention.sliding_window", "general.xxxxxxxxx.xxxxxxxxxxxxx");
        const auto model = opened(file);
        for (const auto& block : model.description().decoder->blocks) {
            QCOMPARE(block.self.window, std::int64_t{0});
            QVERIFY(*block.self.rotary == *model.description().decoder->blocks.back().self.rotary);
        }
    }

    void normsOfDeepseekHaveTheEpsilonOfTheFile() {
        auto file = gguf_of("deepseek2_lite");
        file.rename("deepseek2.attention.layer_norm_rms_epsilon", "general.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        file.add("deepseek2.attention.layer_norm_rms_epsilon", 0.5F);
        const auto model = opened(file);
        for (const auto& block : model.description().decoder->blocks)
            QCOMPARE(block.self.latent->norm->epsilon, 0.5);
    }

    void olmoWithWindowsIsOlmo3() {
        auto file = gguf_of("olmo2");
        file.add("olmo2.attention.sliding_window", 3);
        file.add("olmo2.attention.sliding_window_pattern", std::vector<qint32>{1, 0});
        file.add("olmo2.rope.scaling.factor", 4.0F);
        const auto model = opened(file);
        const auto& description = model.description();
        QCOMPARE(description.type, "olmo3");
        QCOMPARE(windows_of(description), (std::vector<std::int64_t>{3, 0}));
        const auto& sliding = *description.decoder->blocks[0].self.rotary;
        const auto& full = *description.decoder->blocks[1].self.rotary;
        QCOMPARE(full.frequencies.front(), sliding.frequencies.front() / 4.0F);
        QCOMPARE(sliding.frequencies.front(), 1.0F);
        auto yarn = gguf_of("olmo2");
        yarn.add("olmo2.rope.scaling.type", "yarn");
        yarn.add("olmo2.rope.scaling.factor", 4.0F);
        yarn.add("olmo2.rope.scaling.original_context_length", 8);
        yarn.add("olmo2.rope.scaling.attn_factor", 1.25F);
        QCOMPARE(rotary_of(yarn).factor, 1.25 * (0.1 * std::log(4.0) + 1.0)); // llama.cpp multiplies both
        auto by_default = gguf_of("olmo2");
        by_default.add("olmo2.attention.sliding_window", 3);
        QCOMPARE(windows_of(opened(by_default).description()),
                 (std::vector<std::int64_t>{3, 3})); // every fourth is full
    }

    void arraysOfEqualNumbersAreOne() {
        for (const auto* key : {"attention.head_count_kv", "feed_forward_length", "attention.head_count"}) {
            const auto full = QByteArray("qwen2.") + key;
            auto other = full;
            other.back() = 'X';
            const auto with = [&](const std::vector<qint32>& values) {
                auto file = gguf_of("qwen2");
                file.rename(full, other);
                file.add(full, values);
                return file;
            };
            const auto number = full.endsWith("kv") ? 2 : full.endsWith("count") ? 4 : 12;
            const auto said = refused(with({number, number}));
            QVERIFY2(said.isEmpty() || said.contains("X'"), qPrintable(said)); // of the key that took its place
            QVERIFY(refused(with({number, number + 1})).contains(QString::fromLatin1(full)));
        }
    }

    void biasesOfGgufCountOneByOne() {
        auto file = gguf_of("llama_yarn");
        file.add_tensor("blk.0.attn_output.bias", {8}, std::vector<float>(8, 0.5F));
        file.add_tensor("blk.1.attn_k.bias", {8}, std::vector<float>(8, 0.25F));
        file.add_tensor("blk.1.ffn_down.bias", {8}, std::vector<float>(8, 2.0F));
        const auto model = opened(file);
        const auto& blocks = model.description().decoder->blocks;
        QVERIFY(blocks[0].self.output.bias && !blocks[1].self.output.bias && !blocks[0].self.key.bias);
        QVERIFY(blocks[1].self.key.bias && blocks[1].feed_forward.down.bias && !blocks[1].feed_forward.up.bias);
        QCOMPARE(all_of(*blocks[1].feed_forward.down.bias), std::vector<float>(8, 2.0F));
    }

    void tensorsOfGgufAreAllNeeded() {
        for (const auto* tensor : {"blk.0.attn_sinks", "blk.2.attn_norm.weight", "output.bias", "blk.0.attn_q.scale",
                                   "token_embd_norm.weight", "anything.weight"}) {
            auto file = gguf_of("qwen2");
            file.add_tensor(tensor, {8}, std::vector<float>(8, 1.0F));
            const auto said = refused(file);
            QVERIFY2(said.contains(QString("'%1'").arg(tensor)), qPrintable(said));
        }
    }

    void fusedMatricesOfGgufAreParted() {
        std::vector<float> numbers(8 * 4);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<float>(i);
        model::Weight whole;
        whole.where = "m.gguf: blk.0.attn_qkv.weight";
        whole.shape = {8, 4}; // two heads of 2 queries, one of keys
        whole.bytes = std::as_bytes(std::span(numbers));
        const auto files = std::make_shared<MoreWeights>(nullptr);
        files->add("blk.0.attn_qkv.weight", whole);
        whole.shape = {8};
        whole.bytes = whole.bytes.first(8 * sizeof(float));
        files->add("blk.0.attn_qkv.bias", whole);
        model::GgufMetadata metadata("m.gguf");
        metadata.add("general.architecture", {std::string("qwen2")});
        const auto& architecture = model::gguf_architecture(metadata).gguf;
        const model::RenamedWeights weights(files, architecture, {2, 1, 2});
        const auto first_of = [&](const char* part) {
            return all_of(weights.at(std::string("model.layers.0.self_attn.") + part + ".weight",
                                     {part[0] == 'q' ? 4 : 2, 4}))
                .front();
        };
        QCOMPARE(weights.unread().size(), std::size_t{2});
        QCOMPARE(first_of("q_proj"), 0.0F);
        QCOMPARE(first_of("k_proj"), 16.0F);
        QCOMPARE(first_of("v_proj"), 24.0F);
        QCOMPARE(all_of(weights.at("model.layers.0.self_attn.v_proj.bias", {2})), (std::vector<float>{6, 7}));
        QVERIFY(weights.unread().empty());
        const auto said = error_of([&] { model::RenamedWeights(files, architecture, {2, 2, 2}); });
        QVERIFY2(said.contains("blk.0.attn_qkv.weight") && said.contains("12 rows"), qPrintable(said));
    }
};

ATTNLAB_TEST(TestUnread)
#include "test_unread.moc"
