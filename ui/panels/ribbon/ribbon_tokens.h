// The tokens of a map of weights, and what texts call them.
#pragma once

#include "core/attention.h"
#include "core/explain/reading_words.h"

#include <QCoreApplication>
#include <QString>

#include <vector>

namespace attnlab::ui {

/// Tokens without a label are numbers, as in the matrix.
class RibbonTokens {
    Q_DECLARE_TR_FUNCTIONS(RibbonTokens)
public:
    RibbonTokens() = default;
    /// Of a stage (B,H,query,key).
    RibbonTokens(const Trace& trace, const Stage& weights);

    enum class Side { Queries, Keys };
    int count(Side side) const { return static_cast<int>(line(side).shown.size()); }
    /// As on a chip.
    const QString& shown(Side side, int token) const { return line(side).shown[static_cast<std::size_t>(token)]; }
    /// “the” (6): the whole label and its index.
    QString full(Side side, int token) const;
    /// True when the keys are the queries' tokens, maybe with further ones at the end that the mechanism appended.
    bool oneLine() const { return one_line_; }
    bool haveWords() const { return !queries_.labels.isEmpty(); }

    /// With labels of more than `longest` letters elided; 0: whole.
    explain::ReadingNames names(int query, int longest) const;
    /// The same chips at the same places.
    bool operator==(const RibbonTokens& other) const {
        return one_line_ == other.one_line_ && queries_.labels == other.queries_.labels &&
               keys_.labels == other.keys_.labels && queries_.shown.size() == other.queries_.shown.size() &&
               keys_.shown.size() == other.keys_.shown.size();
    }

private:
    struct Line {
        QStringList labels; ///< empty: numbers
        std::vector<QString> shown;
        std::vector<bool> repeated; ///< another token has the same label

        Line() = default;
        Line(const std::vector<std::string>& tokens, std::int64_t count);
        bool hasLabel(int token) const { return token < labels.size() && !labels[token].isEmpty(); }
    };
    const Line& line(Side side) const { return side == Side::Queries ? queries_ : keys_; }
    static QString quoted(const Line& line, int token, int longest);

    Line queries_, keys_;
    bool one_line_ = false;
};

} // namespace attnlab::ui
