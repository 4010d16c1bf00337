// Implements `attnlab grade`: compares students' answers with the stages of a problem.
#include "app/backends.h"
#include "app/command_table.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "app/verify_report.h"
#include "core/lookup.h"
#include "core/recognition/array_names.h"
#include "core/utf8.h"
#include "core/verify/grade.h"
#include "ui/document/local_files.h"
#include "ui/document/open_files.h"

#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace attnlab::app {
namespace {

namespace fs = std::filesystem;

/// One line of the report: a graded stage of a student, or the reason why there is none.
struct GradeRow {
    std::string student, file, stage;
    std::optional<verify::Grade> grade;
    std::string reason;

    const char* result() const { return !grade ? "error" : grade->is_right() ? "right" : "wrong"; }
};

/// What the hand-ins are graded by.
struct AnswerKey {
    AttentionProblem problem;
    Trace trace;
    std::string only_stage; ///< of --stage; empty: each hand-in names its own
    double tolerance = 0.0;
};

/// The stage of that name, or of a name that other programs give it ("attn_weights"); empty if there is none.
std::string stageOfArray(const Trace& trace, const std::string& name) {
    if (const auto* stage = trace.find(lowered(name)))
        return stage->name;
    const auto meaning = known_name(name);
    const bool is_result = meaning && (meaning->form == NameForm::Result || meaning->role == "weights");
    return is_result && trace.find(meaning->role) ? meaning->role : "";
}

struct FileName {
    std::string student; ///< empty for "weights.csv"
    std::string stage;   ///< empty if the name has none
};

/// "anna.weights": the longest stage at the end, after a dot, underscore, hyphen or space.
FileName splitFileName(const Trace& trace, const std::string& stem) {
    if (const auto* stage = trace.find(lowered(stem)))
        return {"", stage->name};
    for (std::size_t at = stem.find_first_of("._- "); at != stem.npos; at = stem.find_first_of("._- ", at + 1))
        if (const auto* stage = trace.find(lowered(stem.substr(at + 1))))
            return {stem.substr(0, at), stage->name};
    return {stem, ""};
}

GradeRow gradeArray(const AnswerKey& key, GradeRow row, const HeldArray& array) {
    try {
        row.grade = verify::grade(key.problem, key.trace, row.stage, array.tensor, array.name, key.tolerance);
        if (row.grade->misfit)
            row.reason = row.grade->misfit->english();
    } catch (const std::exception& error) {
        row.reason = error.what();
    }
    return row;
}

/// The rows of one file. `from_name` is the stage that the file's name has.
std::vector<GradeRow> gradeFile(const AnswerKey& key, const GradeRow& start, const fs::path& path,
                                const std::string& from_name) {
    const auto contents = ui::readHandIn(path);
    if (contents.arrays.empty())
        throw Error({ATTNLAB_TEXT("%1: holds no matrix"), {path.string()}});
    std::vector<GradeRow> rows;
    const auto add = [&](const std::string& stage, const HeldArray& array) {
        auto row = start;
        row.stage = stage;
        rows.push_back(gradeArray(key, std::move(row), array));
    };
    if (!key.only_stage.empty()) {
        const auto& array = verify::array_for(contents, *key.trace.find(key.only_stage));
        if (const auto named = stageOfArray(key.trace, array.name); !named.empty() && named != key.only_stage)
            throw Error({ATTNLAB_TEXT("%1: '%2' is the stage %3 by its name, expected %4"),
                         {path.string(), array.name, named, key.only_stage}});
        add(key.only_stage, array);
        return rows;
    }
    for (const auto& array : contents.arrays) {
        auto stage = stageOfArray(key.trace, array.name);
        if (stage.empty() && contents.arrays.size() == 1)
            stage = from_name;
        if (!stage.empty()) {
            add(stage, array);
            continue;
        }
        auto row = start;
        row.reason = "'" + array.name + "' names no stage, expected one of " + listed(key.trace.stages, &Stage::name) +
                     ", or --stage";
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Sorted; counts the hidden ones, which are left out. Throws Error.
std::vector<fs::path> visibleEntries(const fs::path& folder, std::size_t& hidden) {
    std::vector<fs::path> entries;
    try {
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().filename().string().starts_with('.'))
                ++hidden;
            else
                entries.push_back(entry.path());
    } catch (const fs::filesystem_error& error) {
        throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {folder.string(), error.code().message()}});
    }
    std::ranges::sort(entries);
    return entries;
}

