// Attention recorded in a run of another program, as problems, and the names of its passes. docs/file-formats.md
// describes the file.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// One attention of one layer. Its arrays are named after it: NAME.query (B,H,L,E), NAME.key (B,Hkv,S,E), NAME.value
/// (B,Hkv,S,Ev), NAME.lse (B,H,L), NAME.sinks (H); or NAME.weights (B,H,L,S) alone. The value, lse and sinks may be
/// missing. A layer that carries a state has a mechanism and its gates: NAME.beta (B,H,L), NAME.log_gate (B,H,L) or
/// (B,H,L,E), NAME.gamma (H).
struct CapturedPass {
    std::string name;
    std::int64_t heads = 1, key_value_heads = 1;
    /// gated_delta, delta_rule, gated_linear or retention, which carry a state instead of a softmax; empty: a softmax.
    std::string mechanism = {};
    double scale = 1.0;
    double soft_cap = 0.0; ///< cap * tanh(score / cap) of the scaled scores; 0: none
    bool causal = false;   ///< query i reads keys j <= i + offset
    std::int64_t offset = 0;
    std::int64_t window = 0; ///< only keys with i + offset - j < window, and j - i - offset < window; 0: all
    std::string mask = {};   ///< the array of bool whose True keeps, (B|1,H|1,L|1,S); empty: none
    std::string bias = {};   ///< the array that is added to the scaled scores, of such a shape; empty: none
    std::string query_tokens = {}, key_tokens = {}; ///< names of Capture::tokens; empty: none
    /// Reasons (see is_capture_reason): parts of the call that the attention function ignored. The pass is recorded as
    /// computed.
    std::vector<std::string> ignored = {};
    double differs = 0.0; ///< largest difference from the function's output, over its largest number; 0: none
    std::vector<std::string> likely = {}; ///< reasons why it differs

    std::string array(std::string_view what) const { return name + "." + std::string(what); }
    /// The names of the arrays that the pass may have.
    std::vector<std::string> arrays() const;
    /// How the recorded run deviated from what was asked of it; empty if it did not.
    std::vector<Message> remarks() const;
};

/// The arrays that a mechanism with a state needs besides query and key; nullopt for another name.
std::optional<std::vector<std::string>> arrays_of_carried(std::string_view mechanism);

/// Whether `reason` may be in CapturedPass::ignored and CapturedPass::likely.
bool is_capture_reason(std::string_view reason);

struct Capture {
    std::string title = {};
    std::string file = {}; ///< for messages
    /// Labels for each sequence of a batch, or one list for all.
    std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> tokens = {};
    std::vector<CapturedPass> passes = {};
    TensorMap tensors = {};

    const CapturedPass* find(std::string_view pass) const;
    const Tensor* tensor(const std::string& name) const;
    std::vector<std::string> pass_names() const;
    /// The labels for a batch of so many sequences; empty where they differ from one to another.
    std::vector<std::string> labels(std::string_view name, std::int64_t batch) const;
};

/// Throws Error naming the array, what it has and what was expected, where the arrays of a pass do not fit it.
void check(const Capture& capture);

/// All heads of a pass as inputs of scaled dot-product attention, of its mechanism, or as given weights. Large arrays
/// stay in their file. A sink becomes one more key, of zeros, whose score is the sink's logit. Throws Error where a
/// mask would take more than `memory_limit`.
AttentionProblem problem_of(const Capture& capture, const CapturedPass& pass,
                            std::int64_t memory_limit = std::int64_t{1} << 30);

// Names of passes, as models and captures have them.

/// "decoder.3.self", or "decoder.3.self@1" where a pass has run again; "attention.3" is self-attention too.
struct PassNameParts {
    std::string_view stack; ///< "decoder"
    std::int64_t layer = 0;
    std::string_view kind; ///< "self" or "cross"
    std::int64_t run = 0;
};
/// nullopt for other names. The parts belong to `name`.
std::optional<PassNameParts> parts_of_pass_name(std::string_view name);

} // namespace attnlab
