// An array that other code computed, brought to the axes of the stage that it is compared with.
#pragma once

#include "core/recognition/contents.h"

#include <string_view>
#include <vector>

namespace attnlab::against {

/// The arrays of some files that may be the stage: those whose names say so, else those whose names say nothing and
/// whose sizes are the stage's. One of them is an answer, several are a question.
std::vector<const HeldArray*> arrays_for(const Contents& contents, const Stage& stage);

/// The array called `name`, or where that is empty the only one of arrays_for(), or of the files. Throws Error that
/// says what the files hold.
const HeldArray& array_for(const Contents& contents, const Stage& stage, std::string_view name = {});

/// The letters of a stage's axes in order: B, H, L for queries, S for keys, E for features; empty where it has others.
std::string axes_of(const Stage& stage);

/// The orders of the stage's axes in which an array of that shape can lie, its own first; axes of size 1 are in all of
/// them or in none. One of them is what fitted() takes.
std::vector<std::string> orders_for(const Shape& given, const Stage& stage);

/// `given` under the stage's shape. Its axes are the stage's in the same order, where axes of size 1 may be missing or
/// too many, or lie as `axes` says by the letters of axes_of(): "BLHE"; letters that are missing have size 1. Throws
/// Error that calls the array `name` and says both shapes, and the order that would fit where there is one.
Tensor fitted(const Tensor& given, const Stage& stage, std::string_view name, std::string_view axes = {});

} // namespace attnlab::against
