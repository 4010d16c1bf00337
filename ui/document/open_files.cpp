#include "ui/document/open_files.h"

#include "core/inputs.h"
#include "core/io/csv.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/resolved_problem.h"
#include "core/stages/mask.h"
#include "ui/document/local_files.h"

#include <filesystem>
#include <QByteArray>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QStringList>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attnlab::ui {
namespace {

/// The most important ones first: decisions, unused arrays, then how the others are read.
std::vector<ArrayRemark> remarksOn(const Recognition& recognition, const AttentionProblem& problem) {
    std::vector<ArrayRemark> remarks;
    for (const auto& note : recognition.notes)
        remarks.push_back({ArrayRemark::Kind::Decided, note});
    auto unused = recognition.unused;
    const auto unread = unread_arrays(recognition, problem);
    unused.insert(unused.end(), unread.begin(), unread.end());
    for (const auto& array : unused)
        remarks.push_back({ArrayRemark::Kind::Unused, array.why, array.name});
    for (const auto& use : read_arrays(recognition, problem))
        if (!use.how.empty())
            remarks.push_back({ArrayRemark::Kind::ReadAs, use.how, use.name});
    return remarks;
}

/// Makes the missing inputs; remarks on them come before all others.
void completeNamed(OpenedFiles& opened, const RunControl& control) {
    try {
        std::vector<ArrayRemark> made;
        for (const auto& name : complete_inputs(opened.problem, input_seed, false, control))
            made.push_back({ArrayRemark::Kind::Made,
                            Message{ATTNLAB_TEXT("%1 is not in the files: random numbers stand in for it"), {name}}});
        opened.remarks.insert(opened.remarks.begin(), made.begin(), made.end());
    } catch (const Error&) { // the run reports the error
    }
}

OpenedFiles newDocument(std::shared_ptr<const Contents> contents, const Recognition& recognition, const QString& title,
                        const Choices& choices, const RunControl& control) {
    OpenedFiles opened;
    opened.problem = recognition.problem;
    opened.replaces = true;
    opened.title = title;
    opened.view_json = recognition.view_json;
    opened.remarks = remarksOn(recognition, opened.problem);
    if (recognition.is_workspace) {
        opened.settings_alone = contents->arrays.empty();
        return opened;
    }
    opened.contents = std::move(contents);
    opened.choices = choices;
    const bool lacks = lacking(recognition, opened.problem).has_value();
    opened.unclear = recognition.question(Question::Kind::Heads) || recognition.question(Question::Kind::Group) ||
                     (lacks && recognition.question(Question::Kind::Roles));
    if (opened.unclear)
        return opened;
    if (lacks)
        completeNamed(opened, control);
    opened.problem.tensors = adopted_tensors(opened.problem);
    return opened;
}

/// Row labels of a table become the token labels of the tensor's rows.
void label(AttentionProblem& problem, const std::string& tensor, const std::vector<std::string>& labels) {
    for (const auto& input : inputs_of(problem.spec))
        if (const auto axis = input.name == tensor ? row_tokens(input) : std::nullopt)
            (*axis == Axis::Query ? problem.query_tokens : problem.key_tokens) = labels;
}

/// Switches on a mask whose array was read.
void turnOn(AttentionSpec& spec, const std::string& role) {
    for (const auto& kind : mask_kinds())
        if (const auto* input = find_input(kind.inputs, role); input && input->required &&
                                                               !refusal_of_mask(mechanism_of(spec.variant), kind.id) &&
                                                               !lookup(spec.masks, kind.id))
            spec.masks.push_back({std::string(kind.id), {}});
}

OpenedFiles joined(const Contents& contents, const Recognition& recognition, const AttentionProblem& present,
                   const QString& shown_tensor) {
    OpenedFiles opened;
    opened.problem = present;
    auto& problem = opened.problem;
    for (const auto& use : recognition.used)
        for (const auto& role : use.roles())
            if (const auto found = recognition.problem.tensors.find(role); found != recognition.problem.tensors.end()) {
                problem.tensors.insert_or_assign(role, found->second);
                if (recognition.problem.spec.mask_true == MaskTrue::Keeps && role == "attn_mask")
                    problem.spec.mask_true = MaskTrue::Keeps;
                turnOn(problem.spec, role);
                opened.tensor = QString::fromStdString(role);
            }
    opened.remarks = remarksOn(recognition, problem);
    if (!opened.tensor.isEmpty()) {
        const auto inputs = inputs_of(problem.spec);
        if (!find_input(inputs, opened.tensor.toStdString()) && contents.arrays.size() == 1)
            throw Error({ATTNLAB_TEXT("%1: is %2, which %3 does not read, expected some of %4"),
                         {contents.arrays.front().name, opened.tensor.toStdString(), problem.spec.variant,
                          listed(inputs_of(problem.spec), &Input::name)}});
    } else if (contents.arrays.size() == 1 && !shown_tensor.isEmpty()) {
        opened.tensor = shown_tensor;
        opened.remarks.clear();
        problem.tensors.insert_or_assign(shown_tensor.toStdString(), contents.arrays.front().tensor);
    } else if (contents.arrays.size() > 0) {
        throw Error(
            {ATTNLAB_TEXT("%1: holds the arrays %2, expected some of %3"),
             {contents.arrays.front().file, held_text(contents), listed(inputs_of(present.spec), &Input::name)}});
    }
    for (const auto& use : recognition.used) {
        const auto* labels = use.labels_in(recognition.problem);
        if (!labels)
            continue;
        if (!opened.tensor.isEmpty())
            label(problem, opened.tensor.toStdString(), *labels);
        else
            (use.role == "key_tokens" ? problem.key_tokens : problem.query_tokens) = *labels;
    }
    return opened;
}

/// As the user chose for such files before, if that still fits.
std::pair<Recognition, Choices> recogniseAsBefore(const Contents& contents, const RunControl& control) {
    if (const auto kept = contents.workspace ? std::nullopt : rememberedChoices(contents)) {
        try {
            auto recognition = recognise(contents, *kept, &control);
            recognition.notes.insert(recognition.notes.begin(),
                                     Message{ATTNLAB_TEXT("read as you chose for files with such arrays")});
            return {std::move(recognition), *kept};
        } catch (const Error&) { // these files differ nevertheless
        }
    }
    return {recognise(contents, {}, &control), Choices{}};
}

/// `more` together with `known`, whose problem lacks inputs; nullptr unless each array of both has a use in it.
std::shared_ptr<const Contents> completed(const Contents& known, const Contents& more, const RunControl& control) {
    if (more.workspace || known.workspace || more.capture || known.capture)
        return nullptr;
    auto both = std::make_shared<Contents>(known);
    for (const auto& array : more.arrays) {
        if (lookup(both->arrays, array.name, &HeldArray::name))
            return nullptr;
        both->arrays.push_back(array);
    }
    both->labels.insert(both->labels.end(), more.labels.begin(), more.labels.end());
    both->others.insert(both->others.end(), more.others.begin(), more.others.end());
    try {
        const auto recognition = recognise(*both, {}, &control);
        const bool clear = recognition.unused.empty() && !recognition.question(Question::Kind::Roles);
        return clear ? both : nullptr;
    } catch (const Error&) { // they do not belong together
        return nullptr;
    }
}

bool lacksInputs(const Contents& contents, const RunControl& control) {
    try {
        const auto alone = recognise(contents, {}, &control);
        return !alone.is_workspace && lacking(alone, alone.problem).has_value();
    } catch (const Error&) {
        return false; // to be reported
    }
}

} // namespace