/// Walks the folder of the hand-ins.
class HandIns {
public:
    HandIns(const AnswerKey& key, std::vector<fs::path> key_files) : key_(key), key_files_(std::move(key_files)) {}

    std::vector<GradeRow> gradeAll(const fs::path& folder) {
        std::size_t hidden = 0;
        for (const auto& path : visibleEntries(folder, hidden)) {
            if (fs::symlink_status(path).type() == fs::file_type::directory)
                addFolder(path);
            else
                addFile(path, path.filename().string(), {});
        }
        for (const auto& student : of_other_stages_) // with --stage, files of other stages do not count
            if (std::ranges::find(rows_, student, &GradeRow::student) == rows_.end())
                rows_.push_back({student, "", key_.only_stage, {}, "handed in no file of this stage"});
        if (rows_.empty())
            throw Error({ATTNLAB_TEXT("%1: holds no hand-ins; hidden files, which are skipped: %2"),
                         {folder.string(), std::to_string(hidden)}});
        std::ranges::stable_sort(rows_, {}, [](const GradeRow& row) { return std::tie(row.student, row.file); });
        return std::move(rows_);
    }

private:
    void addFolder(const fs::path& folder) {
        const auto student = folder.filename().string();
        std::size_t hidden = 0;
        try {
            const auto files = visibleEntries(folder, hidden);
            for (const auto& file : files)
                addFile(file, student + "/" + file.filename().string(), student);
            if (files.empty())
                throw Error({ATTNLAB_TEXT("%1: holds no hand-ins; hidden files, which are skipped: %2"),
                             {student, std::to_string(hidden)}});
        } catch (const Error& error) {
            rows_.push_back({student, "", "", {}, error.what()});
        }
    }

    /// `student` is empty for a file outside a student's folder: its name has the student.
    void addFile(const fs::path& path, const std::string& shown, const std::string& student) {
        std::error_code not_there;
        for (const auto& key_file : key_files_)
            if (fs::equivalent(path, key_file, not_there)) {
                printError("attnlab: note: " + path.string() + " is the key, not a hand-in");
                return;
            }
        const auto name = splitFileName(key_.trace, path.stem().string());
        GradeRow row{!student.empty()       ? student
                     : name.student.empty() ? path.stem().string()
                                            : name.student,
                     shown,
                     key_.only_stage.empty() ? name.stage : key_.only_stage,
                     {},
                     {}};
        // A link could show another student's file as one's own; a pipe would never end.
        const auto type = fs::symlink_status(path, not_there).type();
        if (type != fs::file_type::regular) {
            row.reason = type == fs::file_type::symlink     ? "is a symbolic link, expected a file"
                         : type == fs::file_type::directory ? "is a folder in a student's folder, expected a file"
                                                            : "is not a regular file";
            rows_.push_back(std::move(row));
            return;
        }
        if (!key_.only_stage.empty() && !name.stage.empty() && name.stage != key_.only_stage) {
            of_other_stages_.insert(row.student);
            return;
        }
        try {
            for (auto& graded : gradeFile(key_, row, path, name.stage))
                rows_.push_back(std::move(graded));
        } catch (const std::exception& error) {
            row.reason = error.what();
            rows_.push_back(std::move(row));
        }
    }

    const AnswerKey& key_;
    std::vector<fs::path> key_files_;
    std::vector<GradeRow> rows_;
    std::set<std::string> of_other_stages_;
};

std::string explanationsOf(const GradeRow& row) {
    std::string text;
    if (row.grade)
        for (const auto& explanation : row.grade->explanations)
            text += (text.empty() ? "" : " or: ") + explanation.words.english();
    return text;
}

/// "row 1, column 2", with the batch and head where there are several.
std::string placeText(const Shape& index, const Shape& shape) {
    const auto rank = index.size();
    if (rank < 2)
        return to_string(index);
    std::string text = "row " + std::to_string(index[rank - 2]) + ", column " + std::to_string(index[rank - 1]);
    const bool is_one_matrix = std::all_of(shape.begin(), shape.end() - 2, [](std::int64_t size) { return size == 1; });
    return is_one_matrix ? text : text + " of " + to_string(index);
}

