// An encoder of one kind beside a decoder of another: the decoder is BERT that also reads the encoder.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry tensors_of_pair[] = {
    {.names = "decoder.cls.predictions.bias decoder.lm_head.bias", .why = why_not_read::copy},
    {.names = "encoder.pooler.*", .why = why_not_read::task}};

/// The tensors of one side under the names that they have in a file of their own.
class SideWeights : public WeightFiles {
public:
    SideWeights(const WeightFiles& files, std::string prefix) : files_(files), prefix_(std::move(prefix)) {}

    const Weight* find(std::string_view name) const override { return files_.find(name_in_files(name)); }
    const Weight* peek(std::string_view name) const override { return files_.peek(name_in_files(name)); }
    std::vector<std::string> names() const override { return files_.names(); }
    void check() const override { files_.check(); }
    const std::string& where() const override { return files_.where(); }
    std::string name_in_files(std::string_view name) const override { return prefix_ + std::string(name); }

private:
    const WeightFiles& files_;
    std::string prefix_;
};

Config side_of(const Config& config, const char* side) {
    const auto found = config.object(side);
    if (!found)
        config.fail(side, ATTNLAB_TEXT("the settings of this side"));
    return *found;
}

/// BERT with a second attention in each block, and its head for tokens.
void describe_bert_decoder(const Config& side, const WeightFiles& files, std::int64_t encoded,
                           Description& description) {
    if (!side.flag("is_decoder", false))
        side.fail("is_decoder", "true");
    if (!side.flag("add_cross_attention", false))
        side.fail("add_cross_attention", "true");
    const auto sizes = bert_sizes(side.without("add_cross_attention"), 30522);
    if (sizes.hidden != encoded)
        side.fail("hidden_size", {ATTNLAB_TEXT("%1, that of the encoder"), {std::to_string(encoded)}});
    const Tensors tensors(files, {"bert.", ""}, "embeddings.word_embeddings.weight");
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.name = "decoder";
    stack.embedding.types = token_types(side, tensors, sizes.hidden);
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".crossattention.");
        const auto square = [&](std::string_view name) { return below.linear(name, sizes.hidden, sizes.hidden, true); };
        auto& block = stack.blocks[static_cast<std::size_t>(layer)];
        block.cross = Attention{.heads = sizes.heads,
                                .key_value_heads = sizes.heads,
                                .width = sizes.head_width,
                                .scale = root_scale(sizes.head_width),
                                .query = square("self.query"),
                                .key = square("self.key"),
                                .value = square("self.value"),
                                .output = square("output.dense")};
        block.cross_norms.sum = below.layer_norm("output.LayerNorm", sizes.hidden, sizes.epsilon);
    }
    add_bert_head(side, tensors.outside(), stack, sizes, "bert.pooler.dense", description);
    if (!description.head)
        throw Error({ATTNLAB_TEXT("%1: has no head of the decoder, 'decoder.cls.predictions'"), {files.where()}});
    description.vocabulary = sizes.vocabulary;
    description.longest = sizes.positions;
    description.decoder = std::move(stack);
}

Description describe_pair(const Config& config, const WeightFiles& files) {
    const auto encoder = side_of(config, "encoder"), decoder = side_of(config, "decoder");
    const auto encoder_type = encoder.text("model_type", ""), decoder_type = decoder.text("model_type", "");
    const auto* architecture = find_architecture(encoder_type);
    if (!architecture)
        encoder.fail("model_type", ATTNLAB_TEXT("the type of an encoder"));
    if (decoder_type != "bert")
        decoder.fail("model_type", "bert");
    auto description = described(*architecture, encoder, SideWeights(files, "encoder."));
    if (!description.encoder || description.decoder || description.encoder->embedding.patches)
        encoder.fail("model_type", ATTNLAB_TEXT("the type of an encoder"));
    const auto longest = description.longest;
    description.head.reset();
    description.labels.clear();
    const SideWeights own(files, "decoder.");
    describe_bert_decoder(decoder, own, description.encoder->width, description);
    description.longest = longest > 0 ? std::min(longest, description.longest) : description.longest;
    description.decoder_start = config.integer("decoder_start_token_id");
    description.part_types = {{"encoder.", encoder_type}, {"decoder.", decoder_type}};
    return description;
}

} // namespace

std::vector<Architecture> encoder_decoder_architectures() {
    return {{.type = "encoder-decoder", .describe = describe_pair, .tensors = tensors_of_pair}};
}

} // namespace attnlab::model
