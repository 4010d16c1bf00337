#include "core/model/reuse.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace attnlab::model {

std::vector<ImagePlace> image_places_of(const Description& description, const Input& input) {
    return description.image_tokens ? places_of_images(*description.image_tokens, input) : std::vector<ImagePlace>();
}

Pass::Range positions_of(const std::vector<ImagePlace>& images) {
    return images.empty() ? Pass::Range{} : Pass::Range{images.front().first, images.front().last};
}

Pass::Range both_ways_of(const Attention& form, const Pass::Range& image, std::int64_t positions,
                         std::int64_t written) {
    using BothWays = Attention::BothWays;
    return form.both_ways == BothWays::Image    ? image
           : form.both_ways == BothWays::Prompt ? Pass::Range{0, positions - written}
                                                : Pass::Range{};
}

bool Reuse::has_same_images() const {
    return previous_ && previous_->input.image == input_.image &&
           previous_->input.further_images == input_.further_images;
}

/// None that depends on all positions.
bool Reuse::has_same_ablations() const {
    return previous_->ablations == options_.ablations &&
           std::ranges::all_of(options_.ablations,
                               [](const Ablation& ablation) { return ablation.by == Ablation::By::Zero; });
}

bool Reuse::has_same_input() const {
    return previous_ && previous_->hidden == options_.hidden && previous_->input.ids == input_.ids &&
           previous_->input.types == input_.types && has_same_images() && previous_->input.written == input_.written &&
           previous_->input.sound == input_.sound;
}

std::size_t Reuse::unchanged_blocks(const Stack& stack) const {
    for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
        const auto stem = stack.name + "." + std::to_string(i) + ".";
        const auto of_block = [&stem](const std::vector<Ablation>& all) {
            std::vector<Ablation> found;
            std::ranges::copy_if(all, std::back_inserter(found),
                                 [&stem](const Ablation& one) { return one.pass.starts_with(stem); });
            return found;
        };
        if (of_block(previous_->ablations) != of_block(options_.ablations))
            return i;
    }
    return stack.blocks.size();
}

std::int64_t Reuse::known_positions(const std::vector<std::int64_t>& ids, bool encoder_is_known) const {
    if (!previous_ || !has_same_ablations() || (description_.encoder && !encoder_is_known) || !has_same_images())
        return 0;
    const auto& before = description_.encoder ? previous_->input.decoder_ids : previous_->input.ids;
    std::int64_t common = std::mismatch(ids.begin(), ids.end(), before.begin(), before.end()).first - ids.begin();
    if (common == std::ssize(ids) && before.size() > ids.size())
        --common; // a shorter text: its last row is computed again, so that the results have the new shapes
    if (!description_.encoder && previous_->hidden != options_.hidden)
        for (const auto* hidden : {&previous_->hidden, &options_.hidden})
            if (!hidden->empty())
                common = std::min(common, hidden->front());
    for (const auto& block : description_.decoder->blocks) {
        if (!block.has_attention() && common < std::ssize(ids))
            return 0; // it reads earlier rows, which are not kept
        if (const auto& experts = block.feed_forward.routed_experts;
            experts && experts->capacity > 0 && common < std::ssize(ids))
            return 0; // earlier rows count, too
        if (block.has_attention() && !block.self.causal && !(std::ssize(ids) == common && ids.size() == before.size()))
            return 0;
        common = std::min(common, known_before_both_ways(block.self, common));
        if (block.self.rotary && block.self.rotary->frequencies_for(std::ssize(ids)) !=
                                     block.self.rotary->frequencies_for(std::ssize(before)))
            return 0;
    }
    return common;
}

/// All `common` positions where those that read one another are the same in the previous run, else those before.
std::int64_t Reuse::known_before_both_ways(const Attention& form, std::int64_t common) const {
    if (form.both_ways == Attention::BothWays::None)
        return common;
    const auto range_of = [&](const Input& input) {
        return both_ways_of(form, positions_of(image_places_of(description_, input)), std::ssize(input.ids),
                            input.written);
    };
    const auto now = range_of(input_), before = range_of(previous_->input);
    return now == before && now.last <= common ? common : std::min({common, now.first, before.first});
}

} // namespace attnlab::model
