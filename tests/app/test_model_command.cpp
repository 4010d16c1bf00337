// attnlab model, started as a user starts it: arrays, figures, exit codes, messages.
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/model/text_embedding.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace attnlab;

namespace {

QString modelFolder(const QString& name) { return QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/") + name; }

test::Outcome startModel(const QString& name, const QStringList& arguments) {
    return test::start(QStringList{"model", modelFolder(name)} + arguments);
}

QJsonArray goldenCases() {
    QFile file(modelFolder("cases.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

QJsonObject json(const test::Outcome& outcome) { return QJsonDocument::fromJson(outcome.out.toUtf8()).object(); }

/// As a part of the largest number, except of weights.
double largestDifference(const Tensor& values, const Tensor& expected, bool relative) {
    double worst = 0.0, largest = 0.0;
    for (std::int64_t i = 0; i < expected.size(); ++i) {
        const double off = std::abs(values.value(i) - expected.value(i));
        worst = off <= worst ? worst : off;
        largest = std::max(largest, std::abs(expected.value(i)));
    }
    return relative && largest > 0.0 ? worst / largest : worst;
}

} // namespace

class TestModelCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void infoListsWhatIsNotRead() {
        const auto text = test::start({"info", modelFolder("bert")});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.out.contains("architecture  bert") && text.out.contains("3 layers x 4 heads") &&
                     text.out.contains("attention_probs_dropout_prob") && text.out.contains("counts in training alone"),
                 qPrintable(text.out));
        const auto info = json(test::start({"info", modelFolder("bert"), "--json"}));
        const auto run = json(startModel("bert", {"--ids", "3,4,5", "--json"}));
        QVERIFY(!info["unread_settings"].toArray().isEmpty());
        for (const auto* key : {"notes", "unread_settings", "unread_tensors"})
            QCOMPARE(run[QLatin1String(key)], info[QLatin1String(key)]);
        QVERIFY(info["notes"].toArray().isEmpty());
        for (const auto& entry : info["unread_settings"].toArray())
            QVERIFY(entry.toObject()["name"].isString() && entry.toObject()["why"].isString());
        const auto idle = test::start({"info", modelFolder("bert"), "--set", "num_heads=2"});
        QCOMPARE(idle.code, 2);
        QVERIFY2(idle.error.contains("--set: has no effect on a model"), qPrintable(idle.error));
    }

    void writesEveryArray_data() {
        QTest::addColumn<QJsonObject>("example");
        const auto cases = goldenCases();
        QVERIFY(!cases.isEmpty());
        for (const auto& example : cases)
            QTest::newRow(qPrintable(example.toObject()[QStringLiteral("name")].toString())) << example.toObject();
    }
    void writesEveryArray() {
        QFETCH(QJsonObject, example);
        const auto name = example["name"].toString(), out = folder_.filePath(name + ".npz");
        QStringList arguments{"--out", out};
        if (example.contains("image"))
            arguments << "--image" << modelFolder(name) + u'/' + example["image"].toString();
        else
            arguments << "--text" << example["text"].toString();
        for (const auto* option : {"pair", "target"})
            if (example.contains(QLatin1String(option)))
                arguments << "--" + QString::fromLatin1(option) << example[QLatin1String(option)].toString();
        const auto outcome = startModel(name, arguments);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto written = io::read_npz(out.toStdString(), {}, io::Members::All).tensors;
        const auto expected =
            io::read_npz((modelFolder(name) + "/expected.npz").toStdString(), {}, io::Members::All).tensors;
        if (std::ranges::any_of(expected, [](const auto& one) { return one.first.ends_with(".query"); }))
            QCOMPARE(written.size(), expected.size());
        for (const auto& [array, values] : expected) {
            const auto found = written.find(array);
            QVERIFY2(found != written.end(), array.c_str());
            QCOMPARE(found->second.shape(), values.shape());
            const bool exact = array.ends_with("input_ids"), are_weights = array.ends_with(".weights");
            const double off = largestDifference(found->second, values, !are_weights);
            QVERIFY2(off <= (exact ? 0.0 : are_weights ? 2e-5 : 1e-4), array.c_str());
        }
    }

    void keepsWhatIsAskedFor() {
        const auto out = folder_.filePath("kept.safetensors");
        QCOMPARE(startModel("gpt2", {"--ids", "5,6,7", "--keep", "weights", "--out", out}).code, 0);
        const auto outcome = test::start({"info", out});
        QVERIFY(outcome.out.contains("decoder.2.self.weights"));
        QVERIFY(!outcome.out.contains("query") && !outcome.out.contains("logits"));
    }

    void printsFigures() {
        const auto outcome = startModel("gpt_oss", {"--text", "the fox the fox", "--json"});
        QCOMPARE(outcome.code, 0);
        const auto json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        QCOMPARE(json["next"].toArray().size(), 5);
        QVERIFY(!json["tokens"].toArray().isEmpty());
        QCOMPARE(json["heads"].toArray().size(), 8);
        for (const auto& head : json["heads"].toArray())
            for (const auto* figure :
                 {"max_weight", "previous", "first", "diagonal", "same_token", "induction", "sink"})
                QVERIFY(head[QLatin1String(figure)].toDouble(-1.0) >= 0.0 &&
                        head[QLatin1String(figure)].toDouble() <= 1.0);
    }

    void printsASummary() {
        const auto outcome = startModel("gpt2", {"--text", "the fox"});
        QCOMPARE(outcome.code, 0);
        for (const auto* word : {"gpt2", "3 layers x 4 heads", "likeliest next tokens", "entropy"})
            QVERIFY2(outcome.out.contains(QLatin1String(word)), word);
    }

    /// Everything that is written in bfloat16 is marked; in float32 nothing is.
    void computesInBfloat16() {
        const QStringList text{"--text", "the fox the fox"}, rounded{"--precision", "bfloat16"};
        const auto plain = startModel("gpt2", text + QStringList{"--json"});
        const auto outcome = startModel("gpt2", text + rounded + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto before = QJsonDocument::fromJson(plain.out.toUtf8()).object(),
                   json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        QCOMPARE(before["precision"].toString(), QStringLiteral("float32"));
        QCOMPARE(json["precision"].toString(), QStringLiteral("bfloat16"));
        QVERIFY(before["notes"].toArray().isEmpty());
        QVERIFY(json["notes"].toArray().size() >= 2);
        QVERIFY(before["heads"] != json["heads"]);
        QCOMPARE(startModel("gpt2", text + QStringList{"--precision", "float32", "--json"}).out, plain.out);
        const auto summary = startModel("gpt2", text + rounded);
        QVERIFY2(summary.out.contains("precision     bfloat16\n") &&
                     summary.out.contains("note: Products with weights are computed in bfloat16"),
                 qPrintable(summary.out));
        const auto page = folder_.filePath("rounded.html"), arrays = folder_.filePath("rounded.npz");
        QCOMPARE(startModel("gpt2", text + rounded + QStringList{"--out", page}).code, 0);
        QFile html(page);
        QVERIFY(html.open(QIODevice::ReadOnly) && html.readAll().contains("decoder.0.self · bfloat16"));
        QCOMPARE(startModel("gpt2", text + rounded + QStringList{"--out", arrays}).code, 0);
        const auto archive = io::read_npz(arrays.toStdString(), {}, io::Members::All, io::OtherTypes::Name);
        const auto about = QJsonDocument::fromJson(QByteArray::fromStdString(archive.others.at("about.json"))).object();
        QCOMPARE(about["settings"]["precision"].toString(), QStringLiteral("bfloat16"));
    }

    void switchesHeadsOff() {
        const auto plain = startModel("gpt2", {"--text", "the fox", "--json"});
        const auto off = startModel("gpt2", {"--text", "the fox", "--json", "--ablate", "decoder.0.self:0"});
        QCOMPARE(off.code, 0);
        QVERIFY(plain.out != off.out);
    }

    /// Of one token, a head's mean is what it gives.
    void theMeanInsteadOfZeros() {
        const QStringList one{"--ids", "7", "--json"}, two{"--ids", "7,9", "--json"};
        const QStringList off{"--ablate", "decoder.0.self:0"}, mean{"--ablate-with", "mean"};
        QCOMPARE(startModel("gpt2", one + off + mean).out, startModel("gpt2", one).out);
        QVERIFY(startModel("gpt2", one + off).out != startModel("gpt2", one).out);
        QVERIFY(startModel("gpt2", two + off + mean).out != startModel("gpt2", two).out);
        QCOMPARE(startModel("gpt2", one + off + QStringList{"--ablate-with", "zero"}).out,
                 startModel("gpt2", one + off).out);
    }

    void theSampleModelHasAName() {
        const QString text = "When Mary and John went to the store, John gave a drink to";
        const auto outcome = test::start({"model", "sample", "--text", text, "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        const auto next = json["next"][0];
        QCOMPARE(next["token"].toString(), QStringLiteral("ĠMary"));
        QCOMPARE(next["text"].toString(), QStringLiteral(" Mary"));
        QCOMPARE(json["tokens"][2]["text"].toString(), QStringLiteral(" Mary"));
        const auto summary = test::start({"model", "sample", "--text", text});
        QVERIFY2(summary.out.contains("' Mary'") && !summary.out.contains(QChar(0x120)), qPrintable(summary.out));
        QVERIFY(next["probability"].toDouble() > 0.8);
        QCOMPARE(test::start({"tokenize", "sample", "--text", text}).code, 0);
        QCOMPARE(test::start({"render", "--model", "sample", "--pass", "decoder.2.self", "--text", text, "--stage",
                              "weights", "--out", folder_.filePath("sample.svg")})
                     .code,
                 0);
        QFile figure(folder_.filePath("sample.svg"));
        QVERIFY(figure.open(QIODevice::ReadOnly));
        const auto drawn = QString::fromUtf8(figure.readAll());
        QVERIFY(drawn.contains(QStringLiteral("Mary")) && !drawn.contains(QChar(0x120)));
    }

    /// Three heads of the sample model decide which name comes next.
    void whatEachHeadDoes() {
        const QStringList text{"--text", "When Mary and John went to the store, John gave a drink to"};
        const QStringList effects = text + QStringList{"--effects"};
        const auto outcome = test::start(QStringList{"model", "sample", "--json", "--between", "Mary,John"} + effects);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        QCOMPARE(printed["effects"].toArray().size(), 12);
        QCOMPARE(printed["between"].toArray(), (QJsonArray{" Mary", " John"}));
        for (const auto& entry : printed["effects"].toArray()) {
            const auto effect = entry.toObject();
            const auto place = effect["pass"].toString() + ':' + QString::number(effect["head"].toInt());
            const bool decides = place == "decoder.0.self:0" || place == "decoder.1.self:1";
            QCOMPARE(effect["answer"].toString(), decides ? QStringLiteral(" John") : QStringLiteral(" Mary"));
            QCOMPARE(effect["moved"].toDouble() > 0.4, decides || place == "decoder.2.self:0");
            // Mary is chosen by the difference, so that it falls where the answer is lost.
            QCOMPARE(effect["difference_change"].toDouble() < -printed["difference"].toDouble(), decides);
            const auto off = json(test::start(QStringList{"model", "sample", "--json", "--ablate", place} + text));
            QCOMPARE(off["next"][0]["token"].toString().mid(1), effect["answer"].toString().trimmed());
            QVERIFY(std::abs(off["next"][0]["probability"].toDouble() - effect["answer_probability"].toDouble()) <
                    1e-6);
        }
        QCOMPARE(printed["direct"].toArray().size(), 12);
        const auto words = test::start(QStringList{"model", "sample", "--between", "Mary,John"} + effects);
        QVERIFY2(words.out.contains("' John'  decoder.0.self head 0") &&
                     words.out.contains("logit of ' Mary' minus that of ' John'") &&
                     words.out.contains("added to the difference directly"),
                 qPrintable(words.out));
    }

    /// The last layer gives what the model gives.
    void lensByLayer() {
        const QStringList given{
            "model",  "sample",    "--text",   "When Mary and John went to the store, John gave a drink to",
            "--lens", "--between", "Mary,John"};
        const auto outcome = test::start(given + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto layers = printed["lens"].toArray();
        QVERIFY(layers.size() > 1);
        const auto last = layers.last().toObject(), next = printed["next"][0].toObject();
        QCOMPARE(last["likeliest"][0]["id"].toInt(), next["id"].toInt());
        QVERIFY(std::abs(last["probability"].toDouble() - next["probability"].toDouble()) < 1e-6);
        QVERIFY(last["difference"].toDouble() > 0.0);
        QVERIFY(layers.first().toObject()["probability"].toDouble() < last["probability"].toDouble());
        const auto words = test::start(given);
        QVERIFY2(words.out.contains("layers: probability of ' Mary'"), qPrintable(words.out));
    }

    /// The answer is the word that is named once: without it, it is another.
    void answersWithoutEachWord() {
        const QStringList given{
            "model",   "sample",    "--text",   "When Mary and John went to the store, John gave a drink to",
            "--words", "--between", "Mary,John"};
        const auto outcome = test::start(given + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto words = printed["words"].toArray();
        QCOMPARE(words.size(), 13); // without "to", where the answer stands
        QStringList texts;
        QJsonObject most;
        for (const auto& one : words) {
            const auto word = one.toObject();
            texts << word["text"].toString();
            QVERIFY(word["first"].toInt() <= word["last"].toInt());
            QCOMPARE(word["likeliest"].toArray().size(), 5);
            if (most.isEmpty() || word["moved"].toDouble() > most["moved"].toDouble())
                most = word;
        }
        QCOMPARE(texts.mid(0, 4), (QStringList{"When", "Mary", "and", "John"}));
        QCOMPARE(most["text"].toString(), QStringLiteral("Mary"));
        QVERIFY(most["likeliest"][0]["text"].toString() != QStringLiteral(" Mary"));
        QVERIFY(most["probability"].toDouble() < 0.5);
        QVERIFY(most["difference_change"].toDouble() < 0.0);
        const auto lines = test::start(given);
        QVERIFY2(lines.out.contains("share of the answer ' Mary' that moves"), qPrintable(lines.out));
        QVERIFY2(lines.out.contains("without 'Mary', position"), qPrintable(lines.out));
    }

    void writesOn() {
        const QStringList given{
            "model",  "sample",     "--text", "When Mary and John went to the store, John gave a drink to",
            "--json", "--continue", "3"};
        const auto outcome = test::start(given);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto written = printed["written"].toObject();
        QCOMPARE(written["text"].toString(), QStringLiteral(" Mary. Mary"));
        QCOMPARE(written["stopped"].toString(), QStringLiteral("count"));
        QCOMPARE(written["tokens"].toArray().size(), 3);
        QVERIFY(!written.contains("seed"));
        const auto tokens = printed["tokens"].toArray();
        QCOMPARE(tokens.size(), 18);
        QCOMPARE(tokens.last()["id"].toInt(), written["tokens"][2]["id"].toInt());
        const auto drawn = json(test::start(given + QStringList{"--seed", "3"}))["written"].toObject();
        QCOMPARE(drawn["seed"].toInt(), 3);
        QCOMPARE(drawn["temperature"].toDouble(), 1.0);
        const auto words = test::start({"model", "sample", "--text", "When Mary and John", "--continue", "2"});
        QVERIFY2(words.out.contains("2 tokens, the likeliest each time"), qPrintable(words.out));
        // Behind the text of the decoder.
        const QStringList translated{"model",    QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/t5"),
                                     "--text",   "the fox",
                                     "--target", "the",
                                     "--json",   "--continue",
                                     "2"};
        const auto before = json(test::start(translated.mid(0, 7)))["decoder_tokens"].toArray();
        QCOMPARE(json(test::start(translated))["decoder_tokens"].toArray().size(), before.size() + 2);
    }

    /// The cosine of two texts, and without each head in the first one.
    void similarity() {
        const auto folder = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/bert");
        const QStringList given{"model", folder, "--text", "the quick fox", "--similar"};
        const auto same = json(test::start(given + QStringList{"the quick fox", "--json"}));
        QVERIFY(std::abs(same["cosine"].toDouble() - 1.0) < 1e-9);
        QCOMPARE(same["pooling"].toString(), QString("mean"));
        const auto outcome = test::start(given + QStringList{"a lazy dog", "--json", "--effects"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto opened = model::Model::open(folder.toStdString());
        const auto embedding = [&](const char* text, std::vector<model::Ablation> ablations) {
            const auto input = opened.input_of(opened.tokenizer()->encode(text));
            return model::text_embedding(opened, opened.run(input, {.ablations = std::move(ablations)}), {});
        };
        const auto other = embedding("a lazy dog", {});
        QVERIFY(std::abs(printed["cosine"].toDouble() - model::cosine(embedding("the quick fox", {}), other)) < 1e-6);
        const auto effects = printed["effects"].toArray();
        QVERIFY(effects.size() > 2);
        for (const auto& one : effects) {
            const auto effect = one.toObject();
            const auto without = embedding(
                "the quick fox", {{.pass = effect["pass"].toString().toStdString(), .head = effect["head"].toInt()}});
            QVERIFY(std::abs(effect["cosine"].toDouble() - model::cosine(without, other)) < 1e-5);
        }
        const auto words = test::start(given + QStringList{"a lazy dog"});
        QVERIFY2(words.out.contains("(mean; the folder has no modules.json)"), qPrintable(words.out));
        const auto wrong = test::start(given + QStringList{"a", "--lens"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.error.contains("--lens: "), qPrintable(wrong.error));
    }

    /// The source token that each token of the decoder was written by.
    void alignment() {
        const QStringList given{"model",    QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/t5"),
                                "--text",   "the quick fox",
                                "--target", "the brown",
                                "--align",  "decoder.1.cross:1"};
        const auto outcome = test::start(given + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto tokens = printed["alignment"]["tokens"].toArray();
        QCOMPARE(tokens.size(), printed["decoder_tokens"].toArray().size() - 1);
        const auto opened = model::Model::open(ATTNLAB_TEST_DATA_DIR "/models/t5");
        model::Input input;
        for (const auto& token : printed["tokens"].toArray())
            input.ids.push_back(token.toObject()["id"].toInt());
        for (const auto& token : printed["decoder_tokens"].toArray())
            input.decoder_ids.push_back(token.toObject()["id"].toInt());
        const auto result = opened.run(input);
        const auto weights = result.find("decoder.1.cross")->weights(1);
        const auto keys = std::ssize(input.ids);
        for (qsizetype row = 0; row < tokens.size(); ++row) {
            const auto first = weights.begin() + row * keys;
            const auto best = std::max_element(first, first + keys);
            QCOMPARE(tokens[row]["source"].toInt(), static_cast<int>(best - first));
            QVERIFY(std::abs(tokens[row]["weight"].toDouble() - static_cast<double>(*best)) < 1e-6);
        }
        const auto words = test::start(given);
        QVERIFY2(words.out.contains("alignment     decoder.1.cross, head 1"), qPrintable(words.out));
        const auto wrong = test::start(given.mid(0, 7) + QStringList{"decoder.1.self"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.error.contains("expected one of decoder.0.cross"), qPrintable(wrong.error));
        const auto none = test::start({"model", "sample", "--text", "a", "--align", "decoder.0.cross"});
        QVERIFY2(none.error.contains("has no cross-attention"), qPrintable(none.error));
    }

    void sounds() {
        const QString whisper = modelFolder("whisper"), sound = whisper + "/sound.wav";
        const QStringList given{"model", whisper, "--sound", sound};
        const auto outcome =
            test::start(given + QStringList{"--continue", "3", "--align", "decoder.1.cross", "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto printed = json(outcome);
        const auto frames = printed["frames"].toArray();
        QCOMPARE(frames.size(), 50);
        QCOMPARE(frames[1].toString(), QStringLiteral("0.02 s"));
        QCOMPARE(printed["decoder_tokens"].toArray().size(), 1 + printed["written"]["tokens"].toArray().size());
        for (const auto& token : printed["alignment"]["tokens"].toArray())
            QCOMPARE(token.toObject()["source_text"].toString(), frames[token.toObject()["source"].toInt()].toString());
        const auto words = test::start(given + QStringList{"--target", "the fox", "--effects"});
        QVERIFY2(words.code == 0 && words.out.contains("50 frames"), qPrintable(words.out + words.error));
        const auto arrays = folder_.filePath("sound.npz");
        QCOMPARE(test::start(given + QStringList{"--keep", "weights", "--out", arrays}).code, 0);
        const auto weights =
            io::read_npz(arrays.toStdString(), {}, io::Members::All).tensors.at("decoder.0.cross.weights");
        QCOMPARE(weights.shape(), (Shape{4, 1, 50}));
        const auto cut =
            json(startModel("whisper_cut", {"--sound", modelFolder("whisper_cut") + "/sound.wav", "--json"}));
        QVERIFY(cut["notes"].toArray().first().toString().contains("has 1.30 s; the model reads the first 1.00 s"));
        const auto letters = startModel("wav2vec2", {"--sound", modelFolder("wav2vec2") + "/sound.wav"});
        QVERIFY2(letters.code == 0 && letters.out.contains("spelled"), qPrintable(letters.out + letters.error));
        const auto picture = folder_.filePath("sound.svg");
        QCOMPARE(test::start({"render", "--model", whisper, "--sound", sound, "--pass", "decoder.1.cross", "--head",
                              "0", "--stage", "weights", "--out", picture})
                     .code,
                 0);
    }

    void readsAnImageInAText() {
        const auto json = [](const test::Outcome& outcome) {
            return QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        };
        const QString image = modelFolder("llava_processor") + "/image.png";
        const auto outcome = startModel(
            "llava_processor", {"--image", image, "--text", "the <image>\nquick fox", "--json", "--continue", "2"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto expected =
            io::read_npz((modelFolder("llava_processor") + "/expected.npz").toStdString(), {}, io::Members::All)
                .tensors.at("input_ids");
        QCOMPARE(json(outcome)["tokens"].toArray().size(), expected.size() + 2);
        QVERIFY(outcome.out.contains("[2,1]"));
        const auto other = startModel("llava_processor", {"--image", image, "--text", "the <image>\nquick fox",
                                                          "--effects", "--patch", "the <image>\nquick fox", "--json"});
        QVERIFY2(other.code == 0, qPrintable(other.error));
        const auto two =
            startModel("llava_processor", {"--image", image, "--image", image, "--text", "<image> fox<image>",
                                           "--effects", "--patch", "<image> fox<image>", "--json"});
        QVERIFY2(two.code == 0, qPrintable(two.error));
        QVERIFY(two.out.contains("[2,1]") && two.out.contains("[2:2,1]"));
    }

    void wrongImages_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const QString image = modelFolder("llava_processor") + "/image.png";
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* words) {
            QTest::addRow("%s %s", name, qPrintable(arguments.last())) << name << arguments << code << words;
        };
        row("llava_processor", {"--image", image, "--ids", "1,2"}, 1, "has 0 tokens of an image (393), expected 9");
        row("llava_processor", {"--image", image, "--text", "<image><image>"}, 1, "2 places for an image");
        row("llava_processor", {"--image", image, "--image", image, "--text", "<image> a"}, 1,
            "expected 2: one for each");
        row("gemma3_processor", {"--image", image, "--image", image, "--text", "a"}, 1,
            "2 images are given, expected one");
        row("vit", {"--image", image, "--image", image}, 2, "--image: is given several times");
        row("llava_image", {"--image", image, "--ids", "1,90"}, 1, "preprocessor_config.json");
        row("qwen2_vl", {"--image", image, "--ids", "1,2"}, 2, "AttnLab computes the language model alone");
        row("vit", {"--image", modelFolder("vit") + "/image.png", "--text", "a"}, 2, "reads an image alone");
        row("gpt2", {"--image", image, "--text", "a"}, 2, "this model reads text");
    }
    void wrongImages() {
        QFETCH(QString, name);
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, words);
        const auto outcome = startModel(name, arguments);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.error.contains(words), qPrintable(outcome.error));
    }

    void wrongSounds_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const QString sound = modelFolder("whisper") + "/sound.wav";
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* words) {
            QTest::addRow("%s %s", name, qPrintable(arguments.first())) << name << arguments << code << words;
        };
        row("whisper", {"--text", "a"}, 2, "--sound: is missing");
        row("whisper", {"--image", sound}, 2, "--image: this model reads a sound");
        row("gpt2", {"--sound", sound}, 2, "--sound: this model reads text");
        row("whisper", {"--sound", modelFolder("vit") + "/image.png"}, 1, "cannot be read as a sound");
        row("wav2vec2", {"--sound", sound, "--continue", "2"}, 1, "cannot write on");
    }
    void wrongSounds() {
        QFETCH(QString, name);
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, words);
        const auto outcome = startModel(name, arguments);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.error.contains(words), qPrintable(outcome.error));
    }

    void howToWriteOn_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("error");
        QTest::newRow("none") << QStringList{"--continue", "0"} << "--continue: is '0', expected a number of tokens";
        QTest::newRow("no seed") << QStringList{"--continue", "2", "--seed", "x"} << "--seed: is 'x', expected";
        QTest::newRow("temperature") << QStringList{"--continue", "2", "--temperature", "-1"}
                                     << "--temperature: is '-1', expected";
        QTest::newRow("alone") << QStringList{"--seed", "2"} << "--seed: says how --continue works";
        QTest::newRow("too long") << QStringList() << "";
        QTest::newRow("a format of nothing") << QStringList{"--format", "npz"} << "--format: is the type of --out -";
    }
    void howToWriteOn() {
        QFETCH(QStringList, options);
        QFETCH(QString, error);
        if (error.isEmpty()) {
            const QString long_text = QStringLiteral("the ").repeated(120);
            const auto outcome =
                json(test::start({"model", "sample", "--text", long_text, "--json", "--continue", "9"}));
            QCOMPARE(outcome["written"]["stopped"].toString(), QStringLiteral("longest"));
            return;
        }
        const auto outcome = test::start(QStringList{"model", "sample", "--text", "the fox"} + options);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains(error), qPrintable(outcome.error));
    }

    /// Answers of heads for a task, and the heads that change them.
    void tasks_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        QTest::newRow("classes") << "bert_classes"
                                 << "next"
                                 << "likeliest classes";
        QTest::newRow("one class") << "bert_rank"
                                   << "next"
                                   << "LABEL_0";
        QTest::newRow("tokens") << "bert_entities"
                                << "classes"
                                << "likeliest class of each token";
        QTest::newRow("a decoder's tokens") << "qwen3_entities"
                                            << "classes"
                                            << "LABEL_";
        QTest::newRow("span") << "bert_span"
                              << "answer"
                              << "the answer begins at";
    }
    void tasks() {
        QFETCH(QString, name);
        QFETCH(QString, key);
        QFETCH(QString, words);
        const QStringList ids{"--ids", "3,17,9,40,33", "--effects"};
        const auto outcome = startModel(name, ids + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY(!json(outcome)[key].isUndefined());
        QCOMPARE(json(outcome)["effects"].toArray().size(), json(outcome)["heads"].toArray().size());
        bool moves = false;
        for (const auto& effect : json(outcome)["effects"].toArray())
            moves = moves || effect.toObject()["moved"].toDouble() > 0.0;
        QVERIFY(moves);
        const auto printed = startModel(name, ids);
        QVERIFY2(printed.code == 0 && printed.out.contains(words.toUtf8()), qPrintable(printed.out + printed.error));
    }

    /// A head that gives what it gives for the same text changes nothing.
    void headsOfAnotherText() {
        const QStringList text{"--text", "When Mary and John went to the store, John gave a drink to", "--json",
                               "--effects", "--patch"};
        const auto moved = [&](const char* other) {
            const auto outcome = test::start(QStringList{"model", "sample"} + text + QStringList{other});
            double most = -1.0;
            for (const auto& effect : json(outcome)["effects"].toArray())
                most = std::max(most, effect.toObject()["moved"].toDouble());
            return most;
        };
        const double same = moved("When Mary and John went to the store, John gave a drink to");
        QVERIFY(same >= 0.0 && same < 1e-6);
        QVERIFY(moved("When Mary and John went to the store, Mary gave a drink to") > 0.4);
    }

    void masksAndClassesHaveEffectsToo_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("text");
        QTest::newRow("mask") << "bert"
                              << "the [MASK] fox";
        QTest::newRow("decoder beside an encoder") << "t5"
                                                   << "the fox";
    }
    void masksAndClassesHaveEffectsToo() {
        QFETCH(QString, model);
        QFETCH(QString, text);
        const auto outcome = startModel(model, {"--text", text, "--json", "--effects", "--ablate-with", "mean"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QCOMPARE(json(outcome)["effects"].toArray().size(), json(outcome)["heads"].toArray().size());
    }

    void aFolderOfThatNameComesFirst() {
        const auto folder = folder_.filePath("here").toStdString();
        std::filesystem::create_directories(folder + "/sample");
        const auto outcome = test::startPrepared([&] { std::filesystem::current_path(folder); },
                                                 {"model", "sample", "--text", "the fox"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("config.json"), qPrintable(outcome.error));
    }

    void aPassAsAMap_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("pass");
        QTest::newRow("causal") << "gpt2"
                                << "decoder.1.self";
        QTest::newRow("window and groups") << "mistral"
                                           << "decoder.1.self";
        QTest::newRow("both ways") << "bert"
                                   << "encoder.2.self";
        QTest::newRow("distances") << "t5"
                                   << "encoder.1.self";
    }

    /// One token a bin: the map has the model's weights.
    void aPassAsAMap() {
        QFETCH(QString, model);
        QFETCH(QString, pass);
        const auto out = folder_.filePath("weights.npz"), map = folder_.filePath("map.npy");
        const QStringList text{"--text", "the quick fox, the quick dog"};
        QCOMPARE(startModel(model, text + QStringList{"--keep", "weights", "--out", out}).code, 0);
        const auto weights =
            io::read_npz(out.toStdString(), {}, io::Members::All).tensors.at(pass.toStdString() + ".weights");
        const auto size = weights.dim(-1);
        const auto bins = QStringLiteral("%1x%1").arg(size);
        const auto outcome = test::start(QStringList{"map", "--model", modelFolder(model), "--pass", pass, "--head",
                                                     "1", "--bins", bins, "--out", map} +
                                         text);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto drawn = io::read_npy(map.toStdString());
        QCOMPARE(drawn.shape(), (Shape{size, size}));
        for (std::int64_t i = 0; i < drawn.size(); ++i) {
            const double cell = drawn.value(i), expected = weights.value(size * size + i);
            QVERIFY2(std::abs((std::isnan(cell) ? 0.0 : cell) - expected) < 1e-5, qPrintable(QString::number(i)));
        }
        QCOMPARE(test::start(QStringList{"render", "--model", modelFolder(model), "--pass", pass, "--head", "1",
                                         "--stage", "weights", "--out", folder_.filePath("head.png")} +
                             text)
                     .code,
                 0);
        QCOMPARE(test::start(QStringList{"map", "--model", modelFolder(model), "--out", map} + text).code, 2);
    }

    void wrongCommandLines_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* word) {
            QTest::newRow(name) << arguments << code << QString(word);
        };
        row("no input", {}, 2, "--text");
        row("two inputs", {"--text", "a", "--ids", "1"}, 2, "--ids");
        row("no ids", {"--ids", "one"}, 2, "one");
        row("kind", {"--text", "a", "--keep", "scores", "--out", "x.npz"}, 2, "scores");
        row("keep alone", {"--text", "a", "--keep", "query"}, 2, "--out");
        row("ablation", {"--text", "a", "--ablate", "decoder"}, 2, "decoder");
        row("ablated with", {"--text", "a", "--ablate", "decoder.0.self:0", "--ablate-with", "one"}, 2, "one");
        row("ablated with alone", {"--text", "a", "--ablate-with", "mean"}, 2, "--ablate");
        row("between alone", {"--text", "a", "--between", "a,b"}, 2, "--effects");
        row("patch alone", {"--text", "a", "--patch", "b"}, 2, "--effects");
        row("between one", {"--text", "a", "--effects", "--between", "a"}, 2, "two tokens");
        row("between no token", {"--text", "a", "--effects", "--between", "#1,qqqqq"}, 2, "qqqqq");
        row("between no id", {"--text", "a", "--effects", "--between", "#1,#9999"}, 1, "9999");
        row("patch of another length", {"--text", "a", "--effects", "--patch", "a b c"}, 2, "tokens");
        row("patch and mean", {"--text", "a", "--effects", "--patch", "a", "--ablate-with", "mean"}, 2, "--patch");
        row("effects beside arrays", {"--text", "a", "--effects", "--out", "x.npz"}, 2, "--json");
        row("precision", {"--text", "a", "--precision", "float16"}, 2, "expected float32 or bfloat16");
        row("pass", {"--text", "a", "--ablate", "decoder.9.self:0"}, 1, "decoder.9.self");
        row("target", {"--text", "a", "--target", "b"}, 2, "--target");
        row("image", {"--image", "x.png"}, 2, "--image");
        row("id", {"--ids", "9999"}, 1, "9999");
    }
    void anAnswerIsNeeded() {
        const auto outcome = startModel("bert", {"--text", "the fox", "--effects"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains("--effects: needs an answer"), qPrintable(outcome.error));
    }
    void wrongCommandLines() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, word);
        const auto outcome = startModel("gpt2", arguments);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.error.contains(word), qPrintable(outcome.error));
    }

private:
    QTemporaryDir folder_;
};

ATTNLAB_TEST(TestModelCommand)
#include "test_model_command.moc"
