// Notes for the user on masks: those that have no effect, are probably meant otherwise, or leak.
#pragma once

#include "core/stages/mask.h"

#include <vector>

namespace attnlab {

/// Notes on the masks of a problem: on their arrays and their alignment, for any engine, and on weights of cells that
/// they should hide where the trace has weights for each cell. None for usual masks. Throws Cancelled.
std::vector<Note> notes_on_masks(const ResolvedProblem& problem, const Trace& trace, const RunControl& control = {});

/// The notes about weights: cells that a finite fill or a bias does not hide, rows that a bias shifts down as a whole,
/// queries that are padding. `weights` (B,H,L,S or more keys, which masks do not apply to) and, unless every cell is
/// open, `blocked` of the same shape are stages of the trace.
void note_leaks(std::vector<Note>& notes, const ResolvedProblem& problem, const MaskContext& context,
                const Trace& trace, const RunControl& control);

} // namespace attnlab
