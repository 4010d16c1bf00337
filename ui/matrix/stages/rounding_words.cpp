#include "ui/matrix/stages/rounding_words.h"

#include "ui/widgets/text.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

struct RoundedPart {
    Rounding::Where where;
    const char* name;
    const char* help;
};

constexpr RoundedPart rounded_parts[] = {
    {Rounding::Where::All, QT_TRANSLATE_NOOP("RoundingWords", "all numbers"),
     QT_TRANSLATE_NOOP("RoundingWords", "Inputs, scores, weights and the output")},
    {Rounding::Where::Inputs, QT_TRANSLATE_NOOP("RoundingWords", "inputs"),
     QT_TRANSLATE_NOOP("RoundingWords", "Query, key and value as the mechanism uses them, after a projection")},
    {Rounding::Where::Scores, QT_TRANSLATE_NOOP("RoundingWords", "scores"),
     QT_TRANSLATE_NOOP("RoundingWords", "Scores, and what scale, position and masks make of them")},
    {Rounding::Where::Weights, QT_TRANSLATE_NOOP("RoundingWords", "weights"),
     QT_TRANSLATE_NOOP("RoundingWords", "Weights, after the softmax")},
};

const RoundedPart& partOf(Rounding::Where where) {
    return *std::ranges::find(rounded_parts, where, &RoundedPart::where);
}

} // namespace

QString RoundingWords::of(const std::optional<Rounding>& rounding) {
    return rounding ? tr("%1 %2").arg(textOf(name_of(rounding->format)), tr(partOf(rounding->where).name))
                    : QStringLiteral("float64");
}

QString RoundingWords::helpOf(Rounding::Where where) { return tr(partOf(where).help); }

} // namespace attnlab::ui
