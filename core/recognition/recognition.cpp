#include "core/recognition/recognition.h"

#include "core/binder.h"
#include "core/recognition/array_names.h"
#include "core/recognition/layer_conventions.h"
#include "core/recognition/layer_lists.h"
#include "core/recognition/layout.h"
#include "core/recognition/mask_arrays.h"
#include "core/recognition/projections.h"
#include "core/recognition/token_labels.h"
#include "core/stages/mask.h"
#include "core/variants.h"

#include <algorithm>
#include <set>

namespace attnlab {
namespace {

/// An array of the contents and what its name or the caller says that it is.
struct Candidate {
    const HeldArray* array = nullptr;
    std::optional<ArrayName> meaning;
    bool chosen = false; ///< the caller gave it its role
};

std::string shape_of(const HeldArray& array) { return to_string(array.tensor.shape()); }

bool is_projection(NameForm form) {
    switch (form) {
    case NameForm::Linear:
    case NameForm::Bias:
    case NameForm::FusedLinear:
    case NameForm::FusedBias:
    case NameForm::FusedConv1D:
    case NameForm::Conv1D:
    case NameForm::FusedByHead:
    case NameForm::FusedByHeadBias:
        return true;
    default:
        return false;
    }
}

/// One call of recognise() under way.
class Recogniser {
public:
    Recogniser(const Contents& contents, const Choices& choices) : contents_(contents), choices_(choices) {}

    Recognition run() {
        if (contents_.workspace) {
            static_cast<AttentionProblem&>(result_.problem) = *contents_.workspace;
            result_.view_json = contents_.view_json;
            result_.is_workspace = true;
        }
        if (contents_.workspace && !choices_.layout.empty())
            throw Error({ATTNLAB_TEXT("layout: has %1, but a saved workspace says itself how its arrays lie"),
                         {choices_.layout}});
        name_candidates();
        choose_group();
        read_module_arguments();
        for (const auto& candidate : candidates_)
            take(candidate);
        take_labels(contents_, result_);
        for (const auto& other : contents_.others)
            result_.unused.push_back({other.name, other.file, std::nullopt, other.what});
        choose_mechanism();
        apply_masks();
        fit_labels(contents_, result_);
        if (auto question = heads_question(result_.problem); question && !choices_.num_heads && !asks_for_heads())
            result_.questions.push_back(std::move(*question));
        return std::move(result_);
    }

private:
    void unused(const HeldArray& array, Message why) {
        result_.unused.push_back({array.name, array.file, array.tensor.shape(), std::move(why)});
    }
    void used(const HeldArray& array, std::string role, Message how = {}) {
        result_.used.push_back(
            {array.name, array.file, array.tensor.shape(), array.tensor.dtype(), std::move(role), std::move(how)});
    }
    bool asks_for_heads() const { return result_.question(Question::Kind::Heads) != nullptr; }

    void name_candidates() {
        for (const auto& array : contents_.arrays) {
            Candidate candidate{&array, known_name(array.name), false};
            if (const auto given = choices_.roles.find(array.name); given != choices_.roles.end()) {
                candidate.chosen = true;
                candidate.meaning.reset();
                if (!given->second.empty())
                    candidate.meaning = ArrayName{"", given->second, NameForm::Own};
            } else if (const auto prefix = torch_transformer_prefix(array.name)) {
                candidate.meaning = ArrayName{"", array.name.substr(prefix->size()), NameForm::Own};
            }
            candidates_.push_back(std::move(candidate));
        }
        lists_ = layer_lists(contents_.arrays);
        check_roles();
    }

    /// A choice that nothing answers to would be left out without a word.
    void check_roles() const {
        for (const auto& [array, role] : choices_.roles) {
            if (!holds(array))
                throw Error({ATTNLAB_TEXT("role: '%1' is no array of the files, which hold %2"),
                             {array, held_text(contents_)}});
            if (!role.empty() && !is_input_name(role))
                throw Error({ATTNLAB_TEXT("role: '%1' is no input, expected query, key, value, weights, attn_mask, ... "
                                          "('attnlab list' has them all), or nothing to leave %2 out"),
                             {role, array}});
        }
    }

