// Code of other languages: that it is whole and agrees with its reasons. tests/scripts/test_copied_code.py runs it.
#include "core/code/code.h"
#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QRegularExpression>
#include <QTest>

#include <map>
#include <optional>

using namespace attnlab;
using namespace attnlab::test;
using code::Language;

namespace {

std::vector<std::string> swept_masks() {
    std::vector<std::string> masks{"", "causal:bottom_right", "window:2,0", "window:-1,1", "window:inf,inf"};
    for (const auto& kind : mask_kinds())
        masks.emplace_back(kind.id);
    return masks;
}

bool is_short(const std::string& id) {
    const std::vector<std::string> long_ones = {
        "transformer",     "paged",         "linformer",      "performer",
        "longformer",      "reformer",      "global_context", "hierarchical_context",
        "dynamic_context", "given_weights", "given_scores"};
    return std::ranges::find(long_ones, id) == long_ones.end();
}

/// Flex and Sdpa are Python, too, but compute the output alone.
bool is_python(Language language) {
    return language != Language::Latex && language != Language::Command && language != Language::Flex &&
           language != Language::Sdpa;
}

/// Every bracket is closed by its own kind; brackets in texts do not count.
bool closes_brackets(const std::string& text) {
    std::string open;
    bool quoted = false;
    for (const char c : text) {
        quoted = c == '"' ? !quoted : quoted;
        if (quoted)
            continue;
        if (c == '(' || c == '[' || c == '{')
            open += c;
        if (c == ')' || c == ']' || c == '}') {
            const char begins = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (open.empty() || open.back() != begins)
                return false;
            open.pop_back();
        }
    }
    return open.empty();
}

/// What must not be in any code: holes of messages, missing numbers, words of another library.
void check_text(const std::string& text, Language language) {
    const auto shown = QString::fromStdString(text);
    QVERIFY2(!shown.contains(QRegularExpression("%[1-9]|\\$|\\?\\?|TODO|nan,|\\(\\s*,|, *,|= *$|  +\\n",
                                                QRegularExpression::MultilineOption)),
             text.c_str());
    QVERIFY(text.ends_with('\n') && !text.ends_with("\n\n"));
    if (language == Language::Flex || language == Language::Sdpa) {
        QVERIFY2(closes_brackets(text) && text.find("output = ") != text.npos, text.c_str());
        QVERIFY2(text.find("np.") == text.npos || text.find("np.load") != text.npos, text.c_str());
    }
    if (is_python(language)) {
        QVERIFY2(closes_brackets(text), text.c_str());
        for (const char* name : {"scores = ", "weights = ", "output = "})
            QVERIFY2(text.find(name) != text.npos, text.c_str());
        const bool torch = text.find("torch") != text.npos, jax = text.find("jnp") != text.npos;
        QCOMPARE(torch, language == Language::PyTorch);
        QCOMPARE(jax, language == Language::Jax);
        QVERIFY2(!torch || (text.find("axis=") == text.npos && text.find("keepdims") == text.npos), text.c_str());
    }
}

AttentionProblem problem_of(const std::string& id, const std::string& scale, const std::string& position,
                            const std::string& mask) {
    auto problem = dot_problem(2, 2, 2, 4, 4, 4, 4);
    problem.spec.variant = id;
    problem.spec.scale = parse_scale(scale);
    if (!position.empty())
        problem.spec.position = parse_position(position);
    if (!mask.empty())
        problem.spec.masks = {parse_mask(mask)};
    complete_inputs(problem, 3, true);
    return problem;
}

std::vector<std::string> swept_positions() {
    std::vector<std::string> ids{""};
    for (const auto& term : position_terms())
        ids.emplace_back(term.id);
    return ids;
}

} // namespace

class TestCode : public QObject {
    Q_OBJECT
private slots:
    void everySettingHasCodeOrAReason_data() {
        QTest::addColumn<QString>("id");
        for (const auto& variant : mechanisms())
            QTest::newRow(variant.id.data()) << QString::fromLatin1(variant.id.data());
    }
    void everySettingHasCodeOrAReason() {
        QFETCH(QString, id);
        int with_code = 0;
        for (const auto& mode : scale_modes())
            for (const auto& position : swept_positions())
                for (const auto& mask : swept_masks()) {
                    AttentionProblem problem;
                    try {
                        problem = problem_of(id.toStdString(), std::string(mode.id), position, mask);
                    } catch (const Error&) {
                        continue; // a choice that the mechanism refuses
                    }
                    const auto reasons = code::why_no_code(problem);
                    auto of_all = reasons.begin();
                    for (const auto& info : code::languages()) {
                        const auto why = code::why_no_code(problem, info.language);
                        QVERIFY(*of_all++ == why);
                        if (!why) {
                            check_text(code::code_of(problem, info.language), info.language);
                            ++with_code;
                            continue;
                        }
                        QVERIFY(!why->english().empty());
                        QVERIFY_THROWS_EXCEPTION(Error, code::code_of(problem, info.language));
                        const bool may_be_refused = !is_short(id.toStdString()) || !issues_in(problem).empty() ||
                                                    info.language == Language::Flex || info.language == Language::Sdpa;
                        QVERIFY2(may_be_refused, why->english().c_str());
                    }
                    if (issues_in(problem).empty())
                        QVERIFY(!code::why_no_code(problem, Language::Command));
                }
        QVERIFY(with_code > 0);
    }

