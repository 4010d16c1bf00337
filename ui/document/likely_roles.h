// The probable inputs for an array of a file, for a list of choices.
#pragma once

#include "core/recognition/contents.h"

#include <QStringList>

namespace attnlab::ui {

struct RoleList {
    QStringList likely; ///< the usual inputs, the most likely one first
    QStringList others; ///< all other inputs of mechanisms, by name
};

/// By the array's name, shape, type and whether its rows sum to 1; each input is in one of the lists.
RoleList rolesFor(const HeldArray& array);

} // namespace attnlab::ui
