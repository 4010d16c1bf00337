// The formula of a setting: a line for each step, from queries to output.
#include "core/code/writers.h"
#include "core/expression/written.h"
#include "core/mechanisms.h"
#include "core/message.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace attnlab::code {

std::string frac(const std::string& top, const std::string& bottom);
/// "0.5", "-\infty", "3 \cdot 10^{-9}".
std::string number(double value);

/// The conditions joined by "and", below each other where they are many.
std::string all_true(const std::vector<std::string>& conditions);

std::string frac(const std::string& top, const std::string& bottom) { return "\\frac{" + top + "}{" + bottom + "}"; }

std::string number(double value) {
    if (std::isinf(value))
        return value < 0 ? "-\\infty" : "\\infty";
    auto text = to_text(value);
    const auto e = text.find('e');
    if (e == text.npos)
        return text;
    const auto exponent = std::to_string(std::stoi(text.substr(e + 1)));
    const auto digits = text.substr(0, e);
    return (digits == "1" ? "" : digits == "-1" ? "-" : digits + " \\cdot ") + "10^{" + exponent + "}";
}

std::string shifted(const std::string& position, std::int64_t by) {
    return by == 0 ? position : position + (by > 0 ? " + " : " - ") + std::to_string(std::abs(by));
}

std::string all_true(const std::vector<std::string>& conditions) {
    const bool below = conditions.size() > 2;
    std::string text;
    for (const auto& each : conditions)
        text += (text.empty() ? "" : below ? " \\\\ & \\text{and } " : " \\text{ and } ") + each;
    return below ? "\\begin{aligned}[t] & " + text + " \\end{aligned}" : text;
}

// The formula of a setting: a line for each step, from queries to output.

namespace {

class Formula {
public:
    explicit Formula(const ResolvedProblem& problem)
        : problem_(problem), spec_(problem.spec), heads_(size("H")), shared_(key_heads(problem)),
          code_(problem.mechanism->code(problem)), after_(spec_.scale_after_softmax) {
        const std::string of_keys = heads_ > 1 && shared_ == heads_ ? "h"
                                    : shared_ > 1 ? "\\lfloor h / " + std::to_string(heads_ / shared_) + " \\rfloor"
                                                  : "";
        head_ = superscript(heads_ > 1 ? "h" : "", code_.parts > 1);
        key_head_ = superscript(of_keys, code_.parts > 1);
        value_head_ = superscript(of_keys, false);
    }

    std::string text() {
        if (projects(*problem_.mechanism))
            add_projections();
        add_lines(code_.row_lines);
        add_prepared_rows();
        if (!code_.own_lines.empty()) {
            add_lines(code_.own_lines);
        } else {
            add(cell("s"), score());
            add_scaled();
            add_masked();
            add_order();
            add_selection();
            add_weights();
        }
        add_output();
        std::string lines;
        for (const auto& line : lines_)
            lines += (lines.empty() ? "" : " \\\\\n") + ("  " + line);
        return "% amsmath; indices count from 0\n\\begin{align*}\n" + lines + "\n\\end{align*}\n";
    }

private:
    std::int64_t size(const char* symbol) const { return problem_.sizes.find(symbol)->second; }
    void add(const std::string& left, const std::string& right) { lines_.push_back(left + " &= " + right); }
    std::string cell(const std::string& letter) const { return letter + "_{ij}" + head_; }
    std::string query() const { return query_ + "_i" + head_; }
    std::string key() const { return key_ + "_j" + key_head_; }
    bool has(const char* name) const { return problem_.tensors.contains(name); }

    void add_projections() {
        const bool many = has_heads(*problem_.mechanism);
        const auto source = [&](const char* name, const char* symbol, const char* otherwise) {
            return std::string(has(name) ? symbol : otherwise);
        };
        const auto keys = source("context", "C", "X"), values = source("value_context", "C'", keys.c_str());
        const auto line = [&](const char* left, const std::string& from, const char* letter, const std::string& head) {
            const auto bias = has((std::string("b_") + letter).c_str());
            add(left + (many ? head : ""), from + " W_" + letter + (many ? head : "") +
                                               (bias ? std::string(" + b_") + letter + (many ? head : "") : ""));
        };
        line("Q", "X", "q", head_);
        line("K", keys, "k", key_head_);
        line("V", values, "v", key_head_);
    }

