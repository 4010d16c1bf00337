#include "core/model/unread.h"

#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/model/architectures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {
namespace {

constexpr const char* of_training = ATTNLAB_TEXT("counts in training alone");
constexpr const char* of_generation = ATTNLAB_TEXT("is about generating text");
constexpr const char* of_output = ATTNLAB_TEXT("says what a run returns, not what it computes");
constexpr const char* of_file = ATTNLAB_TEXT("describes the file");
constexpr const char* of_kernel = ATTNLAB_TEXT("chooses the code that computes attention, not its result");
constexpr const char* of_tokens = ATTNLAB_TEXT("is about tokens, which the tokenizer makes");
constexpr const char* of_storage = ATTNLAB_TEXT("the files say how numbers are stored");
constexpr const char* of_length = ATTNLAB_TEXT("the longest text in training; longer ones are computed alike");
constexpr const char* of_own_code =
    ATTNLAB_TEXT("names code beside the model, which is not run; the model is computed as its model_type says");
constexpr const char* of_quantization = ATTNLAB_TEXT("weights are read as the files store them");
constexpr const char* of_buffer = ATTNLAB_TEXT("a constant that the settings give");
constexpr const char* of_pooling = ATTNLAB_TEXT("pools hidden states behind the last layer");

constexpr const char* of_chat = ATTNLAB_TEXT("is about conversations");
constexpr const char* of_batches = ATTNLAB_TEXT("counts where a program cuts or fills up texts");
constexpr const char* of_decoding = ATTNLAB_TEXT("is about text made of tokens");
constexpr const char* of_slow = ATTNLAB_TEXT("counts for the tokenizers in Python alone");

constexpr KnownEntry settings[] = {
    // The base class of Transformers, version 4 and 5, and what programs add to files.
    {"_name_or_path name_or_path transformers_version transformers.js_config architectures _commit_hash "
     "library_name adapters custom_pipelines license language base_model* unsloth* mlx_version model_name",
     of_file},
    {"auto_map", of_own_code, {}, true},
    {"dtype torch_dtype use_bfloat16", of_storage},
    {"quantization_config quantization compression_config", of_quantization, {}, true},
    {"*dropout* *_pdrop *layerdrop gradient_checkpointing initializer_range initializer_factor init_std "
     "router_aux_loss_coef output_router_logits label_smoothing* tf_legacy_loss pretraining_tp use_reentrant",
     of_training},
    {"output_attentions output_hidden_states return_dict output_scores output_past use_cache torchscript "
     "tie_last_hidden_states chunk_size_feed_forward cache_implementation _remove_invalid_values",
     of_output},
    {"max_length min_length max_new_tokens min_new_tokens do_sample early_stopping num_beams num_beam_groups "
     "diversity_penalty temperature top_k top_p min_p typical_p repetition_penalty length_penalty "
     "no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids num_return_sequences "
     "return_dict_in_generate forced_bos_token_id forced_eos_token_id remove_invalid_values "
     "exponential_decay_length_penalty suppress_tokens begin_suppress_tokens task_specific_params prefix "
     "force_bos_token_to_be_generated decoder_start_token_id",
     of_generation},
    {"bos_token_id eos_token_id pad_token_id sep_token_id cls_token_id mask_token_id unk_token_id "
     "tokenizer_class image_token_id num_image_tokens eot_token_id vocab_size decoder_vocab_size model_max_length",
     of_tokens},
    {"id2label* label2id* num_labels _num_labels problem_type finetuning_task classif_* summary_* pooler_* "
     "encoder_stride directionality qa_dropout classifiers_size sentence_transformers predict_special_tokens "
     "n_special",
     why_not_read::task},
    {"_attn_implementation* attn_implementation* attention_implementation _flash_attn_2_enabled use_flash_attn* "
     "use_flash_attention* flash_attention flash_attn* use_sdpa _experts_implementation* experts_implementation",
     of_kernel},
    {"reorder_and_upcast_attn", ATTNLAB_TEXT("changes the order and the rounding of operations alone")},
    {"is_decoder is_encoder_decoder tie_encoder_decoder tie_weights_ pruned_heads cross_attention_hidden_size "
     "is_llama_config",
     why_not_read::built_in},
    {"tie_word_embeddings", ATTNLAB_TEXT("counts where there is a head for tokens")},
    {"max_position_embeddings max_sequence_length n_ctx initial_context_length seq_length max_seq_len "
     "original_max_position_embeddings rope_*.original_max_position_embeddings",
     of_length},
    {"rope_*.factor rope_*.attention_factor rope_*.beta_fast rope_*.beta_slow rope_*.short_factor "
     "rope_*.long_factor rope_*.low_freq_factor rope_*.high_freq_factor rope_*.mscale rope_*.mscale_all_dim "
     "rope_*.truncate",
     ATTNLAB_TEXT("has no effect with this rope_type"),
     {},
     true},
    {"rope_*.finetuned", of_file},
    // tokenizer_config.json.
    {"tokenizer_config.backend tokenizer_config.name_or_path tokenizer_config._name_or_path "
     "tokenizer_config.*_file tokenizer_config.is_local tokenizer_config.local_files_only "
     "tokenizer_config.transformers_version tokenizer_config._commit_hash tokenizer_config.processor_class "
     "tokenizer_config.tokenizer_type tokenizer_config.verbose tokenizer_config.files_loaded "
     "tokenizer_config.device_map tokenizer_config.init_inputs tokenizer_config.model_specific_special_tokens "
     "tokenizer_config.unsloth*",
     of_file},
    {"tokenizer_config.auto_map",
     ATTNLAB_TEXT("names code beside the tokenizer, which is not run; the files of the tokenizer are followed"),
     {},
     true},
    {"tokenizer_config.chat_template* tokenizer_config.default_chat_template tokenizer_config.response_template "
     "tokenizer_config.response_schema tokenizer_config.chat_control_tokens "
     "tokenizer_config.use_default_system_prompt",
     of_chat},
    {"tokenizer_config.model_max_length tokenizer_config.max_len tokenizer_config.max_length "
     "tokenizer_config.padding* tokenizer_config.truncation* tokenizer_config.stride "
     "tokenizer_config.pad_to_multiple_of tokenizer_config.pad_token_type_id tokenizer_config.pad_token_label "
     "tokenizer_config.model_input_names tokenizer_config.return_token_type_ids",
     of_batches},
    {"tokenizer_config.clean_up_tokenization_spaces* tokenizer_config.spaces_between_special_tokens "
     "tokenizer_config.errors tokenizer_config.decode_use_source_tokenizer",
     of_decoding},
    {"tokenizer_config.trim_offsets", ATTNLAB_TEXT("changes where tokens lie in a text, not the tokens")},
    {"tokenizer_config.sp_model_kwargs tokenizer_config.do_basic_tokenize tokenizer_config.never_split "
     "tokenizer_config.use_fast tokenizer_config.from_slow tokenizer_config.wordpieces_prefix",
     of_slow},
    {"tokenizer_config.*_token_id tokenizer_config.*_token_ids tokenizer_config.*_id", of_tokens},
    // GGUF.
    {"general.* split.* quantize.* imatrix.* mradermacher.* prefill.*", of_file},
    {"tokenizer.chat_template* tokenizer.chat_templates tokenizer.ggml.*_token_id tokenizer.ggml.*_token_ids "
     "tokenizer.ggml.token_type_count tokenizer.ggml.scores tokenizer.ggml.merges tokenizer.huggingface.json "
     "tokenizer.ggml.add_sep_token",
     of_tokens},
    {".rope.scaling.finetuned .tensor_data_layout .vocab_size", of_file},
    {".context_length", of_length},
    {".pooling_type .classifier.*", of_pooling},
    {".expert_used_count .expert_feed_forward_length .expert_shared_count .expert_weights_scale "
     ".expert_weights_norm .expert_gating_func .leading_dense_block_count .interleave_moe_layer_step "
     ".moe_every_n_layers",
     ATTNLAB_TEXT("the model has no experts")},
};

constexpr KnownEntry tensors[] = {
    {"*rotary_emb.inv_freq *.attn.bias *.attn.masked_bias *.attention.bias *.attention.masked_bias "
     "*.position_ids *.token_type_ids *encoder.version *decoder.version",
     of_buffer},
    {"*pooler.* *cls.seq_relationship.* classifier.* pre_classifier.* qa_outputs.* score.* "
     "classification_head.* multiple_choice_head.* v_head.* value_head.* cls.bias cls.output.* cls.weight "
     "*.mask_token",
     why_not_read::task},
    {"lm_head.weight embed_out.weight final_logits_bias", why_not_read::task},
};

/// Parts of names.
constexpr std::string_view concerned[] = {
    "attn",       "attention", "rope",       "rotary",     "position", "pos_emb",  "alibi",       "mask",     "norm",
    "scale",      "scaling",   "window",     "sliding",    "softcap",  "soft_cap", "sink",        "causal",   "bias",
    "multiplier", "qk",        "clip",       "clamp",      "heads",    "head_dim", "head_size",   "relative", "bucket",
    "yarn",       "residual",  "layer_type", "per_layer",  "chunk",    "temper",   "bidirection", "factor",   "theta",
    "ntk",        "kv",        "logit",      "interleave", "lora"};

/// Parts of names, of settings of tokenizers.
constexpr std::string_view concerned_with_tokens[] = {
    "token",   "split", "lower", "upper",    "case",    "accent", "prefix",  "suffix",  "normali",
    "special", "bos",   "eos",   "legacy",   "merge",   "byte",   "regex",   "pattern", "sampling",
    "vocab",   "unk",   "lang",  "extra_id", "char",    "space",  "strip",   "chinese", "nfc",
    "nfkc",    "digit", "punct", "dropout",  "prepend", "add_",   "sp_model"};

constexpr std::string_view factors[] = {"multiplier", "scale", "scaling", "factor", "temper"};

/// Whether `text` fits a pattern with * for any text.
bool fits(std::string_view text, std::string_view pattern) {
    std::size_t at = 0, next = 0, star = pattern.npos, resumed = 0;
    while (at < text.size()) {
        if (next < pattern.size() && pattern[next] == '*') {
            star = next++;
            resumed = at;
        } else if (next < pattern.size() && pattern[next] == text[at]) {
            ++next;
            ++at;
        } else if (star != pattern.npos) {
            next = star + 1;
            at = ++resumed;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', next) == pattern.npos;
}

/// Whether `text` fits one of the patterns of a list.
bool fits_one(std::string_view text, std::string_view list) {
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        if (fits(text, list.substr(0, end)))
            return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

bool contains_one(std::string_view text, std::span<const std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](auto word) { return text.find(word) != text.npos; });
}

const KnownEntry* find_known(std::span<const KnownEntry> entries, std::string_view name, std::string_view value) {
    const auto found = std::ranges::find_if(entries, [&](const KnownEntry& entry) {
        return (entry.values.empty() || fits_one(value, entry.values)) && fits_one(name, entry.names);
    });
    return found == entries.end() ? nullptr : &*found;
}

} // namespace

const KnownEntry* known_setting(std::string_view type, std::string_view key, std::string_view value) {
    if (const auto* known = find_known(settings, key, value))
        return known;
    const auto* architecture = find_architecture(type);
    return architecture ? find_known(architecture->settings, key, value) : nullptr;
}

const KnownEntry* known_tensor(std::string_view type, std::string_view name) {
    if (const auto* known = find_known(tensors, name, {}))
        return known;
    const auto* architecture = find_architecture(type);
    return architecture ? find_known(architecture->tensors, name, {}) : nullptr;
}

bool concerns_attention(std::string_view key) { return !key.starts_with("tokenizer.") && contains_one(key, concerned); }

bool concerns_tokens(std::string_view key) { return contains_one(key, concerned_with_tokens); }

bool is_neutral(std::string_view key, std::string_view value) {
    constexpr std::string_view none[] = {
        "null", "false", "0", "0.0", "-0.0", "\"\"", "{}", "\"none\"", "\"full_attention\""};
    if (value.starts_with('[')) {
        auto items = value.substr(1, value.size() - 2);
        for (; !items.empty(); items.remove_prefix(std::min(items.find(',') + 1, items.size()))) {
            if (!is_neutral(key, items.substr(0, items.find(','))))
                return false;
            if (items.find(',') == items.npos)
                break;
        }
        return true;
    }
    if (std::find(std::begin(none), std::end(none), value) != std::end(none))
        return true;
    return contains_one(key, factors) && (value == "1" || value == "1.0");
}

namespace {

constexpr std::size_t most_named = 4;
constexpr std::size_t longest_value = 60;

/// The first few, and how many there are beside them.
Message listing(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
        list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() <= most_named)
        return {"%1", {list}};
    return {ATTNLAB_TEXT("%1 and %2 more"), {list, std::to_string(names.size() - most_named)}};
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

/// "model.layers.3.mlp.up_proj.weight": a name with a list of blocks and the number of one.
bool is_in_block(std::string_view name) {
    constexpr std::array<std::string_view, 6> lists{"layers", "layer", "h", "block", "blocks", "blk"};
    std::string_view before;
    while (!name.empty()) {
        const auto end = std::min(name.find('.'), name.size());
        const auto part = name.substr(0, end);
        if (is_number(part) && std::find(lists.begin(), lists.end(), before) != lists.end())
            return true;
        before = part;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return false;
}

} // namespace

std::vector<Message> Unread::notes() const {
    std::vector<Message> notes;
    for (const auto& entry : settings)
        if (entry.is_said)
            notes.push_back(entry.is_known()
                                ? Message{ATTNLAB_TEXT("%1: '%2': %3"), {entry.file, entry.name, entry.why}}
                                : Message{ATTNLAB_TEXT("%1: '%2' is %3, which AttnLab does not read"),
                                          {entry.file, entry.name, entry.value}});
    std::vector<std::pair<Message, std::vector<std::string>>> reasons; // with their tensors, in the order of the files
    for (const auto& entry : tensors)
        if (entry.is_said) {
            auto found = std::ranges::find(reasons, entry.why, [](const auto& reason) { return reason.first; });
            if (found == reasons.end())
                found = reasons.insert(found, {entry.why, {}});
            found->second.push_back(entry.name);
        }
    for (const auto& [why, names] : reasons) {
        const auto& file = tensors.front().file;
        notes.push_back(
            why.empty() ? Message{ATTNLAB_TEXT("%1: tensors that AttnLab does not read: %2"), {file, listing(names)}}
                        : Message{ATTNLAB_TEXT("%1: tensors that AttnLab does not read: %2: each %3"),
                                  {file, listing(names), why}});
    }
    return notes;
}

void account_settings(std::string_view type, std::string_view prefix, const std::vector<UnreadEntry>& left,
                      Unread& unread) {
    std::vector<std::string> refused;
    for (const auto& setting : left) {
        const auto& [file, key, value, why, is_said] = setting;
        const auto name =
            std::string_view(key).substr(key.starts_with(prefix) ? prefix.size() : 0); // ".rope.scaling.type"
        UnreadEntry entry{file, key, io::excerpt(value, longest_value), why, false};
        if (const auto* known = entry.is_known() ? nullptr : known_setting(type, name, value)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        } else if (!entry.is_known() && is_neutral(name, value)) {
            entry.why = ATTNLAB_TEXT("says that there is none of it");
        }
        if (!entry.is_known() && concerns_attention(name)) {
            refused.push_back("'" + key + "': " + entry.value);
            continue;
        }
        entry.is_said = entry.is_said || !entry.is_known();
        unread.settings.push_back(std::move(entry));
    }
    if (!refused.empty())
        throw Error(
            {ATTNLAB_TEXT("%1: has %2, which is not supported for models of type %3; without it attention would "
                          "be that of another model"),
             {left.front().file, listing(refused), std::string(type)}});
}

std::vector<UnreadEntry> unread_settings(const Config& config, const RunControl& control) {
    std::vector<UnreadEntry> left;
    for (const auto& setting : config.unread())
        left.push_back(
            {config.node().name_of_text(), setting.key, io::dump_for_message(*setting.value, control), setting.why});
    const bool slides_not = std::any_of(left.begin(), left.end(), [](const auto& one) {
        return one.name == "use_sliding_window" && one.value == "false";
    });
    for (auto& one : left)
        if (slides_not && (one.name == "sliding_window" || one.name == "max_window_layers"))
            one.why = ATTNLAB_TEXT("use_sliding_window is not true");
    return left;
}

std::shared_ptr<const tokens::Tokenizer> open_tokenizer(const std::filesystem::path& folder, Unread& unread,
                                                        const RunControl& control) {
    std::vector<UnreadEntry> left;
    auto tokenizer = tokens::find_tokenizer(folder, control, &left);
    for (const auto& [file, key, value, why, is_said] : left) {
        control.checkpoint();
        UnreadEntry entry{file, key, io::excerpt(value, longest_value), why, is_said};
        if (entry.is_known()) {
            // the tokenizer decided
        } else if (const auto* known = known_setting({}, "tokenizer_config." + key, value)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        } else if (is_neutral(key, value)) {
            entry.why = ATTNLAB_TEXT("says that there is none of it");
            entry.is_said = false;
        } else if (file == "tokenizer_config.json" && concerns_tokens(key)) {
            throw Error({ATTNLAB_TEXT("%1: '%2' is %3, which is not supported; without it the tokens would be others"),
                         {(folder / file).string(), key, entry.value}});
        }
        unread.settings.push_back(std::move(entry));
    }
    return tokenizer;
}

void account_tensors(const WeightFiles& files, std::string_view type, Unread& unread) {
    std::vector<std::string> refused;
    for (const auto& name : files.unread()) {
        UnreadEntry entry{files.where(), name};
        if (const auto* known = known_tensor(type, name)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        }
        if (!entry.is_known() && (is_in_block(name) || concerns_attention(name) || files.are_all_needed()))
            refused.push_back("'" + name + "'");
        else
            unread.tensors.push_back(std::move(entry));
    }
    if (!refused.empty())
        throw Error({ATTNLAB_TEXT("%1: has tensors that models of type %2 do not use: %3; without them this would be "
                                  "another model"),
                     {files.where(), std::string(type), listing(refused)}});
}

} // namespace attnlab::model
