// Opening a model can be cancelled at any time: every reader of its files polls often.
#include "core/model/model.h"
#include "tests/core/model_support.h"
#include "tests/core/poll_support.h"
#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <functional>
#include <optional>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QByteArray length(qsizetype count) { return bytes_of(std::vector{static_cast<quint64>(count)}); }
QByteArray gguf_text(const QByteArray& words) { return length(words.size()) + words; }

/// A .gguf file of this architecture's name and an array of texts.
QByteArray gguf_of_texts(int count) {
    QByteArray texts;
    for (int i = 0; i < count; ++i)
        texts += gguf_text(QByteArray::number(i));
    return "GGUF" + bytes_of(std::vector<quint32>{3}) + length(0) + length(1) + gguf_text("tokenizer.ggml.tokens") +
           bytes_of(std::vector<quint32>{9, 8}) + length(count) + texts;
}

/// The same of one-byte integers.
QByteArray gguf_of_integers(int count) {
    return "GGUF" + bytes_of(std::vector<quint32>{3}) + length(0) + length(1) + gguf_text("tokenizer.ggml.token_type") +
           bytes_of(std::vector<quint32>{9, 0}) + length(count) + QByteArray(count, '\1');
}

QByteArray gguf_of_tensors(int count) {
    QByteArray infos;
    for (int i = 0; i < count; ++i)
        infos += gguf_text(QByteArray::number(i)) + bytes_of(std::vector<quint32>{0, 0}) + length(0);
    return "GGUF" + bytes_of(std::vector<quint32>{3}) + length(count) + length(0) + infos + QByteArray(64, '\0');
}

/// `each(i)` with commas between.
QByteArray joined(int count, const std::function<QByteArray(int)>& each) {
    QByteArray all;
    for (int i = 0; i < count; ++i)
        all += (i > 0 ? "," : "") + each(i);
    return all;
}

QByteArray vocabulary(int count) {
    return joined(count, [](int i) { return "\"w" + QByteArray::number(i) + "\":" + QByteArray::number(i); });
}

QByteArray added(int count) {
    return joined(count, [](int i) {
        return "{\"id\":" + QByteArray::number(i) + ",\"content\":\"w" + QByteArray::number(i) +
               "\",\"single_word\":false,\"lstrip\":false,\"rstrip\":false,\"normalized\":false,\"special\":true}";
    });
}

QByteArray tokenizer_json(const QByteArray& added_tokens, const QByteArray& model) {
    return "{\"added_tokens\":[" + added_tokens + "],\"model\":{" + model + "}}";
}

QByteArray numbered_lines(int count, const QByteArray& before) {
    QByteArray lines;
    for (int i = 0; i < count; ++i)
        lines += before + QByteArray::number(i) + '\n';
    return lines;
}

} // namespace

class TestCancelledOpening : public QObject {
    Q_OBJECT

    ModelFolder folder_;

    /// A folder, or one .gguf file, with these files.
    void add(const char* name, const QList<QPair<QString, QByteArray>>& files, const QString& opened = {}) {
        const QString path = folder_.path(name);
        QDir().mkpath(path);
        for (const auto& [file, bytes] : files)
            put_file(path + "/" + file, bytes);
        QTest::newRow(name) << (opened.isEmpty() ? path : path + "/" + opened);
    }

