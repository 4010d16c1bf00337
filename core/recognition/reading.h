// One call of recognise() under way: what its steps have found out so far, and the steps.
#pragma once

#include "core/recognition/array_names.h"
#include "core/recognition/layer_lists.h"
#include "core/recognition/recognition.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// An array of the contents and what its name or the caller says that it is.
struct Candidate {
    const HeldArray* array = nullptr;
    std::optional<ArrayName> meaning;
    bool chosen = false; ///< the caller gave it its role
};

struct Reading {
    const Contents& contents;
    const Choices& choices;
    Recognition result = {};
    std::vector<Candidate> candidates = {};
    std::vector<LayerList> lists = {};
    const LayerList* list = nullptr;                      ///< the one of them that is read
    std::map<std::string, const HeldArray*> origins = {}; ///< input -> the array that it comes from
    std::string group = {};                               ///< the prefix of the layer that is read
    bool projected = false;                               ///< the layer is another program's
    std::optional<std::int64_t> num_heads = {};           ///< as the weights of the layer have it
    std::optional<std::int64_t> num_kv_heads = {};        ///< the same of the keys
    bool is_transformer = false;                          ///< a whole torch.nn.Transformer
    bool holds_layers = false;                            ///< the files are those of a model

    bool holds(std::string_view name) const;
    bool asks(Question::Kind kind) const { return result.question(kind) != nullptr; }
    void note(Message what) { result.notes.push_back(std::move(what)); }
    void unused(const HeldArray& array, Message why);
    void used(const HeldArray& array, std::string role, Message how = {});
    /// Makes `tensor` an input. False, and the array is named as unused, where the input has its array already under
    /// its own name; throws Error where it is given twice otherwise.
    bool put(const HeldArray& array, const std::string& role, Tensor tensor, Message how);
};

/// What messages call an array.
std::string label_of(const HeldArray& array);
/// "a, b, c": at most six, then how many there are.
std::string listed(const std::vector<std::string>& words);
[[noreturn]] void refuse_twice(const std::string& role, const HeldArray& first, const HeldArray& second);

/// The prefix of the torch.nn.Transformer state_dict that the files hold with its tables: "" or "transformer.".
std::optional<std::string> torch_transformer_prefix(Reading& reading);
/// Biases of 0 for a transformer, or its generator, that was made without them.
void add_zero_biases(Reading& reading);

/// What each array is by its name or by the caller's choice. Throws Error for a choice that nothing answers to.
void name_candidates(Reading& reading);
/// Of several layers, or lists of weights, the one that is read; asks for it where there is no choice.
void choose_group(Reading& reading);
/// torch.nn.MultiheadAttention calls what it projects query, key and value: where the weights of a layer take tokens as
/// wide as an array of exactly this name has them, and there is no x, these are x, context, value_context.
void read_module_arguments(Reading& reading);
/// Makes inputs of the arrays, or names them as unused.
void take_arrays(Reading& reading);
/// True for what is read by the sizes of the other arrays.
bool is_mask(const Candidate& candidate);
/// The same for masks, once the other arrays are taken.
void take_masks(Reading& reading, const std::vector<const Candidate*>& masks);
/// The mechanism that the inputs fit, with its number of heads and the masks that the files hold.
void choose_mechanism(Reading& reading);
/// Parts the last axis of query, key and value into the heads that are asked for, and says which axes are guessed.
void read_axes(Reading& reading);

} // namespace attnlab
