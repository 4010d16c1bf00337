// The allow-list of the pickle reader: the names that torch.save writes, and what calling them amounts to.
#pragma once

#include "core/io/pickle.h"

namespace attnlab::io {

/// What `module` calls `name`. Throws Error when it is not on the list.
PickleValue named_object(PickleArena& arena, std::string_view module, std::string_view name);

/// What calling `function` would make. Throws Error for what no pickler writes, as the others do.
PickleValue called(PickleArena& arena, const PickleValue& function, const PickleValue& arguments);

/// Gives `target` its state, as __setstate__ would.
void set_state(PickleArena& arena, const PickleValue& target, const PickleValue& state);

/// The storage that a persistent id of torch.save names.
PickleValue storage_of(PickleArena& arena, const PickleValue& id);

} // namespace attnlab::io
