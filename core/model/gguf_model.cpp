#include "core/model/gguf_model.h"

#include "core/io/json.h"
#include "core/model/architectures.h"
#include "core/model/gguf/config.h"
#include "core/model/gguf/renamed_weights.h"
#include "core/model/gguf/tokenizer.h"

namespace attnlab::model {
namespace {

/// Adapts a description of Transformers' tensors to the layout of GGUF tensors.
class FileLayout {
public:
    FileLayout(const GgufFile& file, const GgufArchitecture& architecture, const RenamedWeights& weights)
        : architecture_(architecture), weights_(weights), factors_(file.weights->find("rope_freqs.weight")) {}

    void apply(Description& description) const {
        for (auto* stack : {&description.encoder, &description.decoder})
            if (*stack)
                apply(**stack);
    }

private:
    void apply(Stack& stack) const {
        for (auto& block : stack.blocks) {
            apply(block.self);
            for (auto* norms : {&block.self_norms, &block.feed_forward_norms})
                for (auto* norm : {&norms->before, &norms->after, &norms->sum})
                    apply(*norm);
            turn(block.feed_forward.up);
            turn(block.feed_forward.down);
        }
        apply(stack.norm);
    }

    void apply(Attention& attention) const {
        for (auto* linear : {&attention.query, &attention.key, &attention.value, &attention.output})
            turn(*linear);
        if (architecture_.type == "gpt_neox") // queries, keys and values of all heads one after the other
            for (auto [linear, place] :
                 {std::pair(&attention.query, 0), std::pair(&attention.key, 1), std::pair(&attention.value, 2)}) {
                linear->group = linear->stride = 0;
                linear->first = place * linear->outputs;
            }
        apply(attention.query_norm);
        apply(attention.key_norm);
        if (attention.rotary)
            apply(*attention.rotary);
    }

    void apply(Rotary& rotary) const {
        rotary.interleaved = architecture_.interleaved;
        if (!factors_)
            return;
        std::vector<float> factors(rotary.frequencies.size());
        if (factors_->rows() != 1 || factors_->columns() != std::ssize(factors))
            throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3"),
                         {factors_->where, to_string(factors_->shape), to_string({std::ssize(factors)})}});
        factors_->read_rows(0, 1, factors);
        for (std::size_t i = 0; i < factors.size(); ++i)
            rotary.frequencies[i] /= factors[i];
    }

    void apply(std::optional<Norm>& norm) const {
        if (norm && architecture_.has_whole_norms)
            norm->adds_one = false;
    }

    void turn(Linear& linear) const {
        const auto* stored = weights_.stored(linear.weight);
        if (stored == linear.weight)
            return;
        linear.weight = stored;
        linear.inputs_first = false;
    }

    const GgufArchitecture& architecture_;
    const RenamedWeights& weights_;
    const Weight* factors_; ///< of the wave lengths of rotary positions: Llama 3.1
};

} // namespace

Model open_gguf_model(const std::filesystem::path& path, const RunControl& control) {
    const auto file = open_gguf(path);
    const auto& architecture = gguf_architecture(file.metadata);
    auto weights = std::make_shared<const RenamedWeights>(file.weights, architecture);
    const auto config = io::parse_json(gguf_config(file, architecture), path.string() + ": as config.json");
    auto description = describe(Config(config.root()), *weights);
    FileLayout(file, architecture, *weights).apply(description);
    return {std::move(description), weights, gguf_tokenizer(file.metadata, control)};
}

} // namespace attnlab::model