void printTable(const AnswerKey& key, const std::vector<GradeRow>& rows) {
    using Line = std::array<std::string, 7>;
    std::vector<Line> lines{{"student", "stage", "result", "wrong cells", "first wrong cell", "largest", "why"}};
    for (const auto& row : rows) {
        Line line{oneLine(row.student), row.stage.empty() ? "-" : oneLine(row.stage), row.result(), "-", "-", "-"};
        if (const auto& grade = row.grade; grade && !grade->misfit) {
            line[3] = std::to_string(grade->differing) + " of " + std::to_string(grade->cells);
            line[5] = shortText(grade->largest);
            if (grade->first)
                line[4] = placeText(grade->first->index, key.trace.find(row.stage)->value.shape()) + ": " +
                          shortText(grade->first->given) + ", expected " + shortText(grade->first->exact);
        }
        line[6] = oneLine(row.reason.empty() || row.reason.find(row.file) != std::string::npos || row.file.empty()
                              ? row.reason
                              : row.file + ": " + row.reason);
        if (const auto why = explanationsOf(row); !why.empty())
            line[6] += (line[6].empty() ? "" : "; ") + oneLine(why);
        lines.push_back(std::move(line));
    }
    const auto width = [](const std::string& text) { return QString::fromStdString(text).toUcs4().size(); };
    std::array<qsizetype, 6> widths{};
    for (const auto& line : lines)
        for (std::size_t column = 0; column < widths.size(); ++column)
            widths[column] = std::max(widths[column], width(line[column]));
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t column = 0; column < widths.size(); ++column)
            text += line[column] + std::string(static_cast<std::size_t>(widths[column] - width(line[column])) + 2, ' ');
        text += line.back();
        printOut("%s\n", text.substr(0, text.find_last_not_of(' ') + 1).c_str());
    }
    const auto count = [&](std::string_view result) {
        return std::to_string(std::ranges::count(rows, result, &GradeRow::result));
    };
    printOut("%s right, %s wrong, %s not graded; a cell is right if |given - exact| <= T + T |exact|, T = %s\n",
             count("right").c_str(), count("wrong").c_str(), count("error").c_str(), shortText(key.tolerance).c_str());
}

QJsonValue textJson(const std::string& text) { return text.empty() ? QJsonValue() : ui::fromFileName(text); }

void printAsJson(const AnswerKey& key, const std::vector<GradeRow>& rows) {
    QJsonArray all;
    for (const auto& row : rows) {
        QJsonObject one{{"student", textJson(row.student)},
                        {"file", textJson(row.file)},
                        {"stage", textJson(row.stage)},
                        {"result", row.result()},
                        {"reason", textJson(row.reason)}};
        if (const auto& grade = row.grade) {
            QJsonArray explanations;
            for (const auto& explanation : grade->explanations)
                explanations.append(QJsonObject{{"id", textJson(explanation.id)},
                                                {"text", textJson(explanation.words.english())},
                                                {"largest_difference", jsonOf(explanation.largest)}});
            one["explanations"] = explanations;
            if (grade->not_looked)
                one["note"] = textJson(grade->not_looked->english());
            if (!grade->misfit) {
                one["cells"] = qint64(grade->cells);
                one["wrong_cells"] = qint64(grade->differing);
                one["largest_difference"] = jsonOf(grade->largest);
            }
            if (grade->first)
                one["first"] = QJsonObject{{"index", jsonOf(grade->first->index)},
                                           {"given", jsonOf(grade->first->given)},
                                           {"expected", jsonOf(grade->first->exact)}};
        }
        all.append(one);
    }
    printJson({{"tolerance", jsonOf(key.tolerance)}, {"hand_ins", all}});
}

/// A name that a spreadsheet would compute begins with an apostrophe: it comes from a student.
std::string withoutFormula(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
        text.insert(text.begin(), '\'');
    return text;
}

std::string csvField(const std::string& text) {
    std::string quoted = oneLine(text);
    for (std::size_t at = 0; (at = quoted.find('"', at)) != quoted.npos; at += 2)
        quoted.insert(at, 1, '"');
    return quoted.find_first_of(",;\"") == quoted.npos ? quoted : '"' + quoted + '"';
}

