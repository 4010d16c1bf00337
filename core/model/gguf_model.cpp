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
        : architecture_(architecture), weights_(weights), rotary_(gguf_rotary(file, architecture)),
          factors_(has_rotary() ? file.weights->find("rope_freqs.weight") : nullptr) {}

    void apply(Description& description) const {
        for (auto* stack : {&description.encoder, &description.decoder})
            if (*stack)
                apply(**stack);
    }

private:
    void apply(Stack& stack) const {
        for (auto& block : stack.blocks) {
            apply(block.self);
            if (block.self.rotary)
                apply(*block.self.rotary, block.self.window > 0);
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
    }

    bool has_rotary() const { return architecture_.type != "gpt2" && architecture_.type != "bert"; }

    void apply(Rotary& rotary, bool slides) const {
        rotary.interleaved = architecture_.interleaved;
        const bool is_unscaled = slides && (architecture_.type == "olmo2" || architecture_.type == "gemma3_text");
        if (!is_unscaled && rotary_.extrapolation != 1.0)
            extrapolate(rotary);
        if (!is_unscaled || architecture_.type == "gemma3_text")
            rotary.factor *= rotary_.magnitude;
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

    /// Of YaRN between interpolated frequencies and its own.
    void extrapolate(Rotary& rotary) const {
        const auto plain = rotary.unscaled_frequencies();
        for (std::size_t i = 0; i < rotary.frequencies.size(); ++i) {
            const double interpolated = static_cast<double>(plain[i]) / rotary_.factor;
            rotary.frequencies[i] = static_cast<float>(
                interpolated + rotary_.extrapolation * (static_cast<double>(rotary.frequencies[i]) - interpolated));
        }
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
    GgufRotary rotary_;
    const Weight* factors_; ///< of the wave lengths of rotary positions: Llama 3.1
};

/// Keys that nothing has read, by now that everything has been.
void account_metadata(const GgufMetadata& metadata, const GgufArchitecture& architecture, Unread& unread) {
    std::vector<UnreadEntry> left;
    for (const auto& key : metadata.unread())
        left.push_back({metadata.file(), key, value_text(*metadata.find(key))});
    account_settings(architecture.type, std::string(architecture.name) + ".", left, unread);
}

} // namespace

Model open_gguf_model(const std::filesystem::path& path, const RunControl& control) {
    const auto file = open_gguf(path, control);
    const auto& architecture = gguf_architecture(file.metadata);
    auto weights = std::make_shared<const RenamedWeights>(file.weights, architecture, gguf_heads(file, architecture));
    const auto config = io::parse_json(gguf_config(file, architecture), path.string() + ": as config.json");
    const FileLayout layout(file, architecture, *weights);
    auto description = describe(Config(config.root()), *weights);
    description.unread.settings.clear(); // those of the file itself follow
    layout.apply(description);
    auto tokenizer = gguf_tokenizer(file.metadata, control);
    account_metadata(file.metadata, architecture, description.unread);
    return {std::move(description), weights, std::move(tokenizer)};
}

} // namespace attnlab::model
