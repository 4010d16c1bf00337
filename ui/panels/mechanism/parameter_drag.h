// A number of a parameter that is changed by dragging.
#pragma once

#include "core/parameter.h"

namespace attnlab::ui {

/// Whether it is in the range of the parameter.
bool isAllowed(const Parameter& parameter, const ParameterValue& value);

/// What a drag of so many steps makes of a number of `parameter`, within its range; see NumberDrag. A number that must
/// be above 0 is multiplied. Returns `start` where the parameter does not allow the result.
ParameterValue draggedValue(const Parameter& parameter, const ParameterValue& start, double steps);

} // namespace attnlab::ui
