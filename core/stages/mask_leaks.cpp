// Detects weights of cells that a mask should hide.
#include "core/infinity.h"
#include "core/stages/mask_notes.h"
#include "core/stages/notes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab {
namespace {

/// A bias this low is meant to block; equally low ends of a position's bias have no weight.
constexpr double low_bias = -1000.0;
/// Beside a bias this low, float64 rounds scores below 64 away.
constexpr double drowning_bias = -0x1p60;

/// Cells that should have no weight, and the largest weight of one.
struct Leak {
    std::int64_t hidden = 0, read = 0;
    double largest = 0.0;
    Shape place;

    void take(double weight, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
        ++hidden;
        if (!(std::abs(weight) > 0.0)) // NaN is reported elsewhere
            return;
        ++read;
        if (std::abs(weight) > largest) {
            largest = std::abs(weight);
            place = {b, h, i, j};
        }
    }
};

bool has_mask(const AttentionSpec& spec, std::string_view id) {
    return std::any_of(spec.masks.begin(), spec.masks.end(), [&](const Selection& mask) { return mask.id == id; });
}

/// The padding of a problem: the keys marked by key_padding_mask and valid_lens.
class Padding {
public:
    Padding(const ResolvedProblem& problem, const MaskContext& c) : S_(c.S), L_(c.L) {
        if (has_mask(problem.spec, "key_padding"))
            padded_ = &problem.tensors.find("key_padding_mask")->second;
        if (has_mask(problem.spec, "valid_lens"))
            lengths_ = &problem.tensors.find("valid_lens")->second;
    }
    bool is_there() const { return padded_ || lengths_; }
    bool operator()(std::int64_t b, std::int64_t i, std::int64_t j) const {
        if (padded_ && padded_->data()[(padded_->dim(0) == 1 ? 0 : b * S_) + j] != 0.0)
            return true;
        return lengths_ && static_cast<double>(j) >= lengths_->data()[lengths_->rank() == 2 ? b * L_ + i : b];
    }
    /// By key_padding_mask only, which marks tokens.
    bool of_token(std::int64_t b, std::int64_t j) const {
        return padded_ && padded_->data()[(padded_->dim(0) == 1 ? 0 : b * S_) + j] != 0.0;
    }

private:
    const Tensor* padded_ = nullptr;
    const Tensor* lengths_ = nullptr;
    std::int64_t S_, L_;
};

/// True when queries and keys are certainly the same tokens: both are made from x.
bool same_tokens(const ResolvedProblem& problem, const MaskContext& c) {
    return c.L == c.S && problem.tensors.contains("x") && !problem.tensors.contains("context") &&
           !problem.tensors.contains("query");
}

class LeakSearch {
public:
    LeakSearch(const ResolvedProblem& problem, const MaskContext& context, const Tensor& weights, const Tensor* blocked,
               const std::vector<std::string>& labels)
        : problem_(problem), c_(context), weights_(weights), blocked_(blocked), labels_(labels),
          padding_(problem, context), tokens_(same_tokens(problem, context)) {
        if (has_mask(problem.spec, "attn_bias")) {
            const auto& tensor = problem.tensors.find("attn_bias")->second;
            bias_ = tensor.data();
            strides_ = *cell_strides(tensor.shape(), context);
        }
    }

    void run(const RunControl& control) {
        for (std::int64_t b = 0; b < c_.B; ++b)
            for (std::int64_t h = 0; h < c_.H; ++h) {
                control.checkpoint();
                for (std::int64_t i = 0; i < c_.L; ++i)
                    take_row(b, h, i);
            }
    }

