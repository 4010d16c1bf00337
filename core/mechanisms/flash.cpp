// The same softmax(Q Kᵀ / √d_k + M) V by tiles with an online softmax: for each key tile T,
//   m' = max(m, max_T s),  ℓ' = ℓ exp(m − m') + Σ_T exp(s − m'),  o' = o exp(m − m') + Σ_T exp(s − m') v,
// and at the end output = o / ℓ, lse = m + log ℓ. Dropout leaves terms out of o and none out of ℓ.
#include "core/mechanisms/shared/by_score.h"
#include "core/stages/approximation.h"
#include "core/stages/exact.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input};

const Parameter parameters[] = {
    {.name = "block_q",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("queries a tile"),
     .help = ATTNLAB_TEXT("How many query rows stay in fast memory while the key tiles pass by"),
     .minimum = 1,
     .maximum = 65536,
     .unit = "queries"},
    {.name = "block_k",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("keys a tile"),
     .help = ATTNLAB_TEXT("How many keys and values are read at a time"),
     .minimum = 1,
     .maximum = 65536,
     .unit = "keys"},
    dropout_parameter(),
    dropout_seed_parameter(),
};

std::int64_t tiles_of(std::int64_t count, std::int64_t block) { return count / block + (count % block != 0); }

/// The running state of every row: m (the largest score so far), l (the sum of exp(s - m)) and o (the same sum of
/// values), and its history by key tile.
class OnlineSoftmax {
public:
    OnlineSoftmax(const Tensor& masked, const Tensor& value, const Dropout& dropout, const TileWalk& walk,
                  bool keeps_outputs)
        : masked_(masked), value_(value), kept_(dropout.on() ? kept_weights(masked.shape(), dropout) : Tensor({0})),
          raised_(1.0 / (1.0 - dropout.rate)), walk_(walk), B_(masked.dim(0)), H_(masked.dim(1)), L_(masked.dim(2)),
          S_(masked.dim(3)), Ev_(value.dim(3)), max_({walk.key_tiles, B_, H_, L_}), sum_({walk.key_tiles, B_, H_, L_}),
          outputs_(keeps_outputs ? Shape{walk.key_tiles, B_, H_, L_, Ev_} : Shape{0}), m_(static_cast<std::size_t>(L_)),
          l_(m_.size()), o_(static_cast<std::size_t>(L_ * Ev_)) {
        walk_.skipped.assign(static_cast<std::size_t>(B_ * H_ * walk.query_tiles * walk.key_tiles), false);
    }

    Attended run(const RunControl& control) {
        Attended made{
            .weights = Tensor(masked_.shape()), .lse = Tensor({B_, H_, L_}), .output = Tensor({B_, H_, L_, Ev_})};
        // Obtained once: each call of mutable_values checks whether the storage is shared.
        weights_ = made.weights.mutable_values();
        lse_ = made.lse->mutable_values();
        output_ = made.output->mutable_values();
        kept_max_ = max_.mutable_values();
        kept_sum_ = sum_.mutable_values();
        kept_outputs_ = outputs_.mutable_values();
        for (std::int64_t head = 0; head < B_ * H_; ++head) {
            std::fill(m_.begin(), m_.end(), -infinity);
            std::fill(l_.begin(), l_.end(), 0.0);
            std::fill(o_.begin(), o_.end(), 0.0);
            for (std::int64_t tile = 0; tile < walk_.query_tiles; ++tile)
                walk_keys(head, tile, control);
            finish(head, control);
            control.report(0.5 + 0.5 * static_cast<double>(head + 1) / static_cast<double>(B_ * H_));
        }
        add_stages(made.stages);
        return made;
    }

    const TileWalk& walk() const { return walk_; }
    /// Cells of the tiles read, over all batches and heads.
    double cells_read() const { return cells_read_; }
    /// The number of row rescalings, one for each tile, over all batches and heads.
    double rows_read() const { return rows_read_; }

private:
    struct Tile {
        std::int64_t head, first_row, last_row, first_key, last_key; ///< last: one past
    };

