// Compares docs/file-formats.md with the readers.
#include "core/io/elements.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/safetensors.h"
#include "core/io/saved/figure_file.h"
#include "core/io/saved/workspace_file.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_draft.h"
#include "core/lessons/lesson_text.h"
#include "tests/core/io_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QLocale>
#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const std::map<QString, qint64> limits = {
    {"ReadLimits::max_elements", io::ReadLimits{}.max_elements},
    {"ReadLimits::max_bytes", io::ReadLimits{}.max_bytes},
    {"ReadLimits::map_from", io::ReadLimits{}.map_from},
    {"largest_rank", static_cast<qint64>(io::largest_rank)},
    {"largest_npy_header", io::largest_npy_header},
    {"largest_safetensors_header", io::largest_safetensors_header},
    {"largest_text", io::largest_text},
    {"most_labels", io::most_labels},
    {"longest_label", io::longest_label},
    {"longest_name", io::longest_name},
    {"JsonLimits::max_bytes", io::JsonLimits{}.max_bytes},
    {"JsonLimits::max_values", io::JsonLimits{}.max_values},
    {"JsonLimits::max_depth", static_cast<qint64>(io::JsonLimits{}.max_depth)},
    {"largest_view", io::largest_view},
    {"largest_figure", io::largest_figure},
    {"largest_figure_settings", io::largest_figure_settings},
    {"largest_figure_arrays", io::largest_figure_arrays},
    {"largest_lesson_text", static_cast<qint64>(lessons::largest_lesson_text)},
    {"longest_step_text", static_cast<qint64>(lessons::longest_step_text)},
    {"longest_title", static_cast<qint64>(lessons::longest_title)},
    {"longest_summary", static_cast<qint64>(lessons::longest_summary)},
    {"longest_paragraph", static_cast<qint64>(lessons::longest_paragraph)},
    {"longest_word", static_cast<qint64>(lessons::longest_word)},
    {"most_lines", static_cast<qint64>(lessons::most_lines)},
    {"deepest_nesting", static_cast<qint64>(lessons::deepest_nesting)},
    {"most_options", static_cast<qint64>(lessons::most_options)},
    {"longest_filled_number", static_cast<qint64>(lessons::longest_filled_number)},
    {"longest_filled_numbers", static_cast<qint64>(lessons::longest_filled_numbers)},
    {"most_text_cells", lessons::most_text_cells},
    {"most_steps", static_cast<qint64>(lessons::most_steps)},
    {"most_settings", static_cast<qint64>(lab::most_settings)},
    {"most_cards", static_cast<qint64>(lessons::most_cards)},
    {"most_scene_tokens", static_cast<qint64>(lessons::most_scene_tokens)},
    {"most_step_numbers", lessons::most_step_numbers},
    {"longest_expression", static_cast<qint64>(longest_expression)},
};

} // namespace

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    void theDocumentHasThoseOfTheCode() {
        const auto document = QString::fromUtf8(file_bytes(ATTNLAB_SOURCE_DIR "/docs/file-formats.md"));
        static const QRegularExpression row("^\\| [^|]+ \\| ([0-9,]+) \\| `([^`]+)` \\|$",
                                            QRegularExpression::MultilineOption);
        std::map<QString, qint64> documented;
        for (auto rows = row.globalMatch(document); rows.hasNext();) {
            const auto found = rows.next();
            documented.emplace(found.captured(2), found.captured(1).remove(',').toLongLong());
        }
        for (const auto& [name, limit] : limits)
            QVERIFY2(documented.contains(name) && documented.at(name) == limit,
                     qPrintable(name + " is " + QLocale::c().toString(limit)));
        QCOMPARE(documented.size(), limits.size());
    }

    void theDocumentHasEverySuffix() {
        const auto document = QString::fromUtf8(file_bytes(ATTNLAB_SOURCE_DIR "/docs/file-formats.md"));
        for (const auto& suffix : io::readable_suffixes())
            QVERIFY2(document.contains("`." + QString::fromStdString(suffix) + '`'), suffix.c_str());
    }

    /// Everything that a workspace may contain can be read: two axes of labels and the rest.
    void limitsGoTogether() {
        QVERIFY(2 * io::most_labels < io::JsonLimits{}.max_values);
        QVERIFY(io::largest_view + io::longest_label < io::JsonLimits{}.max_bytes);
    }
};

ATTNLAB_TEST(TestLimits)
#include "test_limits.moc"
