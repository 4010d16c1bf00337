#include "core/explain/head_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnlab::explain {
namespace {

constexpr std::int64_t fewest_rows = 3;
constexpr double most_of_the_weight = 0.5;
constexpr double beyond_uniform = 0.25;
constexpr double nearly_uniform = 0.95;
constexpr double sum_tolerance = 1.0 / 128; ///< weights may be rounded to bfloat16
constexpr std::int64_t reach = 2;           ///< of the neighbours

/// Sums of a KeyShare.
struct ShareSums {
    double all = 0.0, informative = 0.0, uniform = 0.0;
    std::int64_t rows = 0;

    /// A row with `such` keys of the kind among its `readable` ones.
    void add(double weight, std::int64_t such, std::int64_t readable) {
        all += weight;
        if (such == 0 || such == readable)
            return;
        informative += weight;
        uniform += static_cast<double>(such) / static_cast<double>(readable);
        ++rows;
    }
    KeyShare over(std::int64_t counted) const {
        const auto count = static_cast<double>(std::max<std::int64_t>(rows, 1));
        return {all / static_cast<double>(counted), informative / count, uniform / count, rows};
    }
};

/// Equal labels have equal numbers; an empty label equals no other.
std::vector<std::int64_t> numbered(std::span<const std::string> tokens) {
    std::unordered_map<std::string_view, std::int64_t> known;
    std::vector<std::int64_t> numbers;
    for (const auto& token : tokens)
        numbers.push_back(token.empty() ? -1 - std::ssize(numbers)
                                        : known.emplace(token, std::ssize(known)).first->second);
    return numbers;
}

} // namespace

class HeadReader::Rows {
public:
    Rows(const HeadForm& form)
        : form_(form), columns_(static_cast<std::size_t>(form.columns)),
          positions_(form.keys_are_queries && form.columns >= form.rows) {
        if (positions_ && std::ssize(form.tokens) >= form.rows)
            tokens_ = numbered(form.tokens.first(static_cast<std::size_t>(form.rows)));
    }

    void add(const MatrixView& weights, const MatrixView& blocked) {
        if (weights.columns != form_.columns || next_row_ + weights.rows > form_.rows)
            throw std::invalid_argument("head_figures: rows do not fit the head");
        if (!blocked.empty() && (blocked.rows != weights.rows || blocked.columns != weights.columns))
            throw std::invalid_argument("head_figures: blocked has another shape");
        weights_ = weights;
        blocked_ = blocked;
        first_row_ = next_row_;
        for (; next_row_ < first_row_ + weights.rows; ++next_row_)
            read(next_row_);
    }

    HeadFigures result() const {
        HeadFigures result = figures_;
        if (result.rows == 0)
            return result;
        const auto rows = static_cast<double>(result.rows);
        for (double* sum : {&result.entropy, &result.even_entropy, &result.max_weight})
            *sum /= rows;
        result.are_shares = are_shares_;
        if (form_.has_sink)
            result.sink = sink_ / rows;
        if (positions_) {
            result.previous = previous_.over(result.rows);
            result.next = next_.over(result.rows);
            result.first = first_.over(result.rows);
            result.diagonal = diagonal_.over(result.rows);
            result.neighbours = neighbours_.over(result.rows);
        }
        if (!tokens_.empty()) {
            result.same_token = same_token_.over(result.rows);
            result.induction = induction_.over(result.rows);
        }
        find_key(result);
        return result;
    }

private:
    double weight(std::int64_t row, std::int64_t key) const { return weights_(row - first_row_, key); }
    bool is_readable(std::int64_t row, std::int64_t key) const {
        return blocked_.empty() || blocked_(row - first_row_, key) == 0.0 || weight(row, key) != 0.0;
    }

