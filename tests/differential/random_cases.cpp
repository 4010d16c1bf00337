#include "tests/differential/random_cases.h"

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/independent.h"
#include "tests/core/row_texts.h"
#include "tests/differential/draws.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace attnlab::differential {
namespace {

class Maker : Draws {
public:
    explicit Maker(std::uint64_t seed) : Draws(seed) {}

    AttentionProblem problem() {
        choose_sizes();
        variant();
        scale();
        masks();
        odd_numbers();
        if (chance(0.03))
            problem_.spec.statistics = true;
        return std::move(problem_);
    }

    using Draws::bits;
    using Draws::words;
    const Sizes& sizes() const { return sizes_; }

private:
    std::int64_t length() {
        switch (below(5)) {
        case 0:
            return below(9);
        case 1:
            return one_of<std::int64_t>({15, 16, 17, 31, 32, 33, 63, 64, 65});
        case 2:
            return one_of<std::int64_t>({127, 128, 129, 130, 191, 255, 256, 257});
        default:
            return 1 + below(100);
        }
    }

    void choose_sizes() {
        auto& s = sizes_;
        s.B = chance(0.02) ? 0 : one_of<std::int64_t>({1, 1, 1, 2, 3});
        const auto heads =
            one_of<std::pair<int, int>>({{1, 1}, {1, 1}, {2, 1}, {2, 2}, {4, 2}, {6, 3}, {5, 1}, {3, 3}});
        s.H = heads.first;
        s.Hkv = heads.second;
        s.L = length();
        s.S = length();
        if (chance(0.15)) { // as in decoding
            s.L = 1 + below(8);
            s.S = 400 + below(900);
        }
        const auto width = [&] {
            return chance(0.02) ? std::int64_t{0}
                                : one_of<std::int64_t>({1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 48, 64, 65, 100, 128});
        };
        s.E = width();
        s.Ev = width();
        // Keeps the time of all cases similar.
        while (static_cast<double>(s.B * s.H * s.L * s.S) * static_cast<double>(s.E + s.Ev + 4) > 7e5)
            if (s.B > 1)
                s.B = 1;
            else if (s.H > 1)
                s.H = s.Hkv = 1;
            else if (s.E + s.Ev > 40)
                s.E = s.E / 2 + 1, s.Ev = s.Ev / 2 + 1;
            else
                s.L = s.L / 2 + 1, s.S = s.S / 2 + 1;
    }

    /// (L,S), (B*H,L,S), (B or 1, H or 1, L, S).
    attnlab::Shape cells_shape() {
        const auto& s = sizes_;
        switch (below(5)) {
        case 0:
            return {s.B * s.H, s.L, s.S};
        case 1:
            return {s.B, s.H, s.L, s.S};
        case 2:
            return {s.B, 1, s.L, s.S};
        case 3:
            return {1, s.H, s.L, s.S};
        default:
            return {s.L, s.S};
        }
    }

    void variant() {
        auto& s = sizes_;
        auto& spec = problem_.spec;
        const auto kind = uniform();
        spec.variant = kind < 0.62   ? "scaled_dot_product"
                       : kind < 0.72 ? "flash"
                       : kind < 0.76 ? "self"
                       : kind < 0.79 ? "causal"
                       : kind < 0.83 ? "cross"
                       : kind < 0.89 ? "multi_head"
                       : kind < 0.93 ? "multi_query"
                       : kind < 0.97 ? "grouped_query"
                       : kind < 0.98 ? "additive"
                                     : "gaussian_kernel";
        say(spec.variant);
        const bool single = spec.variant == "self" || spec.variant == "causal" || spec.variant == "cross";
        if (single)
            s.H = s.Hkv = 1;
        if (spec.variant == "self" || spec.variant == "causal")
            s.S = s.L;
        if (spec.variant == "multi_head")
            s.Hkv = s.H;
        if (spec.variant == "multi_query")
            s.Hkv = 1;
        if (spec.variant == "flash") {
            spec.parameters.set("block_q", 1 + below(40));
            spec.parameters.set("block_k", 1 + below(40));
        }
        const bool projects = single || spec.variant.starts_with("multi") || spec.variant == "grouped_query";
        if (projects)
            add_projected(single);
        else
            add_given();
        std::ostringstream words;
        words << "B" << s.B << " H" << s.H << "/" << s.Hkv << " " << s.L << "x" << s.S << " d" << s.E << " v" << s.Ev;
        say(words.str());
    }

