// The contents of some files, before interpretation. Filled by core/io/read_contents.h.
#pragma once

#include "core/attention.h"
#include "core/capture/capture.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// An array with its name in the file; a single array is named after the file.
struct HeldArray {
    std::string name;
    Tensor tensor;
    std::string file = {};
    bool has_type = true; ///< false: the file does not distinguish integers from other numbers
};

/// An array or list of texts: labels of tokens.
struct HeldLabels {
    std::string name;
    std::vector<std::string> labels;
    std::string file = {};

    /// Labels in a separate file may also be named by the file.
    bool is_called(std::string_view text) const { return text == name || (!file.empty() && text == file); }
};

/// Anything that is neither an array of numbers nor a list of texts.
struct HeldOther {
    std::string name;
    Message what; ///< its description and why it is not read
    std::string file = {};
};

struct Contents {
    std::vector<HeldArray> arrays; ///< in the order of the files and within each
    std::vector<HeldLabels> labels;
    std::vector<HeldOther> others;
    /// The saved workspace among the files, if there is one, without the tensors.
    std::optional<AttentionProblem> workspace;
    std::optional<Capture> capture; ///< among the files, if there is one; its arrays are in `arrays` too
    std::string view_json = "{}";   ///< the window's view saved with it
};

} // namespace attnlab