    void read(std::int64_t row) {
        std::int64_t readable = 0;
        double entropy = 0.0, largest = -std::numeric_limits<double>::infinity(), sum = 0.0, lowest = 0.0;
        for (std::int64_t key = 0; key < form_.columns; ++key) {
            if (!is_readable(row, key))
                continue;
            const double own = weight(row, key);
            ++readable;
            sum += own;
            lowest = std::min(lowest, own);
            largest = std::max(largest, own);
            if (own > 0.0)
                entropy -= own * std::log(own);
        }
        if (readable < 2)
            return;
        ++figures_.rows;
        const bool nan = std::isnan(sum);
        figures_.entropy += nan ? sum : entropy;
        figures_.max_weight += nan ? sum : largest;
        figures_.even_entropy += std::log(static_cast<double>(readable));
        sink_ += 1.0 - sum;
        const bool adds_up = form_.has_sink ? sum <= 1.0 + sum_tolerance : std::abs(sum - 1.0) <= sum_tolerance;
        are_shares_ = are_shares_ && lowest >= 0.0 && adds_up; // false for NaN
        for (std::int64_t key = 0; key < form_.columns; ++key)
            if (is_readable(row, key))
                columns_[static_cast<std::size_t>(key)].add(weight(row, key), 1, readable);
        if (positions_)
            read_positions(row, readable);
        if (!tokens_.empty())
            read_tokens(row, readable);
    }

    void read_positions(std::int64_t row, std::int64_t readable) {
        const auto add = [&](ShareSums& sums, std::int64_t first, std::int64_t last) {
            double sum = 0.0;
            std::int64_t such = 0;
            for (auto key = std::max<std::int64_t>(first, 0); key <= std::min(last, form_.rows - 1); ++key)
                if (is_readable(row, key)) {
                    sum += weight(row, key);
                    ++such;
                }
            sums.add(sum, such, readable);
        };
        add(previous_, row - 1, row - 1);
        add(next_, row + 1, row + 1);
        add(first_, 0, 0);
        add(diagonal_, row, row);
        add(neighbours_, row - reach, row + reach);
    }

    void read_tokens(std::int64_t row, std::int64_t readable) {
        double same = 0.0, after = 0.0;
        std::int64_t same_keys = 0, after_keys = 0;
        const auto own = tokens_[static_cast<std::size_t>(row)];
        for (std::int64_t earlier = 0; earlier < row; ++earlier) {
            if (tokens_[static_cast<std::size_t>(earlier)] != own)
                continue;
            if (is_readable(row, earlier)) {
                same += weight(row, earlier);
                ++same_keys;
            }
            if (is_readable(row, earlier + 1)) {
                after += weight(row, earlier + 1);
                ++after_keys;
            }
        }
        same_token_.add(same, same_keys, readable);
        induction_.add(after, after_keys, readable);
    }

    void find_key(HeadFigures& result) const {
        for (std::size_t key = 0; key < columns_.size(); ++key) {
            const auto share = columns_[key].over(result.rows);
            if (share.rows * 2 < result.rows || (result.key && !(share.informative > result.key->informative)))
                continue;
            result.key = share;
            result.key_index = static_cast<std::int64_t>(key);
        }
    }

    const HeadForm form_;
    MatrixView weights_, blocked_;
    std::int64_t first_row_ = 0, next_row_ = 0;
    std::vector<ShareSums> columns_;
    const bool positions_;
    std::vector<std::int64_t> tokens_;
    HeadFigures figures_; ///< sums
    ShareSums previous_, next_, first_, diagonal_, neighbours_, same_token_, induction_;
    double sink_ = 0.0;
    bool are_shares_ = true;
};

HeadReader::HeadReader(const HeadForm& form) : rows_(std::make_unique<Rows>(form)) {}
HeadReader::~HeadReader() = default;
void HeadReader::add(const MatrixView& weights, const MatrixView& blocked) { rows_->add(weights, blocked); }
HeadFigures HeadReader::figures() const { return rows_->result(); }

