#include "core/lessons/lesson_draft.h"

#include "core/lessons/saved_board.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace attnlab::lessons {
namespace {

using Ordered = nlohmann::ordered_json;

/// Keeps the order of members, in which options are shown.
struct OrderedJson {
    Ordered operator()(const JsonNode::Items& items) const {
        auto list = Ordered::array();
        for (const auto& item : items)
            list.push_back(of(item));
        return list;
    }
    Ordered operator()(const JsonNode::Members& members) const {
        auto object = Ordered::object();
        for (const auto& [key, member] : members)
            object[key] = of(member);
        return object;
    }
    Ordered operator()(const auto& value) const { return value; }

    static Ordered of(const JsonNode& node) { return std::visit(OrderedJson(), node.held()); }
};

std::string dumped(const Ordered& value) { return value.dump(-1, ' ', false, Ordered::error_handler_t::replace); }

Ordered parsed(const DraftJson& text) { return Ordered::parse(text.text()); }

/// Takes a list of strings out of an object; anything else stays there, for the loader to report.
std::vector<std::string> taken_strings(Ordered& object, const char* key) {
    std::vector<std::string> strings;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() ||
        !std::ranges::all_of(*found, [](const Ordered& item) { return item.is_string(); }))
        return strings;
    for (const auto& item : *found)
        strings.push_back(item.get<std::string>());
    object.erase(key);
    return strings;
}

std::optional<DraftQuestion> taken_question(Ordered& object) {
    const auto found = object.find("question");
    if (found == object.end() || !found->is_object())
        return std::nullopt;
    auto node = *found;
    DraftQuestion question;
    if (const auto options = node.find("options"); options != node.end() && options->is_object()) {
        for (const auto& [id, right] : options->items())
            question.options.push_back({id, right.is_string() ? right.get<std::string>() : dumped(right)});
        node.erase("options");
    }
    if (const auto covers = node.find("covers"); covers != node.end() && covers->is_boolean()) {
        question.covers = covers->get<bool>();
        node.erase("covers");
    }
    question.other = DraftJson(dumped(node));
    object.erase("question");
    return question;
}

bool is_same(const Ordered& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && *found == "same";
}

/// Puts what "same" stands for in its place. `before` is the step before, without "same".
void resolve(Ordered& step, const Ordered& before) {
    const auto take = [&](const char* key) {
        if (before.contains(key))
            step[key] = before.at(key);
        else
            step.erase(key);
    };
    if (is_same(step, "inputs")) {
        take("inputs");
        if (!step.contains("train"))
            take("train");
    }
    if (is_same(step, "settings"))
        take("settings");
}

/// The reverse, for two steps without "same".
void fold(Ordered& step, const Ordered& before) {
    const auto equal = [&](const char* key) {
        return step.contains(key) && before.contains(key) && step.at(key) == before.at(key);
    };
    if (!equal("inputs") || (before.contains("train") && !step.contains("train")))
        return;
    step["inputs"] = "same";
    if (equal("settings"))
        step["settings"] = "same";
}

DraftStep draft_step_from(const std::string& id, Ordered object) {
    DraftStep step;
    step.id = id;
    object.erase("id");
    step.live = taken_strings(object, "live");
    step.checks = taken_strings(object, "checks");
    step.first_checks = taken_strings(object, "first_checks");
    step.question = taken_question(object);
    step.board = DraftJson(dumped(object));
    return step;
}

/// One line of a text file, and the number of # of a heading of the lesson; 0 in code and for other lines.
struct DraftLine {
    std::string text;
    std::size_t heading = 0;
};

constexpr std::string_view code_fence = "```";

std::size_t heading_marks(std::string_view line) {
    constexpr std::size_t most = 3;
    const auto marks = std::min(line.find_first_not_of('#'), line.size());
    return marks > 0 && marks <= most && marks < line.size() && line[marks] == ' ' ? marks : 0;
}