    void add_prepared_rows() {
        const auto row_norm = scale_mode(spec_.scale.id).row_norm;
        if (row_norm != RowNorm::None) {
            const auto normalised = [&](const char* row, const std::string& index, const char* width,
                                        const char* gain) {
                const auto norm = "\\lVert " + (row + index) + " \\rVert";
                const auto divided = row_norm == RowNorm::Length
                                         ? frac(row + index, norm)
                                         : "\\sqrt{" + std::string(width) + "} \\, " + frac(row + index, norm);
                const bool gains = reads_gain(problem_, std::string(gain) + "_gain");
                add(std::string("\\hat{") + row + "}" + index,
                    divided + (gains ? std::string(" \\odot g_{\\text{") + gain + "}}" : ""));
            };
            const auto Ek = problem_.sizes.find("Ek");
            const bool other = Ek != problem_.sizes.end() && Ek->second != width_of_query();
            normalised("q", "_i" + head_, "d_k", "query");
            normalised("k", "_j" + key_head_, other ? "d'_k" : "d_k", "key");
            query_ = "\\hat{q}";
            key_ = "\\hat{k}";
        }
        if (spec_.position.id == "rope")
            add_rotation();
    }

    void add_rotation() {
        const auto& values = spec_.position.parameters;
        const auto query = this->query(), key = this->key();
        query_ = "\\bar{q}";
        key_ = "\\bar{k}";
        add(this->query(), "R_{" + position_at(position_offsets(problem_)) + "} \\, " + query);
        add(this->key(), "R_{j} \\, " + key);
        const bool half = values.choice("style") == "half";
        auto base = number(values.real("base"));
        if (base.find('^') != base.npos)
            base = "(" + base + ")";
        lines_.push_back("& R_p \\text{ turns the features } c \\text{ of each pair } " +
                         std::string(half ? "(c,\\, c + d_k / 2)" : "(2c,\\, 2c + 1)") + " \\text{ by } p \\cdot " +
                         base + "^{-2c / d_k}");
    }

    std::string score() const {
        const auto q = query(), k = key();
        return filled(code_.latex, [&](std::string_view name) {
            return name == "q"           ? q
                   : name == "grouped_q" ? (head_.empty() ? q : "(" + q + ")")
                   : name == "k"         ? k
                                         : number(number_of(spec_.parameters, name));
        });
    }

    static std::string superscript(const std::string& head, bool of_parts) {
        const auto inside = head + (of_parts ? head.empty() ? "n" : ",\\, n" : "");
        return inside.empty() ? inside : "^{(" + inside + ")}";
    }

    /// The factor of the scale; 1 where it is more than a factor.
    double factor() const {
        const auto& mode = scale_mode(spec_.scale.id);
        return mode.factor ? mode.factor({width_of_query(), size("S")}, spec_.scale.parameters) : 1.0;
    }

    void add_lines(const std::vector<ScoreCode::Line>& own) {
        const double factor = own.empty() ? 1.0 : this->factor();
        const auto filled_in = [&](const std::string& text) {
            return filled(text, [&](std::string_view name) {
                return name == "q"      ? query()
                       : name == "k"    ? key()
                       : name == "k_i"  ? key_ + "_i" + key_head_
                       : name == "q_ie" ? query_ + "_{ie}" + head_
                       : name == "k_ie" ? key_ + "_{ie}" + key_head_
                       : name == "k_je" ? key_ + "_{je}" + key_head_
                       : name == "h"    ? head_
                       : name == "kv"   ? value_head_
                       : factor == 1.0  ? std::string()
                                        : number(factor) + " \\, ";
            });
        };
        for (const auto& line : own) {
            std::vector<std::string> conditions;
            if (!line.condition.empty())
                conditions.push_back(line.condition);
            for (const auto& mask : spec_.masks)
                if (line.masked && !keeps_all(problem_, mask))
                    conditions.push_back(code_of_mask(mask));
            const auto value = filled_in(line.value);
            add(filled_in(line.left), conditions.empty()
                                          ? value
                                          : "\\begin{cases} " + value + " & \\text{if } " + all_true(conditions) +
                                                " \\\\ 0 & \\text{otherwise} \\end{cases}");
        }
    }

