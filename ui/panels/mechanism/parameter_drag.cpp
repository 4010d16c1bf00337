#include "ui/panels/mechanism/parameter_drag.h"

#include "ui/widgets/number_controls.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <QString>
#include <variant>

namespace attnlab::ui {

bool isAllowed(const Parameter& parameter, const ParameterValue& value) {
    try {
        parse_value(parameter, to_text(value), parameter.name);
        return true;
    } catch (const Error&) {
        return false;
    }
}

ParameterValue draggedValue(const Parameter& parameter, const ParameterValue& start, double steps) {
    ParameterValue next;
    if (parameter.type == ParameterType::Integer) {
        const double moved = draggedNumber(static_cast<double>(std::get<std::int64_t>(start)), steps, true);
        next = static_cast<std::int64_t>(
            std::clamp(moved, std::max(parameter.minimum, -1e15), std::min(parameter.maximum, 1e15)));
    } else {
        constexpr double steps_of_decade = 25.0;
        const double from = std::get<double>(start);
        const double moved = steps == 0.0 ? from
                             : parameter.minimum_excluded && parameter.minimum >= 0.0
                                 ? QString::number(from * std::pow(10.0, steps / steps_of_decade), 'g', 3).toDouble()
                                 : draggedNumber(from, steps, false);
        next = std::min(std::max(moved, parameter.minimum), parameter.maximum);
    }
    return isAllowed(parameter, next) ? next : start;
}

} // namespace attnlab::ui