void printCsv(const std::vector<GradeRow>& rows) {
    printOut("student,file,stage,result,cells,wrong_cells,first_index,given,expected,largest_difference,"
             "explanation,reason\n");
    for (const auto& row : rows) {
        std::array<std::string, 12> fields{withoutFormula(row.student), withoutFormula(row.file),
                                           withoutFormula(row.stage), row.result()};
        if (const auto& grade = row.grade; grade && !grade->misfit) {
            fields[4] = std::to_string(grade->cells);
            fields[5] = std::to_string(grade->differing);
            if (const auto& first = grade->first) {
                fields[6] = listed(first->index, [](std::int64_t at) { return std::to_string(at); });
                fields[7] = to_text(first->given);
                fields[8] = to_text(first->exact);
            }
            fields[9] = to_text(grade->largest);
        }
        fields[10] = withoutFormula(explanationsOf(row));
        fields[11] = withoutFormula(row.reason);
        std::string line;
        for (const auto& field : fields)
            line += (&field == fields.data() ? "" : ",") + csvField(field);
        printOut("%s\n", line.c_str());
    }
}

/// Explains once that no known mistake was tried.
void printNotLooked(const std::vector<GradeRow>& rows) {
    for (const auto& row : rows)
        if (row.grade && row.grade->not_looked)
            return printError("attnlab: note: " + row.grade->not_looked->english());
}

} // namespace

int gradeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Compares students' answers with the result for --against. A student hands in a file, or a folder with a "
        "file for each stage. The stage is in the name of the array or of the file: anna.weights.csv, "
        "anna/weights.csv. Symbolic links are not followed. Exit code: 0 all right, 1 one could not be graded, 3 one "
        "is wrong.");
    parser.addPositionalArgument("FOLDER", "The hand-ins: arrays, tables, lists, LaTeX or Markdown.", "grade FOLDER");
    addSpecOptions(parser);
    parser.addOptions({{"against", "Inputs, as of compute. May be given several times.", "FILE"},
                       {"stage", "The stage of the answers. Default: by the names of arrays and files.", "NAME"},
                       {"tolerance", "T in |given - exact| <= T + T |exact|; default 1e-2.", "T", "1e-2"},
                       {"json", "Print JSON; what is not finite is a text: \"inf\", \"nan\"."},
                       {"csv", "Print a table with every digit, separated by commas."}});
    parser.allowSeveral({"against"});
    if (!parse(parser, arguments))
        return 0;
    const auto folders = parser.positionalArguments();
    if (folders.size() != 1)
        throw UsageError("grade: has " + std::to_string(folders.size()) + " folders, expected one FOLDER of hand-ins");
    required(parser, "against");
    if (parser.isSet("json") && parser.isSet("csv"))
        throw UsageError("--csv: goes to standard output, as --json does");
    AnswerKey key;
    key.tolerance = readTolerance(parser.value("tolerance"));
    const auto folder = ui::toPath(folders.front());
    std::error_code unreadable;
    if (!fs::is_directory(folder, unreadable))
        throw Error({ATTNLAB_TEXT("%1: is not a folder, expected a folder of hand-ins"), {folder.string()}});

    const InputFiles inputs(parser.values("against"));
    key.problem = readProblem(parser, inputs.names());
    key.problem.compared_with.reset();
    key.trace = compute(key.problem, allBackends()).trace;
    if (parser.isSet("stage"))
        key.only_stage = chosenStage(parser, key.trace).name;
    std::vector<fs::path> key_files;
    for (const auto& name : inputs.names())
        key_files.push_back(ui::toPath(name));
    const auto rows = HandIns(key, std::move(key_files)).gradeAll(folder);
    printWarnings(key.trace.notes);
    printNotLooked(rows);
    parser.isSet("json") ? printAsJson(key, rows) : parser.isSet("csv") ? printCsv(rows) : printTable(key, rows);
    const auto has = [&](std::string_view result) {
        return std::ranges::find(rows, result, &GradeRow::result) != rows.end();
    };
    return has("error") ? 1 : has("wrong") ? 3 : 0;
}

} // namespace attnlab::app