namespace {

bool stands_out(const std::optional<KeyShare>& share, std::int64_t rows) {
    return share && share->rows >= fewest_rows && share->rows * 4 >= rows && share->informative >= most_of_the_weight &&
           share->informative - share->uniform >= beyond_uniform * (1.0 - share->uniform);
}

struct Habit {
    const char* words;
    bool (*holds)(const HeadFigures&);
};

/// In the order of precedence; the last one always holds.
const Habit habits[] = {
    {ATTNLAB_TEXT("previous token"), [](const HeadFigures& f) { return stands_out(f.previous, f.rows); }},
    {ATTNLAB_TEXT("next token"), [](const HeadFigures& f) { return stands_out(f.next, f.rows); }},
    {ATTNLAB_TEXT("itself"), [](const HeadFigures& f) { return stands_out(f.diagonal, f.rows); }},
    {ATTNLAB_TEXT("first token"), [](const HeadFigures& f) { return stands_out(f.first, f.rows); }},
    {ATTNLAB_TEXT("sink"), [](const HeadFigures& f) { return f.sink.value_or(0.0) >= most_of_the_weight; }},
    {ATTNLAB_TEXT("nearby tokens"), [](const HeadFigures& f) { return stands_out(f.neighbours, f.rows); }},
    {ATTNLAB_TEXT("one key"), [](const HeadFigures& f) { return stands_out(f.key, f.rows); }},
    {ATTNLAB_TEXT("same token"), [](const HeadFigures& f) { return stands_out(f.same_token, f.rows); }},
    {ATTNLAB_TEXT("induction"), [](const HeadFigures& f) { return stands_out(f.induction, f.rows); }},
    {ATTNLAB_TEXT("everywhere"), [](const HeadFigures& f) { return f.entropy >= nearly_uniform * f.even_entropy; }},
    {ATTNLAB_TEXT("no single pattern"), [](const HeadFigures&) { return true; }},
};

/// Of one head; empty where it has no such mask.
MatrixView blocked_beside(const Trace& trace, const Stage& weights, std::int64_t batch, std::int64_t head) {
    const Stage* blocked = trace.beside(weights, "blocked");
    const auto& shape = weights.value.shape();
    if (!blocked || blocked->value.rank() != 4 || blocked->value.dim(2) != shape[2] ||
        blocked->value.dim(3) != shape[3])
        return {};
    const auto within = [&](std::int64_t index, int axis) { return blocked->value.dim(axis) == 1 ? 0 : index; };
    const auto b = within(batch, 0), h = within(head, 1);
    if (b >= blocked->value.dim(0) || h >= blocked->value.dim(1))
        return {};
    return matrix_at(blocked->value, b * blocked->value.dim(1) + h);
}

} // namespace

HeadFigures head_figures(const HeadWeights& head) {
    HeadReader reader({head.weights.rows, head.weights.columns, head.keys_are_queries, head.tokens, head.has_sink});
    reader.add(head.weights, head.blocked);
    return reader.figures();
}

HeadFigures head_figures(const Trace& trace, const Stage& weights, std::int64_t batch, std::int64_t head) {
    const auto& value = weights.value;
    if (value.rank() != 4 || batch < 0 || batch >= value.dim(0) || head < 0 || head >= value.dim(1))
        return {};
    const bool keys = !weights.axes.empty() && weights.axes.back() == Axis::Key;
    const Pass& pass = trace.pass(prefix_of(weights.name));
    const auto& tokens = weights.tokens ? weights.tokens->query : trace.query_tokens;
    HeadWeights one{matrix_at(value, batch * value.dim(1) + head), blocked_beside(trace, weights, batch, head)};
    one.keys_are_queries =
        keys && pass.keys_are_queries.value_or(false) && value.dim(3) - pass.appended_keys == value.dim(2);
    one.tokens = tokens;
    auto figures = head_figures(one);
    figures.are_shares = figures.are_shares && keys;
    return figures;
}

Message what_it_does(const HeadFigures& figures) {
    if (!figures.are_shares || figures.rows < fewest_rows)
        return {};
    return std::ranges::find_if(habits, [&](const Habit& habit) { return habit.holds(figures); })->words;
}

std::vector<Message> words_of_heads() {
    std::vector<Message> words;
    for (const auto& habit : habits)
        words.emplace_back(habit.words);
    return words;
}

} // namespace attnlab::explain