    void walk_keys(std::int64_t head, std::int64_t query_tile, const RunControl& control) {
        const auto first = query_tile * walk_.block_q;
        const auto last = std::min(L_, first + walk_.block_q);
        for (std::int64_t k = 0; k < walk_.key_tiles; ++k) {
            control.checkpoint();
            const Tile tile{head, first, last, k * walk_.block_k, std::min(S_, (k + 1) * walk_.block_k)};
            if (nothing_in(tile))
                walk_.skipped[static_cast<std::size_t>((head * walk_.query_tiles + query_tile) * walk_.key_tiles + k)] =
                    true;
            else
                read(tile);
            keep(tile, k);
        }
    }

    std::span<const double> scores(std::int64_t head, std::int64_t row) const {
        return masked_.values().subspan(static_cast<std::size_t>((head * L_ + row) * S_), static_cast<std::size_t>(S_));
    }

    bool nothing_in(const Tile& tile) const {
        for (auto i = tile.first_row; i < tile.last_row; ++i) {
            const auto s = scores(tile.head, i);
            for (auto j = tile.first_key; j < tile.last_key; ++j)
                if (s[static_cast<std::size_t>(j)] != -infinity)
                    return false;
        }
        return true;
    }

    /// The factor by which dropout multiplies a weight.
    double factor(std::int64_t cell) const {
        return kept_.size() == 0 ? 1.0 : kept_.values()[static_cast<std::size_t>(cell)] * raised_;
    }

    void read(const Tile& tile) {
        const auto rows = static_cast<double>(tile.last_row - tile.first_row);
        cells_read_ += rows * static_cast<double>(tile.last_key - tile.first_key);
        rows_read_ += rows;
        const auto b = tile.head / H_, h = tile.head % H_;
        const auto v = matrix_at(value_, b * value_.dim(1) + h / (H_ / value_.dim(1)));
        for (auto i = tile.first_row; i < tile.last_row; ++i) {
            const auto s = scores(tile.head, i);
            const auto row = static_cast<std::size_t>(i);
            double m = m_[row];
            for (auto j = tile.first_key; j < tile.last_key; ++j)
                if (const double score = s[static_cast<std::size_t>(j)]; score > m || std::isnan(score))
                    m = score;
            if (m == -infinity)
                continue; // the row has seen no key yet: nothing to rescale
            const double rescale = std::exp(m_[row] - m);
            m_[row] = m;
            l_[row] *= rescale;
            double* o = o_.data() + i * Ev_;
            for (std::int64_t c = 0; c < Ev_; ++c)
                o[c] *= rescale;
            for (auto j = tile.first_key; j < tile.last_key; ++j) {
                const double score = s[static_cast<std::size_t>(j)];
                const double p = std::exp(score - m);
                l_[row] += p;
                const double mixed = p * factor((tile.head * L_ + i) * S_ + j);
                for (std::int64_t c = 0; c < Ev_ && score != -infinity; ++c) // 0 times NaN would be NaN
                    o[c] += mixed * v(j, c);
            }
        }
    }

    /// The state after a tile; a skipped one does not change it.
    void keep(const Tile& tile, std::int64_t key_tile) {
        for (auto i = tile.first_row; i < tile.last_row; ++i) {
            const auto at = (key_tile * B_ * H_ + tile.head) * L_ + i;
            kept_max_[static_cast<std::size_t>(at)] = m_[static_cast<std::size_t>(i)];
            kept_sum_[static_cast<std::size_t>(at)] = l_[static_cast<std::size_t>(i)];
            if (!kept_outputs_.empty())
                std::copy_n(o_.begin() + i * Ev_, Ev_, kept_outputs_.begin() + at * Ev_);
        }
    }

