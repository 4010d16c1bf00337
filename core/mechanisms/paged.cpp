// Attention by pages, in two readings.
// mode=local: every pair of a query page a and a key page b with |a − b| <= neighbors has its own softmax, and the
// outputs are added: o_i = Σ_b softmax_{j in b}(s_ij) v_j.
// mode=kv_cache: exact attention over keys and values in the pages of a pool: token t is in slot t mod P of page
// block_table[⌊t / P⌋].
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/approximation.h"
#include "core/stages/exact.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr std::string_view local = "mode=local";
constexpr std::string_view cached = "mode=kv_cache";

const Input inputs[] = {
    query_input,
    {.name = "key",
     .dims = key_input.dims,
     .starts_from = key_input.starts_from,
     .when = local,
     .help = key_input.help},
    {.name = "value",
     .dims = value_input.dims,
     .starts_from = value_input.starts_from,
     .when = local,
     .help = value_input.help},
    {.name = "key_pages",
     .dims = "N P Hkv E | N P E",
     .when = cached,
     .help = ATTNLAB_TEXT("The pool of pages: N pages with room for the keys of P tokens each")},
    {.name = "value_pages",
     .dims = "N P Hkv Ev | N P Ev",
     .when = cached,
     .help = ATTNLAB_TEXT("The values of the same slots")},
    {.name = "block_table",
     .dims = "n",
     .fill = InputFill::Pages,
     .dtype = DType::Int64,
     .when = cached,
     .help = ATTNLAB_TEXT("Entry i says which page of the pool holds tokens i P to i P + P − 1")},
};

constexpr std::string_view modes[] = {"local", "kv_cache"};

