#include "core/model/model.h"

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/model/architectures.h"
#include "core/model/forward.h"
#include "core/model/gguf/gguf_config.h"
#include "core/model/gguf/gguf_names.h"
#include "core/model/image.h"
#include "core/model/image_tokens.h"
#include "core/model/sound.h"

#include <algorithm>
#include <set>

namespace attnlab::model {
namespace {

constexpr std::int64_t largest_config = std::int64_t{1} << 24;

/// Throws Error for an id outside of the table, unless it is `placed`, whose rows come from elsewhere.
void check_ids(const std::vector<std::int64_t>& ids, std::int64_t count, const char* name,
               std::optional<std::int64_t> placed = {}) {
    for (std::size_t i = 0; i < ids.size(); ++i)
        if ((ids[i] < 0 || ids[i] >= count) && ids[i] != placed)
            throw Error({ATTNLAB_TEXT("%1: has %2 at (%3,), expected an integer from 0 to %4"),
                         {name, std::to_string(ids[i]), std::to_string(i), std::to_string(count - 1)}});
}

std::int64_t length_in(const Stack& stack, const std::vector<std::int64_t>& ids) {
    const auto& padding = stack.embedding.positions.padding;
    return padding ? std::count_if(ids.begin(), ids.end(), [&](auto id) { return id != *padding; }) : std::ssize(ids);
}

void check_length(const Description& description, const Stack& stack, const std::vector<std::int64_t>& ids,
                  const char* name) {
    if (ids.empty())
        throw Error({ATTNLAB_TEXT("%1: has no tokens, expected at least one"), {name}});
    const auto counted = length_in(stack, ids);
    if (description.longest > 0 && counted > description.longest)
        throw Error({ATTNLAB_TEXT("%1: has %2 tokens; this model reads at most %3"),
                     {name, std::to_string(counted), std::to_string(description.longest)}});
}

void check_image(const Patches& patches, const std::optional<Pixels>& image) {
    if (!image)
        throw Error(ATTNLAB_TEXT("This model reads an image, and none is given"));
    const Shape shape{image->channels, image->height, image->width};
    const Shape expected{patches.channels, patches.image_height, patches.image_width};
    if (shape != expected || std::ssize(image->values) != element_count(shape))
        throw Error({ATTNLAB_TEXT("image: has shape %1, expected %2: channels, height, width"),
                     {to_string(shape), to_string(expected)}});
}

void check_sound(const Frames& frames, const std::optional<Sound>& sound) {
    if (!sound)
        throw Error(ATTNLAB_TEXT("This model reads a sound, and none is given"));
    const Shape shape{sound->channels, sound->count};
    if (sound->channels != frames.channels || (frames.steps > 0 && sound->count != frames.steps) ||
        std::ssize(sound->values) != element_count(shape))
        throw Error({ATTNLAB_TEXT("sound: has shape %1, expected %2: channels, steps"),
                     {to_string(shape), "(" + std::to_string(frames.channels) + "," +
                                            (frames.steps > 0 ? std::to_string(frames.steps) : "N") + ")"}});
    if (frames.rows_of(sound->count) < 1)
        throw Error({ATTNLAB_TEXT("sound: has %1 steps, too few for one frame"), {std::to_string(sound->count)}});
}

void check_ablations(const std::vector<std::string>& names, const Description& description,
                     const std::vector<Ablation>& ablations) {
    for (const auto& ablation : ablations) {
        if (std::find(names.begin(), names.end(), ablation.pass) == names.end())
            throw UnknownName({ATTNLAB_TEXT("There is no pass %1; the passes of this model are %2 to %3"),
                               {ablation.pass, names.empty() ? "" : names.front(), names.empty() ? "" : names.back()}});
        const auto& stack = ablation.pass.starts_with("encoder") ? *description.encoder : *description.decoder;
        const auto heads =
            ablation.pass.ends_with(".cross") ? stack.blocks.front().cross->heads : stack.attention().heads;
        if (ablation.head < 0 || ablation.head >= heads)
            throw Error({ATTNLAB_TEXT("%1 has no head %2, expected a number from 0 to %3"),
                         {ablation.pass, std::to_string(ablation.head), std::to_string(heads - 1)}});
        if (ablation.by == Ablation::By::Other && !ablation.other)
            throw Error({ATTNLAB_TEXT("%1: has no other text whose head takes the place of head %2"),
                         {ablation.pass, std::to_string(ablation.head)}});
    }
}

void check_hidden(const std::vector<std::int64_t>& hidden, const Description& description, const Input& input) {
    if (hidden.empty())
        return;
    if (input.ids.empty())
        throw Error(ATTNLAB_TEXT("Positions of a text are hidden, and this model reads none"));
    if (description.head && description.head->ending)
        throw Error(ATTNLAB_TEXT("No word can be hidden from this model: its decoder reads the text, too"));
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        if (hidden[i] < 0 || hidden[i] >= std::ssize(input.ids))
            throw Error({ATTNLAB_TEXT("There is no position %1, expected a number from 0 to %2"),
                         {std::to_string(hidden[i]), std::to_string(std::ssize(input.ids) - 1)}});
        if (i > 0 && hidden[i] <= hidden[i - 1])
            throw Error({ATTNLAB_TEXT("Hidden position %1 stands behind %2, expected ascending order"),
                         {std::to_string(hidden[i]), std::to_string(hidden[i - 1])}});
    }
}

/// `count`: how many positions the head reads.
void check_positions(const Options& options, std::size_t count) {
    for (const auto position : options.positions)
        if (position < 0 || position >= static_cast<std::int64_t>(count))
            throw Error({ATTNLAB_TEXT("There is no position %1, expected a number from 0 to %2"),
                         {std::to_string(position), std::to_string(static_cast<std::int64_t>(count) - 1)}});
}

/// Positions of the stack that reads the input.
std::int64_t length_of(const Stack& stack, const Input& input) {
    if (stack.embedding.patches)
        return stack.embedding.patches->count();
    return stack.embedding.frames ? stack.embedding.frames->rows_of(input.sound->count) : std::ssize(input.ids);
}

/// Counts what a run keeps in float32: queries, keys and values of every pass, and hidden states.
void require_memory(const Description& description, const Input& input, const Options& options,
                    const RunControl& control) {
    double numbers = 0.0;
    const auto count = [&](const Stack& stack, double positions, double encoded) {
        for (const auto& block : stack.blocks) {
            const auto pass = [&](const Attention& form, double keys) {
                numbers += static_cast<double>(form.width) * (static_cast<double>(form.heads) * positions +
                                                              2.0 * static_cast<double>(form.key_value_heads) * keys);
            };
            numbers += static_cast<double>(stack.width) * positions;
            if (block.has_attention())
                pass(block.self, positions);
            if (block.cross)
                pass(*block.cross, encoded);
        }
    };
    const auto length = static_cast<double>(length_of(description.first(), input));
    if (description.image_tokens && input.image) {
        for (const auto* image : images_of(input)) {
            const auto images = fitted(*description.image_tokens, *image);
            count(images.tower, static_cast<double>(images.patches().count()), 0.0);
        }
    }
    if (const auto& frames = description.first().embedding.frames) {
        auto steps = input.sound->count;
        double largest = 0.0; // a convolution holds what it reads and what it gives
        for (const auto& convolution : frames->convolutions) {
            const auto given =
                static_cast<double>(steps) * static_cast<double>(convolution.window.inputs / convolution.rows);
            steps = convolution.rows_of(steps);
            largest =
                std::max(largest, given + static_cast<double>(steps) * static_cast<double>(convolution.window.outputs));
        }
        numbers += largest;
    }
    if (description.encoder)
        count(*description.encoder, length, 0.0);
    if (description.decoder)
        count(*description.decoder, description.encoder ? static_cast<double>(input.decoder_ids.size()) : length,
              length);
    const auto rows = options.logits == Options::Logits::All
                          ? std::max(length, static_cast<double>(input.decoder_ids.size()))
                          : static_cast<double>(options.positions.size());
    if (description.head)
        numbers += rows * static_cast<double>(description.vocabulary);
    control.require_memory("query", {static_cast<std::int64_t>(std::min(numbers, 1e18) / 2.0) + 1}, 1.0);
}

/// What generation_config.json has of a decoder beside an encoder: where it begins, and what ends its text. The rest
/// is listed.
void add_generation_settings(const std::filesystem::path& folder, Description& description, const RunControl& control) {
    const auto path = folder / "generation_config.json";
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return;
    const auto json =
        io::parse_json(io::read_file(path, largest_config, &control), path.string(), {.control = &control});
    const Config config(json.root());
    if (description.encoder && description.decoder) {
        const auto start = config.integer("decoder_start_token_id");
        if (!description.decoder_start)
            description.decoder_start = start;
        else if (start && *start != *description.decoder_start)
            description.unread.settings.push_back(
                {path.string(),
                 "decoder_start_token_id",
                 std::to_string(*start),
                 {ATTNLAB_TEXT("config.json has %1, which counts"), {std::to_string(*description.decoder_start)}}});
        const auto ends = ends_of(config);
        if (description.ends.empty())
            description.ends = ends;
        if (description.first().embedding.frames)
            complete_prompt(config, description);
    }
    for (const auto& left : unread_settings(config, control))
        description.unread.settings.push_back(
            {path.string(), left.name, io::excerpt(left.value), ATTNLAB_TEXT("is about generating text"), false});
}

/// Calls visit(linear) for every product with weights.
template <class Visit>
void for_each_linear(Description& description, const Visit& visit) {
    const auto visit_if = [&visit](std::optional<Linear>& linear) {
        if (linear)
            visit(*linear);
    };
    const auto attention = [&visit, &visit_if](Attention& form) {
        for (auto* linear : {&form.query, &form.key, &form.value, &form.output})
            visit(*linear);
        visit_if(form.gate);
        if (form.beside)
            for (auto* linear : {&form.beside->pointwise, &form.beside->kernel, &form.beside->values})
                visit(*linear);
        if (form.disentangled) {
            visit_if(form.disentangled->key);
            visit_if(form.disentangled->query);
        }
        if (form.latent) {
            visit_if(form.latent->query_down);
            visit(form.latent->key_value_down);
            std::ranges::for_each(form.latent->keys, visit);
        }
    };
    const auto expert = [&visit, &visit_if](GatedExpert& one) {
        visit_if(one.gate);
        visit(one.up);
        visit(one.down);
    };
    const auto feed_forward = [&](FeedForward& form) {
        visit_if(form.gate);
        visit(form.up);
        visit(form.down);
        if (form.experts) {
            for (auto* linear : {&form.experts->router, &form.experts->gate_up, &form.experts->down})
                visit(*linear);
            visit_if(form.experts->up);
        }
        if (!form.routed_experts)
            return;
        visit(form.routed_experts->router);
        std::ranges::for_each(form.routed_experts->each, expert);
        if (form.routed_experts->shared)
            expert(*form.routed_experts->shared);
        visit_if(form.routed_experts->shared_gate);
    };
    std::vector<Stack*> stacks;
    for (auto* stack : {&description.encoder, &description.decoder})
        if (*stack)
            stacks.push_back(&**stack);
    if (auto& images = description.image_tokens) {
        stacks.push_back(&images->tower);
        std::ranges::for_each(images->projections, visit);
        for (auto& deep : images->deep)
            std::ranges::for_each(deep.projections, visit);
    }
    for (auto* stack : stacks) {
        auto& embedding = stack->embedding;
        if (embedding.patches)
            visit(embedding.patches->projection);
        if (embedding.frames)
            for (auto& convolution : embedding.frames->convolutions)
                visit(convolution.window);
        visit_if(embedding.projection);
        visit_if(embedding.widening);
        visit_if(stack->projection);
        for (auto& block : stack->blocks) {
            if (block.convolution)
                for (auto* linear : {&block.convolution->in, &block.convolution->out})
                    visit(*linear);
            else if (auto& form = block.state_space)
                for (auto* linear : {&form->in, &form->parts, &form->step, &form->out})
                    visit(*linear);
            else if (auto& rule = block.delta_rule)
                for (auto* linear : {&rule->in, &rule->rates, &rule->out})
                    visit(*linear);
            else
                attention(block.self);
            if (block.cross)
                attention(*block.cross);
            feed_forward(block.feed_forward);
            if (block.bottleneck) {
                for (auto* linear : {&block.bottleneck->in, &block.bottleneck->shared, &block.bottleneck->out})
                    visit(*linear);
                std::ranges::for_each(block.bottleneck->first, feed_forward);
            }
        }
    }
    if (description.head) {
        visit_if(description.head->transform);
        visit(description.head->output);
        visit_if(description.head->second_output);
    }
}

} // namespace