    void add_given() {
        const auto& s = sizes_;
        attnlab::Shape lead; // all three have the same number of axes
        if (s.H == 1 && chance(0.4)) {
            if (s.B != 1 || chance(0.5))
                lead = {s.B};
            const auto shape = [&](std::int64_t rows, std::int64_t width) {
                auto all = lead;
                all.insert(all.end(), {rows, width});
                return all;
            };
            problem_.tensors["query"] = numbers(shape(s.L, s.E));
            problem_.tensors["key"] = numbers(shape(s.S, s.E));
            problem_.tensors["value"] = numbers(shape(s.S, s.Ev));
        } else {
            problem_.tensors["query"] = numbers({s.B, s.H, s.L, s.E});
            problem_.tensors["key"] = numbers({s.B, s.Hkv, s.S, s.E});
            problem_.tensors["value"] = numbers({s.B, s.Hkv, s.S, s.Ev});
        }
        if (problem_.spec.variant == "additive") {
            const std::int64_t hidden = 1 + below(6);
            problem_.tensors["additive_w_q"] = numbers({s.E, hidden});
            problem_.tensors["additive_w_k"] = numbers({s.E, hidden});
            problem_.tensors["additive_v"] = numbers({hidden});
        }
    }

    void add_projected(bool single) {
        auto& s = sizes_;
        const auto& id = problem_.spec.variant;
        const auto width = 1 + below(12);
        const double factor = 1.0 / std::sqrt(static_cast<double>(width));
        problem_.tensors["x"] = numbers({s.B, s.L, width});
        const bool crosses = id == "cross" || (!single && s.S != s.L) || (!single && chance(0.5));
        if (crosses)
            problem_.tensors["context"] = numbers({s.B, s.S, width});
        const auto weights = [&](std::int64_t columns) { return numbers({width, columns}, factor); };
        problem_.tensors["w_q"] = weights(s.H * s.E);
        problem_.tensors["w_k"] = weights(s.Hkv * s.E);
        problem_.tensors["w_v"] = weights(s.Hkv * s.Ev);
        if (single)
            return;
        problem_.spec.parameters.set("num_heads", s.H);
        if (id == "grouped_query")
            problem_.spec.parameters.set("num_kv_heads", s.Hkv);
        if (chance(0.5)) {
            problem_.tensors["w_o"] = numbers({s.H * s.Ev, 1 + below(5)}, 0.3);
            problem_.tensors["b_q"] = numbers({s.H * s.E});
            problem_.tensors["b_k"] = numbers({s.Hkv * s.E});
            problem_.tensors["b_v"] = numbers({s.Hkv * s.Ev});
        }
        if (id == "multi_head" && chance(0.15))
            problem_.spec.parameters.set("add_zero_attn", true);
    }

    void scale() {
        auto& spec = problem_.spec;
        // The default and no scale more often, every mode of the table, and values with which it acts in another way.
        std::vector<std::string> texts = {"",
                                          "",
                                          "",
                                          "none",
                                          "custom:0",
                                          "custom:20",
                                          "custom:1e-30",
                                          "custom:1e8",
                                          "log_n:64",
                                          "custom:-0.7",
                                          "softcap:3",
                                          "pre_norm:0.05"};
        for (const auto& mode : test::texts_of(scale_modes()))
            texts.push_back(mode);
        const auto& text = texts[static_cast<std::size_t>(below(std::ssize(texts)))];
        if (!text.empty())
            spec.scale = parse_scale(text);
        spec.scale_after_softmax = chance(0.06);
        say((text.empty() ? "default scale" : text) + (spec.scale_after_softmax ? " after the softmax" : ""));
        if (const double kind = uniform(); kind < 0.02)
            spec.position = parse_position("alibi");
        else if (kind < 0.04 && sizes_.E % 2 == 0 && sizes_.E > 0)
            spec.position = parse_position("rope");
        if (!spec.position.id.empty())
            say(spec.position.id);
    }

