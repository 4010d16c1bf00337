#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/stages/mask.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem full_problem() {
    AttentionProblem problem;
    auto& spec = problem.spec;
    spec.variant = "multi_head";
    spec.parameters.set("num_heads", std::int64_t{4});
    spec.parameters.set("add_zero_attn", true);
    spec.parameters.set("dropout", 2.0); // must not be read back as an integer
    spec.parameters.set("align", std::string("top_left"));
    spec.scale.id = "temperature";
    spec.scale.parameters.set("value", 0.1);
    spec.scale_after_softmax = true;
    spec.masks = {{"causal", {}}, {"window", {}}};
    spec.masks[1].parameters.set("width", std::int64_t{3});
    spec.mask_fill = {-1e9, MaskFill::Mode::Add};
    spec.mask_true = MaskTrue::Keeps;
    spec.statistics = true;
    spec.position = {"rope", {}};
    spec.parameters.set("global_tokens", IntegerList{0, 3});
    spec.query_offset = -3;
    problem.compared_with = AttentionSpec{};
    problem.compared_with->scale.id = "none";
    problem.compared_with->query_offset = 0;
    problem.compared_with->masks = {parse_mask("window:2,-1")};
    problem.key_grid = KeyGrid{2, 3};
    problem.query_tokens = {"milk", "or \"cat\"?", "", "牛奶"};
    problem.key_tokens = {"<pad>"};
    problem.tensors = {{"query", Tensor({1, 2}, {-0.0, 0.1})}, {"attn_mask", Tensor({2}, {1, 0}, DType::Bool)}};
    return problem;
}

/// A workspace's JSON with these members besides format and version.
std::string json(const std::string& members) {
    return R"({"format":"attnlab-workspace","version":1)" + (members.empty() ? "" : "," + members) + "}";
}

/// `count` copies of an item, separated by commas.
std::string repeated(const std::string& item, int count) {
    std::string text = item;
    for (int i = 1; i < count; ++i)
        text += "," + item;
    return text;
}

} // namespace

