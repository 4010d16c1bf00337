#include "core/run_control.h"

#include "core/message.h"

#include <cmath>
#include <string>

namespace attnlab {

void RunControl::checkpoint() const {
    if (cancelled && cancelled())
        throw Cancelled();
}

void RunControl::report(double fraction) const {
    if (progress)
        progress(fraction);
}

RunControl RunControl::part(double from, double to) const {
    RunControl inner = *this;
    if (progress)
        inner.progress = [whole = progress, from, to](double fraction) { whole(from + fraction * (to - from)); };
    return inner;
}

RunControl RunControl::silent() const {
    RunControl inner = *this;
    inner.progress = nullptr;
    return inner;
}

bool RunControl::has_room(const Shape& shape, double count) const {
    double bytes = count * sizeof(double);
    for (const auto size : shape)
        bytes *= static_cast<double>(size);
    return bytes <= static_cast<double>(memory_limit);
}

void RunControl::require_memory(std::string_view name, const Shape& shape, double count) const {
    const double bytes = static_cast<double>(element_count(shape, name)) * count * sizeof(double);
    if (!has_room(shape, count))
        throw Error({ATTNLAB_TEXT("%1: would have shape %2; all stages together need %3 GB, the limit is %4 GB"),
                     {std::string(name), to_string(shape), to_text(std::ceil(bytes / 1e8) / 10.0),
                      to_text(std::floor(static_cast<double>(memory_limit) / 1e8) / 10.0)}});
}

} // namespace attnlab
