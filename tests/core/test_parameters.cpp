#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr std::string_view colours[] = {"red", "green"};
const Parameter declared[] = {
    {.name = "count", .type = ParameterType::Integer, .default_text = "3", .minimum = 1, .maximum = 9},
    {.name = "size", .type = ParameterType::Real, .default_text = "0.5", .minimum = 0, .minimum_excluded = true},
    {.name = "on", .type = ParameterType::Boolean, .default_text = "true"},
    {.name = "rows", .type = ParameterType::IntegerList, .default_text = "0,3", .minimum = 0},
    {.name = "colour", .type = ParameterType::Choice, .default_text = "green", .choices = colours},
};

const Parameter& find(const QString& name) {
    return *std::ranges::find(declared, name.toStdString(), &Parameter::name);
}

/// Every parameter of every table, with the name of its owner.
std::vector<std::pair<std::string, const Parameter*>> all_declared() {
    std::vector<std::pair<std::string, const Parameter*>> all;
    const auto add = [&](const auto& table) {
        for (const auto& row : table)
            for (const auto& parameter : row.parameters)
                all.emplace_back(row.id, &parameter);
    };
    add(mechanisms());
    add(scale_modes());
    add(position_terms());
    add(mask_kinds());
    return all;
}

} // namespace

class ParametersTest : public QObject {
    Q_OBJECT
private slots:
    void reads_values_within_range_data();
    void reads_values_within_range();
    void writes_what_it_reads_data();
    void writes_what_it_reads();
    void completes_and_checks_given_values();
    void tells_types_apart();
    void declares_readable_defaults_and_help();
};

void ParametersTest::reads_values_within_range_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value"); // as text; empty: refused
    const auto row = [](const char* name, const char* text, const char* value) {
        QTest::addRow("%s=%s", name, text) << name << text << value;
    };
    row("count", "1", "1");
    row("rows", "0,3", "0,3");
    row("rows", " 4 , 0 ", "4,0");
    for (const auto* text : {"0,", "0,,3", "-1", "1.5", "0;3"})
        row("rows", text, "");
    row("count", "9", "9");
    row("count", "+4", "4");
    for (const auto* text : {"0", "10", "", " 4", "4 ", "4.0", "four", "-1", "+-4", "++4", "99999999999999999999"})
        row("count", text, "");
    row("size", "1e-300", "1e-300");
    row("size", "2", "2");
    for (const auto* text : {"0", "-1", "nan", "inf", "1e999", "1,5", "", "0x10"})
        row("size", text, "");
    row("on", "true", "true");
    row("on", "0", "false");
    for (const auto* text : {"yes", "True", "2", ""})
        row("on", text, "");
    row("colour", "red", "red");
    for (const auto* text : {"blue", "Red", ""})
        row("colour", text, "");
}

void ParametersTest::reads_values_within_range() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, value);
    const QMap<QString, QString> ranges = {{"count", "an integer in [1, 9]"},
                                           {"size", "a finite number in (0, inf)"},
                                           {"on", "true or false"},
                                           {"rows", "integers in [0, inf), separated by commas"},
                                           {"colour", "one of red, green"}};
    const auto& parameter = find(name);
    ParameterValue read;
    const auto complaint = error_of([&] { read = parse_value(parameter, text.toStdString(), "owner"); });
    if (value.isEmpty())
        QCOMPARE(complaint, QStringLiteral("owner: parameter %1 is '%2', expected %3").arg(name, text, ranges[name]));
    else
        QCOMPARE(QString::fromStdString(to_text(read)), value);
}

void ParametersTest::writes_what_it_reads_data() {
    QTest::addColumn<double>("value");
    for (const double value : {0.1, 1.0 / 3.0, 1e-308, 5e-324, 1.7976931348623157e308, 1e22, 123456789.125, 7.0})
        QTest::addRow("%.17g", value) << value;
}

void ParametersTest::writes_what_it_reads() {
    QFETCH(double, value);
    QVERIFY(parse_value(find("size"), to_text(ParameterValue(value)), "owner") == ParameterValue(value));
    QCOMPARE(to_text(infinity), std::string("inf"));
    QCOMPARE(to_text(-infinity), std::string("-inf"));
    QCOMPARE(to_text(not_a_number), std::string("nan"));
}

void ParametersTest::completes_and_checks_given_values() {
    ParameterValues given;
    given.set("size", std::int64_t{2}); // an integer is accepted as a number
    const auto complete = with_defaults(declared, given, "owner");
    QCOMPARE(complete.integer("count"), std::int64_t{3});
    QCOMPARE(complete.real("size"), 2.0);
    QCOMPARE(complete.boolean("on"), true);
    QCOMPARE(complete.choice("colour"), std::string("green"));

    const auto complaint = [&](const char* name, ParameterValue value) {
        ParameterValues values;
        values.set(name, std::move(value));
        return error_of([&] { with_defaults(declared, values, "owner"); });
    };
    QCOMPARE(complaint("count", 2.0), QStringLiteral("owner: parameter count is '2', expected an integer in [1, 9]"));
    QCOMPARE(complaint("count", std::int64_t{10}),
             QStringLiteral("owner: parameter count is '10', expected an integer in [1, 9]"));
    QCOMPARE(complaint("size", not_a_number),
             QStringLiteral("owner: parameter size is 'nan', expected a finite number in (0, inf)"));
    QCOMPARE(complaint("on", std::int64_t{1}), QStringLiteral("owner: parameter on is '1', expected true or false"));
    QCOMPARE(complaint("colour", std::string("blue")),
             QStringLiteral("owner: parameter colour is 'blue', expected one of red, green"));
    QCOMPARE(complaint("weight", 1.0),
             QStringLiteral("owner: has no parameter 'weight'; it has: count, size, on, rows, colour"));
}

void ParametersTest::tells_types_apart() {
    QCOMPARE(std::get<IntegerList>(parse_value(find("rows"), " ", "owner")), IntegerList{});
    ParameterValues values;
    values.set("n", std::int64_t{1});
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, values.real("n"));
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, values.integer("m"));
    values.erase("n");
    values.erase("n");
    QVERIFY(!values.find("n"));
    QVERIFY(parse_argument(declared, "", "owner") == ParameterValues());
    QCOMPARE(parse_argument(declared, "5", "owner").integer("count"), std::int64_t{5});
}

void ParametersTest::declares_readable_defaults_and_help() {
    const auto all = all_declared();
    QVERIFY(all.size() > 10);
    for (const auto& [owner, parameter] : all) {
        const auto value = parse_value(*parameter, parameter->default_text, owner);
        QCOMPARE(to_text(value), std::string(parameter->default_text));
        QVERIFY2(*parameter->title && *parameter->help, parameter->name.data());
    }
}

ATTNLAB_TEST(ParametersTest)
#include "test_parameters.moc"
