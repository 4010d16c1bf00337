#include "ui/document/remembered_choices.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QStringList>

namespace attnlab::ui {
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

} // namespace attnlab::ui
