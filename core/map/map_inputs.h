// The data of MapInputs, for the files of this folder.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/map/attention_map.h"
#include "core/resolved_problem.h"

namespace attnlab {

struct MapInputs::Data {
    ResolvedProblem problem; ///< owns query, key and the arrays of the masks
    flash::Shape shape;      ///< Ev = 0
    double scale = 1.0, output_scale = 1.0;
    flash::Masks masks;
    const MapEngine* engine = nullptr;
    flash::Precision precision = flash::Precision::Float32;

    /// One head as a separate problem with one batch entry and one head, without query and key.
    flash::Problem head(std::int64_t batch, std::int64_t head) const;
    std::int64_t first_key_row(std::int64_t batch, std::int64_t head) const;
    /// Its query and key in float32, rounded if the precision asks for it. Throw Error for numbers beyond its range,
    /// Cancelled.
    std::vector<float> query(std::int64_t batch, std::int64_t head, const RunControl& control) const;
    std::vector<float> key(std::int64_t batch, std::int64_t head, const RunControl& control) const;

private:
    std::vector<float> rows(std::string_view name, std::int64_t first, std::int64_t count,
                            const RunControl& control) const;
};

/// Throws Error for empty bins.
void require_bins(std::int64_t bin_rows, std::int64_t bin_columns);

} // namespace attnlab
