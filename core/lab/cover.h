// Covers what a question asks for: cells of stages, measures, and texts beside cards.
#pragma once

#include "core/lab/board.h"
#include "core/lab/scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace attnlab::lab {

/// A range of an axis of `size`, with both ends counted from 0: first <= index < last. Throws Error if it is outside.
std::pair<std::int64_t, std::int64_t> bounds_of(const CellRange& range, std::int64_t size);

/// The covered cells of a stage of `setting`: 1 where covered, in the shape of the stage; nullopt if there are none.
/// Stages computed after a covered one are covered too: only the same queries if certain queries are covered.
/// `stage` is one of `trace`. Throws Error for an index outside its axis.
std::optional<Tensor> hidden_cells(const Trace& trace, const Stage& stage, std::string_view setting,
                                   std::span<const HiddenPart> hidden);
/// Whether any cell of the stage `name` is covered; false if there is no such stage.
bool hides_stage(const Trace& trace, std::string_view name, std::string_view setting,
                 std::span<const HiddenPart> hidden);
/// The measures of errors are covered with any stage of their setting, and costs by their name.
bool hides_measure(const Trace& trace, const Measure& measure, std::string_view setting,
                   std::span<const HiddenPart> hidden);
/// Whether `part` of `setting` is named: "words" of a card, "measure.bytes".
bool hides(std::string_view setting, std::string_view part, std::span<const HiddenPart> hidden);

/// The view of a board while its question is open. Nothing can be edited, and no curve is shown. A board that cannot
/// cover its parts (tiles, pages, buckets, a row step by step) is replaced by the matrices that are not wholly covered.
/// If all cards are wholly covered and read the same small queries, keys and values, these are shown before them.
BoardSpec covered_view(BoardSpec view, const Scene& scene, const SceneResult& result);

/// A copy of `result` without what `view` covers: NaN in covered cells and measures, no exhibits of a setting with
/// covered cells, no losses, and nothing of settings that the view does not show.
SceneResult covered(const Scene& scene, const SceneResult& result, const BoardSpec& view);

} // namespace attnlab::lab