std::string_view name_of(Arithmetic arithmetic) { return arithmetic == Arithmetic::BFloat16 ? "bfloat16" : "float32"; }

std::string marked(std::string text, Arithmetic arithmetic) {
    if (arithmetic != Arithmetic::Float32)
        text.append(" · ").append(name_of(arithmetic));
    return text;
}

std::shared_ptr<const Pass> Result::find(std::string_view pass) const {
    const auto found = std::find_if(passes.begin(), passes.end(), [&](const auto& one) { return one->name == pass; });
    return found == passes.end() ? nullptr : *found;
}

Model::Model(Description description, std::shared_ptr<const WeightFiles> files,
             std::shared_ptr<const tokens::Tokenizer> tokenizer)
    : description_(std::move(description)), files_(std::move(files)), tokenizer_(std::move(tokenizer)) {}

Input Model::input_of(std::span<const tokens::Token> tokens) const {
    Input input;
    for (const auto& token : tokens) {
        input.ids.push_back(token.id);
        if (description_.first().embedding.types)
            input.types.push_back(token.type);
    }
    return input;
}

std::int64_t Model::length_of(const std::vector<std::int64_t>& ids) const {
    return length_in(description_.first(), ids);
}

Model Model::in(Arithmetic arithmetic) const {
    auto other = *this;
    other.description_.arithmetic = arithmetic;
    for_each_linear(other.description_, [&](Linear& linear) { linear.arithmetic = arithmetic; });
    return other;
}