    /// The keys that a mechanism selects.
    void add_selection() {
        if (code_.selection.empty())
            return;
        const auto open = stage_;
        add_lines(code_.selection_lines);
        auto row = open;
        row.replace(row.find("_{ij}"), 5, "_{i}");
        stage_ = cell("\\bar{m}");
        add(stage_, "\\begin{cases} " + open + " & \\text{if } " +
                        filled(code_.selection_condition, [&](std::string_view) { return row; }) +
                        " \\\\ -\\infty & \\text{otherwise} \\end{cases}");
    }

    /// `stage` times the scale, and the sizes in it.
    std::string scaled(const std::string& stage) const {
        const auto code = code_of(spec_.scale).latex;
        auto text = scale_code(problem_, code, stage, {.width = "d_k", .keys = "S", .head = head_, .number = &number});
        if (code.find("<d>") != code.npos)
            text += ", \\quad d_k = " + std::to_string(width_of_query());
        if (code.find("<S>") != code.npos)
            text += ", \\; S = " + std::to_string(size("S"));
        return text;
    }

    std::int64_t width_of_query() const {
        if (code_.width > 0)
            return code_.width;
        if (!projects(*problem_.mechanism))
            return problem_.tensors.find("query")->second.dim(-1);
        const auto columns = problem_.tensors.find("w_q")->second.dim(1);
        return has_heads(*problem_.mechanism) ? columns / spec_.parameters.integer("num_heads") : columns;
    }

    void add_scaled() {
        stage_ = cell("s");
        const auto result = after_ ? stage_ : scaled(stage_);
        if (result == stage_)
            return;
        stage_ = cell("\\tilde{s}");
        add(stage_, result);
    }

    std::string position_bias() const {
        const auto& position = spec_.position;
        if (position.id != "alibi" && position.id != "t5")
            return {};
        const auto row = position_at(position_offsets(problem_));
        if (position.id == "alibi")
            return " - " + slope() + " \\left\\lvert " + row + " - j \\right\\rvert";
        return " + b_{" + std::string(heads_ > 1 ? "h, \\, " : "") + "\\mathrm{bucket}(j - " +
               (row == "i" ? row : "(" + row + ")") + ")}";
    }

