// The encoder-decoder of "Attention Is All You Need": its inputs and parameters.
#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/mechanisms/shared/transformer_model.h"
#include "core/stages/softmax.h"

#include <cmath>

namespace attnlab {
namespace {

constexpr auto layers_help = ATTNLAB_TEXT("One matrix a layer, each as torch.nn.Transformer keeps it: (out, in)");
constexpr auto layer_rows_help = ATTNLAB_TEXT("One row a layer, each as torch.nn.Transformer keeps it");
constexpr auto last_norm_help = ATTNLAB_TEXT("Of the norm after the last layer");

constexpr Input weight(std::string_view name, std::string_view dims, const char* help = layers_help) {
    return {.name = name, .dims = dims, .fill = InputFill::Linear, .help = help};
}
constexpr Input bias(std::string_view name, std::string_view dims, const char* help = layer_rows_help) {
    return {.name = name, .dims = dims, .fill = InputFill::Zeros, .help = help};
}
constexpr Input gain(std::string_view name, std::string_view dims, const char* help = layer_rows_help) {
    return {.name = name, .dims = dims, .fill = InputFill::Ones, .help = help};
}
constexpr Input ids(std::string_view name, std::string_view dims, const char* help) {
    return {.name = name, .dims = dims, .fill = InputFill::Ids, .dtype = DType::Int64, .help = help};
}

const Input inputs[] = {
    ids("src", "B S | S", ATTNLAB_TEXT("Token ids that the encoder reads; 0 is padding")),
    ids("tgt", "B L | L", ATTNLAB_TEXT("Token ids that the decoder has so far; 0 is padding")),
    weight("src_embedding.weight", "src_vocabulary num_heads*E",
           ATTNLAB_TEXT("One row a source token; row 0 is padding")),
    weight("tgt_embedding.weight", "tgt_vocabulary num_heads*E",
           ATTNLAB_TEXT("One row a target token; row 0 is padding")),
    weight("generator.weight", "out_vocabulary num_heads*E",
           ATTNLAB_TEXT("Makes a logit for each token of the vocabulary")),
    bias("generator.bias", "out_vocabulary", ATTNLAB_TEXT("Bias of generator.weight")),
    weight("encoder.layers.self_attn.in_proj_weight", "num_encoder_layers 3*num_heads*E num_heads*E"),
    bias("encoder.layers.self_attn.in_proj_bias", "num_encoder_layers 3*num_heads*E"),
    weight("encoder.layers.self_attn.out_proj.weight", "num_encoder_layers num_heads*E num_heads*E"),
    bias("encoder.layers.self_attn.out_proj.bias", "num_encoder_layers num_heads*E"),
    weight("encoder.layers.linear1.weight", "num_encoder_layers dim_feedforward num_heads*E"),
    bias("encoder.layers.linear1.bias", "num_encoder_layers dim_feedforward"),
    weight("encoder.layers.linear2.weight", "num_encoder_layers num_heads*E dim_feedforward"),
    bias("encoder.layers.linear2.bias", "num_encoder_layers num_heads*E"),
    gain("encoder.layers.norm1.weight", "num_encoder_layers num_heads*E"),
    bias("encoder.layers.norm1.bias", "num_encoder_layers num_heads*E"),
    gain("encoder.layers.norm2.weight", "num_encoder_layers num_heads*E"),
    bias("encoder.layers.norm2.bias", "num_encoder_layers num_heads*E"),
    gain("encoder.norm.weight", "num_heads*E", last_norm_help),
    bias("encoder.norm.bias", "num_heads*E", last_norm_help),
    weight("decoder.layers.self_attn.in_proj_weight", "num_decoder_layers 3*num_heads*E num_heads*E"),
    bias("decoder.layers.self_attn.in_proj_bias", "num_decoder_layers 3*num_heads*E"),
    weight("decoder.layers.self_attn.out_proj.weight", "num_decoder_layers num_heads*E num_heads*E"),
    bias("decoder.layers.self_attn.out_proj.bias", "num_decoder_layers num_heads*E"),
    weight("decoder.layers.multihead_attn.in_proj_weight", "num_decoder_layers 3*num_heads*E num_heads*E"),
    bias("decoder.layers.multihead_attn.in_proj_bias", "num_decoder_layers 3*num_heads*E"),
    weight("decoder.layers.multihead_attn.out_proj.weight", "num_decoder_layers num_heads*E num_heads*E"),
    bias("decoder.layers.multihead_attn.out_proj.bias", "num_decoder_layers num_heads*E"),
    weight("decoder.layers.linear1.weight", "num_decoder_layers dim_feedforward num_heads*E"),
    bias("decoder.layers.linear1.bias", "num_decoder_layers dim_feedforward"),
    weight("decoder.layers.linear2.weight", "num_decoder_layers num_heads*E dim_feedforward"),
    bias("decoder.layers.linear2.bias", "num_decoder_layers num_heads*E"),
    gain("decoder.layers.norm1.weight", "num_decoder_layers num_heads*E"),
    bias("decoder.layers.norm1.bias", "num_decoder_layers num_heads*E"),
    gain("decoder.layers.norm2.weight", "num_decoder_layers num_heads*E"),
    bias("decoder.layers.norm2.bias", "num_decoder_layers num_heads*E"),
    gain("decoder.layers.norm3.weight", "num_decoder_layers num_heads*E"),
    bias("decoder.layers.norm3.bias", "num_decoder_layers num_heads*E"),
    gain("decoder.norm.weight", "num_heads*E", last_norm_help),
    bias("decoder.norm.bias", "num_heads*E", last_norm_help),
};

constexpr std::string_view activations[] = {"relu", "gelu"};

const Parameter parameters[] = {
    {.name = "num_heads",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("heads"),
     .help = ATTNLAB_TEXT("How many heads each layer has; weights do not say it"),
     .minimum = 1,
     .maximum = 4096,
     .unit = "heads"},
    {.name = "num_encoder_layers",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("encoder layers"),
     .help = ATTNLAB_TEXT("0: as many as the weights have"),
     .minimum = 0,
     .maximum = 1000},
    {.name = "num_decoder_layers",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("decoder layers"),
     .help = ATTNLAB_TEXT("0: as many as the weights have"),
     .minimum = 0,
     .maximum = 1000},
    {.name = "dim_feedforward",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("feed-forward width"),
     .help = ATTNLAB_TEXT("Hidden units of the feed-forward part; 0: as many as the weights have"),
     .minimum = 0,
     .maximum = 1e6},
    {.name = "activation",
     .type = ParameterType::Choice,
     .default_text = "relu",
     .title = ATTNLAB_TEXT("activation"),
     .help = ATTNLAB_TEXT("What the hidden units of the feed-forward part do"),
     .choices = activations},
    {.name = "norm_first",
     .type = ParameterType::Boolean,
     .default_text = "false",
     .title = ATTNLAB_TEXT("norm first"),
     .help = ATTNLAB_TEXT("Normalises before each part of a layer instead of after it")},
    {.name = "scale_embedding",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("scale embedding"),
     .help = ATTNLAB_TEXT("Multiplies embeddings by √d before the positions are added")},
    {.name = "layer_norm_eps",
     .type = ParameterType::Real,
     .default_text = "1e-05",
     .title = ATTNLAB_TEXT("norm ε"),
     .help = ATTNLAB_TEXT("Added to the variance of a row before its root is taken"),
     .minimum = 0.0,
     .maximum = 1.0},
    dropout_parameter(),
    dropout_seed_parameter(),
};

void check_ids(const TensorMap& tensors, const char* name, const char* embedding) {
    const auto& tensor = tensors.find(name)->second;
    const auto rows = tensors.find(embedding)->second.dim(0);
    const auto length = std::max<std::int64_t>(1, tensor.dim(-1));
    for (std::int64_t k = 0; k < tensor.size(); ++k) {
        const double id = tensor.data()[k];
        if (id >= 0.0 && id < static_cast<double>(rows) && std::trunc(id) == id)
            continue;
        const auto place = tensor.rank() == 1 ? Shape{k} : Shape{k / length, k % length};
        throw Error({ATTNLAB_TEXT("%1: has %2 at %3, expected an integer from 0 and less than %4, the number of rows "
                                  "of %5"),
                     {name, to_text(id), to_string(place), std::to_string(rows), embedding}});
    }
}

void check_values(const ResolvedProblem& problem) {
    check_ids(problem.tensors, "src", "src_embedding.weight");
    check_ids(problem.tensors, "tgt", "tgt_embedding.weight");
}

} // namespace

Mechanism transformer_mechanism() {
    return {
        .id = "transformer",
        .place = 13,
        .title = ATTNLAB_TEXT("Transformer"),
        .family = ATTNLAB_TEXT("A whole model"),
        .formula = "softmax(Decoder(tgt, Encoder(src)) Wᵀ + b)",
        .help = ATTNLAB_TEXT("The encoder-decoder, from token ids to the probabilities of the next token. Its parts: "
                             "embeddings and sinusoidal positions, layers of multi-head attention and feed-forward "
                             "parts, a linear map, a softmax. Its weights are those of a torch.nn.Transformer."),
        .source = "Vaswani et al. 2017; torch.nn.Transformer",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run_transformer,
        .adopt = adopt_torch_transformer,
        .check_values = check_values,
        .refuses = {.masks = ATTNLAB_TEXT("padding (id 0) and causality make the masks of every layer"),
                    .position = ATTNLAB_TEXT("sinusoidal positions are added to the embeddings")},
        .fills_own_mask = true,
        .one_way = false,
        .drawn =
            {R"(\begin{aligned} \mathrm{memory} &= \mathrm{Encoder}^{N}\left( \sqrt{d}\, E_{src} + P \right) \\)"
             R"( \mathrm{output} &= \mathrm{Decoder}^{N}\left( \sqrt{d}\, E_{tgt} + P,\; \mathrm{memory} \right) \\)"
             R"( p &= \mathrm{softmax}\left( \mathrm{output}\; W^{\mathsf{T}} + b \right) \end{aligned})",
             "memory = Encoder^N(√d E_src + P), output = Decoder^N(√d E_tgt + P, memory), p = softmax(output "
             "Wᵀ + b)"},
        .look_for = ATTNLAB_TEXT(
            "Go through the layers: encoder.0.self.weights to the last cross.weights. Set the last id of src to 0 "
            "and see its column vanish in the encoder and in every cross-attention. Change the last id of tgt: "
            "only the last row of probabilities moves, because the decoder is causal.")};
}

} // namespace attnlab