std::vector<Message> Model::arithmetic_notes() const {
    if (description_.arithmetic == Arithmetic::Float32)
        return {};
    std::vector<Message> notes{ATTNLAB_TEXT(
        "Products with weights are computed in bfloat16: their factors have 8 bits, their sums are float32")};
    std::string rounded;
    auto description = description_;
    std::set<WeightType> types;
    for_each_linear(description, [&](const Linear& linear) {
        if (linear.weight)
            types.insert(linear.weight->type);
    });
    for (const auto type : types)
        if (type != WeightType::BF16)
            rounded.append(rounded.empty() ? "" : ", ").append(name_of(type));
    if (!rounded.empty())
        notes.push_back({ATTNLAB_TEXT("Weights of the file in %1 are rounded to bfloat16"), {rounded}});
    if (!multiplies_bfloat16())
        notes.emplace_back(
            ATTNLAB_TEXT("This processor has no instructions for bfloat16: rounded numbers are multiplied in "
                         "float32, which is not faster"));
    return notes;
}

std::vector<std::string> Model::pass_names() const {
    std::vector<std::string> names;
    for (const auto* stack : {&description_.encoder, &description_.decoder})
        for (std::size_t i = 0; *stack && i < (*stack)->blocks.size(); ++i) {
            const auto stem = (*stack)->name + "." + std::to_string(i);
            if ((*stack)->blocks[i].has_attention())
                names.push_back(stem + ".self");
            if ((*stack)->blocks[i].cross)
                names.push_back(stem + ".cross");
        }
    return names;
}

