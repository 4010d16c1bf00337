// Longformer and BigBird: BERT for long texts, whose tokens read a part of them.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"
#include "core/model/architectures/shared/task_head.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_longformer[] = {
    {.names = "attention_mode ignore_attention_mask onnx_export", .why = why_not_read::old_version}};
constexpr KnownEntry tensors_of_longformer[] = {
    {.names = "*query_global.* *key_global.* *value_global.*", .why = why_not_marked, .is_said = true},
    {.names = "lm_head.bias", .why = why_not_read::copy},
    {.names = "classifier.* qa_outputs.*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_big_bird[] = {
    {.names = "gradient_checkpointing", .why = why_not_read::old_version},
    {.names = "block_size num_random_blocks", .why = ATTNLAB_TEXT("attention_type is original_full")}};
constexpr KnownEntry tensors_of_big_bird[] = {{.names = "cls.predictions.bias", .why = why_not_read::copy}};

/// A token reads half of the window to each side. Models for a task mark tokens that read everything.
Description describe_longformer(const Config& config, const WeightFiles& files) {
    for (const std::string_view task : {"ForSequenceClassification", "ForQuestionAnswering", "ForMultipleChoice"})
        if (config.has("architectures") && has_head(config, {task}))
            config.fail("architectures", ATTNLAB_TEXT("a model that marks no token to read all others"));
    auto sizes = bert_sizes(config, 30522);
    sizes.causal = false; // whatever is_decoder says
    const Tensors tensors(files, {"longformer.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types = token_types(config, tensors, sizes.hidden);
    const auto windows = attention_windows(config, sizes.layers);
    for (std::size_t layer = 0; layer < windows.size(); ++layer) {
        auto& self = stack.blocks[layer].self;
        self.window = windows[layer] / 2 + 1;
        self.query_scale = self.scale;
        self.scale = 1.0;
    }
    Description description{.vocabulary = sizes.vocabulary};
    count_from_padding(config, sizes.positions, stack, description);
    if (outside.has("lm_head.dense.weight")) {
        description.head =
            masked_head(outside, "lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias",
                        stack.embedding.tokens, config.flag("tie_word_embeddings", true), sizes);
        description.head->activation = find_activation("gelu");
    }
    description.encoder = std::move(stack);
    return description;
}

/// Up to a length that the settings give, every token reads all others. Longer texts are refused: their tokens also
/// read blocks that are drawn at random.
Description describe_big_bird(const Config& config, const WeightFiles& files) {
    auto sizes = bert_sizes(config, 50358);
    if (!config.has("hidden_act"))
        sizes.activation = find_activation("gelu_new");
    sizes.projection_bias = config.flag("use_bias", true);
    const auto type = config.text("attention_type", "block_sparse");
    if (type != "block_sparse" && type != "original_full")
        config.fail("attention_type", "block_sparse, original_full");
    const Tensors tensors(files, {"bert.", ""}, "embeddings.word_embeddings.weight");
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types = token_types(config, tensors, sizes.hidden);
    if (config.flag("rescale_embeddings", false))
        stack.embedding.factor = 1.0 / root_scale(sizes.hidden);
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (type == "block_sparse") {
        const auto block = config.size("block_size", 64), drawn = config.integer("num_random_blocks").value_or(3);
        if (drawn < 0 || drawn > largest_size)
            config.fail("num_random_blocks", {ATTNLAB_TEXT("%1 or more"), {"0"}});
        description.longest = std::min(description.longest, (5 + 2 * drawn) * block);
        if (description.longest < sizes.positions)
            description.unread.settings.push_back(
                {config.node().name_of_text(),
                 "attention_type",
                 "\"block_sparse\"",
                 {ATTNLAB_TEXT("texts of more than %1 tokens are refused, since their tokens read blocks that are "
                               "drawn at random"),
                  {std::to_string(description.longest)}}});
    }
    if (const auto outside = tensors.outside(); outside.has("cls.predictions.transform.dense.weight")) {
        add_bert_head(config, outside, stack, sizes, "", description);
    } else {
        add_task_head(config, outside, sizes.hidden,
                      {.transform = "classifier.dense",
                       .activation = config.text("hidden_act", "gelu_new"),
                       .output = "classifier.out_proj",
                       .span_output = "qa_classifier.qa_outputs"},
                      description);
        if (description.head && description.head->outcomes == Head::Outcomes::Span)
            description.head.reset(); // its head has a layer more
    }
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> sparse_bert_architectures() {
    return {{.type = "big_bird",
             .describe = describe_big_bird,
             .settings = settings_of_big_bird,
             .tensors = tensors_of_big_bird},
            {.type = "longformer",
             .describe = describe_longformer,
             .settings = settings_of_longformer,
             .tensors = tensors_of_longformer}};
}

} // namespace attnlab::model
