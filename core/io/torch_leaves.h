// What a pickled value holds, as a flat list of names.
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
    std::vector<Named<std::vector<std::string>>> labels; ///< lists and tuples of text alone
    std::vector<Named<Message>> others;                  ///< everything else: "the number 3"
};

/// In the order in which they stand there. The keys of dictionaries and the places in lists and tuples, joined by '.',
/// make the names; what stands alone is called `alone`. Throws Error naming `file` for values nested too deep or within
/// themselves, too many of them, or keys that make no name.
TorchLeaves leaves_of(const PickleValue& root, const std::string& alone, const std::string& file);

} // namespace attnlab::io