    /// A small model with another tokenizer.
    void add_tokenizer(const char* name, QList<QPair<QString, QByteArray>> files) {
        const QString source = QString::fromStdString(model_folder("gpt2").string());
        for (const char* file : {"config.json", "model.safetensors"})
            files.append({file, file_bytes(source + "/" + file)});
        add(name, files);
    }

private slots:
    void isPolledAllAlong_data() {
        QTest::addColumn<QString>("path");
        constexpr int many = 300'000;
        const auto vocab = vocabulary(many);
        add_tokenizer("words", {{"tokenizer.json", tokenizer_json({}, "\"type\":\"WordLevel\",\"unk_token\":\"w0\","
                                                                      "\"vocab\":{" +
                                                                          vocab + "}")}});
        add_tokenizer(
            "merges",
            {{"tokenizer.json",
              tokenizer_json({}, "\"type\":\"BPE\",\"vocab\":{" + vocab + "},\"merges\":[" +
                                     joined(many, [](int) { return QByteArray("[\"w1\",\"w2\"]"); }) + "]")}});
        add_tokenizer("added", {{"tokenizer.json", tokenizer_json(added(60'000), "\"type\":\"WordLevel\","
                                                                                 "\"unk_token\":\"w0\",\"vocab\":{" +
                                                                                     vocab + "}")}});
        add_tokenizer("one_text",
                      {{"tokenizer.json", "{\"version\":\"" + QByteArray(60'000'000, 'x') + "\",\"model\":{}}"}});
        add_tokenizer("vocab_json", {{"vocab.json", "{" + vocab + "}"}, {"merges.txt", numbered_lines(500'000, "w ")}});
        add_tokenizer("added_json", {{"vocab.json", "{\"<|endoftext|>\":0}"},
                                     {"merges.txt", "#version: 0.2\n"},
                                     {"added_tokens.json", "{" + joined(80'000, [](int i) {
                                                               return "\"x" + QByteArray::number(i) + "\":1";
                                                           }) + "}"}});
        add_tokenizer("listed", {{"tokenizer.json", tokenizer_json({}, "\"type\":\"WordLevel\",\"unk_token\":\"w0\","
                                                                       "\"vocab\":{\"w0\":0}")},
                                 {"tokenizer_config.json", "{\"added_tokens_decoder\":{" + joined(90'000, [](int i) {
                                                               const auto id = QByteArray::number(i + 1);
                                                               return "\"" + id + "\":{\"content\":\"x" + id + "\"}";
                                                           }) + "}}"}});
        const QList<QPair<QString, QByteArray>> small = {{"vocab.json", "{\"<|endoftext|>\":0}"},
                                                         {"merges.txt", "#version: 0.2\n"}};
        const auto settings = [](int count, const QByteArray& value) {
            return "{" + joined(count, [&](int i) { return "\"s" + QByteArray::number(i) + "\":" + value; }) + "}";
        };
        add_tokenizer("settings", small + QList<QPair<QString, QByteArray>>{
                                              {"tokenizer_config.json", settings(200'000, "1")},
                                              {"special_tokens_map.json", settings(200'000, "\"x\"")}});
        add_tokenizer("extra",
                      small + QList<QPair<QString, QByteArray>>{
                                  {"tokenizer_config.json", "{\"extra_special_tokens\":[" + joined(300'000, [](int i) {
                                                                return "\"x" + QByteArray::number(i) + "\"";
                                                            }) + "]}"}});
        add_tokenizer("one_setting", small + QList<QPair<QString, QByteArray>>{
                                                 {"tokenizer_config.json",
                                                  "{\"x\":[" + QByteArray("1,").repeated(2'000'000) + "1]}"}});
        add_tokenizer("members", {{"tokenizer.json", "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"w0\","
                                                     "\"vocab\":{\"w0\":0}}," +
                                                         settings(1'000'000, "1").mid(1)}});
        add_tokenizer("member", {{"tokenizer.json", "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"w0\","
                                                    "\"vocab\":{\"w0\":0}},\"x\":" +
                                                        settings(1'000'000, "1") + "}"}});
        add_tokenizer("vocab_txt",
                      {{"vocab.txt", "[UNK]\n[CLS]\n[SEP]\n[PAD]\n[MASK]\n" + numbered_lines(1'000'000, "w")},
                       {"tokenizer_config.json", "{\"tokenizer_class\":\"BertTokenizer\"}"}});
        add("config",
            {{"config.json", "{\"model_type\":\"gpt2\",\"x\":[" + QByteArray("1,").repeated(2'000'000) + "1]}"}});
        add("index", {{"config.json", "{\"model_type\":\"gpt2\"}"},
                      {"model.safetensors.index.json", "{\"weight_map\":{" + joined(many, [](int i) {
                                                           return "\"" + QByteArray::number(i) + "\":\"" +
                                                                  QByteArray::number(i % 1000) + ".safetensors\"";
                                                       }) + "}}"}});
        add("texts", {{"m.gguf", gguf_of_texts(3'000'000)}}, "m.gguf");
        add("integers", {{"m.gguf", gguf_of_integers(60'000'000)}}, "m.gguf");
        add("tensors", {{"m.gguf", gguf_of_tensors(1'000'000)}}, "m.gguf");
    }

    /// As a worker of the window opens it. What is refused in the end counts as well.
    void isPolledAllAlong() {
        QFETCH(QString, path);
        const auto open = [&](PollWatch& watch) -> std::optional<model::Model> {
            try {
                return model::Model::open(to_path(path), watch.control());
            } catch (const Error&) {
                return {};
            }
        };
        const auto [longest, all] = least_pause(open);
        QVERIFY2(longest < longest_without_poll, qPrintable(QString("%1 s without a poll").arg(longest)));
        QVERIFY(all > 20);
        for (const int at : {0, all / 4, all / 2, 9 * all / 10}) {
            PollWatch stopped(at);
            QVERIFY_THROWS_EXCEPTION(Cancelled, open(stopped));
        }
    }
};

ATTNLAB_TEST(TestCancelledOpening)
#include "test_cancelled_opening.moc"