    /// Beside causal:bottom_right, which is an offset itself, it would be an error.
    void query_offset() {
        for (const auto& mask : problem_.spec.masks)
            if (mask.id == "causal" && complete_mask(mask).parameters.choice("alignment") == "bottom_right")
                return;
        const auto draw = [&] { return below(2 * sizes_.S + 1) - sizes_.L; };
        if (chance(0.25)) {
            problem_.spec.query_offset = draw();
            say("query_offset " + std::to_string(*problem_.spec.query_offset));
        } else if (chance(0.25)) {
            Tensor offsets({sizes_.B}, 0.0, DType::Int64);
            for (double& value : offsets.mutable_values())
                value = static_cast<double>(draw());
            problem_.tensors["query_offset"] = offsets;
            say("an offset for each sequence");
        }
    }

    void trees() {
        const auto& s = sizes_;
        problem_.spec.masks.push_back(parse_mask("tree"));
        say("tree");
        Tensor parents({chance(0.5) ? 1 : s.B, s.L}, 0.0, DType::Int64);
        const auto values = parents.mutable_values();
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<double>(below(static_cast<std::int64_t>(k) % s.L + 1) - 1);
        problem_.tensors["parents"] = parents;
    }

    /// Runs of tokens, with padding among them.
    void documents() {
        const auto& s = sizes_;
        problem_.spec.masks.push_back(parse_mask("documents"));
        say("documents");
        const auto ids = [&](std::int64_t columns) {
            Tensor array({chance(0.5) ? 1 : s.B, columns}, 0.0, DType::Int64);
            double id = 0;
            for (double& value : array.mutable_values()) {
                if (chance(0.1))
                    id = static_cast<double>(below(5) - 1);
                value = id;
            }
            return array;
        };
        problem_.tensors["segment_ids"] = ids(s.S);
        problem_.tensors["query_segment_ids"] = ids(s.L);
    }

    /// Masks of positions; those above and below are drawn by name, with arrays or values of their own.
    static bool is_drawn_from_table(const MaskKind& kind) {
        constexpr std::string_view named[] = {"causal", "window", "prefix", "tree", "documents", "expression"};
        return (kind.band || kind.intervals) && !kind.needs_key_grid &&
               std::ranges::find(named, kind.id) == std::end(named);
    }

    /// "dilated:14,3"
    std::string drawn_mask(const MaskKind& kind) {
        std::string text(kind.id), separator = ":";
        for (const auto& parameter : kind.parameters) {
            const auto choices = std::ssize(parameter.choices);
            const auto most = &parameter == kind.parameters.data() ? 40 : 5;
            text += separator;
            if (choices > 0)
                text += parameter.choices[static_cast<std::size_t>(below(choices))];
            else
                text += std::to_string(static_cast<std::int64_t>(parameter.minimum) + below(most));
            separator = ",";
        }
        return text;
    }

