#include "ui/panels/inputs/axis_names.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace attnlab::ui {
namespace {

struct AxisNames {
    Q_DECLARE_TR_FUNCTIONS(AxisNames)
};

QString dimText(const Dim& dim) {
    QString text;
    for (const auto factor : dim.factors)
        text += (text.isEmpty() ? QString() : QStringLiteral(" × ")) +
                QString::fromUtf8(factor.data(), static_cast<qsizetype>(factor.size()));
    return text;
}

} // namespace

QString axisTitle(int axis, int rank, const std::vector<Dim>& dims) {
    const bool declared = axis < static_cast<int>(dims.size());
    const Dim dim = declared ? dims[static_cast<std::size_t>(axis)] : Dim();
    QString title;
    if (axis == rank - 1)
        title = rank == 1 ? AxisNames::tr("Length") : AxisNames::tr("Columns");
    else if (axis == rank - 2)
        title = AxisNames::tr("Rows");
    else if (isBatch(dim))
        title = AxisNames::tr("Batch");
    else if (isHead(dim))
        title = AxisNames::tr("Head");
    else
        title = AxisNames::tr("Axis %1").arg(axis);
    return declared ? AxisNames::tr("%1 (%2)").arg(title, dimText(dim)) : title;
}

bool isBatch(const Dim& dim) { return is_symbol(dim, "B"); }
bool isHead(const Dim& dim) { return is_symbol(dim, "H") || is_symbol(dim, "Hkv"); }

QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    const bool of_queries = axis == Axis::Query || keys_are_queries(problem, declared);
    return textsOf(of_queries ? problem.query_tokens : problem.key_tokens);
}

QString shortNameOf(const QString& tensor) {
    if (tensor == QLatin1String("query"))
        return QStringLiteral("Q");
    if (tensor == QLatin1String("key"))
        return QStringLiteral("K");
    if (tensor == QLatin1String("value"))
        return QStringLiteral("V");
    return tensor;
}

} // namespace attnlab::ui
