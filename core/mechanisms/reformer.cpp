// LSH attention: queries are also the keys, tokens are hashed into buckets, and a token reads those that share a bucket
// with it.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/random.h"
#include "core/stages/approximation.h"
#include "core/stages/mask.h"
#include "core/stages/notes.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "query",
     .dims = "B H L E | B L E | L E",
     .starts_from = "x",
     .help = ATTNLAB_TEXT("One row a token: what it looks for, and, at length 1, what it is found by")},
    {.name = "value",
     .dims = "B Hkv L Ev | B L Ev | L Ev",
     .starts_from = "value_context",
     .help = ATTNLAB_TEXT("One row a token: what it hands over")},
    {.name = "reformer_rotations",
     .dims = "rounds E half",
     .fill = InputFill::Draw,
     .nonempty = true,
     .required = false,
     .help = ATTNLAB_TEXT("Random directions for each hash round, half as many as buckets; drawn where it is not "
                          "given")},
};

const Parameter parameters[] = {
    {.name = "n_hashes",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("hash rounds"),
     .help = ATTNLAB_TEXT("How often the tokens are hashed anew, where reformer_rotations is not given"),
     .minimum = 1,
     .maximum = 1024,
     .unit = "rounds"},
    {.name = "n_buckets",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("buckets"),
     .help = ATTNLAB_TEXT("How many buckets a round has, an even number, where reformer_rotations is not given"),
     .minimum = 2,
     .maximum = 65536,
     .unit = "buckets"},
    {.name = "seed",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("seed"),
     .help = ATTNLAB_TEXT("The same seed draws the same directions, where reformer_rotations is not given"),
     .minimum = 0,
     .maximum = 1e9},
    dropout_parameter(),
    dropout_seed_parameter("dropout_seed"),
};

void check(const AttentionSpec& spec) {
    if (const auto buckets = spec.parameters.integer("n_buckets"); buckets % 2 != 0)
        throw Error({ATTNLAB_TEXT("reformer: parameter n_buckets is '%1', expected an even integer in [2, 65536]"),
                     {std::to_string(buckets)}});
}

/// (n_hashes, E, n_buckets / 2)
Tensor rotations_of(const ResolvedProblem& problem, std::int64_t E, const RunControl& control) {
    if (const auto given = problem.tensors.find("reformer_rotations"); given != problem.tensors.end())
        return given->second;
    const auto& values = problem.spec.parameters;
    const Shape shape{values.integer("n_hashes"), E, values.integer("n_buckets") / 2};
    control.require_memory("reformer_rotations", shape, 1.0);
    return random_normal(shape, static_cast<std::uint64_t>(values.integer("seed")));
}

/// argmax [x R; −x R]; the first of equal maxima.
double bucket_of(std::span<const double> row, const MatrixView& rotation) {
    const auto half = rotation.columns;
    std::vector<double> turned(static_cast<std::size_t>(half), 0.0);
    for (std::int64_t c = 0; c < rotation.rows; ++c)
        for (std::int64_t r = 0; r < half; ++r)
            turned[static_cast<std::size_t>(r)] += row[static_cast<std::size_t>(c)] * rotation(c, r);
    const auto high = std::max_element(turned.begin(), turned.end());
    const auto low = std::min_element(turned.begin(), turned.end());
    return static_cast<double>(*high >= -*low ? high - turned.begin() : half + (low - turned.begin()));
}

/// The bucket of every token in every round: (n_hashes,B,H,L).
Tensor buckets_of(const Tensor& query, const Tensor& rotations, const RunControl& control) {
    const auto rounds = rotations.dim(0), heads = query.dim(0) * query.dim(1), L = query.dim(2);
    const Shape shape{rounds, query.dim(0), query.dim(1), L};
    control.require_memory("buckets", shape, 1.0);
    Tensor buckets(shape, 0.0, DType::Int64);
    const auto out = buckets.mutable_values();
    std::size_t token = 0;
    for (std::int64_t round = 0; round < rounds; ++round)
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t i = 0; i < L; ++i) {
                control.checkpoint();
                out[token++] = bucket_of(matrix_at(query, head).row(i), matrix_at(rotations, round));
            }
    return buckets;
}

