#include "core/model/lens.h"

#include "core/model/forward.h"
#include "core/model/layers.h"

#include <algorithm>

namespace attnlab::model {

Matrix lens(const Model& model, const Result& result, std::int64_t row, const RunControl& control) {
    const auto& description = model.description();
    using Pooling = Head::Pooling;
    const bool reads_one = description.head && description.head->outcomes != Head::Outcomes::Span &&
                           (description.head->pooling == Pooling::None || description.head->pooling == Pooling::First ||
                            description.head->pooling == Pooling::Last);
    if (!reads_one || result.logits.rows == 0)
        throw Error(ATTNLAB_TEXT("The model gives no answer at one position that its layers could be asked for"));
    if (row < 0 || row >= std::ssize(result.logit_positions))
        throw Error({ATTNLAB_TEXT("There is no row %1 of logits, expected a number from 0 to %2"),
                     {std::to_string(row), std::to_string(std::ssize(result.logit_positions) - 1)}});
    const auto& stack = description.last();
    const auto& hidden = description.decoder ? result.decoder_hidden : result.encoder_hidden;
    const auto position = result.logit_positions[static_cast<std::size_t>(row)];
    Matrix x(std::ssize(stack.blocks) + 1, stack.width);
    for (std::int64_t block = 0; block < x.rows; ++block) {
        const auto& states = block < x.rows - 1 ? *hidden[static_cast<std::size_t>(block)] : *result.before_norm;
        std::copy_n(states.row(position), x.columns, x.row(block));
    }
    normalize(x, stack.norm);
    if (stack.projection)
        x = product(x, *stack.projection, control);
    return logits_of(*description.head, std::move(x), control);
}

} // namespace attnlab::model