const Parameter parameters[] = {
    {.name = "mode",
     .type = ParameterType::Choice,
     .default_text = "local",
     .title = ATTNLAB_TEXT("mode"),
     .help = ATTNLAB_TEXT("local: pages read the pages beside them; kv_cache: keys and values are found by a table"),
     .choices = modes},
    {.name = "page_size",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("page size"),
     .help = ATTNLAB_TEXT("Tokens a page; the pages of a cache bring their own size"),
     .minimum = 1,
     .maximum = 65536,
     .unit = "tokens",
     .when = local},
    {.name = "neighbors",
     .type = ParameterType::Integer,
     .default_text = "1",
     .title = ATTNLAB_TEXT("neighbours"),
     .help = ATTNLAB_TEXT("How many pages to either side a page reads beside its own"),
     .minimum = 0,
     .maximum = 65536,
     .unit = "pages",
     .when = local},
    {.name = "length",
     .type = ParameterType::Integer,
     .default_text = "10",
     .title = ATTNLAB_TEXT("length"),
     .help = ATTNLAB_TEXT("How many tokens the cache holds; the slots behind them are empty"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "tokens",
     .when = cached},
    dropout_parameter(),
    dropout_seed_parameter(),
};

bool is_cached(const ParameterValues& values) { return values.choice("mode") == "kv_cache"; }

std::int64_t key_count(const ParameterValues& values, const TensorMap&) { return values.integer("length"); }

void check_values(const ResolvedProblem& problem) {
    const auto& values = problem.spec.parameters;
    if (!is_cached(values))
        return;
    const auto& table = problem.tensors.at("block_table");
    const auto N = problem.sizes.at("N"), P = problem.sizes.at("P"), entries = problem.sizes.at("n"),
               length = values.integer("length");
    if (N * P * entries == 0)
        throw Error({ATTNLAB_TEXT("%1: has no slot for a token: there are %2 pages of %3 tokens and %4 entries in "
                                  "block_table, expected at least 1 of each"),
                     {"key_pages", std::to_string(N), std::to_string(P), std::to_string(entries)}});
    for (std::int64_t i = 0; i < entries; ++i) {
        const double page = table.data()[i];
        if (!(page >= 0.0 && page < static_cast<double>(N)) || page != std::floor(page))
            throw Error({ATTNLAB_TEXT("%1: has %2 at %3, expected an integer from 0 to %4: a page of key_pages"),
                         {"block_table", to_text(page), to_string({i}), std::to_string(N - 1)}});
    }
    if (length > entries * P)
        throw Error(
            {ATTNLAB_TEXT("paged: parameter length is %1, expected an integer in [1, %2]: block_table has %3 "
                          "pages of %4 tokens"),
             {std::to_string(length), std::to_string(entries * P), std::to_string(entries), std::to_string(P)}});
}

/// mode=local: the pages, and those that each row reads.
struct Pages {
    std::int64_t size, neighbors, queries, keys; ///< tokens a page, reach in pages, L, S

    std::int64_t key_pages() const { return keys / size + (keys % size != 0); }
    std::int64_t query_pages() const { return queries / size + (queries % size != 0); }
    std::int64_t first_page(std::int64_t row) const { return std::max<std::int64_t>(0, row / size - neighbors); }
    std::int64_t last_page(std::int64_t row) const { return std::min(key_pages(), row / size + neighbors + 1); }
    /// The row reads keys first_key .. last_key - 1; none where first_key >= last_key.
    std::int64_t first_key(std::int64_t row) const { return first_page(row) * size; }
    std::int64_t last_key(std::int64_t row) const { return std::min(keys, last_page(row) * size); }
};

/// Bool (B,H,L,S): True where the two tokens' pages are too far apart.
Tensor unread_cells(const Shape& shape, const Pages& pages) {
    Tensor unread(shape, 1.0, DType::Bool);
    const auto cells = unread.mutable_values();
    const auto rows = shape[0] * shape[1] * shape[2];
    for (std::int64_t row = 0; row < rows && pages.keys > 0; ++row)
        for (auto j = pages.first_key(row % pages.queries); j < pages.last_key(row % pages.queries); ++j)
            cells[static_cast<std::size_t>(row * pages.keys + j)] = 0.0;
    return unread;
}

/// One softmax for each page that a row reads.
Attended attend_by_page(const Tensor& masked, const Pages& pages, const RunControl& control) {
    const auto B = masked.dim(0), H = masked.dim(1), L = masked.dim(2), S = masked.dim(3);
    Attended made{.weights = Tensor(masked.shape()),
                  .operation = {ATTNLAB_TEXT("softmax in each page")},
                  .formula = "a_ij = exp(m_ij − lse_i,b) for j in page b"};
    Tensor page_lse({pages.key_pages(), B, H, L}, -infinity);
    const auto lse = page_lse.mutable_values();
    const auto weights = made.weights.mutable_values();
    const auto part = [](auto all, std::int64_t first, std::int64_t count) {
        return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    };
    for (std::int64_t row = 0; row < B * H * L; ++row) {
        control.checkpoint();
        for (auto b = pages.first_page(row % L); b < pages.last_page(row % L); ++b) {
            const auto first = row * S + b * pages.size, count = std::min(pages.size, S - b * pages.size);
            lse[static_cast<std::size_t>(b * B * H * L + row)] =
                softmax_row(part(masked.values(), first, count), part(weights, first, count));
        }
    }
    made.stages.push_back({"page_lse",
                           std::move(page_lse),
                           {Axis::Tile, Axis::Batch, Axis::Head, Axis::Query},
                           StageRole::Summary,
                           {ATTNLAB_TEXT("log Σ exp of each page")},
                           "lse_i,b = log Σ_(j in b) exp(m_ij)"});
    return made;
}

/// The number of distributions that a row of weights is the sum of: minimum and maximum over the rows that have any.
std::pair<std::int64_t, std::int64_t> distributions(const Tensor& page_lse) {
    const auto pages = page_lse.dim(0), rows = pages == 0 ? 0 : page_lse.size() / pages;
    std::int64_t least = pages, most = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t count = 0;
        for (std::int64_t b = 0; b < pages; ++b)
            count += page_lse.data()[b * rows + row] != -infinity;
        if (count > 0)
            least = std::min(least, count);
        most = std::max(most, count);
    }
    return {least, most};
}