std::vector<DraftLine> draft_lines(std::string_view text) {
    std::vector<DraftLine> lines;
    bool code = false;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        std::erase(line, '\r');
        if (line.starts_with(code_fence))
            code = !code;
        const auto marks = code ? 0 : heading_marks(line);
        lines.push_back({std::move(line), marks});
    }
    return lines;
}

std::string without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string()
                              : std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string replaced_in_lines(const std::string& text, const auto& change) {
    std::string result;
    bool code = false;
    for (const auto& line : draft_lines(text)) {
        if (line.text.starts_with(code_fence))
            code = !code;
        result += (result.empty() ? "" : "\n") + (code ? line.text : change(line.text));
    }
    return result;
}

/// A field cannot begin a new part of the file: what looks like a heading, or an option, is escaped. Code is closed.
std::string field_in_file(const std::string& field) {
    auto text = replaced_in_lines(without_blanks(field),
                                  [](const std::string& line) { return heading_marks(line) > 0 ? "\\" + line : line; });
    const auto lines = draft_lines(text);
    if (std::ranges::count_if(lines, [](const auto& line) { return line.text.starts_with(code_fence); }) % 2 != 0)
        text += "\n" + std::string(code_fence);
    return text;
}

std::string field_from_file(const std::string& text) {
    return without_blanks(replaced_in_lines(text, [](const std::string& line) {
        return line.starts_with('\\') && heading_marks(std::string_view(line).substr(1)) > 0 ? line.substr(1) : line;
    }));
}

constexpr std::string_view option_mark = "- ";

std::string options_escaped(const std::string& text) {
    std::string result;
    for (const auto& line : draft_lines(text))
        result += (result.empty() ? "" : "\n") + (line.text.starts_with(option_mark) ? "\\" + line.text : line.text);
    return result;
}

std::string options_restored(const std::string& text) {
    std::string result;
    for (const auto& line : draft_lines(text)) {
        const bool escaped = line.text.starts_with("\\- ");
        result += (result.empty() ? "" : "\n") + (escaped ? line.text.substr(1) : line.text);
    }
    return result;
}

std::string one_line(const std::string& text) {
    auto line = text;
    std::ranges::replace(line, '\n', ' ');
    return without_blanks(line);
}

/// Splits "ID: words".
std::pair<std::string, std::string> named_words(std::string_view text) {
    const auto colon = std::min(text.find(':'), text.size());
    return {without_blanks(text.substr(0, colon)), without_blanks(text.substr(std::min(colon + 1, text.size())))};
}

/// Reads a text file as far as it goes.
class DraftTextReader {
public:
    DraftTextReader(Draft& draft, const std::string& language, std::string_view text)
        : draft_(draft), language_(language), lines_(draft_lines(text)) {
        std::string content;
        std::size_t level = 0;
        std::string heading;
        for (const auto& line : lines_) {
            if (line.heading == 0) {
                content += line.text + "\n";
                continue;
            }
            take(level, heading, content);
            level = line.heading;
            heading = without_blanks(std::string_view(line.text).substr(line.heading));
            content.clear();
        }
        take(level, heading, content);
    }

private:
    void take(std::size_t level, const std::string& heading, const std::string& content) {
        if (level == 1)
            draft_.titles[language_] = {heading, field_from_file(content)};
        else if (level == 2)
            take_step(heading, content);
        else if (level == 3 && step_)
            take_part(heading, content);
    }

    void take_step(const std::string& heading, const std::string& content) {
        const auto [id, title] = named_words(heading);
        const auto found = std::ranges::find(draft_.steps, id, &DraftStep::id);
        step_ = found == draft_.steps.end() ? nullptr : &*found;
        if (!step_)
            return;
        text_ = &step_->texts[language_];
        text_->title = title;
        text_->body = field_from_file(content);
    }

    void take_part(const std::string& heading, const std::string& content) {
        constexpr std::string_view card = "card ";
        if (heading == "question") {
            take_question(content);
        } else if (heading == "hint") {
            text_->hint = field_from_file(content);
        } else if (heading == "answer") {
            text_->answer = field_from_file(content);
        } else if (heading.starts_with(card)) {
            text_->cards.insert(named_words(std::string_view(heading).substr(card.size())));
        } else {
            text_->sections.emplace_back(heading, field_from_file(content));
        }
    }

