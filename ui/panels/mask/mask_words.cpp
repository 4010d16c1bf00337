#include "ui/panels/mask/mask_words.h"

#include "core/stages/mask.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

/// Below this, exp of a replaced score is 0 relative to any usual score.
constexpr double practically_blocked = -1e3;

} // namespace

QString MaskWords::fillText(double value) {
    const double exponent = std::log10(std::abs(value));
    if (std::isfinite(value) && exponent >= 4.0 && exponent == std::round(exponent))
        return (value < 0 ? QStringLiteral("−1e%1") : QStringLiteral("1e%1")).arg(static_cast<int>(exponent));
    return exactText(value);
}

QString MaskWords::ofFill(const MaskFill& fill) {
    const QString value = fillText(fill.value);
    const bool adds = fill.mode == MaskFill::Mode::Add;
    if (std::isinf(fill.value))
        return adds ? tr("A hatched cell may not be read: −∞ is added to its score and its weight becomes 0.")
                    : tr("A hatched cell may not be read: its score becomes −∞ and its weight 0.");
    if (adds && fill.value <= practically_blocked)
        return tr("In a hatched cell, %1 is added to the score: a row with every key blocked stays as it was in "
                  "float64.")
            .arg(value);
    if (adds)
        return tr("In a hatched cell, %1 is added to the score: the cell is read less or more, but still read.")
            .arg(value);
    if (fill.value <= practically_blocked)
        return tr("The score of a hatched cell becomes %1: a row with every key blocked turns uniform.").arg(value);
    return tr("The score of a hatched cell becomes %1: it may still get a share of the weight.").arg(value);
}

QString MaskWords::of(const AttentionSpec& spec, bool blocks_any) {
    if (blocks_any)
        return ofFill(spec.mask_fill);
    if (spec.masks.empty())
        return tr("No mask: every query reads every key.");
    const bool only_adds = std::ranges::all_of(spec.masks, [](const Selection& mask) {
        const auto kinds = mask_kinds();
        const auto kind = std::ranges::find(kinds, mask.id, &MaskKind::id);
        return kind != kinds.end() && kind->adds;
    });
    if (only_adds)
        return tr("The bias is added to the scaled scores; −∞ in it blocks a cell.");
    return tr("These masks block no cell: every query reads every key.");
}

QString MaskWords::ofTrue(MaskTrue meaning) {
    return meaning == MaskTrue::Blocks ? tr("True blocks a cell, as in torch's nn.MultiheadAttention.")
                                       : tr("True keeps a cell, as in torch's scaled_dot_product_attention.");
}

} // namespace attnlab::ui