/// Determines which cells a token reads.
class Reads {
public:
    Reads(const ResolvedProblem& problem, const Tensor& query, const RunControl& control)
        : sizes_{query.dim(0), query.dim(1), query.dim(2), query.dim(2)}, blocked_(blocked_cells(problem)),
          bias_(attention_bias(problem)), control_(control) {}

    /// Bool (B,H,L,L), True where `shares` is false, and for the token itself where it may read another one.
    template <class Shares>
    Tensor unread(Shares shares) const {
        const auto L = sizes_.L;
        Tensor result({sizes_.B, sizes_.H, L, L}, 0.0, DType::Bool);
        const auto out = result.mutable_values();
        std::size_t cell = 0;
        for (std::int64_t head = 0; head < sizes_.B * sizes_.H; ++head)
            for (std::int64_t i = 0; i < L; ++i) {
                control_.checkpoint();
                const auto row = cell;
                bool others = false;
                for (std::int64_t j = 0; j < L; ++j, ++cell) {
                    const bool shared = shares(head, i, j);
                    out[cell] = shared ? 0.0 : 1.0;
                    others = others || (shared && j != i && open(cell));
                }
                if (others)
                    out[row + static_cast<std::size_t>(i)] = 1.0;
            }
        return result;
    }

private:
    bool open(std::size_t cell) const {
        return (blocked_.size() == 0 || blocked_.values()[cell] == 0.0) &&
               (bias_.size() == 0 || !std::isinf(bias_.values()[cell]));
    }

    MaskContext sizes_;
    Tensor blocked_, bias_;
    const RunControl& control_;
};

/// True when two tokens share a bucket in any round.
auto sharing(const Tensor& buckets) {
    return [buckets, L = buckets.dim(3), all = buckets.size() / std::max<std::int64_t>(1, buckets.dim(0))](
               std::int64_t head, std::int64_t i, std::int64_t j) {
        for (std::int64_t round = 0; round < buckets.dim(0); ++round)
            if (const double* token = buckets.data() + round * all + head * L; token[i] == token[j])
                return true;
        return false;
    };
}

/// Operations: every hash, the sort of the tokens by bucket (log2 L steps a token) and, in every round, the cells
/// within a bucket; in memory: the buckets, the order of the tokens and those cells.
Cost cost_of(const ExactInputs& own, const Tensor& buckets, std::int64_t n_buckets) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    double cells = 0.0;
    std::vector<double> tokens(static_cast<std::size_t>(n_buckets));
    const auto L = static_cast<std::size_t>(buckets.dim(3));
    for (std::size_t first = 0; L > 0 && first < buckets.values().size(); first += L) {
        std::fill(tokens.begin(), tokens.end(), 0.0);
        for (const double bucket : buckets.values().subspan(first, L))
            ++tokens[static_cast<std::size_t>(bucket)];
        for (const double count : tokens)
            cells += count * count;
    }
    const double hashed = size(buckets.size());
    const double E = size(own.query.dim(3)), Ev = size(own.value.dim(3));
    return {hashed * (size(n_buckets) * (E + 1.0) + std::log2(std::max(1.0, size(buckets.dim(3))))) +
                cells * (2.0 * E + 2.0 * Ev + 3.0),
            4.0 * (2.0 * hashed + cells)};
}

void add_cells_read(Trace& trace, const Tensor& unread) {
    const auto cells = unread.values();
    trace.measures.push_back({"cells_read",
                              {ATTNLAB_TEXT("cells read")},
                              Measure::Unit::Number,
                              static_cast<double>(std::count(cells.begin(), cells.end(), 0.0)),
                              static_cast<double>(cells.size())});
}