    void take_question(const std::string& content) {
        std::string question;
        std::vector<std::string> options;
        for (const auto& line : draft_lines(content))
            if (line.text.starts_with(option_mark))
                options.push_back(line.text.substr(option_mark.size()));
            else
                (options.empty() ? question : options.back()) += "\n" + line.text;
        text_->question = options_restored(field_from_file(question));
        if (!step_->question)
            step_->question.emplace();
        for (const auto& option : options) {
            auto [id, words] = named_words(option);
            auto& known = step_->question->options;
            if (std::ranges::find(known, id, &DraftOption::id) == known.end())
                known.push_back({id, {}});
            text_->options[id] = options_restored(field_from_file(words));
        }
    }

    Draft& draft_;
    const std::string& language_;
    std::vector<DraftLine> lines_;
    DraftStep* step_ = nullptr;
    DraftText* text_ = nullptr;
};

std::string text_file(std::string_view language) { return std::string(language) + ".md"; }

} // namespace

/// Writes the files of a draft and notes where its fields are.
class DraftWriter {
public:
    DraftWriter(const Draft& draft, WrittenDraft& written) : draft_(draft), written_(written) {
        begin("scene.json");
        write_scenes();
        end();
        for (const auto language : languages) {
            if (!draft.has_language(language))
                continue;
            language_ = language;
            begin(text_file(language));
            write_texts();
            end();
        }
    }

private:
    void begin(const std::string& file) {
        file_ = file;
        text_.clear();
        line_ = 1;
    }
    void end() { written_.texts_[file_] = std::move(text_); }

    void put(std::string_view text) {
        text_ += text;
        line_ += static_cast<int>(std::ranges::count(text, '\n'));
    }
    /// What is written next belongs to a field.
    void mark(const std::string& field) {
        written_.places_[file_].insert_or_assign(line_, DraftPlace{step_, language_, field});
    }

    /// Short values in one line, others with a line for each member.
    void put_value(const Ordered& value, int indent) {
        constexpr std::size_t longest = 100;
        const auto compact = dumped(value);
        const bool numbers =
            value.is_array() && std::ranges::none_of(value, [](const Ordered& item) { return item.is_structured(); });
        if (!value.is_structured() || numbers || compact.size() <= longest) {
            put(compact);
            return;
        }
        const std::string before(static_cast<std::size_t>(indent) + 2, ' ');
        const char* between = value.is_array() ? "[\n" : "{\n";
        for (const auto& [key, item] : value.items()) {
            put(std::exchange(between, ",\n") + before + (value.is_array() ? "" : dumped(key) + ": "));
            put_value(item, indent + 2);
        }
        put("\n" + std::string(static_cast<std::size_t>(indent), ' ') + (value.is_array() ? "]" : "}"));
    }

    void write_scenes() {
        put("{\n  \"version\": 1,\n");
        step_ = DraftPlace::lesson;
        if (!draft_.group.empty()) {
            mark("group");
            put("  \"group\": " + dumped(draft_.group) + ",\n");
        }
        put("  \"steps\": [");
        Ordered before = Ordered::object();
        for (step_ = 0; step_ < draft_.steps.size(); ++step_) {
            auto board = parsed(draft_.steps[step_].board);
            const auto whole = board;
            if (step_ > 0)
                fold(board, before);
            before = whole;
            put(step_ > 0 ? ",\n    {" : "\n    {");
            write_step(draft_.steps[step_], board);
            put("\n    }");
        }
        put("\n  ]\n}\n");
    }

