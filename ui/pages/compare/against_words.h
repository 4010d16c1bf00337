// What a comparison with an array of other code found, in words.
#pragma once

#include "core/against/array_comparison.h"
#include "core/against/mistakes.h"

#include <QString>

namespace attnlab::ui {

/// "Largest error 0.012 at head 1, query 3, key 2"; empty where no cell differs.
QString largestErrorText(const against::ArrayComparison& found);
/// The other figures and the likely mistakes, a line each.
QString comparisonWords(const against::ArrayComparison& found, const against::Diagnosis& diagnosis);

} // namespace attnlab::ui
