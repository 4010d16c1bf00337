// Which input an array of a file probably is, for a list to choose from.
#pragma once

#include "core/recognition/contents.h"

#include <QStringList>

namespace attnlab::ui {

struct RoleList {
    QStringList likely; ///< the usual inputs, the likeliest for the array first
    QStringList others; ///< every other input that some mechanism reads, by name
};

/// By the array's name, its shape, its type and whether its rows sum to 1; each input is in one of the lists.
RoleList rolesFor(const HeldArray& array);

} // namespace attnlab::ui
