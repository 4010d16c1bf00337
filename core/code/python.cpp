// Python code, step by step. It is written for NumPy and put into the words of PyTorch and JAX, which have most of
// them.
#include "core/code/python_steps.h"
#include "core/code/writers.h"
#include "core/mechanisms.h"
#include "core/stages/normaliser.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnlab::code {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

} // namespace

std::string in_words_of(Language language, std::string text) {
    using Words = std::pair<std::string_view, std::string_view>;
    constexpr Words jax[] = {{".swapaxes(-1, -2)", ".mT"}, {"kind=\"stable\"", "stable=True"}, {"np.", "jnp."}};
    constexpr Words torch[] = {{".swapaxes(-1, -2)", ".mT"},
                               {"keepdims=", "keepdim="},
                               {"axis=", "dim="},
                               {".max(", ".amax("},
                               {".min(", ".amin("},
                               {"kind=\"stable\"", "stable=True"},
                               {"np.repeat(key, ", "key.repeat_interleave("},
                               {"np.repeat(value, ", "value.repeat_interleave("},
                               {"np.concatenate(", "torch.cat("},
                               {"np.log(", "math.log("},
                               {"np.take_along_axis(", "torch.take_along_dim("},
                               {"np.array(", "torch.tensor("},
                               {"np.", "torch."}};
    if (language == Language::Jax)
        for (const auto& [from, to] : jax)
            replace_all(text, from, to);
    if (language == Language::PyTorch || language == Language::Flex || language == Language::Sdpa)
        for (const auto& [from, to] : torch)
            replace_all(text, from, to);
    replace_all(text, ".log_of(", ".log(");
    return text;
}

namespace {

class Steps {
public:
    Steps(const ResolvedProblem& problem, Language language)
        : problem_(problem), language_(language), facts_(facts_of(problem)), code_(problem.mechanism->code(problem)) {}

    std::string text() {
        say_inputs();
        blank();
        say_prepared_rows();
        if (language_ == Language::Sdpa) {
            say_mask_table();
            return in_words_of(language_, std::move(text_));
        }
        say(scores_of(problem_));
        if (!code_.own_weights.empty()) {
            say_own_weights(code_.own_weights);
            return in_words_of(language_, std::move(text_));
        }
        say_scaled();
        say_masked();
        if (const auto order = order_of(problem_); !order.empty())
            next_stage("masked", "np.where(" + order + ", " + stage_ + ", -np.inf)");
        if (!code_.selection.empty()) {
            say(filled(code_.selection, [&](std::string_view) { return stage_; }));
            next_stage("masked", "np.where(selected, " + stage_ + ", -np.inf)");
        }
        if (problem_.spec.normaliser.id.empty())
            say_softmax();
        else
            say_normalised();
        say_weights();
        say_output();
        return in_words_of(language_, std::move(text_));
    }

private:
    void say(const std::string& lines) { text_ += lines; }
    void blank() {
        if (!text_.empty() && !text_.ends_with("\n\n"))
            text_ += '\n';
    }
    /// `name = expression` makes this the stage that the next step reads.
    void next_stage(const std::string& name, const std::string& expression) {
        say(name + " = " + expression + "\n");
        stage_ = name;
    }

    std::int64_t size(const char* symbol) const { return problem_.sizes.find(symbol)->second; }

    void say_inputs() {
        if (projects(*problem_.mechanism))
            say(projections_of(problem_));
        else if (problem_.tensors.contains("query"))
            say(four_axes_of(problem_));
        say(code_.rows);
        const auto shared = key_heads(problem_), group = size("H") / shared;
        if (shared == 1 || group == 1)
            return; // one head of keys is broadcast
        for (const std::string name : {"key", "value"})
            say(name + " = np.repeat(" + name + ", " + std::to_string(group) + ", axis=-3)\n");
    }

    void say_prepared_rows() {
        const auto norm = scale_mode(problem_.spec.scale.id).row_norm;
        const auto before = text_.size();
        if (norm != RowNorm::None)
            for (const char* name : {"query", "key"})
                say_normalised(name, norm, *name == 'q' ? facts_.zero_queries : facts_.zero_keys);
        if (problem_.spec.position.id == "rope")
            say(rotation_of(problem_));
        if (text_.size() != before)
            blank();
    }

    void say_normalised(const std::string& name, RowNorm row_norm, bool some_zero) {
        const std::string norm = row_norm == RowNorm::RootMeanSquare
                                     ? "np.sqrt((" + name + "**2).mean(axis=-1, keepdims=True))"
                                     : "np.linalg.norm(" + name + ", axis=-1, keepdims=True)";
        const auto gain = name + "_gain";
        const auto times = reads_gain(problem_, gain) ? " * " + gain : std::string();
        if (!some_zero)
            return say(name + " = " + name + " / " + norm + times + "\n");
        say(name + "_norm = " + norm + "\n" + name + " = " + name + " / (" + name + "_norm + (" + name +
            "_norm == 0))" + times + "  # a row of zeros stays\n");
    }

