// Flattens a pickled value into a list of names.
#pragma once

#include "core/io/pickle.h"
#include "core/message.h"

#include <string>
#include <utility>
#include <vector>

namespace attnlab::io {

template <class T>
using Named = std::pair<std::string, T>;

struct TorchLeaves {
    std::vector<Named<const PickledTensor*>> tensors;
    std::vector<Named<std::vector<std::string>>> labels; ///< lists and tuples that contain only text
    std::vector<Named<Message>> others;                  ///< everything else: "the number 3"
};

/// In file order. Names are the keys of dictionaries and the indices in lists and tuples, joined by '.'; a top-level
/// value is called `alone`. Throws Error naming `file` for values nested too deep or in themselves, too many of them,
/// or keys that cannot be names; Cancelled where `control`, if not null, is.
TorchLeaves leaves_of(const PickleValue& root, const std::string& alone, const std::string& file,
                      const RunControl* control = nullptr);

} // namespace attnlab::io