class TestWorkspace : public QObject {
    Q_OBJECT

private slots:
    void roundTrip() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("w.npz"));
        const auto problem = full_problem();
        io::write_workspace(path, problem, R"({"stage":"weights","head":-1})");
        std::string view;
        const auto read = io::read_workspace(path, &view);
        QCOMPARE(read, problem);
        QCOMPARE(view, std::string(R"({"head":-1,"stage":"weights"})"));
        QCOMPARE(entries(folder.path()), QStringList{"w.npz"});
        QVERIFY(io::read_npz(path).others.contains("workspace.json"));
    }

    void fillValues_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("-inf") << -std::numeric_limits<double>::infinity() << "\"-inf\"";
        QTest::newRow("inf") << std::numeric_limits<double>::infinity() << "\"inf\"";
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << "\"nan\"";
        QTest::newRow("number") << -1e-20 << "-1e-20";
        QTest::newRow("-0.0") << -0.0 << "-0.0";
    }
    void fillValues() {
        QFETCH(double, value);
        QFETCH(QString, text);
        AttentionProblem problem;
        problem.spec.mask_fill.value = value;
        const auto written = io::spec_to_json(problem);
        QVERIFY(QString::fromStdString(written).contains("\"value\": " + text));
        AttentionProblem read;
        io::spec_from_json(written, read);
        const double back = read.spec.mask_fill.value;
        QVERIFY(std::signbit(back) == std::signbit(value) &&
                (back == value || (std::isnan(back) && std::isnan(value))));
    }

    void ordinaryArchive() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("w.npz"));
        io::write_npz(path, {{{"query", Tensor({2})}}, {}});
        std::string view = "left over";
        const auto problem = io::read_workspace(path, &view);
        QCOMPARE(problem.spec, AttentionSpec{});
        QCOMPARE(problem.tensors.size(), 1u);
        QCOMPARE(view, std::string("{}"));
    }

    void missingKeysAreDefaults() {
        auto problem = full_problem();
        const auto tensors = problem.tensors;
        io::spec_from_json(json(""), problem);
        QCOMPARE(problem.spec, AttentionSpec{});
        QVERIFY(problem.query_tokens.empty());
        QCOMPARE(problem.tensors, tensors);
    }

    void refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << QString("workspace.json: ") + message;
        };
        const auto spec = [](const std::string& members) { return json("\"spec\":{" + members + "}"); };
        row("nothing", "", "is not valid JSON near byte 1: ");
        row("broken", "{\"format\": }", "is not valid JSON near byte 12");
        row("NUL byte", json("") + '\0' + "{", "is not valid JSON near byte");
        row("list", "[]", "is [], expected an object");
        row("number beyond float64", json("\"view\":{\"x\":1e999}"), "holds a number outside the range of float64");
        row("no format", "{\"version\":1}", "'format' is missing");
        row("no version", "{\"format\":\"attnlab-workspace\"}", "'version' is missing");
        row("other format", R"({"format":"x","version":1})", R"('format' is "x", expected "attnlab-workspace")");
        row("newer", R"({"format":"attnlab-workspace","version":2,"new":1})",
            "'version' is 2, written by a newer program; this one reads version 1");
        row("version 0", R"({"format":"attnlab-workspace","version":0})", "'version' is 0, expected 1");
        row("version as text", R"({"format":"attnlab-workspace","version":"1"})",
            R"('version' is "1", expected an integer)");
        row("unknown key", json("\"colour\":1"), "'colour' is unknown to this version");
        row("unknown key of spec", spec("\"heads\":1"), "'spec.heads' is unknown to this version");
        row("unknown key of scale", spec(R"("scale":{"id":"none","x":1})"),
            "'spec.scale.x' is unknown to this version, expected id, parameters");
        row("unknown key of a mask", spec(R"("masks":[{"id":"causal"},{"x":1}])"), "'spec.masks[1].x' is unknown");
        row("duplicate", json(R"("spec":{"variant":"a","variant":"b"})"), "key 'variant' is there twice");
        row("duplicate in view", json(R"("view":{"a":{},"a":1})"), "key 'a' is there twice");
        row("spec as list", json("\"spec\":[]"), "'spec' is [], expected an object");
        row("variant as number", spec("\"variant\":3"), "'spec.variant' is 3, expected text");
        row("parameter as object", spec("\"parameters\":{\"x\":{}}"),
            "'spec.parameters.x' is {}, expected true, false, a number, text or a list of integers");
        row("parameter as list of texts", spec("\"parameters\":{\"x\":[1,\"a\"]}"),
            "'spec.parameters.x[1]' is \"a\", expected an integer of 64 bits");
        row("grid without rows", json("\"key_grid\":{\"rows\":0,\"columns\":2}"),
            "'key_grid' is {\"columns\":2,\"rows\":0}, expected rows and columns from 1");
        row("parameter as null", spec("\"parameters\":{\"x\":null}"), "'spec.parameters.x' is null");
        row("integer beyond 64 bits", spec("\"parameters\":{\"x\":9223372036854775808}"),
            "'spec.parameters.x' is 9223372036854775808, expected an integer of 64 bits");
        row("offset as text", spec("\"query_offset\":\"3\""), "'spec.query_offset' is \"3\", expected an integer");
        row("offset as fraction", spec("\"query_offset\":1.5"), "'spec.query_offset' is 1.5, expected an integer");
        row("offset as null", spec("\"query_offset\":null"), "'spec.query_offset' is null, expected an integer");
        row("flag as number", spec("\"statistics\":1"), "'spec.statistics' is 1, expected true or false");
        row("masks as object", spec("\"masks\":{}"), "'spec.masks' is {}, expected a list");
        row("mask as text", spec("\"masks\":[\"causal\"]"), "'spec.masks[0]' is \"causal\", expected an object");
        row("mask id as null", spec("\"masks\":[{\"id\":null}]"), "'spec.masks[0].id' is null, expected text");
        row("fill as text", spec("\"mask_fill\":{\"value\":\"zero\"}"),
            "'spec.mask_fill.value' is \"zero\", expected a number, \"-inf\"");
        row("fill mode", spec("\"mask_fill\":{\"mode\":\"x\"}"),
            "'spec.mask_fill.mode' is \"x\", expected \"replace\" or \"add\"");
        row("mask_true", spec("\"mask_true\":true"), "'spec.mask_true' is true, expected \"blocks\" or \"keeps\"");
        row("token as number", json("\"query_tokens\":[\"a\",1]"), "'query_tokens[1]' is 1, expected text");
        row("tokens as text", json("\"key_tokens\":\"a\""), "'key_tokens' is \"a\", expected a list");
        row("too many tokens", json("\"query_tokens\":[" + repeated("\"\"", 1'000'001) + "]"),
            "has more than 1000000 labels");
        row("too long a token", json("\"query_tokens\":[\"" + std::string(65537, 'a') + "\"]"),
            "label 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…' has 65537 bytes; at most 65536 may be read");
        row("large view", json("\"view\":{\"a\":\"" + std::string(65536, 'a') + "\"}"),
            "'view' takes 65544 bytes; at most 65536 may be read");
        row("many objects in view", json("\"view\":{\"a\":[" + repeated("{}", 400'000) + "]}"),
            "'view' takes 1200007 bytes; at most 65536 may be read");
        row("too many values", json("\"view\":{\"a\":[" + repeated("{}", 2'100'000) + "]}"),
            "holds more than 2097152 values");
        row("view as list", json("\"view\":[]"), "'view' is [], expected an object");
        row("deep", json("\"view\":" + std::string(100000, '[')), "is nested more than 64 levels deep");
        row("deep objects", json("\"view\":" + QString("{\"a\":").repeated(70).toStdString()),
            "is nested more than 64 levels deep");
    }
    void refused() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        auto problem = full_problem();
        std::string view = "as before";
        const auto said = error_of([&] { io::spec_from_json(text.toStdString(), problem, &view); });
        QVERIFY2(said.startsWith(message), qPrintable("says: " + said));
        QCOMPARE(problem, full_problem());
        QCOMPARE(view, std::string("as before"));
    }

    void errorsNameTheFile() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("w.npz");
        io::write_npz(to_path(path), {{}, {{"workspace.json", "{}"}}});
        QCOMPARE(error_of([&] { io::read_workspace(to_path(path)); }), path + ": workspace.json: 'format' is missing");
    }

    void textThatIsNoUtf8() {
        AttentionProblem problem;
        problem.query_tokens = {"a\xff", "\xc3"};
        problem.spec.variant = "\x80";
        AttentionProblem read;
        io::spec_from_json(io::spec_to_json(problem), read);
        QCOMPARE(read.query_tokens, (std::vector<std::string>{"a\xEF\xBF\xBD", "\xEF\xBF\xBD"}));
        const auto broken = json("\"query_tokens\":[\"a\xff\"]");
        QVERIFY(error_of([&] {
                    io::spec_from_json(broken, read);
                }).startsWith("workspace.json: is not valid JSON near byte"));
    }

    /// Other members than arrays are not loaded, except workspace.json within a limit.
    void membersThatAreNotAskedForAreNotInflated() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("w.npz"));
        const std::string zeros(std::size_t{1} << 24, '\0');
        io::write_npz(path, {{{"query", Tensor({1, 2}, 0.5)}}, {{"zeros", zeros}, {"workspace.json", json("")}}});
        io::ReadLimits little;
        little.max_bytes = 1 << 16;
        QCOMPARE(error_of([&] { io::read_workspace(path, nullptr, little); }), QString());
        const auto archive = io::read_npz(path);
        QVERIFY(!archive.others.contains("zeros"));
        QCOMPARE(archive.unread, std::vector<std::string>{"zeros"});
        io::write_npz(path, {{}, {{"workspace.json", std::string((std::size_t{1} << 26) + 1, ' ')}}});
        const auto said = error_of([&] { io::read_workspace(path); });
        QVERIFY2(said.contains("workspace.json: takes 67108865 bytes; at most 67108864 more may be read"),
                 qPrintable(said));
    }

    void whatCannotBeReadAgainIsNotWritten() {
        AttentionProblem problem;
        problem.key_tokens.resize(1'000'001);
        QCOMPARE(error_of([&] { io::spec_to_json(problem); }),
                 QString("1000001 labels cannot be saved; a workspace has room for 1000000 along an axis"));
        problem.key_tokens.assign(1100, std::string(65536, 'a'));
        QVERIFY(error_of([&] { io::spec_to_json(problem); }).contains("bytes cannot be saved"));
    }

    void cannotBeWritten() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("w.npz"));
        auto problem = full_problem();
        QCOMPARE(error_of([&] { io::write_workspace(path, problem, "[]"); }),
                 QString("view: is [], expected an object"));
        problem.spec.parameters.set("dropout", std::numeric_limits<double>::quiet_NaN());
        QCOMPARE(error_of([&] { io::write_workspace(path, problem); }),
                 QString("parameter 'dropout' is nan, expected a finite number"));
        QVERIFY(entries(folder.path()).isEmpty());
    }
};

ATTNLAB_TEST(TestWorkspace)
#include "test_workspace.moc"