Trace run(const ResolvedProblem& given, const RunControl& control) {
    auto problem = given;
    problem.key_tokens.clear(); // the keys are the queries' tokens
    ExactInputs own;
    own.query = with_heads(problem.tensors.at("query"));
    own.key = normalised_rows(own.query, RowNorm::Length);
    own.value = with_heads(problem.tensors.at("value"));
    // Two exact passes, their unread cells, the difference.
    const auto B = own.query.dim(0), H = own.query.dim(1), L = own.query.dim(2);
    control.require_memory("scores", {B, H, L, L}, 16.0);
    const auto rotations = rotations_of(problem, own.query.dim(3), control);
    const auto buckets = buckets_of(own.query, rotations, control);
    const auto n_buckets = 2 * rotations.dim(2);

    const Reads reads(problem, own.query, control);
    own.unread = reads.unread(sharing(buckets));
    auto score = dot_product();
    score.plain_dot_product = false; // keys have length 1: the theory of the variance does not apply
    auto trace = exact_attention(problem, own, score, control.part(0.0, 0.5));
    const auto key = std::find_if(trace.stages.begin(), trace.stages.end(), [](auto& s) { return s.name == "key"; });
    key->formula = "k_j = q_j / ‖q_j‖";
    const auto value = std::next(key);
    trace.stages.insert(std::next(value), {"buckets",
                                           buckets,
                                           {Axis::Hash, Axis::Batch, Axis::Head, Axis::Query},
                                           StageRole::Summary,
                                           {ATTNLAB_TEXT("buckets")},
                                           "argmax [x R; −x R]"});
    auto full = own;
    full.unread = reads.unread([](auto, auto, auto) { return true; });
    add_exact(trace, problem, full, score, "weights", control.part(0.5, 1.0));
    add_cost(trace, cost_of(own, buckets, n_buckets), exact_cost(full));
    add_cells_read(trace, own.unread);
    trace.exhibits.push_back(BucketSort{rotations.dim(0), n_buckets});
    note_values_of("reformer_rotations", problem, trace.notes);
    const auto& set = problem.given;
    if (problem.tensors.contains("reformer_rotations") &&
        (set.find("n_hashes") || set.find("n_buckets") || set.find("seed")))
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("reformer_rotations is given, with %1 rounds of %2 buckets: n_hashes, "
                                             "n_buckets and seed are not used"),
                                {std::to_string(rotations.dim(0)), std::to_string(n_buckets)}}});
    return trace;
}

} // namespace

Mechanism reformer_mechanism() {
    return {.id = "reformer",
            .place = 19,
            .title = ATTNLAB_TEXT("Reformer (LSH)"),
            .family = ATTNLAB_TEXT("Approximations"),
            .formula = "softmax over the tokens that share a bucket, k_j = q_j / ‖q_j‖, bucket(x) = argmax [x R; −x R]",
            .help = ATTNLAB_TEXT(
                "Queries serve as keys, and tokens that point the same way fall into the same bucket by a random hash. "
                "A token reads only the tokens that share a bucket with it in any hash round, and itself only when it "
                "has no other. Exact here means: all tokens in one bucket. The cost counts the hashes, the sort and, "
                "in each "
                "round, the cells within a bucket."),
            .source = "Kitaev et al. 2020, Reformer: The Efficient Transformer, section 2",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .check = check,
            .refuses = {.position = ATTNLAB_TEXT("The hash is of the queries as they are given.")},
            .approximates = true,
            .own_mask = true,
            .keys_from_queries = true,
            .drawn =
                {R"(\begin{aligned} k_j &= \frac{q_j}{\Vert q_j \Vert} \quad\; b_r(x) = \mathrm{argmax}\left[ x R_r;\,)"
                 R"( {-}x R_r \right] \\)"
                 R"( M_{ij} &= 0 \;\iff\; \exists\, r :\; b_r(q_i) = b_r(q_j) \end{aligned})",
                 "k_j = q_j / ‖q_j‖, b_r(x) = argmax [x R_r; −x R_r], M_ij = −∞ unless b_r(q_i) = b_r(q_j) for "
                 "some r"},
            .look_for = ATTNLAB_TEXT(
                "Sort the tokens by bucket and the cells that are read become squares along the diagonal. More buckets "
                "read fewer cells and miss more; more hash rounds find what one round has parted. The diagonal is "
                "empty: a token does not read itself unless it is alone.")};
}

} // namespace attnlab
