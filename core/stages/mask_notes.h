// What a person should be told about masks: those that do nothing, that are likely to be meant otherwise, or that leak.
#pragma once

#include "core/stages/mask.h"

#include <vector>

namespace attnlab {

/// Notes on the masks of a problem: on their arrays and their alignment whatever engine has computed `trace`, and on
/// the weights of what they should hide where the trace has weights for each cell. Nothing for masks as they usually
/// are. Throws Cancelled.
std::vector<Note> notes_on_masks(const ResolvedProblem& problem, const Trace& trace, const RunControl& control = {});

/// The part of it that speaks of weights: cells that a finite fill or a bias does not hide, rows that a bias pushes
/// down as a whole, queries that are padding. `weights` (B,H,L,S or more, the rest beyond the masks) and, unless every
/// cell is open, `blocked` of the same shape are stages of the trace.
void note_leaks(std::vector<Note>& notes, const ResolvedProblem& problem, const MaskContext& context,
                const Trace& trace, const RunControl& control);

} // namespace attnlab