std::vector<std::int64_t> Model::shifted(std::vector<std::int64_t> target) const {
    if (!description_.decoder_start)
        throw Error(ATTNLAB_TEXT("config.json: has no decoder_start_token_id, which a decoder begins with"));
    const auto& ends = description_.ends;
    if (!target.empty() && std::find(ends.begin(), ends.end(), target.back()) != ends.end())
        target.pop_back();
    const bool has_prompt =
        description_.first().embedding.frames && !target.empty() && target.front() == *description_.decoder_start;
    if (!has_prompt) {
        target.insert(target.begin(), description_.prompt.begin(), description_.prompt.end());
        target.insert(target.begin(), *description_.decoder_start);
    }
    return target;
}

std::vector<std::int64_t> Model::target_ids(std::string_view text, const RunControl& control) const {
    std::vector<std::int64_t> ids;
    bool is_in_front = description_.first().embedding.frames.has_value();
    for (const auto& token : tokenizer_->encode(text, {}, control)) {
        is_in_front = is_in_front && token.special;
        if (!is_in_front)
            ids.push_back(token.id);
    }
    return ids;
}

std::vector<std::int64_t> Model::decoder_ids(const std::vector<std::int64_t>& text,
                                             const std::vector<std::int64_t>& target) const {
    const auto ending = description_.head ? description_.head->ending : std::nullopt;
    if (!ending)
        return shifted(target);
    if (!target.empty())
        throw Error(
            ATTNLAB_TEXT("This model gives classes of a text, which its decoder reads, too: it takes no target"));
    if (std::ranges::find(text, *ending) == text.end())
        throw Error({ATTNLAB_TEXT("The text has no token %1, its end, whose position gives the classes"),
                     {std::to_string(*ending)}});
    std::vector<std::int64_t> moved{description_.decoder_start.value_or(*ending)};
    moved.insert(moved.end(), text.begin(), text.end() - 1);
    return moved;
}