    /// A number is written into the code; the array is read where the sequences differ.
    void offsetsHaveCode_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("position");
        for (const auto* mask : {"", "causal", "window:2", "window:2,0", "window:inf,1", "window:3,-1", "prefix:1"})
            for (const auto& position : swept_positions())
                if (*mask || !position.empty())
                    QTest::addRow("%s %s", mask, position.c_str()) << QString(mask) << QString::fromStdString(position);
    }
    void offsetsHaveCode() {
        QFETCH(QString, mask);
        QFETCH(QString, position);
        auto problem = problem_of("scaled_dot_product", "sqrt_dk", position.toStdString(), mask.toStdString());
        const auto with = [&](std::optional<std::int64_t> number, const std::vector<double>& array) {
            problem.spec.query_offset = number;
            problem.tensors.erase("query_offset");
            if (!array.empty())
                problem.tensors.emplace("query_offset", Tensor({2}, array, DType::Int64));
            std::map<Language, QString> texts;
            for (const auto& info : code::languages()) {
                if (info.language == Language::Flex && code::why_no_code(problem, info.language))
                    continue; // t5
                const auto text = code::code_of(problem, info.language);
                check_text(text, info.language);
                texts[info.language] = QString::fromStdString(text);
            }
            return texts;
        };
        const auto number = with(3, {}), same = with(std::nullopt, {3, 3}), apart = with(std::nullopt, {3, -2});
        for (const auto& info : code::languages()) {
            if (!number.contains(info.language))
                continue;
            const auto& text = number.at(info.language);
            if (info.language == Language::Command) {
                QVERIFY2(text.contains("--query-offset 3"), qPrintable(text));
                QVERIFY2(!apart.at(info.language).contains("query"), qPrintable(apart.at(info.language)));
                continue;
            }
            const bool latex = info.language == Language::Latex;
            QCOMPARE(same.at(info.language), text);
            QVERIFY2(text.contains(latex ? "i + 3" : "+ 3") && !text.contains("query_offset"), qPrintable(text));
            QVERIFY2(apart.at(info.language).contains(latex ? "i + o_b" : "query_offset["),
                     qPrintable(apart.at(info.language)));
            QVERIFY2(!text.contains("if } j &"), qPrintable(text));
        }
        problem.spec.masks.clear();
        problem.spec.position = {};
        for (const auto& info : code::languages()) // nothing uses the offset
            QVERIFY(!with(3, {}).at(info.language).contains("offset"));
    }

    void windowsWithoutLimitsAreNoCondition() {
        auto problem = problem_of("scaled_dot_product", "sqrt_dk", "", "window:inf,inf");
        for (const auto language : {Language::Latex, Language::NumPy}) {
            const auto text = code::code_of(problem, language);
            QVERIFY2(text.find("cases") == text.npos && text.find("keep =") == text.npos, text.c_str());
        }
        QVERIFY(code::code_of(problem, Language::Command).find("--mask window:-1,-1") != std::string::npos);
    }

    void shapesOfAnyRankAndSizeHaveCode() {
        for (const auto& shape :
             {Shape{4, 3}, Shape{2, 4, 3}, Shape{2, 3, 4, 3}, Shape{1, 1, 1, 1}, Shape{2, 2, 64, 16}}) {
            AttentionProblem problem;
            for (const char* name : {"query", "key", "value"})
                problem.tensors.emplace(name, random_normal(shape, 5));
            for (const auto& info : code::languages()) {
                const auto text = code::code_of(problem, info.language);
                check_text(text, info.language);
                const bool reads = text.find("np.load(\"workspace.npz\")") != text.npos;
                const auto numbers = 3 * element_count(shape);
                const bool may_read = info.language != Language::Latex && info.language != Language::Command;
                QCOMPARE(reads, may_read && numbers > code::most_numbers);
            }
        }
    }

    void whatHasNoShortCodeSaysWhy() {
        auto plain = dot_problem(1, 1, 1, 3, 3, 4, 4);
        const auto why = [](const AttentionProblem& problem, Language language = Language::NumPy) {
            const auto message = code::why_no_code(problem, language);
            return message ? QString::fromStdString(message->english()) : QString();
        };
        QVERIFY(why(plain).isEmpty());
        auto rounded = plain;
        rounded.spec.rounding = Rounding{};
        QVERIFY(why(rounded).contains("bfloat16") && why(rounded, Language::Latex).contains("bfloat16"));
        QVERIFY(why(rounded, Language::Command).isEmpty());
        auto odd = plain;
        odd.tensors.at("value").set({0, 0, 1, 1}, std::nan(""));
        QVERIFY(why(odd).contains("value has nan"));
        QVERIFY(why(odd, Language::Latex).isEmpty());
        auto empty = dot_problem(1, 1, 1, 3, 0, 4, 4);
        QVERIFY(why(empty).contains("empty"));
        auto missing = plain;
        missing.tensors.erase("value");
        for (const auto& info : code::languages())
            QVERIFY(why(missing, info.language).contains("value"));
        AttentionProblem heads;
        heads.spec.variant = "multi_head";
        complete_inputs(heads, 1);
        QVERIFY(why(heads).isEmpty());
        heads.spec.parameters.set("add_zero_attn", true);
        QVERIFY(why(heads).contains("appended"));
        heads.spec.parameters.set("add_zero_attn", false);
        heads.spec.parameters.set("dropout", 0.1);
        QVERIFY(why(heads).contains("Dropout"));
    }

    /// Only the lines that the setting needs.
    void codeIsAsShortAsTheSetting() {
        auto problem = dot_problem(1, 1, 1, 2, 2, 2, 2);
        problem.tensors = {{"query", Tensor({2, 2}, {1, 0, 0, 1})},
                           {"key", Tensor({2, 2}, {1, 0, 0, 1})},
                           {"value", Tensor({2, 2}, {1, 2, 3, 4.5})}};
        problem.spec.masks = {{"causal", {}}};
        QCOMPARE(QString::fromStdString(code::code_of(problem, Language::NumPy)),
                 QString("import numpy as np\n\n"
                         "key = np.array([[1.0, 0.0],\n"
                         "                [0.0, 1.0]])\n"
                         "query = np.array([[1.0, 0.0],\n"
                         "                  [0.0, 1.0]])\n"
                         "value = np.array([[1.0, 2.0],\n"
                         "                  [3.0, 4.5]])\n\n"
                         "query = query[None, None]\n"
                         "key = key[None, None]\n"
                         "value = value[None, None]\n\n"
                         "scores = query @ key.swapaxes(-1, -2)\n"
                         "scaled = scores / query.shape[-1] ** 0.5\n"
                         "i = np.arange(query.shape[-2])[:, None]\n"
                         "j = np.arange(key.shape[-2])\n"
                         "keep = j <= i\n"
                         "masked = np.where(keep, scaled, -np.inf)\n"
                         "weights = np.exp(masked - masked.max(axis=-1, keepdims=True))\n"
                         "weights = weights / weights.sum(axis=-1, keepdims=True)\n"
                         "output = weights @ value\n"));
        problem.spec.masks = {};
        problem.spec.scale = {"none", {}};
        const auto torch = code::code_of(problem, Language::PyTorch);
        QVERIFY(torch.ends_with("scores = query @ key.mT\nweights = torch.softmax(scores, dim=-1)\noutput = weights @ "
                                "value\n"));
    }

    /// The line for rows that read nothing is there where such a row is.
    void rowsThatReadNothing() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 4, 4);
        const auto guarded = [&] {
            return code::code_of(problem, Language::PyTorch).find("nan_to_num") != std::string::npos;
        };
        problem.spec.masks = {{"causal", {}}};
        QVERIFY(!guarded());
        problem.spec.masks.push_back({"painted", {}});
        problem.tensors.emplace("painted_mask", Tensor({3, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 0}, DType::Bool));
        QVERIFY(guarded());
        problem.spec.mask_fill.value = -1e9;
        QVERIFY(!guarded());
    }

    /// Of large problems it is said from the masks alone: nothing of size L x S is made.
    void largeProblemsAreNotComputed() {
        constexpr std::int64_t length = 1 << 17;
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({1, 1, length, 1}));
        problem.spec.masks = {parse_mask("causal"), parse_mask("window:8")};
        const auto text = code::code_of(problem, Language::Jax, "a \"long\" run.npz");
        QVERIFY(text.find("nan_to_num") == text.npos);
        QVERIFY(text.find("np.load(\"a \\\"long\\\" run.npz\")\n") != text.npos);
        problem.spec.masks = {parse_mask("causal:bottom_right")};
        problem.tensors.at("query") = Tensor({1, 1, length + 1, 1});
        QVERIFY(code::code_of(problem, Language::Jax).find("nan_to_num") != std::string::npos);
    }

    void languagesAreNamed() {
        for (const auto& info : code::languages())
            QVERIFY(code::language(info.id) == info.language);
        QVERIFY_THROWS_EXCEPTION(UnknownName, code::language("fortran"));
    }
};

ATTNLAB_TEST(TestCode)
#include "test_code.moc"
