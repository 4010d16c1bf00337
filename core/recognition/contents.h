// What some files hold, before anything is decided about it. core/io/read_contents.h fills it.
#pragma once

#include "core/attention.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// An array under the name that its file gives it; an array alone in its file is named after the file.
struct HeldArray {
    std::string name;
    Tensor tensor;
    std::string file = {};
};

/// An array or list of texts: labels of tokens.
struct HeldLabels {
    std::string name;
    std::vector<std::string> labels;
    std::string file = {};

    /// Labels in a file of their own go by its name too.
    bool is_called(std::string_view text) const { return text == name || (!file.empty() && text == file); }
};

/// What is no array of numbers and no list of texts.
struct HeldOther {
    std::string name;
    Message what; ///< what it is and why it is not read
    std::string file = {};
};

struct Contents {
    std::vector<HeldArray> arrays; ///< in the order of the files and of what each holds
    std::vector<HeldLabels> labels;
    std::vector<HeldOther> others;
    /// Everything but the tensors of the saved workspace among the files, if there is one.
    std::optional<AttentionProblem> workspace;
    std::string view_json = "{}"; ///< what the window saved with it
};

} // namespace attnlab