    const LayerList* list_of(const HeldArray& array) const {
        for (const auto& list : lists_)
            if (std::find(list.members.begin(), list.members.end(), &array) != list.members.end())
                return &list;
        return nullptr;
    }

    /// Of several lists of weights one is read: the one that is asked for, or the only one.
    void choose_list(const std::vector<std::string>& groups) {
        const bool weights_are_chosen = std::any_of(candidates_.begin(), candidates_.end(), [](const auto& candidate) {
            return candidate.chosen && candidate.meaning && candidate.meaning->role == "weights";
        });
        std::vector<std::string> prefixes;
        for (const auto& list : lists_) {
            if (std::find(prefixes.begin(), prefixes.end(), list.prefix) != prefixes.end())
                throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"),
                             {"weights", lists_.front().members.front()->file, list.members.front()->file}});
            prefixes.push_back(list.prefix);
            if (!weights_are_chosen && (choices_.group ? list.prefix == *choices_.group : lists_.size() == 1))
                list_ = &list;
        }
        if (!weights_are_chosen && !list_ && !choices_.group && prefixes.size() > 1 && groups.empty())
            result_.questions.push_back(
                {Question::Kind::Group,
                 {ATTNLAB_TEXT("the files hold %1 lists of weights, of which a prefix chooses one: %2"),
                  {std::to_string(prefixes.size()), listed(prefixes)}},
                 prefixes});
    }

    /// The prefix of a torch.nn.Transformer state_dict that `name` belongs to: "" or "transformer.".
    std::optional<std::string> torch_transformer_prefix(const std::string& name) {
        if (!transformer_prefix_known_) {
            transformer_prefix_known_ = true;
            // An encoder alone is read by its layers.
            constexpr std::string_view encoder = "encoder.layers.0.self_attn.in_proj_weight",
                                       decoder = "decoder.layers.0.self_attn.in_proj_weight";
            for (const auto& array : contents_.arrays)
                if (array.name.ends_with(encoder)) {
                    const auto prefix = array.name.substr(0, array.name.size() - encoder.size());
                    const auto its_decoder = prefix + std::string(decoder);
                    if (holds(its_decoder)) {
                        transformer_prefix_ = prefix;
                        break;
                    }
                }
            if (choices_.group && !choices_.group->empty() && transformer_prefix_ != choices_.group)
                transformer_prefix_.reset(); // one layer of it was asked for
            else if (transformer_prefix_ && choices_.variant != "transformer" && !holds("src_embedding.weight")) {
                transformer_prefix_.reset();
                result_.notes.push_back(
                    {ATTNLAB_TEXT("the layers of an nn.Transformer, without its tables src_embedding.weight, "
                                  "tgt_embedding.weight and generator.weight: each is read by itself")});
            }
        }
        if (transformer_prefix_ && name.starts_with(*transformer_prefix_))
            return transformer_prefix_;
        return std::nullopt;
    }

    bool holds(std::string_view name) const {
        return std::any_of(contents_.arrays.begin(), contents_.arrays.end(),
                           [&](const HeldArray& array) { return array.name == name; });
    }

    /// Prefixes under which enough lies to attend, in the order of the files.
    std::vector<std::string> complete_groups() const {
        std::vector<std::string> order;
        std::map<std::string, std::set<std::string>> roles;
        for (const auto& candidate : candidates_)
            if (candidate.meaning) {
                if (!roles.contains(candidate.meaning->prefix))
                    order.push_back(candidate.meaning->prefix);
                roles[candidate.meaning->prefix].insert(candidate.meaning->role);
            }
        std::erase_if(order, [&](const std::string& prefix) {
            const auto& there = roles.at(prefix);
            const auto has = [&](const char* role) { return there.contains(role); };
            return !(has("query") && has("key")) && !(has("w_q") && has("w_k")) && !has("w_qkv") &&
                   !has("in_proj_weight") && !(has("q_proj_weight") && has("k_proj_weight")) && !has("weights");
        });
        return order;
    }

