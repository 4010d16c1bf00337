#include "core/model/forward.h"

#include "core/model/embedding.h"
#include "core/model/image_tokens.h"
#include "core/model/layers.h"
#include "core/model/logits.h"
#include "core/model/mixers.h"
#include "core/model/position_bias.h"
#include "core/model/reuse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace attnlab::model {
namespace {

struct Spread {
    const Matrix& rows; ///< (rows, heads * width)
    std::int64_t heads;
    Floats& values; ///< (heads, positions, width)
};

/// Each of `all` behind the rows that its `values` already have; they have equally many rows.
void spread(std::initializer_list<Spread> all, std::int64_t positions) {
    const auto count = all.begin()->rows.rows;
    std::int64_t columns = 0;
    for (const auto& one : all)
        columns += one.rows.columns;
    for_rows(count, columns, [&](std::int64_t row) {
        for (const auto& [rows, heads, values] : all) {
            const auto width = rows.columns / heads, to = positions - count + row;
            for (std::int64_t head = 0; head < heads; ++head)
                std::copy_n(rows.row(row) + head * width, width, values.data() + (head * positions + to) * width);
        }
    });
}

/// The first `kept` rows of each head of `from`.
template <class Values>
void take_rows(const Values& from, std::int64_t from_positions, std::int64_t heads, std::int64_t width,
               std::int64_t kept, std::int64_t positions, Values& values) {
    for (std::int64_t head = 0; head < heads; ++head)
        std::copy_n(from.data() + head * from_positions * width, kept * width,
                    values.data() + head * positions * width);
}

/// The input of a stack, and which of its positions the previous run has computed already.
struct StackInput {
    const std::vector<std::int64_t>& ids;
    const std::vector<std::int64_t>& types;
    const std::optional<Pixels>& image;
    const std::optional<Sound>& sound;
    std::int64_t positions = 0;
    Pass::Range image_positions = {};                     ///< of the tokens of an image
    std::vector<std::array<std::int64_t, 3>> places = {}; ///< of all tokens, where an image is among them
    std::int64_t written = 0;                             ///< last positions that the model wrote itself
    std::int64_t known = 0;       ///< positions that `previous` has computed and nothing can change
    std::size_t known_blocks = 0; ///< first blocks of which that is true for all positions; then `known` is 0
    const Matrix* encoded = nullptr;
    bool encoded_is_known = false;
};

class Forward {
public:
    Forward(const Description& description, const Options& options, const RunControl& control, const Result* previous)
        : description_(description), options_(options), control_(control), previous_(previous),
          reuse_(description, options, result_.input, previous) {
        for (const auto* stack : {&description.encoder, &description.decoder})
            if (*stack)
                blocks_ += std::ssize((*stack)->blocks);
    }

    Result run(Input input) {
        result_.input = std::move(input);
        result_.ablations = options_.ablations;
        result_.hidden = options_.hidden;
        const auto& ids = result_.input.ids;
        const std::vector<std::int64_t> no_types;
        Matrix encoded;
        bool is_known = false;
        if (description_.encoder) {
            StackInput in{ids, result_.input.types, result_.input.image, result_.input.sound, positions_of_encoder()};
            in.known_blocks = reuse_.has_same_input() ? reuse_.unchanged_blocks(*description_.encoder) : 0;
            is_known = in.known_blocks == description_.encoder->blocks.size() && in.known_blocks > 0;
            run(*description_.encoder, in, result_.encoder_hidden);
            encoded = *result_.encoder_hidden.back();
        }
        if (description_.image_tokens && result_.input.image)
            read_images(*description_.image_tokens);
        if (description_.decoder) {
            const auto& own = description_.encoder ? result_.input.decoder_ids : ids;
            StackInput in{own, description_.encoder ? no_types : result_.input.types, result_.input.image,
                          result_.input.sound, std::ssize(own)};
            in.encoded = description_.encoder ? &encoded : nullptr;
            if (const auto images = image_places_of(description_, result_.input); !images.empty()) {
                in.image_positions = positions_of(images);
                in.places = places_of(images, std::ssize(own));
            }
            in.written = result_.input.written;
            in.encoded_is_known = is_known;
            if (previous_ &&
                (description_.encoder ? is_known && previous_->input.decoder_ids == own : reuse_.has_same_input()))
                in.known_blocks = reuse_.unchanged_blocks(*description_.decoder);
            if (in.known_blocks == 0)
                in.known = reuse_.known_positions(own, is_known);
            run(*description_.decoder, in, result_.decoder_hidden);
        }
        if (description_.head && options_.logits != Options::Logits::None)
            compute_logits(description_, options_, control_, result_);
        return std::move(result_);
    }

private:
    std::int64_t positions_of_encoder() const {
        const auto& embedding = description_.encoder->embedding;
        if (embedding.frames)
            return embedding.frames->rows_of(result_.input.sound->count);
        return embedding.patches ? embedding.patches->count() : std::ssize(result_.input.ids);
    }

