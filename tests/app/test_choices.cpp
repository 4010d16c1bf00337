// Options of the command line that change numbers, labels and pictures: each against the same without it.
#include "core/io/file_formats.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/random.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

class TestChoices : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const QString sample_ = QStringLiteral(ATTNLAB_SAMPLES_DIR "/milk_or_cat_sweet.npz");
    const QString heads_ = QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz");

    QString path(const QString& name) const { return folder_.filePath(name); }
    QByteArray rendered(const QString& input, const QStringList& options, const char* suffix = "svg") {
        const auto out = path(QStringLiteral("picture.%1").arg(QLatin1String(suffix)));
        const auto outcome = start(QStringList{"render", input, "--out", out} + options);
        if (outcome.code != 0)
            return outcome.error.toUtf8();
        QFile file(out);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    TensorMap computed(const QStringList& options) {
        const auto out = path("out.npz");
        const auto outcome = start(QStringList{"compute", sample_, "--out", out} + options);
        return outcome.code == 0 ? io::read_npz(out.toStdString()).tensors : TensorMap{};
    }

private slots:
    void roundingImitatesANarrowerType() {
        const auto plain = computed({});
        const auto rounded = computed({"--round", "bfloat16"});
        QVERIFY(plain.contains("weights") && rounded.contains("weights"));
        bool differs = false;
        for (std::int64_t i = 0; i < plain.at("weights").size(); ++i) {
            const double weight = rounded.at("weights").value(i);
            differs = differs || weight != plain.at("weights").value(i);
            int exponent = 0; // eight bits of mantissa
            const double scaled = std::frexp(weight, &exponent) * 256.0;
            QCOMPARE(scaled, std::round(scaled));
        }
        QVERIFY(differs);
    }

    void tokensAreLabels() {
        const auto before = rendered(sample_, {"--stage", "weights"});
        QVERIFY(before.contains("milk") && !before.contains("zebra"));
        const auto queries = rendered(sample_, {"--stage", "weights", "--tokens", "zebra yak gnu okapi", "--key-tokens",
                                                "red green blue violet"});
        for (const char* word : {"zebra", "okapi", "red", "violet"})
            QVERIFY2(queries.contains(word), word);
        QVERIFY(!queries.contains("milk"));
    }

    void aBatchIsDrawn() {
        Tensor tensor({2, 1, 3, 2});
        for (std::int64_t i = 0; i < 6; ++i)
            tensor.set({1, 0, i / 2, i % 2}, static_cast<double>(i));
        io::write_tensors(path("two.npz").toStdString(), {{"query", tensor}, {"key", tensor}, {"value", tensor}});
        const auto first = rendered(path("two.npz"), {"--stage", "weights", "--batch", "0"});
        const auto second = rendered(path("two.npz"), {"--stage", "weights", "--batch", "1"});
        QVERIFY(first.startsWith("<?xml") && second.startsWith("<?xml"));
        QVERIFY(first.contains("0.333") && !second.contains("0.333"));
        QVERIFY(rendered(path("two.npz"), {"--stage", "weights", "--batch", "2"}).contains("batch"));
    }

    void aPictureLooksAsAsked_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("dark") << QStringList{"--dark"};
        QTest::newRow("log") << QStringList{"--log"};
        QTest::newRow("font") << QStringList{"--font", "DejaVu Serif"};
        QTest::newRow("font size") << QStringList{"--font-size", "17"};
        QTest::newRow("head") << QStringList{"--head", "2"};
    }

    void aPictureLooksAsAsked() {
        QFETCH(QStringList, options);
        const QStringList common{"--stage", "weights", "--size", "400x300"};
        const auto usual = QImage::fromData(rendered(heads_, common, "png"));
        const auto asked = QImage::fromData(rendered(heads_, common + options, "png"));
        QVERIFY(!usual.isNull() && !asked.isNull());
        QVERIFY(usual != asked);
        if (options.contains("--dark"))
            QVERIFY(asked.pixelColor(0, 0).lightness() < 80 && usual.pixelColor(0, 0).lightness() > 200);
        // Linear colours are the usual ones, also where a workspace has others.
        if (options.contains("--log"))
            QVERIFY(QImage::fromData(rendered(heads_, common + QStringList{"--linear"}, "png")) == usual);
    }

    /// A head is one of queries: of keys it chooses those that this head reads, with one stage as with all.
    void aHeadOfKeysIsTheOneThatAQueryHeadReads() {
        io::write_tensors(path("grouped.npz").toStdString(), {{"query", random_normal({1, 4, 3, 2}, 1)},
                                                              {"key", random_normal({1, 2, 3, 2}, 2)},
                                                              {"value", random_normal({1, 2, 3, 2}, 3)}});
        const auto key = io::read_npz(path("grouped.npz").toStdString()).tensors.at("key");
        const QStringList head{"compute", path("grouped.npz"), "--head", "2"};
        const auto all = path("all.npz"), one = path("one.npy");
        auto outcome = start(head + QStringList{"--out", all});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        outcome = start(head + QStringList{"--stage", "key", "--out", one});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto from_all = io::read_npz(all.toStdString()).tensors.at("key");
        const auto alone = io::read_npy(one.toStdString());
        QCOMPARE(alone.size(), 6);
        for (std::int64_t i = 0; i < 6; ++i) { // of query heads 2 and 3: key head 1
            QCOMPARE(alone.data()[i], key.at({0, 1, i / 2, i % 2}));
            QCOMPARE(from_all.data()[i], alone.data()[i]);
        }
    }

    /// The same array with its axes in two orders is equal to the same stage.
    void anArrayIsComparedInItsOwnLayout() {
        const auto out = path("stages.npz");
        QCOMPARE(start({"compute", heads_, "--out", out}).code, 0);
        const Tensor weights = io::read_npz(out.toStdString()).tensors.at("weights");
        Tensor turned({weights.dim(0), weights.dim(2), weights.dim(1), weights.dim(3)});
        for (std::int64_t head = 0; head < weights.dim(1); ++head)
            for (std::int64_t row = 0; row < weights.dim(2); ++row)
                for (std::int64_t column = 0; column < weights.dim(3); ++column)
                    turned.set({0, row, head, column}, weights.at({0, head, row, column}));
        io::write_tensors(path("turned.npz").toStdString(), {{"weights", turned}});
        const QStringList compare{"compare", heads_, "--against", path("turned.npz"), "--stage", "weights"};
        const auto refused = start(compare);
        QVERIFY(refused.code != 0);
        const auto equal = start(compare + QStringList{"--against-layout", "BLHS"});
        QVERIFY2(equal.code == 0, qPrintable(equal.error + equal.out));
    }

    void infoListsArraysAndMechanism() {
        const auto outcome = start({"info", heads_});
        QCOMPARE(outcome.code, 0);
        for (const char* part : {"w_q", "(12, 16)", "float64", "mechanism: multi_head"})
            QVERIFY2(outcome.out.contains(QLatin1String(part)), part);
    }
};

ATTNLAB_TEST(TestChoices)
#include "test_choices.moc"