    void add_to(std::vector<Note>& notes) const {
        const auto warn = [&](Message message) { notes.push_back({Note::Severity::Warning, std::move(message)}); };
        const auto fill = to_text(problem_.spec.mask_fill.value);
        const auto figures = [](const Leak& leak) {
            return std::vector<Argument>{std::to_string(leak.read), std::to_string(leak.hidden), to_text(leak.largest),
                                         to_string(leak.place)};
        };
        const auto with_fill = [&](const Leak& leak) {
            auto arguments = figures(leak);
            arguments.push_back(fill);
            return arguments;
        };
        if (padded_.read > 0)
            warn(
                {ATTNLAB_TEXT("Cells of padded keys that are read all the same: %1 of %2. The largest weight is %3, at "
                              "%4. The fill %5 is finite; -inf hides a key whatever the scores are"),
                 with_fill(padded_)});
        if (masked_.read > 0)
            warn({ATTNLAB_TEXT(
                      "Blocked cells that are read all the same: %1 of %2. The largest weight is %3, at %4. The "
                      "fill %5 is finite; -inf hides a cell whatever the scores are"),
                  with_fill(masked_)});
        if (biased_.read > 0)
            warn({ATTNLAB_TEXT("Cells with a bias of -1000 or less that are read all the same: %1 of %2. The largest "
                               "weight is %3, at %4. -inf hides a cell whatever the scores are"),
                  figures(biased_)});
        if (pushed_rows_.count > 0)
            warn({ATTNLAB_TEXT("Rows in which every key that is open has a bias of -1000 or less: %1 (first: %2). They "
                               "are read all the same, since the softmax cancels what a row has in common"),
                  {pushed_rows_.counted({c_.B, c_.H}), pushed_rows_.first}});
        if (drowned_rows_.count > 0)
            warn({ATTNLAB_TEXT("Rows in which every key that is open has a bias so low that the scores are lost: %1 "
                               "(first: %2). The sum of a score and such a bias is rounded to the bias, so these "
                               "weights come from the bias alone. -inf hides a key"),
                  {drowned_rows_.counted({c_.B, c_.H}), drowned_rows_.first}});
        if (padded_queries_.count > 0)
            notes.push_back(
                {Note::Severity::Info,
                 {ATTNLAB_TEXT("Rows of the output that belong to padding: %1 (first: %2). key_padding_mask hides "
                               "only keys, so these rows are computed all the same: ignore them"),
                  {padded_queries_.counted({c_.B, c_.H}), padded_queries_.first}}});
    }

private:
    double bias_at(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        return bias_[b * strides_.batch + h * strides_.head + i * strides_.row + j * strides_.key];
    }

    template <class IsOpen>
    bool reads_all_open(std::int64_t first, IsOpen is_open, std::int64_t b, std::int64_t h, std::int64_t i) const {
        for (std::int64_t j = 0; j < c_.S; ++j)
            if (is_open(j) && bias_at(b, h, i, j) != -infinity && !(std::abs(weights_.data()[first + j]) > 0.0))
                return false;
        return true;
    }

    void take_row(std::int64_t b, std::int64_t h, std::int64_t i) {
        const auto columns = weights_.dim(3);
        const auto first = ((b * c_.H + h) * c_.L + i) * columns;
        const auto is_open = [&](std::int64_t j) { return !blocked_ || blocked_->data()[first + j] == 0.0; };
        std::int64_t open = columns - c_.S, low = 0; // appended keys are always open
        double highest = -infinity;
        for (std::int64_t j = 0; j < c_.S; ++j) {
            if (!is_open(j) || (bias_ && bias_at(b, h, i, j) == -infinity))
                continue;
            ++open;
            if (bias_) {
                low += bias_at(b, h, i, j) <= low_bias;
                highest = std::max(highest, bias_at(b, h, i, j));
            }
        }
        if (open == 0)
            return; // reported for the whole row
        if (tokens_ && padding_.of_token(b, i))
            padded_queries_.take(labels_, i, b * c_.H + h);
        if (low == open && highest <= drowning_bias)
            drowned_rows_.take(labels_, i, b * c_.H + h);
        else if (low == open && reads_all_open(first, is_open, b, h, i))
            pushed_rows_.take(labels_, i, b * c_.H + h);
        for (std::int64_t j = 0; j < c_.S; ++j)
            if (const double weight = weights_.data()[first + j]; !is_open(j))
                (padding_.is_there() && padding_(b, i, j) ? padded_ : masked_).take(weight, b, h, i, j);
            else if (low < open && bias_ && bias_at(b, h, i, j) <= low_bias)
                biased_.take(weight, b, h, i, j);
    }

    const ResolvedProblem& problem_;
    const MaskContext& c_;
    const Tensor& weights_;
    const Tensor* blocked_;
    const std::vector<std::string>& labels_;
    const Padding padding_;
    const bool tokens_;
    const double* bias_ = nullptr;
    CellStrides strides_;
    Leak padded_, masked_, biased_;
    NotedRows pushed_rows_, drowned_rows_, padded_queries_;
};

} // namespace

void note_leaks(std::vector<Note>& notes, const ResolvedProblem& problem, const MaskContext& context,
                const Trace& trace, const RunControl& control) {
    const Stage* weights = trace.find("weights");
    const Stage* blocked = trace.find("blocked");
    if (!weights || weights->value.rank() != 4 || (blocked && blocked->value.shape() != weights->value.shape()))
        return;
    const auto& shape = weights->value.shape();
    if (Shape(shape.begin(), shape.end() - 1) != Shape{context.B, context.H, context.L} || shape[3] < context.S)
        return;
    LeakSearch search(problem, context, weights->value, blocked ? &blocked->value : nullptr, trace.query_tokens);
    search.run(control);
    search.add_to(notes);
}

} // namespace attnlab