    /// The rows of all images, of the previous run where that had the same ones.
    void read_images(const ImageTokens& tokens) {
        if (reuse_.has_same_images() && previous_->image_rows) {
            result_.image_rows = previous_->image_rows;
            return;
        }
        constexpr double part = 0.3;
        const auto images = images_of(result_.input);
        const double step = part / static_cast<double>(images.size());
        std::vector<Matrix> all;
        for (std::size_t i = 0; i < images.size(); ++i) {
            const auto begin = step * static_cast<double>(i);
            auto own = image_rows(tokens, *images[i], control_.part(begin, begin + step));
            all.resize(own.size());
            for (std::size_t level = 0; level < own.size(); ++level) {
                all[level].rows += own[level].rows;
                all[level].columns = own[level].columns;
                all[level].values.insert(all[level].values.end(), own[level].values.begin(), own[level].values.end());
            }
        }
        result_.image_rows = std::make_shared<std::vector<Matrix>>(std::move(all));
        begin_ = part;
    }

    void run(const Stack& stack, const StackInput& in, std::vector<std::shared_ptr<const Matrix>>& hidden) {
        const bool is_known = in.known == in.positions || in.known_blocks == stack.blocks.size();
        if (is_known && previous_ && in.positions > 0) {
            take_all(stack, hidden);
            return;
        }
        angles_.clear();
        distances_.clear();
        patch_distances_.clear();
        take_blocks(stack, in.known_blocks, hidden);
        auto x = in.known_blocks > 0 ? *previous_hidden(stack)[in.known_blocks]
                                     : embed(stack.embedding, in.ids, in.types, in.image, in.sound, in.known, control_,
                                             placed_rows(stack));
        for (std::size_t i = in.known_blocks; i < stack.blocks.size(); ++i) {
            control_.checkpoint();
            keep(stack, i, x, in, hidden);
            run(stack.blocks[i], stack.name + "." + std::to_string(i), in, x);
            add_deep_rows(stack, i, in, x);
            control_.report(begin_ + (1.0 - begin_) * static_cast<double>(++done_) / static_cast<double>(blocks_ + 1));
        }
        auto end = whole(x, in, [this] { return previous_->before_norm; });
        if (&stack == &description_.last())
            result_.before_norm = end;
        if (!stack.shows_norm) {
            hidden.push_back(std::move(end));
            return;
        }
        finish(stack, x, control_);
        keep(stack, stack.blocks.size(), x, in, hidden);
    }

    bool has_image_rows(const Stack& stack) const { return result_.image_rows && stack.name == "decoder"; }

    PlacedRows placed_rows(const Stack& stack) const {
        return has_image_rows(stack) ? PlacedRows{&result_.image_rows->front(), description_.image_tokens->token}
                                     : PlacedRows{};
    }

    /// What the tower adds to tokens of an image behind block `index`.
    void add_deep_rows(const Stack& stack, std::size_t index, const StackInput& in, Matrix& x) const {
        if (!has_image_rows(stack) || index + 1 >= result_.image_rows->size())
            return;
        const auto& rows = (*result_.image_rows)[index + 1];
        std::int64_t next = 0;
        for (std::int64_t position = 0; position < in.positions; ++position) {
            if (in.ids[static_cast<std::size_t>(position)] != description_.image_tokens->token)
                continue;
            const float* const from = rows.row(next++);
            if (position < in.known)
                continue;
            float* const to = x.row(position - in.known);
            std::transform(from, from + x.columns, to, to, std::plus<>());
        }
    }

    const std::vector<std::shared_ptr<const Matrix>>& previous_hidden(const Stack& stack) const {
        return stack.name == "encoder" ? previous_->encoder_hidden : previous_->decoder_hidden;
    }

