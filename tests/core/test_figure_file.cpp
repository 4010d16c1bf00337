// Settings in pictures: as they were written, and from writers that nobody trusts.
#include "core/io/file_formats.h"
#include "core/io/saved/figure_file.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <algorithm>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The smallest PNG: one grey pixel.
const QByteArray png =
    QByteArray::fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQ"
                           "AAAABJRU5ErkJggg==");
const QByteArray svg = "<?xml version=\"1.0\"?>\n<svg width=\"1\"><title>&amp;</title></svg>\n";

AttentionProblem problem() {
    AttentionProblem made;
    made.spec.variant = "scaled_dot_product";
    made.spec.scale = {"none", {}};
    made.spec.masks = {{"causal", {}}};
    made.tensors = {{"query", random_normal({2, 3, 4}, 1)},
                    {"key", random_normal({2, 3, 4}, 2)},
                    {"value", random_normal({2, 3, 4}, 3)}};
    made.query_tokens = {"<a>", "&", "\xe7\x8c\xab\"'\n]]>"};
    return made;
}

QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }
std::string_view view(const QByteArray& text) { return {text.constData(), static_cast<std::size_t>(text.size())}; }
io::FigureSettings read(const QByteArray& file) { return io::read_figure(as_span(file), "f"); }

/// As Qt writes it.
QByteArray pdf(const std::string& settings) {
    return "%PDF-1.4\n1 0 obj << /Type /Metadata >> stream\n" + bytes(std::string(io::before_pdf_settings)) +
           bytes(settings) + bytes(std::string(io::after_pdf_settings)) + "\nendstream\n%%EOF\n";
}

} // namespace

class TestFigureFile : public QObject {
    Q_OBJECT

private slots:
    void comeBack_data() {
        QTest::addColumn<QByteArray>("file");
        const auto text = io::figure_settings_text(problem(), R"({"stage":"scores","head":1})");
        QTest::newRow("png") << bytes(io::png_with_settings(view(png), text));
        QTest::newRow("svg") << bytes(io::svg_with_settings(view(svg), text));
        QTest::newRow("svg, saved by another program")
            << bytes(io::svg_with_settings(view(svg), text))
                   .replace("\"attnlab_figure\"", "&quot;attnlab_figure&quot;");
        QTest::newRow("pdf") << pdf(text);
    }
    void comeBack() {
        QFETCH(QByteArray, file);
        const auto settings = read(file);
        QVERIFY(settings.has_arrays);
        QVERIFY(settings.problem == problem());
        QVERIFY(settings.view_json.find("\"scores\"") != std::string::npos);
    }