void note_sums(Trace& trace) {
    const auto [least, most] = distributions(trace.find("page_lse")->value);
    if (most <= 1)
        return;
    if (least == most)
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("A row of weights is a sum of distributions, one for each page that it "
                                             "reads. So it sums to %1, not to 1"),
                                {std::to_string(most)}}});
    else
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("A row of weights is a sum of distributions, one for each page that it "
                                             "reads. So it sums to the number of these pages, %1 to %2, not to 1"),
                                {std::to_string(least), std::to_string(most)}}});
}

Cost local_cost(const ExactInputs& exact, const Pages& pages) {
    double cells = 0.0;
    for (std::int64_t i = 0; i < pages.queries; ++i)
        cells += static_cast<double>(std::max<std::int64_t>(0, pages.last_key(i) - pages.first_key(i)));
    cells *= static_cast<double>(exact.query.dim(0)) * static_cast<double>(exact.query.dim(1));
    return {cells * static_cast<double>(2 * exact.query.dim(3) + 2 * exact.value.dim(3) + 3), 4.0 * cells};
}

Trace run_local(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    auto exact = given_inputs(problem);
    const Shape shape = {exact.query.dim(0), exact.query.dim(1), exact.query.dim(2), exact.key.dim(2)};
    const Pages pages{values.integer("page_size"), values.integer("neighbors"), shape[2], shape[3]};
    // scores, scaled, masked, weights, their mean, the cells that are not read, and for masks blocked and bias.
    control.require_memory("scores", shape, problem.spec.masks.empty() ? 6.0 : 8.0);
    exact.unread = unread_cells(shape, pages);
    exact.attend = [&](const Tensor& masked, const RunControl& running) {
        return attend_by_page(masked, pages, running);
    };
    auto trace = exact_attention(problem, exact, dot_product(), control);
    note_sums(trace);
    add_cost(trace, local_cost(exact, pages), exact_cost(exact));
    trace.exhibits.emplace_back(PageReads{pages.size, pages.neighbors, pages.query_pages(), pages.key_pages()});
    return trace;
}

/// The first tokens of pages (N,P,Hkv,E) or (N,P,E) in the order of the table, the same for each batch:
/// (B,Hkv,length,E).
Tensor gathered(const Tensor& pages, const Tensor& table, std::int64_t batches, std::int64_t length) {
    const auto P = pages.dim(1), heads = pages.rank() == 4 ? pages.dim(2) : 1, E = pages.dim(-1);
    Tensor rows({batches, heads, length, E});
    const auto out = rows.mutable_values();
    std::size_t next = 0;
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t t = 0; t < length; ++t) {
                const auto page = static_cast<std::int64_t>(table.data()[t / P]);
                const auto* row = pages.data() + ((page * P + t % P) * heads + h) * E;
                for (std::int64_t c = 0; c < E; ++c)
                    out[next++] = row[c];
            }
    return rows;
}

void note_cache(Trace& trace, const PageTable& cache, bool length_given) {
    const auto pages = static_cast<std::int64_t>(cache.block_table.size()), slots = pages * cache.page_size;
    const auto empty = slots - cache.length;
    if (!length_given)
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("length is not given: the first %1 tokens are read, the %2 pages of "
                                             "block_table have slots for %3"),
                                {std::to_string(cache.length), std::to_string(pages), std::to_string(slots)}}});
    trace.notes.push_back(
        {Note::Severity::Info,
         {ATTNLAB_TEXT("Fragmentation: %1 tokens in %2 pages of %3; %4 of %5 slots are empty (%6%)"),
          {std::to_string(cache.length), std::to_string(pages), std::to_string(cache.page_size), std::to_string(empty),
           std::to_string(slots),
           to_text(std::round(1000.0 * static_cast<double>(empty) / static_cast<double>(slots)) / 10.0)}}});
}