    void take_all(const Stack& stack, std::vector<std::shared_ptr<const Matrix>>& hidden) {
        hidden = previous_hidden(stack);
        if (&stack == &description_.last())
            result_.before_norm = previous_->before_norm;
        for (const auto& pass : previous_->passes)
            if (pass->name.starts_with(stack.name + "."))
                result_.passes.push_back(pass);
    }

    void take_blocks(const Stack& stack, std::size_t count, std::vector<std::shared_ptr<const Matrix>>& hidden) {
        for (std::size_t i = 0; i < count; ++i) {
            hidden.push_back(previous_hidden(stack)[i]);
            for (const auto* kind : {".self", ".cross"})
                if (auto pass = previous_->find(stack.name + "." + std::to_string(i) + kind))
                    result_.passes.push_back(std::move(pass));
        }
        done_ += static_cast<std::int64_t>(count);
    }

    /// All positions: `x` behind those that the previous run knows.
    template <class Before>
    std::shared_ptr<const Matrix> whole(const Matrix& x, const StackInput& in, const Before& before) const {
        auto all = std::make_shared<Matrix>(Matrix::unset(in.positions, x.columns));
        if (in.known > 0)
            copy_numbers(before()->row(0), in.known * x.columns, all->row(0));
        copy_numbers(x.row(0), std::ssize(x.values), all->row(in.known));
        return all;
    }

    void keep(const Stack& stack, std::size_t index, const Matrix& x, const StackInput& in,
              std::vector<std::shared_ptr<const Matrix>>& hidden) const {
        hidden.push_back(whole(x, in, [&] { return previous_hidden(stack)[index]; }));
    }

    /// Within narrower rows.
    void run_narrow(const Block& block, const std::string& name, const StackInput& in, Matrix& x) {
        const auto& form = *block.bottleneck;
        auto narrow = product(x, form.in, control_), shared = product(x, form.shared, control_);
        normalize(narrow, form.in_norm);
        normalize(shared, form.shared_norm);
        add(narrow, attention(block.self, name + ".self", shared, in, &x), block.self_norms.sum);
        for (std::size_t i = 0; i < form.first.size(); ++i) {
            add(narrow, feed_forward(form.first[i], narrow, control_));
            normalize(narrow, form.first_norms[i]);
        }
        add(narrow, feed_forward(block.feed_forward, narrow, control_), block.feed_forward_norms.sum);
        add(x, product(narrow, form.out, control_), form.out_norm);
    }

    void run(const Block& block, const std::string& name, const StackInput& in, Matrix& x) {
        if (block.bottleneck) {
            run_narrow(block, name, in, x);
            return;
        }
        if (block.parallel) {
            auto attended = sublayer(block.self_norms, x, [&](const Matrix& read) {
                return attention(block.self, name + ".self", read, in);
            });
            auto fed = sublayer(block.feed_forward_norms, x,
                                [&](const Matrix& read) { return feed_forward(block.feed_forward, read, control_); });
            add(fed, attended);
            add(x, fed);
            return;
        }
        residual(block.self_norms, x, [&](const Matrix& read) {
            return block.has_attention() ? attention(block.self, name + ".self", read, in)
                                         : mix_without_attention(block, read, control_);
        });
        if (block.cross)
            residual(block.cross_norms, x,
                     [&](const Matrix& read) { return cross_attention(*block.cross, name + ".cross", read, in); });
        residual(block.feed_forward_norms, x,
                 [&](const Matrix& read) { return feed_forward(block.feed_forward, read, control_); });
    }

    template <class Work>
    Matrix sublayer(const Norms& norms, const Matrix& x, const Work& work) const {
        Matrix y = norms.before ? work(normalized(x, *norms.before)) : work(x);
        normalize(y, norms.after);
        scale(y, norms.factor);
        scale(y, norms.factors);
        return y;
    }

    template <class Work>
    void residual(const Norms& norms, Matrix& x, const Work& work) const {
        add(x, sublayer(norms, x, work), norms.sum);
    }

    Pass new_pass(const Attention& form, const std::string& name, std::int64_t queries, std::int64_t keys) const {
        Pass pass{.name = name,
                  .heads = form.heads,
                  .key_value_heads = form.key_value_heads,
                  .width = form.width,
                  .value_width = form.value_width,
                  .queries = queries,
                  .keys = keys,
                  .scale = form.scale,
                  .soft_cap = form.soft_cap,
                  .causal = form.causal,
                  .window = form.window};
        if (form.sinks)
            pass.sinks = widened(*form.sinks);
        pass.query.resize(static_cast<std::size_t>(form.heads * queries * form.width));
        pass.key.resize(static_cast<std::size_t>(form.key_value_heads * keys * form.width));
        pass.value.resize(static_cast<std::size_t>(form.key_value_heads * keys * form.width_of_values()));
        return pass;
    }