    void finish(std::int64_t head, const RunControl& control) {
        for (std::int64_t i = 0; i < L_; ++i) {
            control.checkpoint();
            const auto row = static_cast<std::size_t>(i), at = static_cast<std::size_t>(head * L_ + i);
            lse_[at] = m_[row] == -infinity ? -infinity : m_[row] + std::log(l_[row]);
            if (m_[row] == -infinity)
                continue; // every key blocked: weights and output stay 0
            const auto s = scores(head, i);
            for (std::size_t j = 0; j < s.size(); ++j)
                weights_[at * s.size() + j] = std::exp(s[j] - m_[row]) / l_[row]; // exp(s - lse), not rounding lse
            for (std::int64_t c = 0; c < Ev_; ++c) {
                const double o = o_[static_cast<std::size_t>(i * Ev_ + c)];
                output_[at * static_cast<std::size_t>(Ev_) + static_cast<std::size_t>(c)] =
                    std::isinf(o) ? weighed(head, i, c) : o / l_[row];
            }
        }
    }

    /// An output element computed from the final weights. A running sum that became infinite stays infinite when
    /// rescaled, although the final weight may be 0.
    double weighed(std::int64_t head, std::int64_t row, std::int64_t c) const {
        const auto h = head % H_;
        const auto v = matrix_at(value_, head / H_ * value_.dim(1) + h / (H_ / value_.dim(1)));
        const auto s = scores(head, row);
        double sum = 0.0;
        for (std::int64_t j = 0; j < S_; ++j)
            if (const auto cell = (head * L_ + row) * S_ + j; s[static_cast<std::size_t>(j)] != -infinity)
                sum += weights_[static_cast<std::size_t>(cell)] * factor(cell) * v(j, c);
        return sum;
    }

    void add_stages(std::vector<Stage>& stages) const {
        const std::vector<Axis> axes = {Axis::Tile, Axis::Batch, Axis::Head, Axis::Query};
        auto output_axes = axes;
        output_axes.push_back(Axis::Feature);
        const auto add = [&](const char* name, const Tensor& value, const std::vector<Axis>& of, Message operation,
                             const char* formula) {
            stages.push_back({name, value, of, StageRole::Summary, std::move(operation), formula});
        };
        add("tile_row_max", max_, axes, {ATTNLAB_TEXT("largest score so far")}, "m' = max(m, max_T m_ij)");
        add("tile_row_sum", sum_, axes, {ATTNLAB_TEXT("sum so far")}, "ℓ' = ℓ exp(m − m') + Σ_T exp(m_ij − m')");
        if (outputs_.rank() == 5)
            add("tile_output", outputs_, output_axes, {ATTNLAB_TEXT("output so far, not yet divided by the sum")},
                "o' = o exp(m − m') + Σ_T exp(m_ij − m') v_j");
    }

    const Tensor& masked_;
    const Tensor& value_;
    const Tensor kept_; ///< shape (0): nothing is dropped
    const double raised_;
    TileWalk walk_;
    const std::int64_t B_, H_, L_, S_, Ev_;
    Tensor max_, sum_, outputs_;
    std::vector<double> m_, l_, o_; ///< of the current head
    std::span<double> weights_, lse_, output_, kept_max_, kept_sum_, kept_outputs_;
    double cells_read_ = 0.0, rows_read_ = 0.0;
};

/// Float32 operations: those of the cells that are read as in exact_cost, for each row and tile exp(m - m') and the
/// rescaled l and o, and the final division. In memory besides the output: m, l, o and one tile of scores.
Cost flash_cost(const ExactInputs& exact, const OnlineSoftmax& online) {
    const auto E = static_cast<double>(exact.query.dim(3)), Ev = static_cast<double>(exact.value.dim(3));
    const auto rows = static_cast<double>(exact.query.dim(0) * exact.query.dim(1) * exact.query.dim(2));
    const auto tile = static_cast<double>(std::min(online.walk().block_q, exact.query.dim(2))) *
                      static_cast<double>(std::min(online.walk().block_k, exact.key.dim(2)));
    return {online.cells_read() * (2.0 * E + 2.0 * Ev + 3.0) + online.rows_read() * (Ev + 2.0) + rows * Ev,
            4.0 * (rows * (Ev + 2.0) + tile)};
}