OpenedFiles openCompleting(const QStringList& paths, const std::shared_ptr<const Contents>& known,
                           const QStringList& known_paths, const QString& title, const RunControl& control) {
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths)
        files.push_back(toPath(path));
    const auto more = io::read_contents(files, {.control = &control});
    const auto both = lacksInputs(more, control) ? completed(*known, more, control) : nullptr;
    if (!both)
        return openFiles(paths, nullptr, {}, control);
    auto opened = openContents(both, title, {}, control);
    opened.files = known_paths + paths;
    return opened;
}

OpenedFiles openFiles(const QStringList& paths, const AttentionProblem* present, const QString& shown_tensor,
                      const RunControl& control) {
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths)
        files.push_back(toPath(path));
    const auto stamp = io::stamp_of(files.front());
    auto contents = std::make_shared<const Contents>(io::read_contents(files, {.control = &control}));
    if (contents->arrays.empty() && contents->labels.empty() && !contents->workspace)
        throw Error({ATTNLAB_TEXT("%1: holds no arrays"), {files.front().string()}});
    const auto [recognition, choices] = recogniseAsBefore(*contents, control);
    const auto begun = std::count_if(recognition.used.begin(), recognition.used.end(),
                                     [](const UsedArray& use) { return use.begins_problem(); });
    const bool is_new = recognition.is_workspace || !lacking(recognition, recognition.problem) || begun > 1 ||
                        recognition.question(Question::Kind::Group) || recognition.question(Question::Kind::Heads) ||
                        (begun == 0 && recognition.question(Question::Kind::Roles) && contents->arrays.size() > 1);
    if (present && !is_new)
        return joined(*contents, recognition, *present, shown_tensor);
    auto opened = newDocument(contents, recognition, displayFileName(paths.first()), choices, control);
    opened.files = paths;
    if (recognition.is_workspace && paths.size() == 1 && io::stores_workspaces(files.front(), &control)) {
        opened.path = paths.first();
        opened.stamp = stamp;
    }
    return opened;
}