    static void normalize_heads(Matrix& rows, const std::optional<Norm>& norm, std::int64_t heads,
                                const Attention& form) {
        if (norm)
            normalize(rows, *norm, form.norm_spans_heads ? 1 : heads);
    }

    void turn(const Attention& form, const StackInput& in, std::int64_t heads, Floats& values) {
        if (!form.rotary)
            return;
        const auto& angles = angles_of(*form.rotary, in);
        const auto rows = in.positions - in.known;
        for_rows(heads, rows * form.width, [&](std::int64_t head) {
            rotate(angles, form.width,
                   std::span(values).subspan(static_cast<std::size_t>((head * in.positions + in.known) * form.width),
                                             static_cast<std::size_t>(rows * form.width)));
        });
    }

    const RotaryAngles& angles_of(const Rotary& rotary, const StackInput& in) {
        for (const auto& [known, angles] : angles_)
            if (*known == rotary)
                return angles;
        const auto frequencies = rotary.frequencies_for(in.positions);
        const auto places =
            in.places.empty() ? std::span(in.places) : std::span(in.places).subspan(static_cast<std::size_t>(in.known));
        angles_.emplace_back(&rotary, rotary_angles(rotary, frequencies, in.known, in.positions - in.known, places));
        return angles_.back().second;
    }

    /// The last numbers of each head's rows.
    void turn_ends(const Attention& form, const StackInput& in, std::int64_t heads, Floats& values) {
        const auto turned = form.latent->turned, rows = in.positions - in.known;
        const auto& angles = angles_of(*form.rotary, in);
        std::vector<float> ends(static_cast<std::size_t>(rows * turned));
        for (std::int64_t head = 0; head < heads; ++head) {
            float* const first = values.data() + (head * in.positions + in.known + 1) * form.width - turned;
            for (std::int64_t row = 0; row < rows; ++row)
                std::copy_n(first + row * form.width, turned, ends.data() + row * turned);
            rotate(angles, turned, ends);
            for (std::int64_t row = 0; row < rows; ++row) {
                const float* from = ends.data() + row * turned;
                float* to = first + row * form.width;
                for (std::int64_t i = 0; i < turned; ++i)
                    to[form.latent->puts_halves_apart ? i / 2 + i % 2 * (turned / 2) : i] = from[i];
            }
        }
    }

    /// Queries, keys and values from narrower rows.
    void project_latent(const Attention& form, const Matrix& x, const StackInput& in, Pass& pass) {
        const auto& latent = *form.latent;
        if (latent.query_down) {
            auto narrow = product(x, *latent.query_down, control_);
            normalize(narrow, latent.query_norm);
            spread({{product(narrow, form.query, control_), form.heads, pass.query}}, in.positions);
        } else {
            spread({{product(x, form.query, control_), form.heads, pass.query}}, in.positions);
        }
        const auto down = product(x, latent.key_value_down, control_);
        const auto rank = down.columns - latent.turned, plain = form.width - latent.turned;
        Matrix narrow(down.rows, rank);
        for (std::int64_t row = 0; row < down.rows; ++row)
            std::copy_n(down.row(row), rank, narrow.row(row));
        normalize(narrow, latent.norm);
        std::vector<const Linear*> linears{&form.value};
        for (const auto& of_head : latent.keys)
            linears.push_back(&of_head);
        if (latent.keys.empty())
            linears.push_back(&form.key);
        const auto rows = products(narrow, linears, control_);
        Matrix keys(down.rows, form.key_value_heads * form.width);
        for (std::int64_t row = 0; row < down.rows; ++row)
            for (std::int64_t head = 0; head < form.key_value_heads; ++head) {
                float* to = keys.row(row) + head * form.width;
                const float* from = latent.keys.empty() ? rows[1].row(row) + head * plain
                                                        : rows[static_cast<std::size_t>(head) + 1].row(row);
                std::copy_n(from, plain, to);
                std::copy_n(down.row(row) + rank, latent.turned, to + plain);
            }
        spread({{keys, form.key_value_heads, pass.key}, {rows[0], form.key_value_heads, pass.value}}, in.positions);
        turn_ends(form, in, form.heads, pass.query);
        turn_ends(form, in, form.key_value_heads, pass.key);
    }

