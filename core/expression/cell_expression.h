// Expressions over the cells of an attention: a mask is a condition, score_mod a number that replaces the score, and a
// combination joins masks by their names. The language is that of FlexAttention's mask_mod and score_mod (Dong et al.
// 2024, arXiv 2412.05496), written as one line; see docs/expressions.md.
#pragma once

#include "core/attention.h"
#include "core/expression/parser.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab {

/// An array that an expression reads: NAME[e, ...].
struct ArrayInExpression {
    std::string name;
    std::size_t begin = 0; ///< of its first use in the text
    /// What indexes each axis in all its uses: "b", "h", "q", "k", "qk" where queries and keys do, or "" for anything
    /// else.
    std::vector<std::string> axes;
};

/// A parsed expression. Cheap to copy.
class CellExpression {
public:
    enum class Meaning {
        Mask,        ///< a condition in b, h, q, k
        ScoreMod,    ///< a number in score, b, h, q, k
        Combination, ///< a condition in the names of masks
    };
    /// `masks` are the names that a combination can have. Throws Error: "expression: column 7: ...", "score_mod: ...",
    /// "mask_combine: ...".
    CellExpression(std::string text, Meaning meaning, std::span<const std::string> masks = {});

    const std::string& text() const { return text_; }
    Meaning meaning() const { return meaning_; }
    const ExpressionNode& root() const { return *root_; }
    /// In the order of their first use. An array with two numbers of axes is an error of the constructor.
    const std::vector<ArrayInExpression>& arrays() const { return arrays_; }
    /// True where it reads this name: "offset", "score", a mask.
    bool reads(std::string_view name) const;

private:
    std::string text_;
    Meaning meaning_;
    std::vector<std::string> masks_;
    std::shared_ptr<const ExpressionNode> root_;
    std::vector<ArrayInExpression> arrays_;

    friend class BoundExpression;
};

/// Which cell, and what it has there.
struct CellPlace {
    std::int64_t b = 0, h = 0, i = 0, j = 0; ///< batch, query head, row, key, from 0
    double score = 0.0;
    const bool* masks = nullptr; ///< of a combination: whether each mask keeps the cell
};

/// A number and its derivative with respect to the score.
struct NumberWithSlope {
    double value = 0.0, slope = 0.0;
};

/// Sizes and arrays that an expression is computed with.
struct CellContext {
    std::int64_t B = 1, H = 1, L = 1, S = 1;
    std::vector<double> offsets = {0.0}; ///< of each sequence, or one for all
    const TensorMap* tensors = nullptr;  ///< null where there are no arrays
};

/// An expression with its sizes and arrays, which it shares. Conditions are computed as far as they decide: "k >= 1 and
/// a[k - 1] > 0" reads no a[-1]. The functions throw Error for an index that is a fraction or out of range.
class BoundExpression {
public:
    /// Throws Error for an array that is missing, has another number of axes, or has numbers where truth values are
    /// expected.
    BoundExpression(const CellExpression& expression, CellContext context);

    bool keeps(const CellPlace& place) const;
    double number(const CellPlace& place) const;
    NumberWithSlope number_with_slope(const CellPlace& place) const;
    /// About how many operations one cell takes.
    std::int64_t operations() const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_;

    friend class CellExpression;
};

/// The functions of the language: the value of each of one argument, and how many arguments the others take.
struct CellFunction {
    std::string_view name;
    int fewest = 1, most = 1; ///< arguments; 0: any number
};
std::span<const CellFunction> cell_functions();

/// `text` with the names in it replaced: (name, replacement). Other languages and errors stay as they are.
std::string with_renamed_words(std::string_view text,
                               std::span<const std::pair<std::string, std::string>> replacements);

} // namespace attnlab