Trace run_cached(const ResolvedProblem& problem, const RunControl& control) {
    const auto& key_pages = problem.tensors.at("key_pages");
    const auto& value_pages = problem.tensors.at("value_pages");
    const auto& table = problem.tensors.at("block_table");
    const auto length = problem.spec.parameters.integer("length");
    const auto width = [](const Tensor& pages) { return pages.size() / pages.dim(0) / pages.dim(1); };
    ExactInputs exact;
    exact.query = with_heads(problem.tensors.at("query"));
    const auto B = exact.query.dim(0);
    control.require_memory("key", {B, length, width(key_pages) + width(value_pages)}, 1.0);
    exact.key = gathered(key_pages, table, B, length);
    exact.value = gathered(value_pages, table, B, length);
    auto trace = exact_attention(problem, exact, dot_product(), control);
    PageTable cache;
    cache.page_size = key_pages.dim(1);
    cache.pool_pages = key_pages.dim(0);
    cache.length = length;
    cache.block_table.assign(table.values().begin(), table.values().end());
    note_cache(trace, cache, problem.given.find("length") != nullptr);
    const auto bytes = 4.0 * static_cast<double>(width(key_pages) + width(value_pages));
    trace.measures.push_back({"cache_bytes",
                              {ATTNLAB_TEXT("pages of keys and values, beside the tokens in them")},
                              Measure::Unit::Bytes,
                              bytes * static_cast<double>(table.size() * cache.page_size),
                              bytes * static_cast<double>(length)});
    trace.exhibits.emplace_back(std::move(cache));
    return trace;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return is_cached(problem.spec.parameters) ? run_cached(problem, control) : run_local(problem, control);
}

} // namespace

Mechanism paged_mechanism() {
    return {
        .id = "paged",
        .place = 15,
        .title = ATTNLAB_TEXT("Paged"),
        .family = ATTNLAB_TEXT("The same on another schedule"),
        .formula = "local: Σ_b softmax_(j in b)(Q Kᵀ / √d_k) V over pages b near by; kv_cache: K_t = "
                   "key_pages[block_table[t / P], t mod P]",
        .help = ATTNLAB_TEXT(
            "Tokens lie in pages of a fixed size. As a cache (vLLM), a table lists where the pages of a sequence are "
            "in a pool. Attention over the tokens found there is exact. As local attention, each page reads itself and "
            "the pages beside it. Every pair of pages has a softmax of its own, and the outputs are added."),
        .source = "Kwon et al. 2023, Efficient Memory Management for Large Language Model Serving with "
                  "PagedAttention",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .key_count = key_count,
        .check_values = check_values,
        .drawn = {R"(\begin{aligned} o_i &= \sum_{b\,:\,|p(i) - b| \leq n} \mathrm{softmax}_{j \in)"
                  R"( b}\left( s_{ij} \right) \, v_j \; \mathrm{(local)} \\)"
                  R"( K_t &= \mathrm{pages}\left[\, \mathrm{table}\left[ \lfloor t / P \rfloor \right],\;)"
                  R"( t\;\mathrm{mod}\; P \,\right] \; \mathrm{(cache)} \end{aligned})",
                  "local: o_i = Σ over pages b with |p(i) − b| ≤ n of softmax over j in b of s_ij, times "
                  "v_j; cache: K_t = pages[table[⌊t / P⌋], t mod P]"},
        .look_for =
            ATTNLAB_TEXT("Local: a row of weights sums to the number of pages that it reads, so the output grows with "
                         "the neighbours. Cache: swap two entries of the block table and see the same tokens read in "
                         "another order. Raise the length until the last page is full and no slot is wasted.")};
}

} // namespace attnlab