Result Model::run(Input input, const Options& options, const RunControl& control, const Result* previous) const {
    const auto& first = description_.first();
    if (first.embedding.patches) {
        check_image(*first.embedding.patches, input.image);
    } else if (first.embedding.frames) {
        check_sound(*first.embedding.frames, input.sound);
    } else {
        check_length(description_, first, input.ids, "input_ids");
        std::optional<std::int64_t> placed;
        if (!images_of(input).empty()) {
            if (!description_.image_tokens)
                throw Error(ATTNLAB_TEXT("An image is given, and AttnLab reads none with models of this type"));
            places_of_images(*description_.image_tokens, input);
            placed = description_.image_tokens->token;
        }
        check_ids(input.ids, first.embedding.tokens->rows(), "input_ids", placed);
    }
    if (first.embedding.types && !input.types.empty()) {
        if (input.types.size() != input.ids.size())
            throw Error({ATTNLAB_TEXT("%1: has %2 entries, expected one for each of the %3 tokens"),
                         {"token_type_ids", std::to_string(input.types.size()), std::to_string(input.ids.size())}});
        check_ids(input.types, first.embedding.types->rows(), "token_type_ids");
    }
    if (description_.encoder && description_.decoder) {
        if (input.decoder_ids.empty())
            input.decoder_ids = decoder_ids(input.ids);
        if (description_.head && description_.head->ending && input.decoder_ids != decoder_ids(input.ids))
            throw Error(ATTNLAB_TEXT("This model gives classes of a text, which its decoder reads, too: it takes no "
                                     "other decoder_input_ids"));
        check_length(description_, *description_.decoder, input.decoder_ids, "decoder_input_ids");
        check_ids(input.decoder_ids, description_.decoder->embedding.tokens->rows(), "decoder_input_ids");
    }
    check_ablations(pass_names(), description_, options.ablations);
    check_hidden(options.hidden, description_, input);
    check_positions(options, description_.decoder && description_.encoder
                                 ? input.decoder_ids.size()
                                 : static_cast<std::size_t>(model::length_of(first, input)));
    require_memory(description_, input, options, control);
    auto result = forward(description_, std::move(input), options, control, previous);
    files_->check();
    return result;
}

Model Model::open(const std::filesystem::path& path, const RunControl& control) {
    if (path.extension() == ".gguf")
        return open_gguf_model(path, control);
    const auto name = path / "config.json";
    const auto json =
        io::parse_json(io::read_file(name, largest_config, &control), name.string(), {.control = &control});
    auto files = open_weights(path, control);
    auto description = describe(Config(json.root()), *files, control);
    fit_to_preprocessor(description, path);
    fit_to_sound_preprocessor(description, path);
    control.checkpoint();
    add_generation_settings(path, description, control);
    add_characters(path, description, control);
    std::error_code ignored;
    if (std::filesystem::exists(path / "adapter_config.json", ignored))
        description.unread.settings.push_back(
            {path.string(), "adapter_config.json", {}, ATTNLAB_TEXT("an adapter beside the model is not applied")});
    const bool has_characters = description.first().embedding.frames && !description.decoder;
    auto tokenizer = has_characters ? nullptr : open_tokenizer(path, description.unread, control);
    if (tokenizer && description.image_tokens)
        fit_to_tokenizer(*description.image_tokens, *tokenizer);
    return {std::move(description), std::move(files), std::move(tokenizer)};
}

namespace {

/// Adapts a description of Transformers' tensors to the layout of GGUF tensors.
class FileLayout {
public:
    FileLayout(const GgufFile& file, const GgufArchitecture& architecture, const RenamedWeights& weights)
        : architecture_(architecture), weights_(weights), magnitude_(gguf_rotary_magnitude(file, architecture)),
          factors_(architecture.has_rotary ? file.weights->find("rope_freqs.weight") : nullptr) {}

