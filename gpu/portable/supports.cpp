// Implements the part of launch.h about which arguments a kernel accepts.
#include "gpu/portable/launch.h"

namespace attnlab::gpu::portable {
namespace {

/// Copies of 16 bytes require rows aligned to 16 bytes.
bool aligned(const Rows& rows, int bytes) {
    return rows.row_stride * bytes % 16 == 0 && rows.head_stride * bytes % 16 == 0 &&
           rows.batch_stride * bytes % 16 == 0;
}

bool not_empty(const ForwardArguments& a) { return a.B > 0 && a.H > 0 && a.Hkv > 0 && a.L > 0; }

} // namespace

bool supports_tiles(const ForwardArguments& a) {
    const int bytes = a.precision == Precision::Float32 ? 4 : 2;
    return not_empty(a) && a.E == a.Ev && aligned(a.query, bytes) && aligned(a.key, bytes) && aligned(a.value, bytes);
}

bool supports_anything(const ForwardArguments& a) { return not_empty(a); }

} // namespace attnlab::gpu::portable