    void choose_group() {
        const auto groups = complete_groups();
        const bool complete_layer = std::any_of(candidates_.begin(), candidates_.end(), [](const Candidate& candidate) {
            return candidate.meaning && candidate.meaning->role == "x";
        });
        holds_layers_ = std::any_of(groups.begin(), groups.end(), [&](const auto& prefix) {
            return !prefix.empty() || (complete_layer && groups.size() == 1);
        });
        choose_list(groups);
        if (list_ && choices_.group)
            return;
        if (choices_.group) {
            group_ = *choices_.group;
            if (std::find(groups.begin(), groups.end(), group_ + ".") != groups.end())
                group_ += "."; // the end of a prefix is easily forgotten
            const bool there = std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& candidate) {
                return candidate.meaning && candidate.meaning->prefix == group_;
            });
            if (!there)
                throw Error(
                    {ATTNLAB_TEXT("prefix: '%1' is not in the files, expected the beginning of a layer's names, "
                                  "one of %2"),
                     {group_, listed(groups)}});
        } else if (groups.size() == 1 || (!groups.empty() && groups.front().empty())) {
            group_ = groups.front();
        } else if (groups.size() > 1) {
            result_.questions.push_back({Question::Kind::Group,
                                         {ATTNLAB_TEXT("the files hold %1 layers, of which a prefix chooses one: %2"),
                                          {std::to_string(groups.size()), listed(groups)}},
                                         groups});
        }
    }

    /// torch.nn.MultiheadAttention calls what it projects query, key and value: where the weights of a layer take
    /// tokens as wide as an array of exactly this name has them, and there is no x, these are x, context,
    /// value_context.
    void read_module_arguments() {
        std::optional<std::int64_t> width;
        Candidate* query = nullptr;
        for (auto& candidate : candidates_) {
            if (!candidate.meaning)
                continue;
            const auto& meaning = *candidate.meaning;
            const auto takes = token_width(meaning, candidate.array->tensor);
            if (takes && (meaning.prefix.empty() || meaning.prefix == group_))
                width = takes;
            if (meaning.role == "x" || meaning.role == "context" || meaning.role == "value_context")
                return;
            if (is_argument(candidate) && meaning.role == "query")
                query = &candidate;
        }
        const auto rank = query ? query->array->tensor.rank() : 0;
        if (!width || contents_.workspace || rank < 2 || rank > 3 || query->array->tensor.dim(-1) != *width)
            return;
        for (auto& candidate : candidates_)
            if (is_argument(candidate))
                candidate.meaning->role = candidate.meaning->role == "query" ? "x"
                                          : candidate.meaning->role == "key" ? "context"
                                                                             : "value_context";
        result_.notes.push_back(
            {ATTNLAB_TEXT("query, key and value are read as what the layer projects (x, context and "
                          "value_context); %1 reads them as projected already"),
             {"--role query=query"}});
    }

    static bool is_argument(const Candidate& candidate) {
        const auto& name = candidate.array->name;
        return candidate.meaning && !candidate.chosen && candidate.meaning->role == name &&
               (name == "query" || name == "key" || name == "value");
    }

    static std::string listed(const std::vector<std::string>& words) {
        constexpr std::size_t most = 6;
        std::string text;
        for (std::size_t i = 0; i < words.size() && i < most; ++i)
            text += (text.empty() ? "" : ", ") + words[i];
        return words.size() > most ? text + ", … (" + std::to_string(words.size()) + ")" : text;
    }

    void take(const Candidate& candidate) {
        const auto& array = *candidate.array;
        if (candidate.chosen && !candidate.meaning)
            return unused(array, {ATTNLAB_TEXT("left out as asked")});
        if (const auto* list = list_of(array); list && !candidate.chosen)
            return take_layer(array, *list);
        if (!candidate.meaning)
            return take_unnamed(array);
        const auto& meaning = *candidate.meaning;
        const bool shared = meaning.role == "relative_attention_bias" && shares_relative_bias(meaning.prefix, group_);
        if (!meaning.prefix.empty() && meaning.prefix != group_ && !shared)
            return unused(array, result_.question(Question::Kind::Group)
                                     ? Message{ATTNLAB_TEXT("belongs to one of several layers")}
                                     : Message{ATTNLAB_TEXT("belongs to another layer or part of the model")});
        if (meaning.form == NameForm::Result)
            return unused(array, {ATTNLAB_TEXT("is what attention computes, not what it reads; %1 compares with it"),
                                  {"attnlab compare --against"}});
        if (meaning.form == NameForm::Unsupported)
            return unused(array, {ATTNLAB_TEXT("changes the weights of its layer in a way that no mechanism here has: "
                                               "they differ from the model's")});
        if (meaning.form == NameForm::Tokens)
            return unused(array, {ATTNLAB_TEXT("holds numbers, expected texts")});
        if (is_projection(meaning.form))
            return take_projection(array, meaning);
        if (meaning.form == NameForm::AttentionMask)
            return take_mask(array, read_attention_mask(array.tensor));
        if (meaning.role == "attn_mask")
            return take_mask(array, read_attn_mask(array.tensor));
        if (meaning.role == "query" || meaning.role == "key" || meaning.role == "value" || is_projected(meaning.role))
            return take_tokens(array, meaning);
        put(array, meaning.role, array.tensor, renamed(array, meaning));
    }

    static Message renamed(const HeldArray& array, const ArrayName& meaning) {
        if (array.name == meaning.role)
            return {};
        return {ATTNLAB_TEXT("read as %1"), {meaning.role}};
    }

    /// False, and the array is named as unused, where the input has its array already.
    bool put(const HeldArray& array, const std::string& role, Tensor tensor, Message how) {
        if (const auto before = origins_.find(role); before != origins_.end()) {
            if (before->second->name == array.name || (before->second->name != role && array.name != role))
                throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"),
                             {role, label_of(*before->second), label_of(array)}});
            if (before->second->name == role) { // its own name counts for more
                unused(array, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
                return false;
            }
            const auto entry = std::find_if(result_.used.begin(), result_.used.end(), [&](const UsedArray& use) {
                return use.name == before->second->name && use.role == role;
            });
            if (entry != result_.used.end())
                result_.used.erase(entry);
            unused(*before->second, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
        }
        origins_[role] = &array;
        result_.problem.tensors.insert_or_assign(role, std::move(tensor));
        used(array, role, std::move(how));
        return true;
    }

    /// What messages call an array.
    static std::string label_of(const HeldArray& array) {
        return array.file.empty() ? array.name : array.file + ": " + array.name;
    }

    /// What a layer projects has no heads yet.
    bool is_projected(const std::string& role) const {
        return (role == "x" || role == "context" || role == "value_context") &&
               (choices_.layout.empty() || !has_heads(layout(choices_.layout)));
    }

    void take_tokens(const HeldArray& array, const ArrayName& meaning) {
        if (choices_.layout.empty()) {
            note_axes(array, meaning.role);
            put(array, meaning.role, array.tensor, renamed(array, meaning));
            return;
        }
        const auto& chosen = layout(choices_.layout);
        put(array, meaning.role, arranged(array.tensor, chosen, label_of(array)),
            {ATTNLAB_TEXT("read as %1 with the axes %2"), {meaning.role, axes_text(chosen)}});
    }

    /// What ranks leave open is said once, for the query.
    void note_axes(const HeldArray& array, const std::string& role) {
        const auto& shape = array.tensor.shape();
        if (contents_.workspace)
            return;
        if (role == "x" && shape.size() == 3 && shape[0] > shape[1])
            result_.notes.push_back(
                {ATTNLAB_TEXT("%1 %2 is read as (B, L, D): %3 sequences of %4 tokens; %5 reads tokens "
                              "first, as torch has them without batch_first"),
                 {array.name, to_string(shape), std::to_string(shape[0]), std::to_string(shape[1]), "--layout LBE"}});
        if (role != "query")
            return;
        if (shape.size() == 3 && shape[0] > 1) {
            result_.notes.push_back(
                {ATTNLAB_TEXT("%1 %2 is read as (B, L, E): %3 sequences, one head; %4 reads "
                              "heads, %5 tokens first"),
                 {array.name, to_string(shape), std::to_string(shape[0]), "--layout HLE", "--layout LHE"}});
            result_.questions.push_back({Question::Kind::Layout,
                                         {ATTNLAB_TEXT("%1 has three axes %2"), {array.name, to_string(shape)}},
                                         {"BLE", "HLE", "LHE"}});
        }
        if (shape.size() == 4 && shape[1] > shape[2]) {
            result_.notes.push_back(
                {ATTNLAB_TEXT("%1 %2 is read as (B, H, L, E): %3 heads of %4 tokens; %5 reads %4 "
                              "heads of %3 tokens"),
                 {array.name, to_string(shape), std::to_string(shape[1]), std::to_string(shape[2]), "--layout BLHE"}});
            result_.questions.push_back(
                {Question::Kind::Layout,
                 {ATTNLAB_TEXT("%1 has more heads than tokens %2"), {array.name, to_string(shape)}},
                 {"BHLE", "BLHE"}});
        }
    }

    void take_projection(const HeldArray& array, const ArrayName& meaning) {
        projected_ = true;
        const LayerArray layer{label_of(array), meaning, array.tensor};
        if (needs_heads(layer) && !choices_.num_heads) {
            if (!asks_for_heads())
                result_.questions.push_back(
                    {Question::Kind::Heads,
                     {ATTNLAB_TEXT("num_heads: %1 %2 holds query, key and value of all heads and does not say how many "
                                   "heads there are"),
                      {array.name, shape_of(array)}},
                     head_counts(array.tensor.dim(0) / 3)});
            return unused(array, {ATTNLAB_TEXT("cannot be parted without num_heads")});
        }
        std::string roles;
        const FusedSizes sizes{choices_.num_heads, choices_.num_kv_heads, heads_width()};
        if (guesses_thirds(layer, sizes))
            result_.notes.push_back(
                {ATTNLAB_TEXT("%1 %2 is read as query, key and value of one size; %3 says otherwise where "
                              "heads share keys"),
                 {array.name, shape_of(array), "--set num_kv_heads=N"}});
        for (auto& [role, tensor] : projections_of(layer, sizes)) {
            roles += (roles.empty() ? "" : ", ") + role;
            if (const auto before = origins_.find(role); before != origins_.end())
                throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"),
                             {role, label_of(*before->second), label_of(array)}});
            origins_[role] = &array;
            result_.problem.tensors.insert_or_assign(role, std::move(tensor));
        }
        const bool turned = meaning.form == NameForm::Linear || meaning.form == NameForm::FusedLinear ||
                            meaning.form == NameForm::FusedByHead;
        used(array, roles,
             turned ? Message{ATTNLAB_TEXT("read as %1, turned from (out, in)"), {roles}}
                    : Message{ATTNLAB_TEXT("read as %1"), {roles}});
    }

    /// How wide all heads together are, as the output projection of the layer takes them.
    std::optional<std::int64_t> heads_width() const {
        for (const auto& [array, meaning, chosen] : candidates_)
            if (meaning && meaning->role == "w_o" && meaning->prefix == group_ && array->tensor.rank() == 2)
                return array->tensor.dim(meaning->form == NameForm::Linear ? 1 : 0);
        return std::nullopt;
    }

    static std::vector<std::string> head_counts(std::int64_t width) {
        std::vector<std::string> counts;
        for (const auto count : divisors(width))
            counts.push_back(std::to_string(count));
        return counts;
    }

    void take_mask(const HeldArray& array, ReadMask mask) {
        if (!put(array, mask.role, std::move(mask.tensor),
                 mask.how.empty() && array.name != mask.role ? Message{ATTNLAB_TEXT("read as %1"), {mask.role}}
                                                             : mask.how))
            return;
        if (mask.true_keeps)
            result_.problem.spec.mask_true = MaskTrue::Keeps;
        if (mask.role == "attn_mask" && !mask.true_keeps && !contents_.workspace)
            result_.notes.push_back(
                {ATTNLAB_TEXT("%1: True blocks a cell, as for nn.MultiheadAttention, unless %2 says "
                              "that it keeps it, as for scaled_dot_product_attention"),
                 {array.name, "--mask-true keeps"}});
    }

    /// A layer of weights whose arrays are numbered.
    void take_layer(const HeldArray& array, const LayerList& list) {
        if (&list != list_)
            return unused(
                array, {ATTNLAB_TEXT("belongs to another list of weights: %1 reads it"), {"--prefix " + list.prefix}});
        const auto place = std::find(list.members.begin(), list.members.end(), &array) - list.members.begin();
        used(array, "weights", {ATTNLAB_TEXT("read as the weights of layer %1"), {std::to_string(place)}});
        if (place != 0)
            return; // stacked with the first
        if (const auto before = origins_.find("weights"); before != origins_.end())
            throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"),
                         {"weights", label_of(*before->second), label_of(array)}});
        origins_["weights"] = &array;
        result_.problem.tensors.insert_or_assign("weights", stacked(list));
    }

    void take_unnamed(const HeldArray& array) {
        if (contents_.workspace && array.file.empty()) {
            result_.problem.tensors.insert_or_assign(array.name, array.tensor);
            return unused(array, {ATTNLAB_TEXT("is no input of any mechanism")});
        }
        const bool alone = contents_.arrays.size() == 1;
        if (alone && looks_like_weights(array.tensor)) {
            put(array, "weights", array.tensor, {ATTNLAB_TEXT("read as weights: its rows sum to 1")});
            return;
        }
        if (holds_layers_)
            return unused(array, {ATTNLAB_TEXT("is no part of an attention layer")});
        if (!result_.question(Question::Kind::Roles))
            result_.questions.push_back(
                {Question::Kind::Roles, {ATTNLAB_TEXT("the names do not say what these arrays are")}, {}});
        for (auto& question : result_.questions)
            if (question.kind == Question::Kind::Roles)
                question.answers.push_back(array.name);
        unused(array, {ATTNLAB_TEXT("its name says nothing; %1, for example, says what it is"),
                       {"--role " + array.name + "=query"}});
    }

    void choose_mechanism() {
        auto& spec = result_.problem.spec;
        const auto& tensors = result_.problem.tensors;
        if (!choices_.variant.empty()) {
            if (spec.variant != choices_.variant)
                spec.parameters = {};
            spec.variant = choices_.variant;
        } else if (!contents_.workspace) {
            const auto mask_true = spec.mask_true;
            auto fitting = spec_for(tensors);
            const bool is_layer = tensors.contains("w_q") && tensors.contains("w_k");
            if (fitting)
                spec = std::move(*fitting);
            // A layer without what it reads; another program's has heads.
            if (is_layer && (!fitting || (projected_ && spec.variant == "self")))
                spec.variant = "multi_head";
            spec.mask_true = mask_true;
            share_keys();
            if (auto note = convention_of(group_); note && tensors.contains("w_q"))
                result_.notes.push_back(std::move(*note));
        }
        set_heads();
    }

    /// Fewer columns of keys than of queries: groups of heads share keys.
    void share_keys() {
        auto& problem = result_.problem;
        const auto w_q = problem.tensors.find("w_q"), w_k = problem.tensors.find("w_k");
        if (problem.spec.variant != "multi_head" || w_q == problem.tensors.end() || w_k == problem.tensors.end() ||
            w_q->second.rank() != 2 || w_k->second.rank() != 2 || w_k->second.dim(1) >= w_q->second.dim(1))
            return;
        problem.spec.variant = "grouped_query";
        result_.notes.push_back(
            {ATTNLAB_TEXT("w_k has fewer columns than w_q (%1 and %2): heads share keys and values, "
                          "so the mechanism is grouped_query"),
             {std::to_string(w_k->second.dim(1)), std::to_string(w_q->second.dim(1))}});
    }

    void set_heads() {
        auto& spec = result_.problem.spec;
        const auto& parameters = variant(spec.variant).parameters;
        const auto declares = [&](std::string_view name) {
            return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
        };
        const auto by_bias = result_.problem.tensors.find("relative_attention_bias");
        if (choices_.num_heads && declares("num_heads"))
            spec.parameters.set("num_heads", *choices_.num_heads);
        else if (!contents_.workspace && declares("num_heads") && by_bias != result_.problem.tensors.end() &&
                 by_bias->second.rank() == 2 && by_bias->second.dim(1) > 0) {
            const auto heads = by_bias->second.dim(1);
            spec.parameters.set("num_heads", heads);
            result_.notes.push_back(
                {ATTNLAB_TEXT("num_heads is %1, as relative_attention_bias has it"), {std::to_string(heads)}});
        }
        if (choices_.num_kv_heads && declares("num_kv_heads"))
            spec.parameters.set("num_kv_heads", *choices_.num_kv_heads);
        if (choices_.num_heads && !choices_.num_kv_heads && declares("num_kv_heads"))
            if (const auto shared = shared_heads(*choices_.num_heads))
                spec.parameters.set("num_kv_heads", *shared);
    }

    /// The widths of w_q and w_k say how many key heads there are once the query heads are known.
    std::optional<std::int64_t> shared_heads(std::int64_t heads) const {
        const auto& tensors = result_.problem.tensors;
        const auto w_q = tensors.find("w_q"), w_k = tensors.find("w_k");
        if (w_q == tensors.end() || w_k == tensors.end() || w_q->second.rank() != 2 || w_k->second.rank() != 2)
            return std::nullopt;
        const auto width = w_q->second.dim(1) / heads;
        if (width < 1 || w_q->second.dim(1) % heads != 0 || w_k->second.dim(1) % width != 0)
            return std::nullopt;
        return w_k->second.dim(1) / width;
    }

    /// Masks that lie in a file count.
    void apply_masks() {
        if (contents_.workspace)
            return;
        auto& problem = result_.problem;
        for (const auto& kind : mask_kinds())
            for (const auto& input : kind.inputs)
                if (origins_.contains(std::string(input.name)) &&
                    !refusal_of_mask(variant(problem.spec.variant), kind.id))
                    problem.spec.masks.push_back({std::string(kind.id), {}});
    }

    const Contents& contents_;
    const Choices& choices_;
    Recognition result_;
    std::vector<Candidate> candidates_;
    std::vector<LayerList> lists_;
    const LayerList* list_ = nullptr;                 ///< the one of them that is read
    std::map<std::string, const HeldArray*> origins_; ///< input -> the array that it comes from
    std::string group_;
    bool projected_ = false;    ///< the layer is another program's
    bool holds_layers_ = false; ///< of a model
    std::optional<std::string> transformer_prefix_;
    bool transformer_prefix_known_ = false;
};

} // namespace

