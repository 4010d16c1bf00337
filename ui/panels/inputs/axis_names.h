// What tensors, their axes and the tokens along them are called.
#pragma once

#include "core/edit/declared_inputs.h"

#include <QString>
#include <QStringList>

namespace attnlab::ui {

/// "Rows (L)", "Columns (num_heads*E)", "Batch (B)", "Head (H)"; without a declaration (empty `dims`) "Rows", "Axis 0".
QString axisTitle(int axis, int rank, const std::vector<Dim>& dims);
bool isBatch(const Dim& dim);
bool isHead(const Dim& dim);

/// The labels of an axis, as far as they are given; empty ones mean row numbers.
QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);

/// "Q", "K", "V" for query, key and value; the name itself for others.
QString shortNameOf(const QString& tensor);

} // namespace attnlab::ui
