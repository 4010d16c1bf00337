#include "core/io/npz.h"
#include "core/recognition/mask_arrays.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"
#include "core/stages/view.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const QString folder = QStringLiteral(ATTNLAB_GOLDEN_DIR);

QStringList strings(const QJsonValue& array) {
    QStringList list;
    for (const auto& value : array.toArray())
        list << value.toString();
    return list;
}

/// The spec of the command line's arguments; the variant comes first in every case.
AttentionSpec spec_of(QStringList arguments) {
    AttentionSpec spec;
    while (!arguments.isEmpty()) {
        const QString option = arguments.takeFirst();
        if (option == QLatin1String("--statistics")) {
            spec.statistics = true;
            continue;
        }
        if (option == QLatin1String("--scale-after-softmax")) {
            spec.scale_after_softmax = true;
            continue;
        }
        const QString name = option.section('=', 0, 0);
        const auto value = (name == option ? arguments.takeFirst() : option.section('=', 1)).toStdString();
        if (name == QLatin1String("--variant")) {
            spec.variant = value;
        } else if (name == QLatin1String("--scale")) {
            spec.scale = parse_scale(value);
        } else if (name == QLatin1String("--mask")) {
            for (auto& mask : parse_masks(value))
                spec.masks.push_back(std::move(mask));
        } else if (name == QLatin1String("--query-offset")) {
            spec.query_offset = std::stoll(value);
        } else if (name == QLatin1String("--mask-combine")) {
            spec.mask_combine = parse_combination(value);
        } else if (name == QLatin1String("--score-mod")) {
            spec.score_mod = value;
        } else if (name == QLatin1String("--normaliser")) {
            spec.normaliser = parse_normaliser(value);
        } else if (name == QLatin1String("--view")) {
            spec.view = parse_view(value);
        } else if (name == QLatin1String("--decay")) {
            spec.decay = parse_decay(value);
        } else if (name == QLatin1String("--key-grid")) {
            // of the problem, see grid_of()
        } else if (name == QLatin1String("--mask-fill")) {
            spec.mask_fill.value = value == "-inf" ? -infinity : std::stod(value);
        } else if (name == QLatin1String("--mask-fill-mode")) {
            spec.mask_fill.mode = value == "add" ? MaskFill::Mode::Add : MaskFill::Mode::Replace;
        } else if (name == QLatin1String("--set")) {
            const auto key = value.substr(0, value.find('='));
            for (const auto& parameter : mechanism_of(spec.variant).parameters)
                if (parameter.name == key)
                    spec.parameters.set(key, parse_value(parameter, value.substr(key.size() + 1), spec.variant));
            if (!spec.parameters.find(key))
                qFatal("unknown parameter %s", key.c_str());
        } else {
            qFatal("unknown option %s", qPrintable(option));
        }
    }
    return spec;
}

/// "--key-grid 3x4"
std::optional<KeyGrid> grid_of(const QStringList& arguments) {
    const auto at = arguments.indexOf(QLatin1String("--key-grid"));
    if (at < 0)
        return std::nullopt;
    const auto sizes = arguments.at(at + 1).split('x');
    return KeyGrid{sizes.at(0).toLongLong(), sizes.at(1).toLongLong()};
}

} // namespace

/// Every case of tests/golden whose mechanism is in the table, compared with an independent implementation.
class GoldenTest : public QObject {
    Q_OBJECT
private slots:
    void computes_data();
    void computes();
    void ran_them_all();
    void every_mechanism_is_compared();

private:
    int ran_ = 0;
};

void GoldenTest::computes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("stages");
    QTest::addColumn<double>("tolerance");
    const auto document = QJsonDocument::fromJson(file_bytes(folder + "/cases.json"));
    QVERIFY(document.isArray());
    for (const auto& value : document.array()) {
        const auto one = value.toObject();
        const auto arguments = strings(one["args"]);
        const auto id = arguments.at(arguments.indexOf("--variant") + 1).toStdString();
        const auto table = mechanisms();
        if (std::none_of(table.begin(), table.end(), [&](const Mechanism& v) { return v.id == id; }))
            continue;
        const auto name = one["name"].toString();
        QTest::newRow(qPrintable(name)) << name << arguments << strings(one["stages"]) << one["tolerance"].toDouble();
    }
}

/// core.sweep compares mechanisms of one exact pass; those of a given stage compute no scores.
void GoldenTest::every_mechanism_is_compared() {
    const auto document = QJsonDocument::fromJson(file_bytes(folder + "/cases.json"));
    for (const auto& mechanism : mechanisms()) {
        const auto id = QString::fromUtf8(mechanism.id.data(), std::ssize(mechanism.id));
        const auto has_case = std::ranges::any_of(
            document.array(), [&](const auto& value) { return strings(value.toObject()["args"]).contains(id); });
        QVERIFY2(is_one_pass(mechanism) || has_case || std::string_view(mechanism.family) == "Given",
                 mechanism.id.data());
    }
}

void GoldenTest::computes() {
    QFETCH(QString, name);
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, stages);
    QFETCH(double, tolerance);
    AttentionProblem problem;
    problem.spec = spec_of(arguments);
    problem.key_grid = grid_of(arguments);
    problem.tensors = io::read_npz(to_path(folder + "/" + name + ".in.npz")).tensors;
    if (const auto mask = problem.tensors.find("attention_mask"); mask != problem.tensors.end())
        if (const auto documents = read_packed_documents(mask->second)) // as for a file
            problem.tensors.emplace(documents->role, documents->tensor);
    const auto expected = io::read_npz(to_path(folder + "/" + name + ".out.npz")).tensors;

    QCOMPARE(issues_in(problem).size(), std::size_t{0});
    const auto trace = run(problem);
    QVERIFY(!stages.isEmpty());
    for (const auto& wanted : stages) {
        const auto key = wanted.toStdString();
        QVERIFY2(trace.find(key), qPrintable("no stage " + wanted));
        QVERIFY2(expected.contains(key), qPrintable("no expected " + wanted));
        const auto wrong = difference(stage(trace, key), expected.at(key), tolerance);
        QVERIFY2(wrong.isEmpty(), qPrintable(wanted + ": " + wrong));
    }
    ++ran_;
}

void GoldenTest::ran_them_all() { QVERIFY2(ran_ >= 142, qPrintable(QStringLiteral("%1 cases ran").arg(ran_))); }

ATTNLAB_TEST(GoldenTest)
#include "test_golden.moc"
