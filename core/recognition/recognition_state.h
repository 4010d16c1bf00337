// The state of one recognise() call, and its steps, with labels of tokens.
#pragma once

#include "core/recognition/array_names.h"
#include "core/recognition/layer_conventions.h"
#include "core/recognition/recognition.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// An array of the contents and its meaning by name or by choice.
struct Candidate {
    const HeldArray* array = nullptr;
    std::optional<ArrayName> meaning;
    bool chosen = false; ///< the caller has chosen its role
};

struct Reading {
    const Contents& contents;
    const Choices& choices;
    const RunControl* control = nullptr; ///< of the caller; may be null
    Recognition result = {};
    std::vector<Candidate> candidates = {};
    std::vector<LayerList> lists = {};
    const LayerList* list = nullptr;                      ///< the list that is read
    std::map<std::string, const HeldArray*> origins = {}; ///< input -> its source array
    std::string group = {};                               ///< prefix of the layer that is read
    bool projected = false;                               ///< the layer is another program's
    std::optional<std::int64_t> num_heads = {};           ///< from the weights of the layer
    std::optional<std::int64_t> num_kv_heads = {};        ///< the same for keys
    bool is_transformer = false;                          ///< a whole torch.nn.Transformer
    bool arranged = false;                                ///< Choices::layout is that of some array
    bool holds_layers = false;                            ///< the files are those of a model

    bool holds(std::string_view name) const;
    bool asks(Question::Kind kind) const { return result.question(kind) != nullptr; }
    void note(Message what) { result.notes.push_back(std::move(what)); }
    void unused(const HeldArray& array, Message why);
    void used(const HeldArray& array, std::string role, Message how = {});
    /// Makes `tensor` an input. False, with the array reported as unused, where the input already has an array under
    /// its own name; throws Error for other duplicates.
    bool put(const HeldArray& array, const std::string& role, Tensor tensor, Message how);
};

/// The name of an array in messages.
std::string label_of(const HeldArray& array);
/// "a, b, c": at most six, then their number.
std::string first_listed(const std::vector<std::string>& words);
[[noreturn]] void refuse_twice(const std::string& role, const HeldArray& first, const HeldArray& second);

/// The prefix of the torch.nn.Transformer state_dict in the files: "" or "transformer.".
std::optional<std::string> torch_transformer_prefix(Reading& reading);
/// Adds zero biases for a transformer, or its generator, that was made without them.
void add_zero_biases(Reading& reading);

/// A capture in the contents: takes the chosen pass, or asks for one.
void read_capture(Reading& reading);
/// Determines the meaning of each array by its name or by the caller's choice. Throws Error for a choice that matches
/// no array.
void name_candidates(Reading& reading);
/// Selects one of several layers, or lists of weights; asks if there is no choice.
void choose_group(Reading& reading);
/// torch.nn.MultiheadAttention calls its inputs query, key and value: where the width of such arrays fits the weights
/// of a layer and there is no x, they become x, context, value_context.
void read_module_arguments(Reading& reading);
/// Converts the arrays to inputs, or reports them as unused.
void take_arrays(Reading& reading);
/// True for arrays whose meaning depends on the sizes of others.
bool is_mask(const Candidate& candidate);
/// The same for masks, after all other arrays.
void take_masks(Reading& reading, const std::vector<const Candidate*>& masks);
/// Chooses the mechanism that fits the inputs, its number of heads and the masks of the files.
void choose_mechanism(Reading& reading);
/// Splits the last axis of query, key and value into the chosen number of heads, and notes guessed axes.
void read_axes(Reading& reading);

// The part of core/recognition/recognition.h about labels of tokens.

/// query_tokens or key_tokens.
bool is_tokens(std::string_view role);

/// Takes labels of the contents for the problem's queries or keys; of duplicates the first counts.
void take_labels(const Contents& contents, const Choices& choices, Recognition& recognition);

/// Removes labels whose number differs from that of the tokens, and reports them as unused; labels that fit only the
/// keys are moved to them. Labels of a workspace stay.
void fit_labels(const Contents& contents, Recognition& recognition);

} // namespace attnlab