    void asAFileOfInputs() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("f.png");
        put_file(path, bytes(io::png_with_settings(view(png), io::figure_settings_text(problem(), "{}"))));
        const std::filesystem::path files[] = {to_path(path)};
        const auto contents = io::read_contents(files);
        QVERIFY(contents.workspace && contents.workspace->spec == problem().spec);
        QCOMPARE(contents.arrays.size(), std::size_t{3});
        QVERIFY(io::format_of(to_path(path))->suffixes.front().is_picture);
    }

    void largeArraysStayOut() {
        auto large = problem();
        large.tensors["query"] = Tensor({1 << 20}, 0.5);
        const auto settings = read(bytes(io::png_with_settings(view(png), io::figure_settings_text(large, "{}"))));
        QVERIFY(!settings.has_arrays && settings.problem.tensors.empty());
        QVERIFY(settings.problem.spec == large.spec);
        QCOMPARE(settings.left_out.size(), large.tensors.size());
        const auto query = std::ranges::find(settings.left_out, "query", &io::ArrayLeftOut::name);
        QVERIFY(query != settings.left_out.end());
        QVERIFY(query->type == "float64" && query->shape == Shape{1 << 20});
        QVERIFY(
            read(bytes(io::png_with_settings(view(png), io::figure_settings_text(problem(), "{}")))).left_out.empty());
        QVERIFY(!io::fits_figure(large.tensors) && io::fits_figure(problem().tensors));
    }

    /// Room is counted in bytes, not in numbers.
    void roomIsInBytes() {
        for (const auto& [numbers, type, fits] : {std::tuple(100'000, DType::Float64, true),
                                                  {200'000, DType::Float64, false},
                                                  {200'000, DType::Float32, true},
                                                  {300'000, DType::Float32, false},
                                                  {400'000, DType::Float16, true}}) {
            auto some = problem();
            some.tensors["query"] = Tensor({numbers}, 0.5, type);
            QCOMPARE(io::fits_figure(some.tensors), fits);
            const auto text = io::figure_settings_text(some, "{}");
            QCOMPARE(read(bytes(io::png_with_settings(view(png), text))).has_arrays, fits);
        }
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const QByteArray& file, const char* why) {
            QTest::newRow(name) << file << QString(why);
        };
        const auto with = [](const QByteArray& text) { return bytes(io::png_with_settings(view(png), view(text))); };
        const auto good = bytes(io::figure_settings_text(problem(), "{}"));
        const char* none = "is a picture without settings of AttnLab";
        row("another PNG", png, none);
        row("another SVG", svg, none);
        row("another PDF", "%PDF-1.4\n%%EOF\n", none);
        row("signature alone", png.left(8), none);
        row("settings without an end", pdf("{}").chopped(20), none);
        row("no JSON", with("settings"), "is not valid JSON");
        row("a list", with("[]"), "expected an object");
        row("deep", with(QByteArray(1000, '[')), "levels deep");
        row("no version", with("{}"), "'attnlab_figure' is missing");
        row("newer", with(R"({"attnlab_figure":2})"), "'attnlab_figure' is 2");
        row("no workspace", with(R"({"attnlab_figure":1})"), "'workspace' is missing");
        row("unknown key", with(QByteArray(good).replace("\"workspace\":", "\"x\":1,\"workspace\":")), "x");
        row("unknown key inside", with(QByteArray(good).replace("\"variant\":", "\"x\":1,\"variant\":")), "x");
        row("no base 64",
            with(R"({"attnlab_figure":1,"workspace":{"format":"attnlab-workspace","version":1},"arrays":"!"})"),
            "is not in base 64");
        row("no arrays",
            with(R"({"attnlab_figure":1,"workspace":{"format":"attnlab-workspace","version":1},"arrays":"AAAA"})"),
            "f");
        auto flipped = with(good);
        flipped[60] = '~';
        row("wrong checksum", flipped, "is broken");
        auto long_chunk = with(good);
        long_chunk[33] = '\x7f';
        row("a chunk longer than the file", long_chunk, "is broken");
    }
    void refused() {
        QFETCH(QByteArray, file);
        QFETCH(QString, why);
        const auto error = error_of([&] { read(file); });
        QVERIFY2(error.startsWith("f: ") && error.contains(why), qPrintable(error));
    }

    /// Every byte that a file ends at, and every byte changed: settings, or an error that names the file.
    void anyBytes() {
        const auto whole = bytes(io::png_with_settings(view(png), R"({"attnlab_figure":1,"workspace":)"
                                                                  R"({"format":"attnlab-workspace","version":1}})"));
        const auto survives = [](const QByteArray& file) {
            const auto error = error_of([&] { read(file); });
            return error.isEmpty() || error.startsWith("f: ");
        };
        for (qsizetype i = 8; i < whole.size(); ++i) {
            QVERIFY(survives(whole.left(i)));
            for (const char change : {'\x01', '\x80'}) {
                auto changed = whole;
                changed[i] = static_cast<char>(changed[i] ^ change);
                QVERIFY(survives(changed));
            }
        }
    }
};

ATTNLAB_TEST(TestFigureFile)
#include "test_figure_file.moc"