OpenedFiles openContents(std::shared_ptr<const Contents> contents, const QString& title, const Choices& choices,
                         const RunControl& control) {
    const auto recognition = recognise(*contents, choices, &control);
    return newDocument(std::move(contents), recognition, title, choices, control);
}

namespace {

constexpr int most_kept = 50;

/// One key for all files with such arrays, of any length.
QString keyOf(const Contents& contents) {
    QStringList arrays;
    for (const auto& array : contents.arrays)
        arrays << QString::fromStdString(array.name) + QLatin1Char('/') + QString::number(array.tensor.rank());
    arrays.sort();
    const auto text = arrays.join(QLatin1Char('\n')).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex());
}

constexpr const char* settings_group = "arrays";

} // namespace

std::optional<Choices> rememberedChoices(const Contents& contents) {
    QSettings settings;
    settings.beginGroup(QLatin1String(settings_group));
    const auto json = QJsonDocument::fromJson(settings.value(keyOf(contents)).toByteArray()).object();
    if (json.isEmpty())
        return std::nullopt;
    Choices choices;
    choices.variant = json["variant"].toString().toStdString();
    choices.layout = json["layout"].toString().toStdString();
    for (auto [name, count] : {std::pair{"num_heads", &choices.num_heads}, {"num_kv_heads", &choices.num_kv_heads}})
        if (const auto value = json[QLatin1String(name)]; value.isDouble())
            *count = value.toInteger();
    if (json.contains(QLatin1String("prefix")))
        choices.group = json["prefix"].toString().toStdString();
    const auto roles = json["roles"].toObject();
    for (auto role = roles.begin(); role != roles.end(); ++role)
        choices.roles[role.key().toStdString()] = role.value().toString().toStdString();
    return choices;
}

void rememberChoices(const Contents& contents, const Choices& choices) {
    QJsonObject roles;
    for (const auto& [array, input] : choices.roles)
        roles[QString::fromStdString(array)] = QString::fromStdString(input);
    QJsonObject json{{"variant", QString::fromStdString(choices.variant)},
                     {"layout", QString::fromStdString(choices.layout)},
                     {"roles", roles}};
    if (choices.num_heads)
        json["num_heads"] = static_cast<qint64>(*choices.num_heads);
    if (choices.num_kv_heads)
        json["num_kv_heads"] = static_cast<qint64>(*choices.num_kv_heads);
    if (choices.group)
        json["prefix"] = QString::fromStdString(*choices.group);
    QSettings settings;
    settings.beginGroup(QLatin1String(settings_group));
    const auto key = keyOf(contents);
    if (!settings.contains(key) && settings.childKeys().size() >= most_kept)
        settings.remove(QString()); // removes the whole group: no choices are better than wrong ones
    settings.setValue(key, QJsonDocument(json).toJson(QJsonDocument::Compact));
}

namespace {

/// The lists of a JSON object by their names, or one list called `stem`; the readers of files take neither.
Contents readMatrixFile(const std::filesystem::path& path, const std::string& stem) {
    const auto text = io::read_file(path, io::largest_text);
    Contents contents;
    const auto hold = [&](const std::string& name, std::string_view list) {
        contents.arrays.push_back({name, io::read_table(list, path.string()).values, path.string(), false});
    };
    const auto object =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()))).object();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        if (!entry->isArray())
            throw Error(
                {ATTNLAB_TEXT("%1: '%2' is not a list of numbers"), {path.string(), entry.key().toStdString()}});
        hold(entry.key().toStdString(), QJsonDocument(entry->toArray()).toJson(QJsonDocument::Compact).toStdString());
    }
    if (object.isEmpty())
        hold(stem, text);
    return contents;
}

} // namespace

Contents readHandIn(const std::filesystem::path& path) {
    static const QStringList texts{QStringLiteral(".json"), QStringLiteral(".md"), QStringLiteral(".tex"),
                                   QStringLiteral(".m"), QStringLiteral(".py")};
    const auto* format = io::format_of(path);
    const bool is_text = texts.contains(fromPath(path.extension()), Qt::CaseInsensitive);
    if (is_text && (!format || !format->holds_arrays))
        return readMatrixFile(path, path.stem().string());
    return io::read_contents(std::span(&path, 1));
}

} // namespace attnlab::ui
