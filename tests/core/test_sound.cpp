#include "core/model/sound.h"
#include "tests/core/io_support.h"
#include "tests/core/model_support.h"
#include "tests/core/poll_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;
using namespace model;

namespace {

/// Of Transformers' feature extractors, which round to float32 here and there.
constexpr double features_tolerance = 1e-5;

template <class Number>
QByteArray bytes_of(Number number) {
    return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

/// A WAV file; `format` 1: integers of 16 bits, 3: floats of 32 bits. `stated`: bytes of samples in its header, if
/// others.
QByteArray wav(const QByteArray& samples, std::uint16_t format, std::uint32_t rate, std::uint16_t channels = 1,
               std::int64_t stated = -1) {
    const std::uint16_t size = format == 3 ? 4 : 2;
    const auto bytes = static_cast<std::uint32_t>(stated < 0 ? samples.size() : stated);
    return "RIFF" + bytes_of<std::uint32_t>(36 + bytes) + "WAVEfmt " + bytes_of<std::uint32_t>(16) + bytes_of(format) +
           bytes_of(channels) + bytes_of(rate) + bytes_of<std::uint32_t>(rate * channels * size) +
           bytes_of<std::uint16_t>(channels * size) + bytes_of<std::uint16_t>(8 * size) + "data" + bytes_of(bytes) +
           samples;
}

QByteArray floats(std::initializer_list<float> values) {
    QByteArray bytes;
    for (const float value : values)
        bytes += bytes_of(value);
    return bytes;
}

const Frames& frames_of(const Model& model) { return *model.description().first().embedding.frames; }

/// A folder with the files of a golden model, to add others.
void copy_model(const std::string& name, const QString& to) {
    for (const auto& file : std::filesystem::directory_iterator(model_folder(name)))
        std::filesystem::copy(file.path(), to_path(to) / file.path().filename());
}

} // namespace

/// Sounds: their files, what models take of them, and the text of their letters.
class TestSound : public QObject {
    Q_OBJECT

private slots:
    void init() { QVERIFY((folder_ = std::make_unique<QTemporaryDir>())->isValid()); }

    void preparedAsByTransformers_data() {
        QTest::addColumn<QString>("name");
        const QDir models(QString::fromStdString(model_folder("").string()));
        for (const auto& name : models.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (QFile::exists(models.filePath(name + "/sound.wav")))
                QTest::addRow("%s", qPrintable(name)) << name;
    }
    void preparedAsByTransformers() {
        QFETCH(QString, name);
        const auto folder = model_folder(name.toStdString());
        const auto opened = Model::open(folder);
        const auto prepared = prepare_sound(folder / "sound.wav", frames_of(opened));
        const auto expected = input_of(name.toStdString(), expected_arrays(name.toStdString())).sound;
        QCOMPARE(prepared.sound.channels, expected->channels);
        QCOMPARE(prepared.sound.count, expected->count);
        const double off = difference(prepared.sound.values, std::span<const float>(expected->values), true);
        QVERIFY2(off <= features_tolerance, qPrintable(QString::number(off)));
        QCOMPARE(prepared.notes.empty(), name != "whisper_cut");
    }

    void framesHaveTimes() {
        const auto opened = Model::open(model_folder("wav2vec2"));
        QCOMPARE(frames_of(opened).seconds(), 0.02);
        const auto labels = frame_labels(frames_of(opened), 3);
        QCOMPARE(labels, (std::vector<std::string>{"0.00 s", "0.02 s", "0.04 s"}));
        QCOMPARE(frames_of(Model::open(model_folder("whisper"))).seconds(), 0.02);
        QCOMPARE(frames_of(opened).rows_of(400), 1);
        QCOMPARE(frames_of(opened).rows_of(399), 0);
    }

    void channelsAreAveraged() {
        const auto file = put("stereo.wav", wav(floats({0.5F, 0.25F, -1.0F, 0.0F}), 3, 16000, 2));
        const auto samples = read_sound(file);
        QCOMPARE(samples.channels, 2);
        QCOMPARE(samples.values, (std::vector<float>{0.375F, -0.5F}));
        Frames frames{.standardizes = false};
        QCOMPARE(prepare_samples(samples, frames, "stereo.wav").notes.size(), 1u);
        QCOMPARE(read_sound(file, 1).values.size(), 1u);
        QCOMPARE(read_sound(file, 1).count, 2);
    }

    void otherFormats_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("FLAC") << "tone.flac" << 0.0;
        QTest::newRow("OGG") << "tone.ogg" << 0.1;
        QTest::newRow("MP3") << "tone.mp3" << 0.1;
    }
    void otherFormats() {
        QFETCH(QString, file);
        QFETCH(double, tolerance);
        const auto expected = read_sound(data_path("sounds/tone.wav"));
        const auto found = read_sound(data_path("sounds/" + file.toStdString()));
        QCOMPARE(found.rate, expected.rate);
        QVERIFY(std::abs(found.count - expected.count) <= (tolerance > 0.0 ? 2304 : 0)); // MP3 fills up its last blocks
        double squares = 0.0, off = 0.0;
        for (std::size_t i = 0; i < std::min(found.values.size(), expected.values.size()); ++i) {
            squares += std::pow(static_cast<double>(expected.values[i]), 2);
            off += std::pow(static_cast<double>(expected.values[i] - found.values[i]), 2);
        }
        QVERIFY2(std::sqrt(off / squares) <= tolerance, qPrintable(QString::number(std::sqrt(off / squares))));
    }

