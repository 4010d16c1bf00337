#include "ui/panels/inputs/declared_inputs.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {
namespace {

struct DeclaredInputs {
    Q_DECLARE_TR_FUNCTIONS(DeclaredInputs)
};

bool isSymbol(const Dim& dim, std::string_view symbol) { return dim.factors.size() == 1 && dim.factors[0] == symbol; }

QString dimText(const Dim& dim) {
    QString text;
    for (const auto factor : dim.factors)
        text += (text.isEmpty() ? QString() : QStringLiteral(" × ")) +
                QString::fromUtf8(factor.data(), static_cast<qsizetype>(factor.size()));
    return text;
}

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
        const auto dims = dimsAt(input, tensor->second.rank());
        for (std::size_t axis = 0; axis < dims.size(); ++axis)
            if (const auto size = tensor->second.shape()[axis];
                isSymbol(dims[axis], symbol) && !(dims[axis].or_one && size == 1))
                return size;
    }
    return std::nullopt;
}

} // namespace

std::vector<Input> declaredInputs(const AttentionSpec& spec) {
    try {
        return inputs_of(spec);
    } catch (const Error&) {
        return {}; // the run reports the error of the spec
    }
}

const Input* findInput(const std::vector<Input>& declared, std::string_view name) {
    const auto found =
        std::find_if(declared.begin(), declared.end(), [&](const Input& one) { return one.name == name; });
    return found == declared.end() ? nullptr : &*found;
}

std::vector<Dim> dimsAt(const Input& input, int rank) {
    for (auto& dims : dims_of(input))
        if (static_cast<int>(dims.size()) == rank)
            return dims;
    return {};
}

QString axisTitle(int axis, int rank, const std::vector<Dim>& dims) {
    const bool declared = axis < static_cast<int>(dims.size());
    const Dim dim = declared ? dims[static_cast<std::size_t>(axis)] : Dim();
    QString title;
    if (axis == rank - 1)
        title = rank == 1 ? DeclaredInputs::tr("Length") : DeclaredInputs::tr("Columns");
    else if (axis == rank - 2)
        title = DeclaredInputs::tr("Rows");
    else if (isBatch(dim))
        title = DeclaredInputs::tr("Batch");
    else if (isHead(dim))
        title = DeclaredInputs::tr("Head");
    else
        title = DeclaredInputs::tr("Axis %1").arg(axis);
    return declared ? DeclaredInputs::tr("%1 (%2)").arg(title, dimText(dim)) : title;
}

bool isBatch(const Dim& dim) { return isSymbol(dim, "B"); }
bool isHead(const Dim& dim) { return isSymbol(dim, "H") || isSymbol(dim, "Hkv"); }

std::optional<Axis> tokensAlong(const Dim& dim) {
    if (isSymbol(dim, "L"))
        return Axis::Query;
    if (isSymbol(dim, "S"))
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

AttentionProblem withOwnKeyLabels(AttentionProblem problem, const std::vector<Input>& declared, bool own) {
    problem.key_tokens.clear();
    if (own) {
        problem.key_tokens = problem.query_tokens;
        // A full list, if necessary of empty labels: an empty list would mean the queries' labels.
        problem.key_tokens.resize(static_cast<std::size_t>(tokenCount(problem, declared, Axis::Key)));
    }
    return problem;
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
    // Not for keys: without any label they would take the queries'.
    while (&tokens == &problem.query_tokens && !tokens.empty() && tokens.back().empty())
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