std::vector<std::string> UsedArray::roles() const {
    constexpr std::string_view separator = ", ";
    std::vector<std::string> all;
    for (std::size_t start = 0; start <= role.size();) {
        const auto end = std::min(role.find(separator, start), role.size());
        all.push_back(role.substr(start, end - start));
        start = end + separator.size();
    }
    return all;
}

bool UsedArray::begins_problem() const {
    for (const auto& each : roles())
        for (const auto& candidate : variants())
            if (const auto* input = find_input(candidate.inputs, each); input && input->required)
                return true;
    return false;
}

const std::vector<std::string>* UsedArray::labels_in(const AttentionProblem& problem) const {
    return role == "query_tokens" ? &problem.query_tokens : role == "key_tokens" ? &problem.key_tokens : nullptr;
}

const Question* Recognition::question(Question::Kind kind) const {
    const auto found =
        std::find_if(questions.begin(), questions.end(), [kind](const Question& asked) { return asked.kind == kind; });
    return found == questions.end() ? nullptr : &*found;
}

Recognition recognise(const Contents& contents, const Choices& choices) { return Recogniser(contents, choices).run(); }

std::string held_text(const Contents& contents) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < contents.arrays.size() && i < most; ++i)
        text +=
            (text.empty() ? "" : ", ") + contents.arrays[i].name + " " + to_string(contents.arrays[i].tensor.shape());
    if (contents.arrays.size() > most)
        text += ", … (" + std::to_string(contents.arrays.size()) + ")";
    return text;
}

} // namespace attnlab
