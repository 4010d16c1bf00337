// The contents of some files, and what their arrays are: which is the query, which the mask, which are unused and why.
// Shared by the command line and the window. Every array of the contents appears in `used` or in `unused`.
#pragma once

#include "core/attention.h"
#include "core/capture/capture.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

// The contents of some files, before interpretation. Filled by io::read_contents.

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

/// The caller's choices; all are optional.
struct Choices {
    std::string variant = {};                             ///< id of a mechanism; empty: the one that fits the arrays
    std::optional<std::int64_t> num_heads = std::nullopt; ///< of a layer, or of query and key without a head axis
    std::optional<std::int64_t> num_kv_heads = std::nullopt;
    std::string layout = {}; ///< id of a Layout for query, key and value; empty: by rank, (B,H,L,E)
    std::optional<std::string> group = std::nullopt; ///< of several layers in the files, the prefix of the one to read
    /// Array, or name or file of labels -> input, query_tokens or key_tokens; an empty text ignores it.
    std::map<std::string, std::string, std::less<>> roles = {};
    /// Arrays that keep their names because an expression reads them: AttentionSpec::masks, AttentionSpec::score_mod.
    std::set<std::string, std::less<>> kept = {};
};

/// An array that became an input, or a part of one.
struct UsedArray {
    std::string name, file;
    Shape shape;
    DType dtype = DType::Float64;
    std::string role; ///< "query", "w_q, w_k, w_v", "key_tokens", ...
    std::vector<std::string> roles() const;
    /// True for an input that some mechanism requires, as opposed to masks, biases and gains.
    bool begins_problem() const;
    /// The labels of `problem` that it became, if it holds texts; else null.
    const std::vector<std::string>* labels_in(const AttentionProblem& problem) const;
    Message how; ///< the conversion; empty if unchanged
};

struct UnusedArray {
    std::string name, file;
    std::optional<Shape> shape; ///< nullopt unless it is an array
    Message why;
};

/// An ambiguity of the arrays. A caller answers by calling again with a choice.
struct Question {
    enum class Kind {
        Heads, ///< Choices::num_heads; the answers are numbers
        Group, ///< Choices::group; the answers are prefixes
        Roles, ///< Choices::roles; the answers are names of arrays
        Layout ///< Choices::layout; the answers are layouts, the most likely one first
    };
    Kind kind;
    Message text;
    std::vector<std::string> answers;
};

struct Recognition {
    AttentionProblem problem;
    std::string view_json = "{}";
    bool is_workspace = false;
    std::vector<UsedArray> used;
    std::vector<UnusedArray> unused;
    std::vector<Message> notes; ///< ambiguities that were decided
    std::vector<Question> questions;
    bool parts_heads = false; ///< Choices::num_heads has split the last axis of query, key and value

    const Question* question(Question::Kind kind) const;
};

/// Interprets the contents. Masks among the arrays are switched on. Throws Error where the files contradict each other
/// or a choice, and for a shape that no known layer has. A problem with missing inputs is not an error here: see
/// lacking(). Throws Cancelled where `control`, if not null, is cancelled.
Recognition recognise(const Contents& contents, const Choices& choices = {}, const RunControl* control = nullptr);

/// The first input that the recognised `problem` requires and the files lack: its name, what was expected and the
/// contents of the files; nullopt where it is complete. `spare` is an input that the caller does not need.
std::optional<Message> lacking(const Recognition& recognition, const AttentionProblem& problem,
                               std::string_view spare = {});

/// The arrays that `problem` reads, in its own setting or in the compared one.
std::vector<UsedArray> read_arrays(const Recognition& recognition, const AttentionProblem& problem);

/// The arrays that became inputs which `problem` reads neither in its own setting nor in the compared one: inputs of
/// other mechanisms, of masks that are off. Other unused arrays are in the recognition.
std::vector<UnusedArray> unread_arrays(const Recognition& recognition, const AttentionProblem& problem);

/// Asks for num_heads where the mechanism has the parameter and the spec does not set it: the answers are possible
/// numbers for its weights. nullopt where it is known, from the spec or from a query with heads.
std::optional<Question> heads_question(const AttentionProblem& problem);

/// Arrays of one file that are not used for one reason.
struct UnusedGroup {
    std::string file;
    std::vector<std::string> names;
    Message why;
};

/// The arrays in order; more than eight of one file and reason become one group at the position of the first, so that a
/// model's other tensors do not hide important ones.
std::vector<UnusedGroup> grouped(const std::vector<UnusedArray>& unused);

/// "query (2, 4), bias (4)": at most eight arrays, then the number of others.
std::string held_text(const Contents& contents);

} // namespace attnlab
