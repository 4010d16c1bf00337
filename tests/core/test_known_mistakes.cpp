// The arrays of tests/data/mistakes, computed by NumPy with a mistake and without, beside every mistake of the table.
#include "core/io/npz.h"
#include "core/rounding.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/verify/mistakes.h"
#include "tests/core/engine_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <filesystem>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::verify;

namespace {

QString named(const Diagnosis& found) {
    QStringList ids;
    for (const auto& mistake : found.likely)
        ids << QString::fromStdString(std::string(mistake.id));
    for (const auto& cause : found.nan_causes)
        ids << "nan:" + QString::fromStdString(std::string(cause.id));
    return ids.join(' ');
}

} // namespace

class TestKnownMistakes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        arrays_ = io::read_npz(std::filesystem::path(ATTNLAB_TEST_DATA_DIR "/mistakes/mistakes.npz")).tensors;
    }

    void namesTheMistakeAndNoOther_data() {
        QTest::addColumn<QJsonObject>("one");
        QFile file(ATTNLAB_TEST_DATA_DIR "/mistakes/cases.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const auto& value : QJsonDocument::fromJson(file.readAll()).array()) {
            const auto one = value.toObject();
            const auto mistakes = one["mistakes"].toArray();
            QTest::addRow("%s %s %s", qPrintable(one["array"].toString()), qPrintable(one["stage"].toString()),
                          mistakes.isEmpty() ? "right" : qPrintable(mistakes.first().toString()))
                << one;
        }
    }
    void namesTheMistakeAndNoOther() {
        QFETCH(QJsonObject, one);
        const auto problem = problem_of(one);
        const auto name = one["stage"].toString().toStdString();
        const auto exact = run(problem);
        QStringList expected;
        for (const auto& id : one["mistakes"].toArray())
            expected << id.toString();
        const auto& given = arrays_.at(one["array"].toString().toStdString());
        for (const auto type : {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16}) {
            const auto stored = rounded(given, type).with_dtype(type);
            const auto found = diagnose(problem, exact, name, stored);
            QVERIFY(!found.not_looked);
            QVERIFY2(named(found) == expected.join(' '),
                     qPrintable(QString::fromStdString(std::string(name_of(type))) + ": " + named(found)));
        }
        // as by another order of summation
        auto stored = rounded(given, DType::Float32).with_dtype(DType::Float32);
        double sign = 1.0;
        for (double& value : stored.mutable_values())
            value *= 1.0 + (sign = -sign) * 3e-7;
        const auto found = diagnose(problem, exact, name, stored);
        QVERIFY2(named(found) == expected.join(' '), qPrintable("float32, perturbed: " + named(found)));
    }

private:
    AttentionProblem problem_of(const QJsonObject& one) const {
        AttentionProblem problem;
        const auto own = one["problem"].toString().toStdString() + ":";
        for (const auto& [name, tensor] : arrays_)
            if (name.starts_with(own))
                problem.tensors.insert_or_assign(name.substr(own.size()), tensor);
        if (const auto position = one["position"].toString(); !position.isEmpty())
            problem.spec.position = parse_position(position.toStdString());
        problem.spec.scale = parse_scale(one["scale"].toString().toStdString());
        for (const auto& mask : one["masks"].toArray())
            problem.spec.masks.push_back(parse_mask(mask.toString().toStdString()));
        return problem;
    }

    TensorMap arrays_;
};

ATTNLAB_TEST(TestKnownMistakes)
#include "test_known_mistakes.moc"
