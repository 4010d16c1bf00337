// Results as JSON; infinities and NaN, which JSON lacks, are the texts "inf", "-inf" and "nan".
#pragma once

#include "core/compare.h"
#include "core/tensor.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>

namespace attnlab::app {

QJsonValue jsonOf(double value);
QJsonArray jsonOf(const Shape& shape);
QJsonObject jsonOf(const Gap& gap);
/// Nested lists, as from numpy's tolist().
QJsonValue jsonOf(const Tensor& tensor);

/// Prints an object and a line feed. Throws OutputError.
void printJson(const QJsonObject& object);

/// Throws UsageError for too many numbers; `option` is the alternative to suggest.
void checkJsonSize(std::int64_t numbers, const char* option);

} // namespace attnlab::app