    void project(const Attention& form, const Matrix& x, const StackInput& in, const Matrix* values, Pass& pass) {
        auto rows = values ? products(x, {&form.query, &form.key}, control_)
                           : products(x, {&form.query, &form.key, &form.value}, control_);
        if (values)
            rows.push_back(product(*values, form.value, control_));
        auto &query = rows[0], &key = rows[1], &value = rows[2];
        for (auto& each : rows)
            clip(each, form.clip);
        normalize_heads(query, form.query_norm, form.heads, form);
        normalize_heads(key, form.key_norm, form.key_value_heads, form);
        scale(query, form.query_scale);
        spread({{query, form.heads, pass.query},
                {key, form.key_value_heads, pass.key},
                {value, form.key_value_heads, pass.value}},
               in.positions);
        turn(form, in, form.heads, pass.query);
        turn(form, in, form.key_value_heads, pass.key);
    }

    /// `values`: what values read, if it is not `x`.
    Matrix attention(const Attention& form, const std::string& name, const Matrix& x, const StackInput& in,
                     const Matrix* values = nullptr) {
        auto pass = new_pass(form, name, in.positions, in.positions);
        pass.both_ways = both_ways_of(form, in.image_positions, in.positions, in.written);
        pass.both_ways_in_window = form.both_ways == Attention::BothWays::Image;
        if (form.latent)
            project_latent(form, x, in, pass);
        else
            project(form, x, in, values, pass);
        if (in.known > 0)
            take_known(pass, in.known, true);
        if (form.buckets) {
            auto& known = distances_[form.buckets->values]; // the layers of most models share a table
            if (!known)
                known = std::make_shared<const std::vector<float>>(
                    values_by_distance(*form.buckets, form.heads, in.positions, in.positions));
            if (form.distance_gate)
                pass.added = {.tensor = gated_scores_of_distances(*form.distance_gate, known, x, form.heads, control_)};
            else
                pass.by_distance = known;
        } else if (form.patch_distances) {
            auto& known = patch_distances_[form.patch_distances->values];
            if (known.size() == 0)
                known = Tensor({1, form.heads, in.positions, in.positions},
                               values_by_patch(*form.patch_distances, form.heads));
            pass.added = {.tensor = known};
        } else if (form.patch_windows) {
            pass.kept = {.tensor = cells_of_windows(*form.patch_windows, in.positions)};
        } else if (form.disentangled) {
            pass.added = {.tensor = scores_of_distances(*form.disentangled, pass, control_)};
        } else if (!form.slopes.empty()) {
            pass.by_distance =
                std::make_shared<const std::vector<float>>(slopes_by_distance(form.slopes, in.positions, in.positions));
        }
        if (!description_.encoder || name.starts_with(description_.encoder->name + "."))
            hide(pass);
        return attended(std::move(pass), form, in.known, x);
    }

    /// Takes the hidden positions from the keys of every query.
    void hide(Pass& pass) const {
        if (result_.hidden.empty())
            return;
        if (!pass.kept.empty())
            throw Error({ATTNLAB_TEXT("%1: reads windows of patches, from which no word can be hidden"), {pass.name}});
        Tensor kept({1, 1, 1, pass.keys}, 1.0, DType::Float32);
        for (const auto position : result_.hidden)
            kept.set({0, 0, 0, position}, 0.0);
        pass.kept = {.tensor = std::move(kept)};
    }

    Matrix cross_attention(const Attention& form, const std::string& name, const Matrix& x, const StackInput& in) {
        auto pass = new_pass(form, name, in.positions, in.encoded->rows);
        auto query = product(x, form.query, control_);
        scale(query, form.query_scale);
        spread({{query, form.heads, pass.query}}, in.positions);
        if (in.encoded_is_known) {
            const auto before = previous_->find(name);
            pass.key = before->key;
            pass.value = before->value;
        } else {
            const auto rows = products(*in.encoded, {&form.key, &form.value}, control_);
            spread({{rows[0], form.key_value_heads, pass.key}, {rows[1], form.key_value_heads, pass.value}}, pass.keys);
        }
        hide(pass);
        if (in.known > 0)
            take_known(pass, in.known, false);
        return attended(std::move(pass), form, in.known, x);
    }