    void say_scaled() {
        if (problem_.spec.scale_after_softmax)
            return;
        say(divisor_of_scores(problem_, facts_.zero_scores));
        if (const auto scaled = scaled_of(problem_, stage_); scaled != stage_)
            next_stage("scaled", scaled);
    }

    void say_masked() {
        const auto positions = position_bias_of(problem_);
        const auto conditions = conditions_of(problem_);
        const auto modifier = score_mod_of(problem_, stage_);
        if (positions.empty() && modifier.empty() && masks_of(problem_).empty() && !implies_order(problem_.spec))
            return;
        say(row_and_column_of(problem_));
        say(positions);
        auto masked = stage_;
        if (!positions.empty())
            masked += " + position_bias";
        if (const auto bias = bias_of(problem_); !bias.empty())
            masked += " + " + bias;
        if (const auto lines = decay_bias_of(problem_); !lines.empty()) {
            say(lines);
            masked += " + decay_bias";
        }
        if (!modifier.empty()) {
            if (masked != stage_)
                next_stage("biased", masked);
            masked = "modified";
            next_stage(masked, score_mod_of(problem_, stage_));
            if (conditions.empty())
                return;
        }
        if (conditions.empty()) {
            if (masked != stage_)
                next_stage("masked", masked);
            return;
        }
        say_kept(conditions);
        const auto& fill = problem_.spec.mask_fill;
        const auto value = float_text(fill.value);
        next_stage("masked", fill.mode == MaskFill::Mode::Replace ? "np.where(keep, " + masked + ", " + value + ")"
                                                                  : masked + " + np.where(keep, 0.0, " + value + ")");
    }

    /// One table of what is kept, or of what is added; True keeps.
    void say_mask_table() {
        const auto positions = position_bias_of(problem_), bias = bias_of(problem_);
        const auto conditions = conditions_of(problem_);
        say(row_and_column_of(problem_));
        say(positions);
        if (!conditions.empty())
            say_kept(conditions);
        if (!conditions.empty() && row_and_column_of(problem_).find("i = ") == std::string::npos) // one row for all
            say("keep = torch.broadcast_to(keep, torch.broadcast_shapes(keep.shape, (" + std::to_string(size("L")) +
                ", " + std::to_string(size("S")) + ")))\n");
        auto added = positions.empty() ? std::string() : std::string("position_bias");
        if (!bias.empty())
            added += (added.empty() ? "" : " + ") + bias;
        std::string table = conditions.empty() ? added : "keep";
        if (!conditions.empty() && !added.empty()) {
            say("attn_mask = np.where(keep, " + added + ", -np.inf)\n");
            table = "attn_mask";
        }
        const auto scale = scaled_of(problem_, "1.0");
        const bool shares = key_heads(problem_) == 1 && size("H") > 1; // others are repeated
        product_ = "torch.nn.functional.scaled_dot_product_attention(query, key, value" +
                   (table.empty() ? "" : ", attn_mask=" + table) +
                   ", scale=" + (scale.starts_with("1.0 * ") ? scale.substr(6) : scale) +
                   (shares ? ", enable_gqa=True" : "") + ")";
        if (facts_.unread_rows)
            product_ = "np.nan_to_num(" + product_ + ")";
        say_output();
    }

    void say_own_weights(const std::string& lines) {
        if (const auto conditions = conditions_of(problem_); !conditions.empty()) {
            say(row_and_column_of(problem_));
            say_kept(conditions);
        }
        say(filled(lines, [&](std::string_view array) { return scaled_of(problem_, std::string(array)); }));
    }

    void say_kept(const std::vector<std::string>& conditions) {
        constexpr std::size_t longest = 90;
        std::string line = "keep = " + conditions.front();
        for (std::size_t k = 1; k < conditions.size(); ++k)
            if (line.size() + conditions[k].size() > longest) {
                say(line + "\n");
                line = "keep = keep & " + conditions[k];
            } else {
                line += " & " + conditions[k];
            }
        say(line + "\n");
    }

    void say_normalised() {
        const auto& chosen = problem_.spec.normaliser;
        const auto lines = filled(normaliser_of(chosen).code.python, [&](std::string_view name) {
            const auto* value = chosen.parameters.find(name == "plus_bias" ? "bias" : name);
            const auto keys = std::to_string(size("S"));
            if (name == "m")
                return stage_;
            if (name == "descending")
                return language_ == Language::PyTorch ? stage_ + ".sort(dim=-1, descending=True).values"
                                                      : "-np.sort(-" + stage_ + ", axis=-1)";
            if (name == "plus_bias")
                return plus_bias(value, keys);
            return value ? float_text(std::get<double>(*value)) : keys;
        });
        if (normaliser_of(chosen).number != RowNumber::Threshold || !facts_.unread_rows)
            return say(lines);
        const std::string why = "  # a row that may read nothing has weights 0\n";
        if (language_ != Language::NumPy)
            return say(lines + "weights = np.nan_to_num(weights)" + why);
        say("with np.errstate(invalid=\"ignore\", divide=\"ignore\"):" + why);
        for (std::size_t first = 0; first < lines.size();) {
            const auto end = lines.find('\n', first) + 1;
            say("    " + lines.substr(first, end - first));
            first = end;
        }
        say("weights = np.nan_to_num(weights)\n");
    }

