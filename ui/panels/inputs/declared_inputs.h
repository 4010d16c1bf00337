// The current mechanism's declarations about the tensors of a problem: meaning of axes, token labels, names.
#pragma once

#include "core/inputs.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

namespace attnlab::ui {

/// The inputs of the problem's variant and masks; none for an invalid spec.
std::vector<Input> declaredInputs(const AttentionSpec& spec);
const Input* findInput(const std::vector<Input>& declared, std::string_view name);

/// The declared sizes of a tensor of this rank, one for each axis; empty if not declared.
std::vector<Dim> dimsAt(const Input& input, int rank);

/// "Rows (L)", "Columns (num_heads*E)", "Batch (B)", "Head (H)"; without a declaration (empty `dims`) "Rows", "Axis 0".
QString axisTitle(int axis, int rank, const std::vector<Dim>& dims);
bool isBatch(const Dim& dim);
bool isHead(const Dim& dim);

/// The tokens along an axis of this declared size: L queries, S keys.
std::optional<Axis> tokensAlong(const Dim& dim);

/// The number of query or key tokens; 0 where no tensor determines it. Keys without a tensor are the queries.
std::int64_t tokenCount(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);
/// True where keys have no own labels and are as many as the queries: then they are the same tokens.
bool keysAreQueries(const AttentionProblem& problem, const std::vector<Input>& declared);
/// Gives the keys their own labels, initially those of the queries; or removes them again.
AttentionProblem withOwnKeyLabels(AttentionProblem problem, const std::vector<Input>& declared, bool own);
/// The labels of an axis, as far as given; empty ones mean row numbers.
QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);
/// `labels` written from the token `first` on.
AttentionProblem withTokenLabels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                 std::int64_t first, const QStringList& labels);

/// "Q", "K", "V" for query, key and value; the name itself for others.
QString shortNameOf(const QString& tensor);

} // namespace attnlab::ui
