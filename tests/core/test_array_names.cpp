// Compares the names in docs/file-formats.md with those that the program knows.
#include "core/recognition/array_names.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>

using namespace attnlab;

class ArrayNamesTest : public QObject {
    Q_OBJECT

    /// "w_q: q_proj.weight" for every name of the table.
    static QSet<QString> documented() {
        QFile file(QStringLiteral(ATTNLAB_SOURCE_DIR "/docs/file-formats.md"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("docs/file-formats.md cannot be read");
        QSet<QString> names;
        bool in_table = false;
        const QRegularExpression quoted("`([^`]+)`");
        for (const auto& line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (line.startsWith("## "))
                in_table = line == "## Names of arrays";
            const auto cells = line.split('|');
            if (!in_table || cells.size() != 5 || !quoted.match(cells[1]).hasMatch())
                continue;
            const auto role = quoted.match(cells[1]).captured(1);
            for (auto found = quoted.globalMatch(cells[2]); found.hasNext();)
                names << role + ": " + found.next().captured(1);
        }
        return names;
    }

private slots:
    void theDocumentHasEveryName() {
        QSet<QString> known;
        for (const auto& [ending, role, form] : known_names())
            known << QString::fromUtf8(role.data(), static_cast<qsizetype>(role.size())) + ": " +
                         QString::fromUtf8(ending.data(), static_cast<qsizetype>(ending.size()));
        auto lacking = (known - documented()).values(), invented = (documented() - known).values();
        QVERIFY2(lacking.isEmpty(), qPrintable(lacking.join(", ")));
        QVERIFY2(invented.isEmpty(), qPrintable(invented.join(", ")));
    }
};

ATTNLAB_TEST(ArrayNamesTest)
#include "test_array_names.moc"
