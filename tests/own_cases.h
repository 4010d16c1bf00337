// The cases of tests/data/own: arrays as PyTorch, NumPy, safetensors and Transformers save them.
#pragma once

#include "core/io/npz.h"
#include "tests/places.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <QTest>

#include <cmath>

namespace attnlab::test {

struct OwnCase {
    QString name;
    QStringList files;   ///< with their folder
    QStringList options; ///< of the command line
    QStringList arrays;  ///< every array and list of labels in the files
    QStringList unused;  ///< those of them that are not used
    QString mechanism;
    double tolerance = 0.0;
    bool asks = false; ///< the files leave choices open that the options make

    TensorMap expected() const {
        return io::read_npz((QStringLiteral(ATTNLAB_TEST_DATA_DIR "/own/") + name + "/expected.npz").toStdString())
            .tensors;
    }
    /// The values of a repeatable option.
    QStringList values(const QString& option) const {
        QStringList all;
        for (qsizetype i = 0; i + 1 < options.size(); ++i)
            if (options[i] == option)
                all << options[i + 1];
        return all;
    }
};

/// The allowed deviation of numbers computed in a type from float64: sums of about a hundred terms of size 1.
inline double tolerance_of(const QString& dtype) {
    constexpr double terms = 16.0;
    const int bits = dtype == "float64" ? 48 : dtype == "float32" ? 24 : dtype == "float16" ? 11 : 8;
    return terms * std::ldexp(1.0, -bits);
}

inline std::vector<OwnCase> own_cases() {
    QFile file(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/own/cases.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("tests/data/own/cases.json cannot be read");
    const auto texts = [](const QJsonValue& value) {
        QStringList all;
        for (const auto& text : value.toArray())
            all << text.toString();
        return all;
    };
    std::vector<OwnCase> cases;
    for (const auto& value : QJsonDocument::fromJson(file.readAll()).array()) {
        const auto entry = value.toObject();
        OwnCase own{entry["name"].toString(),
                    {},
                    texts(entry["options"]),
                    texts(entry["arrays"]),
                    texts(entry["unused"]),
                    entry["mechanism"].toString(),
                    tolerance_of(entry["computed_in"].toString()),
                    entry["asks"].toBool()};
        for (const auto& name : texts(entry["files"]))
            own.files << QStringLiteral(ATTNLAB_TEST_DATA_DIR "/own/") + own.name + "/" + name;
        cases.push_back(std::move(own));
    }
    return cases;
}

/// Describes the difference, or an empty text.
inline QString difference(const Tensor& actual, const Tensor& expected, double tolerance) {
    if (actual.shape() != expected.shape())
        return QString::fromStdString("has shape " + to_string(actual.shape()) + ", expected " +
                                      to_string(expected.shape()));
    for (std::int64_t k = 0; k < expected.size(); ++k)
        if (!(std::abs(actual.data()[k] - expected.data()[k]) <= tolerance))
            return QStringLiteral("number %1 is %2, expected %3 within %4")
                .arg(k)
                .arg(actual.data()[k], 0, 'g', 17)
                .arg(expected.data()[k], 0, 'g', 17)
                .arg(tolerance);
    return {};
}

inline void add_rows(const std::vector<OwnCase>& cases) {
    QTest::addColumn<int>("row");
    for (std::size_t row = 0; row < cases.size(); ++row)
        QTest::newRow(qPrintable(cases[row].name)) << static_cast<int>(row);
}

} // namespace attnlab::test
