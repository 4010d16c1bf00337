// Results as JSON, which knows no infinity and no NaN: these are the texts "inf", "-inf" and "nan".
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
/// Nested lists, as numpy's tolist() gives them.
QJsonValue jsonOf(const Tensor& tensor);

/// Prints an object with a line feed at its end. Throws OutputError.
void printJson(const QJsonObject& object);

/// Throws UsageError for more numbers than JSON is meant for; `option` is what takes them instead.
void checkJsonSize(std::int64_t numbers, const char* option);

} // namespace attnlab::app
