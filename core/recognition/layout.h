// The order of the axes of query, key and value.
#pragma once

#include "core/tensor.h"

#include <optional>
#include <span>
#include <string_view>

namespace attnlab {

struct RunControl;

/// B batch, L tokens (queries or keys), H heads, E features, O offsets from the query, in the order of an array's axes.
struct Layout {
    std::string_view id; ///< "BLHE": one letter an axis
};

/// BHLE, BLHE, HLE, LHE, BLE, LBE (torch without batch_first), LE; for weights also BHLO, HLO, LO. Arrays without a
/// layout are read as (B,H,L,E), (B,L,E) or (L,E).
std::span<const Layout> layouts();
/// Throws Error naming the known ones.
const Layout& layout(std::string_view id);

bool has_heads(const Layout& layout);

/// "(L, H, E)".
std::string axes_text(const Layout& layout);

/// Permutes `tensor` to the axes that the program expects: (B,H,L,E) where the layout has heads, (B,L,E) or (L,E)
/// otherwise. Large file-backed arrays stay in their file. Throws Error that names `name` when the rank differs.
Tensor arranged(const Tensor& tensor, const Layout& layout, std::string_view name, const RunControl* control = nullptr);

/// Permutes the axes: axis i of the result is axis order[i] of the tensor. File-backed numbers stay in their file.
Tensor permuted(const Tensor& tensor, std::span<const int> order, const RunControl* control = nullptr);

} // namespace attnlab