    std::int64_t power() const { return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads_))); }

    std::string slope() const {
        if (heads_ == 1)
            return "2^{-8}";
        return power() == heads_ ? "2^{-8 (h + 1) / " + std::to_string(heads_) + "}" : "m_h";
    }

    /// What the position's term leaves open.
    void explain_position() {
        const auto& position = spec_.position;
        const auto p = std::to_string(power()), twice = std::to_string(2 * power());
        if (position.id == "alibi" && slope() == "m_h")
            add("m_h", "\\begin{cases} 2^{-8 (h + 1) / " + p + "} & \\text{if } h < " + p + " \\\\ 2^{-8 (2 (h - " + p +
                           ") + 1) / " + twice + "} & \\text{otherwise} \\end{cases}");
        if (position.id == "t5")
            lines_.push_back(
                "& \\text{bucket: T5's, " +
                std::to_string(problem_.tensors.find("relative_attention_bias")->second.dim(0)) +
                (position.parameters.boolean("bidirectional") ? " in both directions" : " for keys before the query") +
                ", up to distance " + std::to_string(position.parameters.integer("max_distance")) + "}");
    }

    /// The position of query i; o_b is the offset of sequence b where they differ.
    std::string position_at(const QueryOffsets& offsets) const {
        const auto common = offsets.common();
        return common ? shifted("i", *common) : "i + o_b";
    }

    std::string condition(const Band& band, const QueryOffsets& offsets) const {
        const auto position = position_at(offsets);
        if (band.before == band.after)
            return "\\lvert " + position + " - j \\rvert \\le " + std::to_string(band.before);
        const auto text =
            (band.before != Band::unlimited ? shifted(position, -band.before) + " \\le " : std::string()) + "j" +
            (band.after != Band::unlimited ? " \\le " + shifted(position, band.after) : std::string());
        return band.prefix > 0 ? "(j < " + std::to_string(band.prefix) + " \\text{ or } " + text + ")" : text;
    }

    std::string code_of_mask(const Selection& mask) const {
        const auto& kind = mask_kind(mask.id);
        if (kind.band)
            return condition(kind.band(mask_context(problem_.sizes), mask.parameters),
                             query_offsets(spec_, problem_.tensors));
        if (kind.intervals || kind.rules) {
            const auto offsets = query_offsets(spec_, problem_.tensors);
            const auto sizes = mask_context(problem_.sizes);
            const auto position = position_at(offsets);
            return kind.latex_of({sizes, mask.parameters, problem_.tensors,
                                  position == "i" ? position : "(" + position + ")", offsets.common(),
                                  offsets.is_given()});
        }
        return mask_code(problem_, mask, kind.latex, {.head = head_, .negation = "\\text{not } "});
    }

    /// The condition of masks that are not joined by AND.
    std::string combined_condition() const {
        const auto names = names_in_combination(spec_.masks);
        std::vector<std::string> texts;
        for (const auto& mask : spec_.masks)
            if (!mask_kind(mask.id).adds)
                texts.push_back("(" + (keeps_all(problem_, mask) ? std::string("j \\ge 0") : code_of_mask(mask)) + ")");
        if (spec_.mask_combine == "or") {
            std::string any;
            for (const auto& text : texts)
                any += (any.empty() ? "" : " \\lor ") + text;
            return any;
        }
        return in_latex(CellExpression(spec_.mask_combine, CellExpression::Meaning::Combination, names),
                        [&](const std::string& name) {
                            return texts[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
                        });
    }

    /// The line of score_mod, of what the scores are before it.
    void add_modified(const std::string& open) {
        const CellExpression expression(spec_.score_mod, CellExpression::Meaning::ScoreMod);
        const auto offsets = expression.reads("offset") ? query_offsets(spec_, problem_.tensors) : QueryOffsets();
        const auto sizes = mask_context(problem_.sizes);
        const auto names =
            names_of_cell({sizes, {}, problem_.tensors, "i", offsets.common(), offsets.is_given()}, "o_b");
        const bool is_sum = open != stage_;
        explain_position();
        stage_ = cell("\\hat{s}");
        add(stage_, in_latex(expression, [&](const std::string& name) {
                return name != "score" ? names(name) : is_sum ? "(" + open + ")" : open;
            }));
    }

    void add_masked() {
        auto open = stage_ + position_bias();
        const auto of_head = superscript(heads_ > 1 ? "h" : "", false);
        if (spec_.decay.id == "forget")
            open += " + \\sum_{l = j + 1}^{" + place() + "} \\log " +
                    std::string(has("forget_gate") ? "\\sigma(f_l" + of_head + ")" : "f_l" + of_head);
        std::vector<std::string> conditions;
        auto masks = masks_of(problem_);
        if (combines_otherwise(spec_)) {
            conditions.push_back(combined_condition());
            std::erase_if(masks, [](const Selection& mask) { return !mask_kind(mask.id).adds; });
            if (const auto implied = problem_.mechanism->implied_mask; !implied.empty())
                masks.push_back(complete_mask({std::string(implied), {}}));
        }
        for (const auto& mask : masks) {
            if (mask_kind(mask.id).adds)
                open += " + " + code_of_mask(mask);
            else if (!keeps_all(problem_, mask))
                conditions.push_back(code_of_mask(mask));
        }
        if (!spec_.score_mod.empty()) {
            add_modified(open);
            open = stage_;
        }
        if (open == stage_ && conditions.empty())
            return;
        stage_ = cell("m");
        explain_position();
        const auto fill = number(spec_.mask_fill.value);
        const auto blocked = spec_.mask_fill.mode == MaskFill::Mode::Replace
                                 ? fill
                                 : open + (fill.starts_with('-') ? " - " + fill.substr(1) : " + " + fill);
        add(stage_, conditions.empty() ? open
                                       : "\\begin{cases} " + open + " & \\text{if } " + all_true(conditions) +
                                             " \\\\ " + blocked + " & \\text{otherwise} \\end{cases}");
    }

    std::string place() const { return position_at(query_offsets(spec_, problem_.tensors)); }

    /// gamma of a head for the decay retention.
    std::string gamma() const {
        if (has("gamma"))
            return heads_ > 1 ? "\\gamma_h" : "\\gamma";
        if (const auto* of_all = spec_.decay.parameters.find("gamma"))
            return number(std::get<double>(*of_all));
        return heads_ > 1 ? "(1 - 2^{-5 - h})" : "(1 - 2^{-5})";
    }

    /// The keys that a normaliser or a decay leaves out.
    void add_order() {
        if (!implies_order(spec_))
            return;
        const auto open = stage_;
        stage_ = cell("\\hat{m}");
        add(stage_, "\\begin{cases} " + open + " & \\text{if } " +
                        condition(band_of_order(spec_), query_offsets(spec_, problem_.tensors)) +
                        " \\\\ -\\infty & \\text{otherwise} \\end{cases}");
    }

    void add_weights() {
        auto sum = stage_;
        sum.replace(sum.find("_{ij}"), 5, "_{ij'}");
        const auto& normaliser = normaliser_of(spec_.normaliser);
        const auto in_words = [&](std::string_view code) {
            return filled(code, [&](std::string_view name) {
                const auto* value = spec_.normaliser.parameters.find(name == "plus_bias" ? "bias" : name);
                if (name == "m" || name == "m_k")
                    return name == "m" ? stage_ : sum;
                if (name == "plus_bias" && value) {
                    const auto bias = number(std::get<double>(*value));
                    return bias.starts_with('-') ? " - " + bias.substr(1) : " + " + bias;
                }
                return value                 ? number(std::get<double>(*value))
                       : name == "plus_bias" ? " - \\log " + std::to_string(size("S"))
                                             : std::to_string(size("S"));
            });
        };
        auto softmax = in_words(normaliser.code.latex);
        if (spec_.decay.id == "retention")
            softmax += " \\cdot " + gamma() + "^{" + place() + " - j}";
        if (!normaliser.code.latex_of_row.empty())
            add("\\tau_i" + head_, "\\text{such that } " + in_words(normaliser.code.latex_of_row));
        const auto weights = after_ ? scaled("p") : softmax;
        if (after_ && weights != "p") {
            add(cell("p"), softmax);
            add(cell("a"), scaled(cell("p")));
        } else {
            add(cell("a"), softmax);
        }
    }

    void add_output() {
        const bool many = has_heads(*problem_.mechanism);
        const bool compares = wants_similarity(spec_.parameters);
        if (!code_.output_lines.empty()) {
            head_ = superscript(heads_ > 1 ? "h" : "", false);
            add_lines(code_.output_lines);
            if (compares)
                add("\\mathrm{similarity}_{ij}", "\\mathrm{output}_i \\cdot \\mathrm{output}_j");
            return;
        }
        add("o_i" + head_, "\\sum_j " + cell("a") + " \\, v_j" + value_head_);
        if (!many) {
            if (compares)
                add("\\mathrm{similarity}_{ij}" + head_, "o_i" + head_ + " \\cdot o_j" + head_);
            return;
        }
        std::string joined = "o_i";
        if (heads_ > 1)
            joined = "\\left[ o_i^{(0)} ; \\ldots ; o_i^{(" + std::to_string(heads_ - 1) + ")} \\right]";
        add("\\mathrm{output}_i", joined + (has("w_o") ? " W_o" : "") + (has("w_o") && has("b_o") ? " + b_o" : ""));
        if (compares)
            add("\\mathrm{similarity}_{ij}", "\\mathrm{output}_i \\cdot \\mathrm{output}_j");
    }

    const ResolvedProblem& problem_;
    const AttentionSpec& spec_;
    const std::int64_t heads_, shared_;
    const ScoreCode code_;
    const bool after_;
    std::string head_, key_head_, value_head_; ///< superscripts
    std::string query_ = "q", key_ = "k", stage_;
    std::vector<std::string> lines_;
};

} // namespace

std::string latex_of(const ResolvedProblem& problem) { return Formula(problem).text(); }

} // namespace attnlab::code
