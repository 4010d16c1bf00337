// Fits an array that other code computed to the axes of the stage that it is compared with.
#pragma once

#include "core/recognition/contents.h"

#include <string_view>
#include <vector>

namespace attnlab::verify {

/// The arrays that may be the stage: those named like it, or else those of its sizes whose names tell nothing. With
/// several, the user has to choose.
std::vector<const HeldArray*> arrays_for(const Contents& contents, const Stage& stage);

/// The array called `name`; if empty, the only one of arrays_for(), or of the files. Throws Error that lists the
/// contents of the files.
const HeldArray& array_for(const Contents& contents, const Stage& stage, std::string_view name = {});

/// The letters of a stage's axes in order: B, H, L for queries, S for keys, E for features; empty where it has others.
std::string axes_of(const Stage& stage);

/// True for orders that libraries write: heads before or after the tokens, tokens first.
bool is_usual_order(std::string_view order);

/// The orders of the stage's axes that are possible for an array of that shape, its own first, then usual ones; axes of
/// size 1 are either all present or all absent. Where there is none, those of merged_layout(). fitted() takes each.
std::vector<std::string> orders_for(const Shape& given, const Stage& stage);

/// BLE, LBE or LE where an array of that shape holds the stage's (B,H,L,E) with heads beside each other in the last
/// axis, H*E wide, as it is before an output projection, and fitted() reads it so: because `axes` says it, or because
/// there is one such order and the array fits in no other way. Empty otherwise.
std::string merged_layout(const Shape& given, const Stage& stage, std::string_view axes = {});

/// Brings `given` to the stage's shape. See merged_layout() for heads beside each other. Its axes are the stage's in
/// the same order, where axes of size 1 may be missing or extra, or in the order `axes`, in letters of axes_of():
/// "BLHE"; missing letters have size 1. Throws Error that names the array `name`, both shapes, and the usual orders
/// that would fit, or else any.
Tensor fitted(const Tensor& given, const Stage& stage, std::string_view name, std::string_view axes = {});

} // namespace attnlab::verify