    void apply(Description& description) const {
        for (auto* stack : {&description.encoder, &description.decoder})
            if (*stack)
                apply(**stack);
    }

private:
    void apply(Stack& stack) const {
        for (auto& block : stack.blocks) {
            apply(block.self);
            if (block.self.latent && block.self_norms.before)
                set_epsilon(*block.self.latent, block.self_norms.before->epsilon);
            if (block.self.rotary)
                apply(*block.self.rotary, block.self.window > 0);
            for (auto* norms : {&block.self_norms, &block.feed_forward_norms})
                for (auto* norm : {&norms->before, &norms->after, &norms->sum})
                    apply(*norm);
            if (auto& experts = block.feed_forward.routed_experts)
                experts->groups_by_two = true; // whatever the router
            turn(block.feed_forward.up);
            turn(block.feed_forward.down);
        }
        apply(stack.norm);
    }

    void apply(Attention& attention) const {
        for (auto* linear : {&attention.query, &attention.key, &attention.value, &attention.output})
            turn(*linear);
        if (architecture_.heads_follow_kinds) {
            std::int64_t first = 0;
            for (auto* linear : {&attention.query, &attention.key, &attention.value}) {
                linear->group = linear->stride = 0;
                linear->first = first;
                first += linear->outputs;
            }
        }
        apply(attention.query_norm);
        apply(attention.key_norm);
    }

    void apply(Rotary& rotary, bool slides) const {
        rotary.interleaved = architecture_.interleaved;
        if (!slides || architecture_.magnifies_sliding)
            rotary.factor *= magnitude_;
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

    /// A file has one epsilon for all RMS norms; in Transformers the compressed norms have their own.
    static void set_epsilon(Latent& latent, double epsilon) {
        for (auto* norm : {&latent.norm, &latent.query_norm})
            if (*norm)
                (*norm)->epsilon = epsilon;
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
    double magnitude_;      ///< an additional factor of the cosines and sines
    const Weight* factors_; ///< of the wave lengths of rotary positions: Llama 3.1
};

/// Throws Error that names attention.causal where llama.cpp has rules of its own for it: an encoder is never causal,
/// and windows, ALiBi and layers without attention read otherwise in both directions.
void check_direction(const GgufFile& file, const GgufArchitecture& architecture, const Description& description) {
    const GgufKeys keys(file, architecture);
    if (!keys.has("attention.causal"))
        return;
    const bool is_decoder = description.decoder.has_value();
    const auto differs = [&](const Block& block) {
        return !block.has_attention() || block.self.window > 0 || !block.self.slopes.empty();
    };
    if (!is_decoder || std::ranges::any_of(description.decoder->blocks, differs))
        keys.require_flag("attention.causal", is_decoder);
}

/// Keys that nothing has read, by now that everything has been.
void account_metadata(const GgufMetadata& metadata, const Architecture& architecture, Unread& unread) {
    std::vector<UnreadEntry> left;
    for (const auto& key : metadata.unread())
        left.push_back({metadata.file(), key, value_text(*metadata.find(key))});
    account_settings(architecture.type, metadata.text("general.architecture"), left, unread);
}

} // namespace

Model open_gguf_model(const std::filesystem::path& path, const RunControl& control) {
    const auto file = open_gguf(path, control);
    const auto& architecture = gguf_architecture(file.metadata);
    auto weights =
        std::make_shared<const RenamedWeights>(file.weights, architecture.gguf, gguf_heads(file, architecture.gguf));
    const auto config =
        io::parse_json(gguf_config(file, architecture.gguf, architecture.type), path.string() + ": as config.json");
    const FileLayout layout(file, architecture.gguf, *weights);
    auto description = describe(Config(config.root()), *weights);
    // Notes of the description stay; the settings of the file itself follow.
    std::erase_if(description.unread.settings, [](const auto& entry) { return !entry.is_known() || !entry.is_said; });
    layout.apply(description);
    check_direction(file, architecture.gguf, description);
    auto tokenizer = gguf_tokenizer(file.metadata, control);
    account_metadata(file.metadata, architecture, description.unread);
    return {std::move(description), weights, std::move(tokenizer)};
}

} // namespace attnlab::model