    void masks() {
        const auto& s = sizes_;
        auto& spec = problem_.spec;
        const auto add = [&](const std::string& text) {
            spec.masks.push_back(parse_mask(text));
            say(text);
        };
        if (chance(0.2))
            add(chance(0.5) ? "causal" : "causal:bottom_right");
        if (chance(0.1))
            add("window:" + std::to_string(below(60)));
        else if (chance(0.1))
            add("window:" + std::to_string(below(40) - 5) + "," + std::to_string(below(40) - 5));
        if (chance(0.1))
            add("prefix:" + std::to_string(below(60)));
        for (const auto& kind : mask_kinds())
            if (is_drawn_from_table(kind) && chance(0.06))
                add(drawn_mask(kind));
        if (chance(0.08)) {
            constexpr auto count = static_cast<std::int64_t>(std::size(test::independent::known_expressions));
            add(std::string("expression:") + test::independent::known_expressions[below(count)].text);
        }
        if (chance(0.05) && mechanism_of(spec.variant).exact_rows)
            spec.score_mod =
                chance(0.5) ? "score - 0.25 * abs(q - k)" : "where(k % 3 == 1, -inf, 2 * tanh(score / 2) + h)";
        if (chance(0.05) && spec.variant != "causal")
            spec.mask_combine = "or";
        say(spec.score_mod + (spec.mask_combine.empty() ? "" : " masks by or"));
        const bool has_trees = chance(0.06);
        if (has_trees)
            trees();
        query_offset();
        if (chance(0.06))
            documents();
        if (const bool is_square = s.L == s.S && s.S > 0; is_square && chance(0.15)) {
            const auto width = std::to_string(1 + 2 * below(6));
            add("neighborhood:" + width + (chance(0.5) ? ",clip" : ""));
            problem_.key_grid = squarest_grid(s.S);
        }
        if (chance(0.1)) {
            add("valid_lens");
            Tensor lengths(chance(0.5) ? attnlab::Shape{s.B} : attnlab::Shape{s.B, s.L}, 0.0, DType::Int64);
            for (double& value : lengths.mutable_values())
                value = static_cast<double>(below(s.S + 1));
            problem_.tensors["valid_lens"] = lengths;
        }
        if (chance(0.12)) {
            add("key_padding");
            problem_.tensors["key_padding_mask"] = booleans({s.B, s.S});
        }
        if (chance(0.2)) {
            add("attn_mask");
            spec.mask_true = chance(0.5) ? MaskTrue::Blocks : MaskTrue::Keeps;
            problem_.tensors["attn_mask"] = booleans(cells_shape());
        }
        if (chance(0.1)) {
            add("painted");
            problem_.tensors["painted_mask"] = booleans(cells_shape());
        }
        if (chance(0.35)) {
            add("attn_bias");
            problem_.tensors["attn_bias"] = bias(cells_shape());
        }
        if (chance(0.5)) {
            spec.mask_fill.value = chance(0.01) ? (chance(0.5) ? infinity : not_a_number) : shift();
            spec.mask_fill.mode = chance(0.75) ? MaskFill::Mode::Replace : MaskFill::Mode::Add;
            std::ostringstream words;
            words << (spec.mask_fill.mode == MaskFill::Mode::Add ? "added fill " : "fill ") << spec.mask_fill.value;
            say(words.str());
        }
    }

    /// NaN and infinities among queries, keys and values; rarely where they are forbidden.
    void odd_numbers() {
        if (!chance(0.12))
            return;
        for (auto& [name, tensor] : problem_.tensors) {
            const bool rows = name == "query" || name == "key" || name == "value" || name == "x" || name == "context";
            if (tensor.size() == 0 || !chance(rows ? 0.5 : name == "attn_bias" ? 0.05 : 0.0))
                continue;
            const auto count = 1 + below(3);
            for (std::int64_t k = 0; k < count; ++k)
                tensor.mutable_values()[static_cast<std::size_t>(below(tensor.size()))] =
                    one_of({infinity, -infinity, not_a_number});
            say("odd " + name);
        }
    }

    Sizes sizes_;
    AttentionProblem problem_;
};

} // namespace

Case make_case(std::uint64_t seed, std::int64_t number) {
    Maker maker(seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(number));
    Case made{.seed = seed, .number = number, .problem = maker.problem(), .sizes = {}, .words = {}};
    made.words = maker.words();
    made.sizes = maker.sizes();
    made.choices = maker.bits();
    return made;
}

double size_of(const AttentionProblem& problem) {
    try {
        const auto sizes = resolve(problem).sizes;
        double size = 1.0;
        for (const auto* symbol : {"B", "L", "S"})
            size *= static_cast<double>(sizes.at(symbol));
        for (const auto* symbol : {"H", "E"})
            if (sizes.contains(symbol))
                size *= static_cast<double>(std::max<std::int64_t>(1, sizes.at(symbol)));
        return size;
    } catch (const Error&) {
        return 0.0;
    }
}

} // namespace attnlab::differential
