// What the arrays of some files are: which is the query, which the mask, what is not used and why. The command line and
// the window take the same decisions by this code. Nothing is left out or changed without a word: every array of the
// contents appears in `used` or in `unused`.
#pragma once

#include "core/recognition/contents.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// What a caller has decided already; everything may be left open.
struct Choices {
    std::string variant = {};                             ///< id of a mechanism; empty: the one that the arrays fit
    std::optional<std::int64_t> num_heads = std::nullopt; ///< of a layer, or of query and key without an axis for them
    std::optional<std::int64_t> num_kv_heads = std::nullopt;
    std::string layout = {}; ///< id of a Layout for query, key and value; empty: by rank, (B,H,L,E)
    std::optional<std::string> group = std::nullopt; ///< of several layers in the files, the prefix of the one to read
    /// Array, or name or file of labels -> input, query_tokens or key_tokens; an empty text leaves it out.
    std::map<std::string, std::string, std::less<>> roles = {};
};

/// An array that became an input, or a part of one.
struct UsedArray {
    std::string name, file;
    Shape shape;
    DType dtype = DType::Float64;
    std::string role; ///< "query", "w_q, w_k, w_v", "key_tokens", ...
    std::vector<std::string> roles() const;
    /// An input that some mechanism cannot do without, as against masks, biases and gains.
    bool begins_problem() const;
    /// The labels of `problem` that it became, where it holds texts; else null.
    const std::vector<std::string>* labels_in(const AttentionProblem& problem) const;
    Message how; ///< what was done to it; empty: it is read as it is
};

struct UnusedArray {
    std::string name, file;
    std::optional<Shape> shape; ///< none for what is no array
    Message why;
};

/// What the arrays leave open. A caller answers by calling again with a choice.
struct Question {
    enum class Kind {
        Heads, ///< Choices::num_heads; the answers are numbers
        Group, ///< Choices::group; the answers are prefixes
        Roles, ///< Choices::roles; the answers are names of arrays
        Layout ///< Choices::layout; the answers are layouts, the likelier one first
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
    std::vector<Message> notes; ///< what was decided where the files could mean something else too
    std::vector<Question> questions;
    bool parts_heads = false; ///< Choices::num_heads parted the last axis of query, key and value

    const Question* question(Question::Kind kind) const;
};

/// Decides. Masks among the arrays are switched on. Throws Error where the files contradict each other or a choice, and
/// for a shape that is none of those that a known layer has. A problem that lacks inputs is no error here: see
/// lacking().
Recognition recognise(const Contents& contents, const Choices& choices = {});

/// The first input that `problem`, which came out of the recognition, needs and the files lack: its name, what was
/// expected and what the files hold; nothing where it is complete. `spare` is an input that the caller does without.
std::optional<Message> lacking(const Recognition& recognition, const AttentionProblem& problem,
                               std::string_view spare = {});

/// The arrays that `problem` reads, in its own setting or in the one that it is compared with.
std::vector<UsedArray> read_arrays(const Recognition& recognition, const AttentionProblem& problem);

/// The other ones: those that became inputs which `problem` does not read, neither in its own setting nor in the one
/// that it is compared with: those of other mechanisms, of masks that are off. The rest of what is not used is in the
/// recognition.
std::vector<UnusedArray> unread_arrays(const Recognition& recognition, const AttentionProblem& problem);

/// num_heads for a problem whose spec does not say it though its mechanism has the parameter: the numbers that its
/// weights can be cut into. Nothing where it is said, by the spec or by a query with heads.
std::optional<Question> heads_question(const AttentionProblem& problem);

/// Arrays of one file that are not used for one reason.
struct UnusedGroup {
    std::string file;
    std::vector<std::string> names;
    Message why;
};

/// The arrays in their order, each by itself, but more than eight of one file and reason as one group in the place of
/// the first: a model's other tensors do not bury what matters.
std::vector<UnusedGroup> grouped(const std::vector<UnusedArray>& unused);

/// "query (2, 4), bias (4)": at most eight arrays, then how many more.
std::string held_text(const Contents& contents);

} // namespace attnlab