    void write_step(const DraftStep& step, const Ordered& board) {
        mark("board");
        put("\n      \"id\": " + dumped(step.id));
        for (const auto& [key, value] : board.items()) {
            put(",\n");
            mark("board");
            put("      " + dumped(key) + ": ");
            put_value(value, 6);
        }
        if (!step.live.empty() || !board.contains("live")) {
            put(",\n");
            mark("live");
            put("      \"live\": " + dumped(step.live));
        }
        write_list("checks", step.checks);
        write_list("first_checks", step.first_checks);
        if (step.question)
            write_question(*step.question);
    }

    void write_list(const std::string& key, const std::vector<std::string>& items) {
        if (items.empty())
            return;
        put(",\n      \"" + key + "\": [");
        for (std::size_t k = 0; k < items.size(); ++k) {
            put(k > 0 ? ",\n" : "\n");
            mark(key + " " + std::to_string(k));
            put("        " + dumped(items[k]));
        }
        put("\n      ]");
    }

    void write_question(const DraftQuestion& question) {
        put(",\n");
        mark("options");
        put("      \"question\": {\n        \"options\": {");
        for (std::size_t k = 0; k < question.options.size(); ++k) {
            put(k > 0 ? ",\n" : "\n");
            mark("right " + question.options[k].id);
            put("          " + dumped(question.options[k].id) + ": " + dumped(question.options[k].right));
        }
        put("\n        }");
        if (!question.covers)
            put(",\n        \"covers\": false");
        const auto other = parsed(question.other);
        for (const auto& [key, value] : other.items()) {
            put(",\n");
            mark("options");
            put("        " + dumped(key) + ": ");
            put_value(value, 8);
        }
        put("\n      }");
    }

    void put_field(const std::string& field, const std::string& text) {
        mark(field);
        put(text + "\n");
    }

    void write_texts() {
        step_ = DraftPlace::lesson;
        const auto title = draft_.titles.find(language_);
        const DraftTitle words = title == draft_.titles.end() ? DraftTitle() : title->second;
        put_field("title", "# " + one_line(words.title));
        put_field("summary", field_in_file(words.summary));
        for (step_ = 0; step_ < draft_.steps.size(); ++step_) {
            const auto& step = draft_.steps[step_];
            const auto text = step.texts.find(language_);
            write_text(step, text == step.texts.end() ? DraftText() : text->second);
        }
    }

    void write_text(const DraftStep& step, const DraftText& text) {
        put("\n");
        put_field("title", "## " + step.id + ": " + one_line(text.title));
        put_field("body", field_in_file(text.body));
        if (step.question)
            write_question_text(*step.question, text);
        for (const auto& [id, words] : text.cards)
            if (const auto line = one_line(words); !line.empty()) {
                put("\n");
                put_field("card " + id, "### card " + id + ": " + line);
            }
        for (const auto& [heading, words] : text.sections) {
            put("\n");
            put_field("section " + heading, "### " + one_line(heading) + "\n" + field_in_file(words));
        }
    }

    void write_question_text(const DraftQuestion& question, const DraftText& text) {
        put("\n");
        put_field("question", "### question\n" + options_escaped(field_in_file(text.question)));
        for (const auto& option : question.options) {
            const auto words = text.options.find(option.id);
            put_field("option " + option.id,
                      "- " + option.id + ": " +
                          (words == text.options.end() ? "" : options_escaped(field_in_file(words->second))));
        }
        for (const auto& [part, words] : {std::pair{"hint", &text.hint}, {"answer", &text.answer}})
            if (const auto field = field_in_file(*words); !field.empty()) {
                put("\n");
                put_field(part, "### " + std::string(part) + "\n" + field);
            }
    }

    const Draft& draft_;
    WrittenDraft& written_;
    std::string file_, text_, language_;
    std::size_t step_ = DraftPlace::lesson;
    int line_ = 1;
};

WrittenDraft::WrittenDraft(const Draft& draft) { DraftWriter(draft, *this); }