    static std::string plus_bias(const ParameterValue* value, const std::string& keys) {
        if (!value)
            return " - np.log(" + keys + ")";
        const double bias = std::get<double>(*value);
        return (bias < 0.0 ? " - " : " + ") + float_text(std::abs(bias));
    }

    void say_weights() {
        if (const auto lines = decay_factor_of(problem_); !lines.empty())
            say(lines + "weights = weights * decay\n");
        if (problem_.spec.scale_after_softmax)
            if (const auto scaled = scaled_of(problem_, "weights"); scaled != "weights")
                say("weights = " + scaled + "\n");
    }

    void say_softmax() {
        const std::string why = "  # a row that may read nothing has weights 0\n";
        const bool unread = facts_.unread_rows;
        if (language_ == Language::NumPy) {
            const std::string indent = unread ? "    " : "";
            if (unread)
                say("with np.errstate(invalid=\"ignore\"):" + why);
            say(indent + "weights = np.exp(" + stage_ + " - " + stage_ + ".max(axis=-1, keepdims=True))\n");
            say(indent + "weights = weights / weights.sum(axis=-1, keepdims=True)\n");
            if (unread)
                say("weights = np.nan_to_num(weights)\n");
        } else {
            say("weights = " + std::string(language_ == Language::Jax ? "jax.nn" : "np") + ".softmax(" + stage_ +
                ", axis=-1)\n");
            if (unread)
                say("weights = np.nan_to_num(weights)" + why);
        }
    }

    void say_output() {
        say_output_rows();
        if (wants_similarity(problem_.spec.parameters))
            say("similarity = output @ output.swapaxes(-1, -2)\n");
    }

    void say_output_rows() {
        if (!code_.output.empty())
            return say(code_.output);
        if (!has_heads(*problem_.mechanism))
            return say("output = " + product_ + "\n");
        say("head_output = " + product_ + "\n");
        std::string output = "head_output.swapaxes(1, 2).reshape(" + std::to_string(size("B")) + ", " +
                             std::to_string(size("L")) + ", -1)";
        if (problem_.tensors.contains("w_o"))
            output += problem_.tensors.contains("b_o") ? " @ w_o + b_o" : " @ w_o";
        say("output = " + output + "\n");
    }

    const ResolvedProblem& problem_;
    const Language language_;
    const Facts facts_;
    const ScoreCode code_;
    std::string stage_ = "scores";
    std::string product_ = "weights @ value";
    std::string text_;
};

} // namespace

std::optional<Message> refusal_of_sdpa(const ResolvedProblem& problem) {
    const auto& spec = problem.spec;
    const auto refused = [](const Message& what) {
        return Message{ATTNLAB_TEXT("scaled_dot_product_attention makes one softmax of scaled and masked dot products; "
                                    "here is %1"),
                       {what}};
    };
    if (!problem.mechanism->dot_product_form)
        return refused({ATTNLAB_TEXT("the mechanism %1"), {spec.variant}});
    if (!scale_mode(spec.scale.id).factor || spec.scale_after_softmax)
        return refused({ATTNLAB_TEXT("the scale %1"), {spec.scale.id}});
    if (!spec.normaliser.id.empty())
        return refused({ATTNLAB_TEXT("the normaliser %1"), {spec.normaliser.id}});
    if (!spec.decay.id.empty())
        return refused({ATTNLAB_TEXT("the decay %1"), {spec.decay.id}});
    if (!spec.score_mod.empty())
        return refused({ATTNLAB_TEXT("score_mod %1"), {spec.score_mod}});
    if (spec.mask_fill != MaskFill() && !masks_of(problem).empty())
        return refused({ATTNLAB_TEXT("the mask fill %1"), {to_text(spec.mask_fill.value)}});
    return std::nullopt;
}

std::string python_of(const ResolvedProblem& problem, const TensorMap& given, Language language,
                      std::string_view file) {
    const auto steps = Steps(problem, language).text();
    auto read = problem;
    if (steps.find("query_offset") == steps.npos)
        read.tensors.erase("query_offset"); // one offset for all sequences is written as a number
    const auto arrays = python_arrays(read, given, language, file, steps.find("math.") != steps.npos);
    return arrays + (steps.starts_with('\n') ? "" : "\n") + steps;
}

} // namespace attnlab::code
