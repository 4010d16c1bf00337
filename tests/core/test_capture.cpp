#include "core/io/file_formats.h"
#include "core/io/saved/capture_file.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/recognition/recognition.h"
#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/recognition_support.h"
#include "tests/core/safetensors_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <array>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr std::int64_t B = 2, H = 4, Hkv = 2, L = 5, S = 6, E = 3, Ev = 2;

TensorMap arrays(const std::string& pass = "p", std::int64_t keys = S) {
    return {{pass + ".query", random_normal({B, H, L, E}, 1)},
            {pass + ".key", random_normal({B, Hkv, keys, E}, 2)},
            {pass + ".value", random_normal({B, Hkv, keys, Ev}, 3)}};
}

/// A capture of one pass with more members.
std::string text_of(const std::string& members, const std::string& more = {}) {
    return R"({"schema":1,"passes":[{"name":"p","heads":4,"key_value_heads":2)" + members + "}]" + more + "}";
}

Capture read(const std::string& text, TensorMap tensors) {
    return io::read_capture(text, "f.safetensors", std::move(tensors));
}

QString refusal(const std::string& text, TensorMap tensors = arrays()) {
    return error_of([&] { read(text, std::move(tensors)); });
}

/// The weights by their definition, with the part that a sink takes left out.
struct Formula {
    double scale = 1.0, cap = 0.0;
    bool causal = false;
    std::int64_t offset = 0, window = 0;
    std::function<bool(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)> kept = {};
    std::function<double(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)> bias = {};
    std::vector<double> sinks = {};

    Tensor weights(const TensorMap& tensors) const {
        const auto &query = tensors.at("p.query"), &key = tensors.at("p.key");
        const auto keys = key.dim(2);
        Tensor result({B, H, L, keys});
        for (std::int64_t b = 0; b < B; ++b)
            for (std::int64_t h = 0; h < H; ++h)
                for (std::int64_t i = 0; i < L; ++i) {
                    double sum = sinks.empty() ? 0.0 : std::exp(sinks[static_cast<std::size_t>(h)]);
                    for (std::int64_t j = 0; j < keys; ++j) {
                        double score = 0.0;
                        for (std::int64_t e = 0; e < E; ++e)
                            score += query.at({b, h, i, e}) * key.at({b, h / (H / Hkv), j, e});
                        score *= scale;
                        if (cap > 0.0)
                            score = cap * std::tanh(score / cap);
                        if (bias)
                            score += bias(b, h, i, j);
                        const auto at = i + offset;
                        const bool reads = (!causal || j <= at) && (window == 0 || std::abs(at - j) < window) &&
                                           (!kept || kept(b, h, i, j));
                        result.set({b, h, i, j}, reads ? std::exp(score) : 0.0);
                        sum += result.at({b, h, i, j});
                    }
                    for (std::int64_t j = 0; j < keys; ++j)
                        result.set({b, h, i, j}, sum > 0.0 ? result.at({b, h, i, j}) / sum : 0.0);
                }
        return result;
    }
};

/// Of every head of the only pass, each read alone and with the others: NaN where these differ.
Tensor weights_of_heads(const Capture& capture) {
    const auto& captured = capture.passes.front();
    const auto size = model::size_of(capture, captured);
    Tensor all({size.batch, captured.heads, size.queries, size.keys});
    auto to = all.mutable_values().begin();
    for (std::int64_t batch = 0; batch < size.batch; ++batch) {
        const auto together = model::pass_of(capture, captured, batch);
        for (std::int64_t head = 0; head < captured.heads; ++head) {
            const auto weights = together.weights(head),
                       alone = model::pass_of(capture, captured, batch, head).weights(0);
            std::ranges::transform(weights, alone, to, [](float a, float b) { return a == b ? a : NAN; });
            to += std::ssize(weights);
        }
    }
    return all;
}

