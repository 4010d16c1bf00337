// A few numbers of a device's result, computed again in float64 on the cores: a kernel that nobody has tried on a
// device may be wrong there without an error.
#pragma once

#include "core/map/map_engine.h"
#include "gpu/host/device_forward.h"

#include <random>

namespace attnlab::gpu {

/// Thrown for a result that differs from the cores' by more than rounding explains.
class WrongNumbers : public Error {
public:
    using Error::Error;
};

/// Compares two random rows of a head, output and lse, with the result of `kernel`. Throws WrongNumbers, Cancelled.
void recheck(const DeviceProblem& problem, const DeviceResult& result, const char* kernel, std::mt19937& random,
             const RunControl& control);

/// Compares two random bins of `bins`, pooled from one head whose rows have these scales. Throws WrongNumbers.
void recheck(const flash::Problem& head, Precision precision, const BinGrid& grid, const RowScales& rows,
             const MapBins& bins, const char* kernel, std::mt19937& random);

/// Compares two random cells of `weights`, row-major, or their base-2 logarithms.
void recheck(const flash::Problem& head, Precision precision, const CellRect& cells, const RowScales& rows,
             const float* weights, bool log2, const char* kernel, std::mt19937& random);

} // namespace attnlab::gpu