LessonFiles WrittenDraft::files(LessonFiles resources) const {
    resources.in_lesson = [texts = texts_](const std::string& name) {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
    return resources;
}

DraftPlace WrittenDraft::place_of(const Mistake& mistake) const {
    const auto name = mistake.file.substr(mistake.file.rfind('/') + 1);
    const auto file = places_.find(name);
    if (file == places_.end())
        return {};
    const auto after = file->second.upper_bound(mistake.line);
    return after == file->second.begin() ? DraftPlace{} : std::prev(after)->second;
}

bool Draft::has_language(std::string_view language) const {
    const auto title = titles.find(language);
    if (title != titles.end() && !(title->second == DraftTitle()))
        return true;
    return std::ranges::any_of(steps, [&](const DraftStep& step) {
        const auto text = step.texts.find(language);
        return text != step.texts.end() && !text->second.empty();
    });
}

Draft read_draft(const LessonFiles& files) {
    const auto scenes = files.in_lesson("scene.json");
    if (!scenes)
        throw LessonError("scene.json", 0, ATTNLAB_TEXT("is missing"));
    const auto json = parse_json(*scenes, "scene.json");
    Draft draft;
    if (const auto* group = json.root().find("group"))
        draft.group = group->text();
    Ordered before = Ordered::object();
    for (const auto& node : json.root().at("steps").items()) {
        auto object = OrderedJson()(node.members());
        resolve(object, before);
        before = object;
        std::vector<std::string> ids;
        std::ranges::transform(draft.steps, std::back_inserter(ids), &DraftStep::id);
        draft.steps.push_back(draft_step_from(free_id(node.at("id").text(), ids), std::move(object)));
    }
    for (const auto language : languages)
        if (const auto text = files.in_lesson(text_file(language)))
            DraftTextReader(draft, std::string(language), *text);
    return draft;
}

namespace {

std::int64_t numbers_in(const TensorMap& tensors) {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : tensors)
        count += tensor.size();
    return count;
}

} // namespace

DraftStep draft_step_of(const lab::Scene& scene, const lab::BoardSpec& view) {
    auto count = numbers_in(scene.tensors);
    for (const auto& setting : scene.settings)
        count += numbers_in(setting.tensors);
    if (count > most_step_numbers)
        throw Error({ATTNLAB_TEXT("The inputs have %1 numbers; a step of a lesson holds at most %2."),
                     {std::to_string(count), std::to_string(most_step_numbers)}});
    LessonFiles files;
    files.in_lesson = [text = scene_json_of(scene, view)](const std::string& name) {
        return name == "scene.json" ? std::optional(text) : std::nullopt;
    };
    return read_draft(files).steps.front();
}

void set_board(DraftStep& step, const lab::Scene& scene, const lab::BoardSpec& view, bool keep_inputs) {
    auto object = parsed(step.board);
    const auto board = parsed(draft_step_of(scene, view).board);
    constexpr const char* inputs[] = {"inputs", "settings", "train"};
    constexpr const char* shown[] = {"board", "cards",     "stage", "setting", "show", "curve", "axis",  "colors",
                                     "pin",   "highlight", "token", "query",   "at",   "tile",  "costs", "over"};
    const auto take = [&](const char* key) {
        object.erase(key);
        if (board.contains(key))
            object[key] = board.at(key);
    };
    if (!keep_inputs)
        std::ranges::for_each(inputs, take);
    std::ranges::for_each(shown, take);
    step.board = DraftJson(dumped(object));
}

std::string free_id(const std::string& wish, const std::vector<std::string>& others) {
    auto id = wish;
    for (int number = 2; std::ranges::find(others, id) != others.end(); ++number)
        id = wish + "_" + std::to_string(number);
    return id;
}

void insert_step(Draft& draft, std::size_t index, DraftStep step) {
    std::vector<std::string> ids;
    std::ranges::transform(draft.steps, std::back_inserter(ids), &DraftStep::id);
    step.id = free_id(step.id, ids);
    draft.steps.insert(draft.steps.begin() + static_cast<std::ptrdiff_t>(std::min(index, draft.steps.size())),
                       std::move(step));
}

Draft only_step(const Draft& draft, std::size_t step) {
    auto one = draft;
    one.steps = {draft.steps.at(step)};
    return one;
}

} // namespace attnlab::lessons