void add_notes(Trace& trace, const TileWalk& walk, bool keeps_outputs) {
    const auto skipped = std::count(walk.skipped.begin(), walk.skipped.end(), true);
    trace.notes.push_back({Note::Severity::Info,
                           {ATTNLAB_TEXT("Tiles that are not read because all their cells are blocked: %1 of %2"),
                            {std::to_string(skipped), std::to_string(walk.skipped.size())}}});
    if (!keeps_outputs)
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("The output after each of the %1 key tiles is left out: it would not fit "
                                             "in memory. Larger tiles need less"),
                                {std::to_string(walk.key_tiles)}}});
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    auto exact = given_inputs(problem);
    const auto B = exact.query.dim(0), H = exact.query.dim(1), L = exact.query.dim(2), S = exact.key.dim(2);
    TileWalk walk;
    walk.block_q = values.integer("block_q");
    walk.block_k = values.integer("block_k");
    walk.query_tiles = tiles_of(L, walk.block_q);
    walk.key_tiles = tiles_of(S, walk.block_k);
    // At block_k = 1 the two running numbers of a row take as much as scores and weights.
    control.require_memory("tile_row_max", {walk.key_tiles, B, H, L}, 2.0);
    // Ev / block_k times as large as a matrix of scores: kept while it is a small part of the limit.
    const bool keeps_outputs = control.has_room({walk.key_tiles, B, H, L, exact.value.dim(3)}, 16.0);
    Cost cost;
    exact.attend = [&](const Tensor& masked, const RunControl& running) {
        OnlineSoftmax online(masked, exact.value, dropout_of(values), walk, keeps_outputs);
        auto made = online.run(running);
        cost = flash_cost(exact, online);
        walk = online.walk();
        return made;
    };
    auto trace = exact_attention(problem, exact, dot_product(), control);
    add_cost(trace, cost, exact_cost(exact));
    add_notes(trace, walk, keeps_outputs);
    trace.exhibits.emplace_back(std::move(walk));
    return trace;
}

} // namespace

Mechanism flash_mechanism() {
    return {
        .id = "flash",
        .place = 14,
        .title = ATTNLAB_TEXT("Flash (tiles, online softmax)"),
        .family = ATTNLAB_TEXT("The same on another schedule"),
        .formula = "m' = max(m, max s), ℓ' = ℓ exp(m − m') + Σ exp(s − m'), o' = o exp(m − m') + Σ exp(s − m') v",
        .help = ATTNLAB_TEXT(
            "A tile of queries stays in fast memory while tiles of keys and values pass by. Each row keeps only its "
            "largest score, the sum of its exponentials and the output so far, and rescales them when a larger "
            "score comes. The result is that of scaled dot-product attention, and no L × S matrix need be stored."),
        .source = "Dao et al. 2022, FlashAttention; Milakov and Gimelshein 2018, Online normalizer calculation",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .dot_product_form = given_form,
        .code = dot_product_code,
        .drawn = {R"(\begin{aligned} m' &= \max\left( m,\, \max_{j \in T} s_{ij} \right) \\)"
                  R"( \ell' &= \ell\, e^{m - m'} + \sum_{j \in T} e^{s_{ij} - m'} \\)"
                  R"( o' &= o\, e^{m - m'} + \sum_{j \in T} e^{s_{ij} - m'} v_j \\)"
                  R"( \mathrm{output}_i &= o / \ell \end{aligned})",
                  "m' = max(m, max_T s_ij), ℓ' = ℓ exp(m − m') + Σ_T exp(s_ij − m'), o' = o exp(m − m') + Σ_T "
                  "exp(s_ij − m') v_j, output_i = o / ℓ"},
        .look_for = ATTNLAB_TEXT(
            "Step through the tiles and watch the factor exp(m_old − m_new): it is 1 unless the new tile holds a "
            "larger score. Change the tile sizes: weights and output stay the same, only the way there differs. "
            "With the causal mask the tiles above the diagonal are not read, nearly half of a long sequence.")};
}

} // namespace attnlab