    void take_known(Pass& pass, std::int64_t known, bool keys_too) const {
        const auto before = previous_->find(pass.name);
        pass.lse.resize(static_cast<std::size_t>(pass.heads * pass.queries));
        take_rows(before->query, before->queries, pass.heads, pass.width, known, pass.queries, pass.query);
        take_rows(before->lse, before->queries, pass.heads, 1, known, pass.queries, pass.lse);
        if (!keys_too)
            return;
        take_rows(before->key, before->keys, pass.key_value_heads, pass.width, known, pass.keys, pass.key);
        take_rows(before->value, before->keys, pass.key_value_heads, pass.width_of_values(), known, pass.keys,
                  pass.value);
    }

    /// `x`: what the attention reads.
    Matrix attended(Pass pass, const Attention& form, std::int64_t known, const Matrix& x) {
        auto mixed = attend(pass, known, control_);
        check_others(pass);
        for (const auto& ablation : options_.ablations)
            if (ablation.pass == pass.name)
                replace(mixed, form, ablation);
        result_.passes.push_back(std::make_shared<const Pass>(std::move(pass)));
        if (form.gate) {
            const auto gates = product(x, *form.gate, control_);
            for (std::size_t i = 0; i < mixed.values.size(); ++i)
                mixed.values[i] /= 1.0F + std::exp(-gates.values[i]);
        }
        if (form.beside)
            mixed = with_columns(
                mixed, span_convolution(*form.beside, x, product(x, form.query, control_), form.heads, control_));
        return product(mixed, form.output, control_);
    }

    static Matrix with_columns(const Matrix& left, const Matrix& right) {
        Matrix both(left.rows, left.columns + right.columns);
        for (std::int64_t row = 0; row < both.rows; ++row) {
            std::copy_n(left.row(row), left.columns, both.row(row));
            std::copy_n(right.row(row), right.columns, both.row(row) + left.columns);
        }
        return both;
    }

    /// Throws Error where a head cannot take the place of one of this pass.
    void check_others(const Pass& pass) const {
        for (const auto& ablation : options_.ablations) {
            if (ablation.pass != pass.name || ablation.by != Ablation::By::Other)
                continue;
            const auto& other = *ablation.other;
            if (other.heads != pass.heads || other.width_of_values() != pass.width_of_values() ||
                other.queries != pass.queries)
                throw Error({ATTNLAB_TEXT("%1: the other text has %2 tokens, expected %3, as many as this one"),
                             {pass.name, std::to_string(other.queries), std::to_string(pass.queries)}});
        }
    }

    void replace(Matrix& mixed, const Attention& form, const Ablation& ablation) const {
        const auto width = form.width_of_values(), first = ablation.head * width;
        if (ablation.by == Ablation::By::Other) {
            const auto other = outputs_of(*ablation.other, control_);
            for (std::int64_t row = 0; row < mixed.rows; ++row)
                std::copy_n(other.row(row) + first, width, mixed.row(row) + first);
            return;
        }
        for (auto column = first; column < first + width; ++column) {
            double mean = 0.0;
            if (ablation.by == Ablation::By::Mean)
                for (std::int64_t row = 0; row < mixed.rows; ++row)
                    mean += mixed.row(row)[column] / static_cast<double>(mixed.rows);
            for (std::int64_t row = 0; row < mixed.rows; ++row)
                mixed.row(row)[column] = static_cast<float>(mean);
        }
    }

    const Description& description_;
    const Options& options_;
    const RunControl& control_;
    const Result* previous_;
    Result result_;
    Reuse reuse_;
    std::vector<std::pair<const Rotary*, RotaryAngles>> angles_;
    std::map<const Weight*, std::shared_ptr<const std::vector<float>>> distances_;
    std::map<const Weight*, Tensor> patch_distances_;
    std::int64_t blocks_ = 0, done_ = 0;
    double begin_ = 0.0; ///< progress in front of the first block
};

} // namespace

Matrix outputs_of(const Pass& pass, const RunControl& control) {
    Pass copy = pass; // whose lse is computed again
    return attend(copy, 0, control);
}

Result forward(const Description& description, Input input, const Options& options, const RunControl& control,
               const Result* previous) {
    return Forward(description, options, control, previous).run(std::move(input));
}

} // namespace attnlab::model
