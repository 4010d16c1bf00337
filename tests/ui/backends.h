#pragma once

#include "core/backend.h"

/// For windows that compute on the reference alone.
inline const attnlab::Backend* const backends[] = {&attnlab::reference_backend()};