    void wrongFilesAreNamed_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray() << "cannot be read as a sound";
        QTest::newRow("a text") << QByteArray("The quick brown fox") << "cannot be read as a sound";
        QTest::newRow("a header alone") << wav({}, 1, 16000) << "has no samples";
        QTest::newRow("a header cut") << wav({}, 1, 16000).left(20) << "cannot be read as a sound";
        QTest::newRow("samples cut") << wav(QByteArray(100, '\1'), 1, 16000, 1, 200)
                                     << "was cut: its header names 200 bytes of samples, and the file has 100";
        QTest::newRow("not a number") << wav(floats({0.0F, std::numeric_limits<float>::quiet_NaN()}), 3, 16000)
                                      << "has nan at 0.00 s";
        QTest::newRow("infinite") << wav(floats({std::numeric_limits<float>::infinity()}), 3, 16000)
                                  << "has inf at 0.00 s";
        QTest::newRow("another rate") << wav(QByteArray(200, '\1'), 1, 44100)
                                      << "has 44100 samples a second, and the model reads 16000";
        QTest::newRow("a few samples") << wav(QByteArray(2 * 399, '\1'), 1, 16000)
                                       << "has 399 samples, too few for one frame";
        auto cut = data_bytes("sounds/tone.flac");
        QTest::newRow("FLAC cut") << cut.left(cut.size() / 2) << "was cut";
    }
    void wrongFilesAreNamed() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto file = put("wrong.wav", bytes);
        const auto opened = Model::open(model_folder("wav2vec2"));
        const auto error = error_of([&] { prepare_sound(file, frames_of(opened)); });
        QVERIFY2(error.startsWith(QString::fromStdString(file.string())) && error.contains(message), qPrintable(error));
    }

    void aMissingFileAndAFolder() {
        QVERIFY(error_of([&] { read_sound(to_path(folder_->filePath("none.wav"))); }).contains("no such file"));
        QVERIFY(error_of([&] { read_sound(to_path(folder_->path())); }).contains("expected a sound"));
    }

    /// Its size is known before memory is asked for; of a fixed time only the beginning is read.
    void anHour() {
        constexpr std::int64_t samples = 3600 * 16000;
        const auto file = put("hour.wav", wav({}, 1, 16000, 1, 2 * samples));
        QVERIFY(QFile::resize(QString::fromStdString(file.string()), 44 + 2 * samples));
        const auto whisper = Model::open(model_folder("whisper"));
        RunControl control;
        control.memory_limit = 1 << 26;
        const auto prepared = prepare_sound(file, frames_of(whisper), control);
        QCOMPARE(prepared.sound.count, 100);
        QCOMPARE(prepared.notes.size(), 1u);
        QVERIFY(QString::fromStdString(prepared.notes.front().english()).contains("3600.00 s"));
        const auto opened = Model::open(model_folder("wav2vec2"));
        QVERIFY(error_of([&] { prepare_sound(file, frames_of(opened), control); }).contains("sound"));
        // A run counts what convolutions hold.
        Input input;
        input.sound = Sound{1, 1 << 23, std::vector<float>(1 << 23)};
        QVERIFY(!error_of([&] { opened.run(input, {}, control); }).isEmpty());
    }

    void readingIsCancelled() {
        const auto file = put("long.wav", wav(QByteArray(2 * 600000, '\1'), 1, 16000));
        const auto opened = Model::open(model_folder("wav2vec2"));
        PollWatch watch(5);
        QVERIFY_THROWS_EXCEPTION(Cancelled, read_sound(file, 0, watch.control()));
        QCOMPARE(watch.polls(), 6);
        PollWatch whole;
        const auto whisper = Model::open(model_folder("whisper"));
        prepare_sound(file, frames_of(whisper), whole.control());
        QVERIFY(whole.polls() > 100);
        QVERIFY(whole.longest() < longest_without_poll);
    }

    void preprocessorsAreChecked_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* settings, const char* message) {
            QTest::addRow("%s %s", name, settings) << name << QByteArray(settings) << message;
        };
        row("whisper", R"({"feature_size": 128, "chunk_length": 1})", "'feature_size' is 128, expected 80");
        row("whisper", R"({"feature_size": 80, "chunk_length": 30})", "'chunk_length' is 30, expected 1.00 s");
        row("whisper", R"({"feature_size": 80, "chunk_length": 1, "dither": 0.1})", "'dither' is 0.1, expected 0");
        row("whisper", R"({"feature_size": 80, "chunk_length": 1, "n_fft": 0})", "'n_fft' is 0");
        row("whisper", R"({"feature_size": 80, "chunk_length": 1, "do_normalize": true})", "'do_normalize' is true");
        row("wav2vec2", R"({"sampling_rate": -1})", "'sampling_rate' is -1");
    }
    void preprocessorsAreChecked() {
        QFETCH(QString, name);
        QFETCH(QByteArray, settings);
        QFETCH(QString, message);
        copy_model(name.toStdString(), folder_->path());
        put("preprocessor_config.json", settings);
        const auto error = error_of([&] { Model::open(to_path(folder_->path())); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void anotherRateIsThatOfThePreprocessor() {
        copy_model("wav2vec2", folder_->path());
        put("preprocessor_config.json", R"({"sampling_rate": 8000, "do_normalize": false})");
        const auto opened = Model::open(to_path(folder_->path()));
        QCOMPARE(frames_of(opened).rate, 8000);
        QCOMPARE(frames_of(opened).seconds(), 0.04);
        const auto sound = put("sound.wav", wav(QByteArray(2000, '\1'), 1, 8000));
        const auto prepared = prepare_sound(sound, frames_of(opened));
        QCOMPARE(prepared.sound.values, read_sound(sound).values);
    }

    /// The start, then what the files force; a language that they leave open ends it.
    void promptOfADecoder_data() {
        QTest::addColumn<QByteArray>("generation");
        QTest::addColumn<std::vector<std::int64_t>>("ids");
        const auto row = [](const char* generation, std::vector<std::int64_t> ids) {
            QTest::addRow("%s", generation) << QByteArray(generation) << std::move(ids);
        };
        row(R"({})", {3});
        row(R"({"forced_decoder_ids": [[1, 6], [2, 7]], "no_timestamps_token_id": 9})", {3, 6, 7, 9});
        row(R"({"forced_decoder_ids": [[1, 6], [2, 7], [3, 9]], "no_timestamps_token_id": 9})", {3, 6, 7, 9});
        row(R"({"forced_decoder_ids": [[1, null], [2, 7]], "no_timestamps_token_id": 9})", {3});
        row(R"({"no_timestamps_token_id": 9})", {3, 9});
    }
    void promptOfADecoder() {
        QFETCH(QByteArray, generation);
        QFETCH(std::vector<std::int64_t>, ids);
        copy_model("whisper", folder_->path());
        put("generation_config.json", generation);
        const auto opened = Model::open(to_path(folder_->path()));
        QCOMPARE(opened.decoder_ids({}), ids);
        // A text follows without what the tokenizer puts in front; one that has a prompt of its own is read as it is.
        auto with_text = ids;
        with_text.insert(with_text.end(), {40, 41});
        QCOMPARE(opened.decoder_ids({}, {40, 41}), with_text);
        QCOMPARE(opened.decoder_ids({}, {3, 40}), (std::vector<std::int64_t>{3, 40}));
        const auto tokens = opened.tokenizer()->encode("fox");
        QVERIFY(tokens.front().special);
        const auto target = opened.target_ids("fox");
        QCOMPARE(target.front(), tokens[1].id);
    }

    void lettersOfFrames() {
        copy_model("wav2vec2", folder_->path());
        put("vocab.json", R"({"<pad>": 0, "h": 1, "e": 2, "l": 3, "o": 4, "|": 5, "é": 6})");
        const auto opened = Model::open(to_path(folder_->path()));
        QVERIFY(spells_frames(opened));
        Result result;
        const std::vector<int> best{0, 1, 1, 0, 2, 3, 3, 0, 3, 4, 4, 5, 5, 0, 6, 8};
        result.logits = Matrix(std::ssize(best), 12);
        for (std::size_t i = 0; i < best.size(); ++i)
            result.logits.row(static_cast<std::int64_t>(i))[best[i]] = 1.0F;
        result.encoder_hidden.push_back(std::make_shared<Matrix>(std::ssize(best), 1));
        QCOMPARE(spelled_text(opened, result), std::string("hello é#8"));
        QCOMPARE(spelled_frames(opened, result), (std::vector<std::int64_t>{1, 4, 5, 8, 9, 11, 14, 15}));
        put("vocab.json", R"({"<pad>": "0"})");
        QVERIFY(error_of([&] { Model::open(to_path(folder_->path())); }).contains("vocab.json"));
    }

    void soundsThatDoNotFit() {
        const auto opened = Model::open(model_folder("whisper"));
        QVERIFY(error_of([&] { opened.run({}); }).contains("reads a sound"));
        Input input;
        input.sound = Sound{80, 50, std::vector<float>(80 * 50)};
        QVERIFY(error_of([&] { opened.run(input); }).contains("(80,100)"));
    }

private:
    std::filesystem::path put(const char* name, const QByteArray& bytes) const {
        const auto path = folder_->filePath(QString::fromLatin1(name));
        QFile::remove(path);
        put_file(path, bytes);
        return to_path(path);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

ATTNLAB_TEST(TestSound)
#include "test_sound.moc"