/// Empty where the problem of the only pass, and its heads, have these weights.
QString unlike(const Capture& capture, const Formula& formula) {
    const auto problem = problem_of(capture, capture.passes.front());
    const auto weights = stage(run(problem), "weights");
    const auto expected = formula.weights(capture.tensors);
    Tensor without_sink(expected.shape());
    for (std::int64_t row = 0; row < B * H * L; ++row)
        for (std::int64_t j = 0; j < expected.dim(3); ++j)
            without_sink.mutable_values()[static_cast<std::size_t>(row * expected.dim(3) + j)] =
                weights.value(row * weights.dim(3) + j);
    const auto unlike_engine = difference(without_sink, expected, 1e-6);
    return unlike_engine.isEmpty() ? difference(weights_of_heads(capture), expected, 1e-5) : unlike_engine;
}

Tensor cells(const Shape& shape, bool is_bool) {
    auto tensor = random_normal(shape, 9);
    if (!is_bool)
        return tensor;
    for (double& value : tensor.mutable_values())
        value = value > -0.5 ? 1.0 : 0.0;
    for (std::int64_t i = 0; i < tensor.size(); i += shape.back())
        tensor.mutable_values()[static_cast<std::size_t>(i)] = 1.0;
    return tensor.with_dtype(DType::Bool);
}

/// The matrix by its definition: column j is what the state gives where token j alone has the value 1.
Tensor matrix_of_state(const std::string& mechanism, const TensorMap& tensors, double scale) {
    const auto &query = tensors.at("p.query"), &key = tensors.at("p.key");
    const auto find = [&](const char* name) { return tensors.contains(name) ? &tensors.at(name) : nullptr; };
    const Tensor *beta = find("p.beta"), *gate = find("p.log_gate"), *gamma = find("p.gamma");
    Tensor result({B, H, L, L});
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t j = 0; j < L; ++j) {
                double state[E] = {};
                const auto kv = h / (H / Hkv);
                for (std::int64_t t = 0; t < L; ++t) {
                    double told = t == j ? 1.0 : 0.0;
                    for (std::int64_t e = 0; e < E; ++e)
                        state[e] *= gamma               ? gamma->at({h})
                                    : !gate             ? 1.0
                                    : gate->rank() == 4 ? std::exp(gate->at({b, h, t, e}))
                                                        : std::exp(gate->at({b, h, t}));
                    if (mechanism == "gated_delta" || mechanism == "delta_rule") {
                        for (std::int64_t e = 0; e < E; ++e)
                            told -= state[e] * key.at({b, kv, t, e});
                        told *= beta->at({b, h, t});
                    }
                    double read = 0.0;
                    for (std::int64_t e = 0; e < E; ++e) {
                        state[e] += key.at({b, kv, t, e}) * told;
                        read += scale * state[e] * query.at({b, h, t, e});
                    }
                    result.set({b, h, t, j}, read);
                }
            }
    return result;
}

Tensor negative(Tensor tensor) {
    for (double& value : tensor.mutable_values())
        value = -std::abs(value);
    return tensor;
}

double cell(const Tensor& tensor, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
    const auto one = [&](int axis, std::int64_t at) { return tensor.dim(axis) == 1 ? 0 : at; };
    return tensor.at({one(0, b), one(1, h), one(2, i), j});
}

} // namespace

