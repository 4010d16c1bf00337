// The allow-list of the pickle reader: the names that torch.save writes, and the effect of calling them.
#pragma once

#include "core/io/pickle.h"

namespace attnlab::io {

/// The object `name` of `module`. Throws Error when it is not on the list.
PickleValue named_object(PickleArena& arena, std::string_view module, std::string_view name);

/// The result of calling `function`. Throws Error for input that no pickler writes, as do the others.
PickleValue called(PickleArena& arena, const PickleValue& function, const PickleValue& arguments);

/// Gives `target` its state, as __setstate__ would.
void set_state(PickleArena& arena, const PickleValue& target, const PickleValue& state);

/// The storage of a persistent id of torch.save.
PickleValue storage_of(PickleArena& arena, const PickleValue& id);

} // namespace attnlab::io
