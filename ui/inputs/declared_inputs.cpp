#include "ui/inputs/declared_inputs.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {
namespace {

struct DeclaredInputs {
    Q_DECLARE_TR_FUNCTIONS(DeclaredInputs)
};

std::vector<std::string>& labelsIn(AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    if (axis == Axis::Key && !keysAreQueries(problem, declared))
        return problem.key_tokens;
    return problem.query_tokens;
}

std::optional<std::int64_t> sizeOfSymbol(const AttentionProblem& problem, const std::vector<Input>& declared,
                                         std::string_view symbol) {
    for (const auto& input : declared) {
        const auto tensor = problem.tensors.find(input.name);
        if (tensor == problem.tensors.end())
            continue;
        const auto sizes = axisSizes(input, tensor->second.rank());
        for (std::size_t axis = 0; axis < sizes.size(); ++axis)
            if (sizes[axis] == symbol)
                return tensor->second.shape()[axis];
    }
    return std::nullopt;
}

} // namespace

std::vector<Input> declaredInputs(const AttentionSpec& spec) {
    try {
        return inputs_of(spec);
    } catch (const Error&) {
        return {}; // The run says what is wrong with the spec.
    }
}

const Input* findInput(const std::vector<Input>& declared, std::string_view name) {
    const auto found = std::find_if(declared.begin(), declared.end(), [&](const Input& one) { return one.name == name; });
    return found == declared.end() ? nullptr : &*found;
}

std::vector<std::string> axisSizes(const Input& input, int rank) {
    const auto all = QString::fromUtf8(input.dims.data(), static_cast<qsizetype>(input.dims.size()));
    for (const auto& alternative : all.split(QLatin1Char('|'))) {
        const auto sizes = alternative.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        if (sizes.size() != rank)
            continue;
        std::vector<std::string> result;
        for (const auto& size : sizes)
            result.push_back(size.toStdString());
        return result;
    }
    return {};
}

QString axisTitle(int axis, int rank, const std::string& size) {
    QString title;
    if (axis == rank - 1)
        title = rank == 1 ? DeclaredInputs::tr("Length") : DeclaredInputs::tr("Columns");
    else if (axis == rank - 2)
        title = DeclaredInputs::tr("Rows");
    else if (size == "B")
        title = DeclaredInputs::tr("Batch");
    else if (size.starts_with('H'))
        title = DeclaredInputs::tr("Head");
    else
        title = DeclaredInputs::tr("Axis %1").arg(axis);
    return size.empty() ? title : DeclaredInputs::tr("%1 (%2)").arg(title, QString::fromStdString(size));
}

std::optional<Axis> tokensAlong(const std::string& size) {
    if (size == "L")
        return Axis::Query;
    if (size == "S")
        return Axis::Key;
    return std::nullopt;
}

std::int64_t tokenCount(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    const auto queries = sizeOfSymbol(problem, declared, "L").value_or(0);
    return axis == Axis::Query ? queries : sizeOfSymbol(problem, declared, "S").value_or(queries);
}

bool keysAreQueries(const AttentionProblem& problem, const std::vector<Input>& declared) {
    return problem.key_tokens.empty() &&
           tokenCount(problem, declared, Axis::Query) == tokenCount(problem, declared, Axis::Key);
}

QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    const bool of_queries = axis == Axis::Query || keysAreQueries(problem, declared);
    QStringList labels;
    for (const auto& token : of_queries ? problem.query_tokens : problem.key_tokens)
        labels << QString::fromStdString(token);
    return labels;
}

AttentionProblem withTokenLabels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                 std::int64_t first, const QStringList& labels) {
    auto& tokens = labelsIn(problem, declared, axis);
    const auto count = tokenCount(problem, declared, axis);
    for (qsizetype i = 0; i < labels.size() && first + i < count; ++i) {
        const auto at = static_cast<std::size_t>(first + i);
        if (tokens.size() <= at)
            tokens.resize(at + 1);
        tokens[at] = labels[i].trimmed().toStdString();
    }
    while (!tokens.empty() && tokens.back().empty())
        tokens.pop_back();
    return problem;
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