class TestCapture : public QObject {
    Q_OBJECT

private slots:
    void weightsByTheirDefinition_data() {
        QTest::addColumn<QString>("members");
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("cap");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("window");
        const auto row = [](const char* name, const char* members, double scale, double cap, bool causal, int offset,
                            int window) {
            QTest::newRow(name) << QString(members) << scale << cap << causal << offset << window;
        };
        const double usual = 1.0 / std::sqrt(3.0);
        row("no scale", R"(,"scale":1)", 1.0, 0.0, false, 0, 0);
        row("usual scale", R"(,"scale":0.57735026)", usual, 0.0, false, 0, 0);
        row("scale", R"(,"scale":0.3)", 0.3, 0.0, false, 0, 0);
        row("cap", R"(,"scale":0.57735026,"soft_cap":0.5)", usual, 0.5, false, 0, 0);
        row("cap and scale", R"(,"scale":0.3,"soft_cap":0.5)", 0.3, 0.5, false, 0, 0);
        row("causal", R"(,"scale":1,"causal":true)", 1.0, 0.0, true, 0, 0);
        row("causal to the last key", R"(,"scale":1,"causal":true,"offset":1)", 1.0, 0.0, true, 1, 0);
        row("causal before the first key", R"(,"scale":1,"causal":true,"offset":-1)", 1.0, 0.0, true, -1, 0);
        row("window", R"(,"scale":1,"causal":true,"window":2)", 1.0, 0.0, true, 0, 2);
        row("window to the last key", R"(,"scale":1,"causal":true,"offset":1,"window":2)", 1.0, 0.0, true, 1, 2);
        row("window both ways", R"(,"scale":1,"window":2)", 1.0, 0.0, false, 0, 2);
        row("window of everything", R"(,"scale":1,"causal":true,"window":1000000000000)", 1.0, 0.0, true, 0, 0);
        row("window of everything and more", R"(,"scale":1,"offset":-2,"window":8)", 1.0, 0.0, false, -2, 8);
        row("window of one", R"(,"scale":1,"window":1)", 1.0, 0.0, false, 0, 1);
    }
    /// Without and with sinks, masks and biases.
    void weightsByTheirDefinition() {
        QFETCH(QString, members);
        QFETCH(double, scale);
        QFETCH(double, cap);
        QFETCH(bool, causal);
        QFETCH(int, offset);
        QFETCH(int, window);
        for (const bool has_sinks : {false, true})
            for (const auto& mask_shape : {Shape{}, Shape{B, 1, 1, S}, Shape{1, H, L, S}, Shape{1, 1, L, S}})
                for (const auto& bias_shape : {Shape{}, Shape{1, H, L, S}, Shape{B, 1, 1, S}}) {
                    auto tensors = arrays();
                    Formula formula{scale, cap, causal, offset, window};
                    auto text = members.toStdString();
                    if (has_sinks) {
                        tensors["p.sinks"] = Tensor({H}, {0.5, -1.0, 0.0, 2.0});
                        formula.sinks = {0.5, -1.0, 0.0, 2.0};
                    }
                    const auto mask = mask_shape.empty() ? Tensor() : cells(mask_shape, true);
                    const auto bias = bias_shape.empty() ? Tensor() : cells(bias_shape, false);
                    if (!mask_shape.empty()) {
                        tensors["m"] = mask;
                        text += R"(,"mask":"m")";
                        formula.kept = [&](auto b, auto h, auto i, auto j) { return cell(mask, b, h, i, j) != 0.0; };
                    }
                    if (!bias_shape.empty()) {
                        tensors["b"] = bias;
                        text += R"(,"bias":"b")";
                        formula.bias = [&](auto b, auto h, auto i, auto j) { return cell(bias, b, h, i, j); };
                    }
                    const auto wrong = unlike(read(text_of(text), tensors), formula);
                    QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " " + to_string(mask_shape).c_str() +
                                                         to_string(bias_shape).c_str() + (has_sinks ? "sinks" : "")));
                }
    }

    void layersThatCarryAState_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<bool>("for_each_feature");
        QTest::addColumn<bool>("has_value");
        QTest::newRow("gated delta rule") << "gated_delta" << false << true;
        QTest::newRow("gates of features") << "gated_delta" << true << true;
        QTest::newRow("without values") << "gated_delta" << true << false;
        QTest::newRow("delta rule") << "delta_rule" << false << true;
        QTest::newRow("gated linear") << "gated_linear" << true << true;
        QTest::newRow("retention") << "retention" << false << true;
    }
    void layersThatCarryAState() {
        QFETCH(QString, mechanism);
        QFETCH(bool, for_each_feature);
        QFETCH(bool, has_value);
        auto tensors = arrays("p", L);
        if (!has_value)
            tensors.erase("p.value");
        const auto id = mechanism.toStdString();
        const auto needed = arrays_of_carried(id);
        QVERIFY(needed);
        for (const auto& what : *needed) {
            if (what == "gamma")
                tensors["p.gamma"] = Tensor({H}, {0.5, 0.9, 1.0, 0.25});
            else if (what == "beta")
                tensors["p.beta"] = random_normal({B, H, L}, 7);
            else
                tensors["p.log_gate"] =
                    negative(random_normal(for_each_feature ? Shape{B, H, L, E} : Shape{B, H, L}, 8));
        }
        const auto capture = read(text_of(R"(,"scale":0.3,"causal":true,"mechanism":")" + id + '"'), tensors);
        const auto expected = matrix_of_state(id, tensors, 0.3);
        QCOMPARE(difference(weights_of_heads(capture), expected, 1e-5), QString());
        if (!has_value)
            return;
        const auto problem = problem_of(capture, capture.passes.front());
        QCOMPARE(problem.spec.variant, id);
        QCOMPARE(difference(stage(run(problem), "weights"), expected, 1e-6), QString());
    }

    void whatCarriesNoState() {
        auto tensors = arrays("p", L);
        tensors["p.beta"] = random_normal({B, H, L}, 7);
        const auto refused = [&](const char* members) { return refusal(text_of(members), tensors); };
        QVERIFY(refused(R"(,"mechanism":"performer")").contains("gated_delta, delta_rule, gated_linear, retention"));
        QVERIFY(refused(R"(,"mechanism":"gated_delta")").contains("p.log_gate is missing"));
        QVERIFY(refused(R"(,"mechanism":"delta_rule","window":2)").contains("no mask, bias, sinks"));
        tensors["p.beta"] = random_normal({B, H, L + 1}, 7);
        QVERIFY(refused(R"(,"mechanism":"delta_rule")").contains("p.beta has the shape"));
        tensors = arrays("p", S);
        tensors["p.beta"] = random_normal({B, H, L}, 7);
        QVERIFY(refused(R"(,"mechanism":"delta_rule")").contains("p.key has the shape"));
    }

    /// No table of cells is made of a band, except beside a sink, and no corner is in doubt.
    void bandsBecomeMasks_data() {
        QTest::addColumn<QString>("members");
        QTest::addColumn<QStringList>("masks");
        QTest::addColumn<QString>("offset");
        const auto row = [](const char* members, const QStringList& masks, const char* offset) {
            QTest::newRow(members) << QString(members) << masks << QString(offset);
        };
        row(R"(,"causal":true)", {"causal"}, "0");
        row(R"(,"causal":true,"offset":1)", {"causal:bottom_right"}, "");
        row(R"(,"causal":true,"offset":3)", {"causal"}, "3");
        row(R"(,"causal":true,"offset":-2)", {"causal"}, "-2");
        row(R"(,"causal":true,"offset":1,"window":2)", {"causal", "window:2"}, "1");
        row(R"(,"offset":-1,"window":3)", {"window:4"}, "-1");
        row(R"(,"offset":1)", {}, "");
        row(R"(,"causal":true,"offset":500000000000)", {"attn_mask"}, "");
    }
    void bandsBecomeMasks() {
        QFETCH(QString, members);
        QFETCH(QStringList, masks);
        QFETCH(QString, offset);
        const auto capture = read(text_of(members.toStdString()), arrays());
        const auto problem = problem_of(capture, capture.passes.front());
        std::vector<Selection> expected;
        for (const auto& mask : masks)
            expected.push_back(complete_mask(parse_mask(mask.toStdString())));
        auto found = problem.spec.masks;
        std::ranges::transform(found, found.begin(), complete_mask);
        QCOMPARE(found, expected);
        QCOMPARE(problem.spec.query_offset ? QString::number(*problem.spec.query_offset) : QString(), offset);
        QCOMPARE(problem.tensors.contains("attn_mask"), masks.contains("attn_mask"));
        for (const auto& note : run(problem).notes)
            QVERIFY2(note.message.english().find("first key") == std::string::npos, note.message.english().c_str());
    }

    void weightsAlone() {
        const auto weights = random_normal({B, H, L, S}, 1);
        const auto capture = read(text_of(""), {{"p.weights", weights}});
        const auto problem = problem_of(capture, capture.passes.front());
        QCOMPARE(problem.spec.variant, "given_weights");
        QVERIFY(problem.tensors.at("weights") == weights);
        const auto wrong = difference(weights_of_heads(capture), weights, 1e-6);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void labels() {
        const auto labelled = [](const std::string& tokens) {
            return read(text_of(R"(,"query_tokens":"t","key_tokens":"t")", R"(,"tokens":{"t":)" + tokens + "}"),
                        arrays("p", L));
        };
        const auto one = labelled(R"([["a","b","c","d","e"]])");
        const auto problem = problem_of(one, one.passes.front());
        QCOMPARE(problem.query_tokens, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
        QVERIFY(problem.key_tokens.empty());
        const auto two = labelled(R"([["a","b","c","d","e"],["f","g","h","i","j"]])");
        QVERIFY(problem_of(two, two.passes.front()).query_tokens.empty());
        const auto second = model::tokens_of(two, two.passes.front(), 1);
        QCOMPARE(second.queries, (std::vector<std::string>{"f", "g", "h", "i", "j"}));
        QVERIFY(second.keys_are_queries);
        QCOMPARE(model::tokens_of(one, one.passes.front(), 1).queries, problem.query_tokens);
    }

    void aMaskThatIsTooLarge() {
        auto tensors = arrays();
        tensors["p.sinks"] = Tensor({H});
        const auto capture = read(text_of(R"(,"causal":true)"), tensors);
        const auto error = error_of([&] { problem_of(capture, capture.passes.front(), 100); });
        QVERIFY2(error.contains("key: would have shape") || error.contains("attn_mask"), qPrintable(error));
    }

    void passesOfAFile() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("run.safetensors");
        QByteArray passes = "{'schema':1,'passes':[{'name':'one','heads':1,'key_value_heads':1},"
                            "{'name':'two','heads':1,'key_value_heads':1}]}";
        const QByteArray metadata = "\"__metadata__\":{\"attnlab.capture\":\"" + passes.replace('\'', "\\\"") + "\"}";
        QByteArrayList entries{metadata};
        int at = 0;
        for (const QByteArray name : {"one.query", "one.key", "one.value", "one.lse", "two.query", "two.key"}) {
            const bool is_lse = name.endsWith("lse");
            const int size = is_lse ? 4 : 8;
            entries << entry(name, "F32", is_lse ? "[1,1,1]" : "[1,1,1,2]",
                             "[" + QByteArray::number(at) + "," + QByteArray::number(at + size) + "]");
            at += size;
        }
        put_file(path, file("{" + entries.join(',') + "}", QByteArray(at, '\0')));
        const std::array paths{to_path(path)};
        const auto contents = io::read_contents(paths);
        const auto open = recognise(contents);
        const auto* question = open.question(Question::Kind::Group);
        QVERIFY(question);
        QCOMPARE(question->answers, (std::vector<std::string>{"one", "two"}));
        const auto chosen = recognise(contents, {.group = "one"});
        QCOMPARE(summary(chosen), "key=one.key query=one.query value=one.value | one.lse two.key two.query");
        QVERIFY(!lacking(chosen, chosen.problem));
        QVERIFY(lacking(recognise(contents, {.group = "two"}), recognise(contents, {.group = "two"}).problem));
        QVERIFY(error_of([&] { recognise(contents, {.group = "three"}); }).contains("'three' is not in"));
        QVERIFY(error_of([&] { recognise(contents, {.layout = "LHE"}); }).contains("says itself"));
        const std::array twice{to_path(path), to_path(path)};
        QVERIFY(error_of([&] { io::read_contents(twice); }).contains("expected one"));
    }

    void refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(message);
        };
        const auto pass = [](const std::string& members) { return R"({"schema":1,"passes":[{)" + members + "}]}"; };
        row("no JSON", "{", "is not valid JSON");
        row("a list", "[]", "expected an object");
        row("no schema", R"({"passes":[]})", "'schema' is missing");
        row("newer", R"({"schema":2,"passes":[],"what":1})", "'schema' is 2, expected 1");
        row("unknown key", text_of("", R"(,"what":1)"), "what");
        row("unknown key of a pass", text_of(R"(,"dropout":0.1)"), "dropout");
        row("no passes", R"({"schema":1,"passes":[]})", "expected at least one pass");
        row("no name", pass(R"("heads":4,"key_value_heads":2)"), "'name' is missing in 'passes[0]'");
        row("empty name", pass(R"("name":"","heads":4,"key_value_heads":2)"), "expected a name");
        row("twice",
            R"({"schema":1,"passes":[{"name":"p","heads":4,"key_value_heads":2},)"
            R"({"name":"p","heads":4,"key_value_heads":2}]})",
            "expected a name that no other pass has");
        row("not there", pass(R"("name":"x","heads":4,"key_value_heads":2)"), "the array x.query is missing");
        row("heads", pass(R"("name":"p","heads":3,"key_value_heads":2)"),
            "p.query has the shape (2, 4, 5, 3), expected (B = 2, H = 3, L, E)");
        row("no heads", pass(R"("name":"p","heads":0,"key_value_heads":2)"), "expected an integer from 1");
        row("key heads", pass(R"("name":"p","heads":4,"key_value_heads":4)"),
            "p.key has the shape (2, 2, 6, 3), expected (B = 2, Hkv = 4, S, E = 3)");
        row("infinite scale", text_of(R"(,"scale":"inf")"), "expected a finite number");
        row("negative cap", text_of(R"(,"soft_cap":-1)"), "expected a number above 0");
        row("empty window", text_of(R"(,"window":0)"), "expected an integer from 1");
        row("far offset", text_of(R"(,"offset":9000000000000000000)"), "expected an integer from");
        row("an unknown reason", text_of(R"(,"ignored":["weather"])"), "expected a reason that the format knows");
        row("a reason twice", text_of(R"(,"likely":["mask","mask"])"), "expected a reason that the format knows");
        row("reasons that are not a list", text_of(R"(,"likely":"mask")"), "'passes[0].likely'");
        row("no difference", text_of(R"(,"differs":0)"), "expected a number above 0");
        row("causal as a number", text_of(R"(,"causal":1)"), "'passes[0].causal'");
        row("no mask", text_of(R"(,"mask":"m")"), "the array m is missing");
        row("shape of a mask", text_of(R"(,"mask":"p.key")"),
            "p.key has the shape (2, 2, 6, 3), expected (B = 2, H = 4, L = 5, S = 6), where B, H and L may be 1");
        row("no tokens", text_of(R"(,"query_tokens":"t")"), "the tokens 't' are missing");
        row("tokens", text_of(R"(,"query_tokens":"t")", R"(,"tokens":{"t":[["a"]]})"), "has 1 labels, expected 5");
        row("sequences", text_of(R"(,"query_tokens":"t")", R"(,"tokens":{"t":[[],[],[]]})"), "has 3 lists, expected 2");
        row("no list", text_of("", R"(,"tokens":{"t":[]})"), "expected a list of labels for each sequence");
    }
    void refused() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto error = refusal(text.toStdString());
        QVERIFY2(error.startsWith("f.safetensors: ") && error.contains(message), qPrintable(error));
    }

    void typesOfMasks() {
        auto tensors = arrays();
        tensors["m"] = Tensor({1, 1, L, S});
        QVERIFY(refusal(text_of(R"(,"mask":"m")"), tensors).contains("m has the type float64, expected bool"));
        tensors["m"] = Tensor({1, 1, L, S}, 0.0, DType::Bool);
        QVERIFY(refusal(text_of(R"(,"bias":"m")"), tensors).contains("m has the type bool, expected floats"));
    }

    /// A pass whose run deviated from what was asked says so wherever the capture is read.
    void remarks() {
        auto capture =
            read(text_of(R"(,"ignored":["soft_cap","sinks"],"differs":0.2912,"likely":["dropout"])"), arrays());
        const auto notes = capture.passes.front().remarks();
        QCOMPARE(notes.size(), std::size_t{2});
        QCOMPARE(notes[0].english(), "p: the attention function ignored: the soft cap, the sinks. The pass is recorded "
                                     "as computed");
        QCOMPARE(notes[1].english(), "p: the record differs from what the attention function returned, by 29.12% of "
                                     "its largest number. Likely reason: dropout");
        QVERIFY(read(text_of(""), arrays()).passes.front().remarks().empty());
    }

    void groupsOfHeads() {
        auto tensors = arrays();
        tensors["p.key"] = random_normal({B, 3, S, E}, 2);
        tensors["p.value"] = random_normal({B, 3, S, Ev}, 2);
        QVERIFY(refusal(R"({"schema":1,"passes":[{"name":"p","heads":4,"key_value_heads":3}]})", tensors)
                    .contains("has 4 heads and 3 key-value heads, expected a multiple"));
    }
};

ATTNLAB_TEST(TestCapture)
#include "test_capture.moc"
