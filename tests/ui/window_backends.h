#pragma once

#include "core/backend.h"

/// For windows that compute only by the reference.
inline const attnlab::Backend* const backends[] = {&attnlab::reference_backend()};
