// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/media_case.h"
#include "io/npz.h"
#include "support/bad_pictures.h"
#include "support/test_program.h"

#include <QDir>
#include <QImage>
#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

QString pictureFolder(const QString& name)
{
    return MediaCase(QStringLiteral("pictures"), name).folder();
}

QStringList pictureArguments(const QString& name, const QString& run, const QString& output)
{
    return MediaCase(QStringLiteral("pictures"), name).arguments(run, output);
}

QString unusualPicture(const QString& name)
{
    return QStringLiteral(ATTN_TEST_DATA "/unusual-pictures/") + name;
}

// A JPEG with an EXIF orientation behind its start.
QByteArray turned(const QByteArray& jpeg, char orientation)
{
    const QByteArray tiff =
        QByteArray("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19) + orientation + QByteArray(6, '\0');
    const QByteArray exif = QByteArray("Exif\0\0", 6) + tiff;
    return jpeg.first(2) + QByteArray("\xFF\xE1\0", 3) + static_cast<char>(exif.size() + 2) + exif + jpeg.sliced(2);
}

// The picture that a run on a file has kept.
QImage keptPicture(const QString& picture)
{
    const QTemporaryDir folder;
    const QString output = folder.filePath(QStringLiteral("out.npz"));
    const CommandResult result = runProgram({QStringLiteral("trace"), pictureFolder(QStringLiteral("vit-bare")),
                                             QStringLiteral("--image"), picture, QStringLiteral("--output"), output});
    if (result.status != 0 || !result.errors.isEmpty()) {
        qWarning() << result.errors;
        return {};
    }
    const NpyArray pixels = *NpzReader(output.toStdString()).find("source_image");
    const std::vector<std::int64_t> values = pixels.integers();
    QImage image(static_cast<int>(pixels.shape()[1]), static_cast<int>(pixels.shape()[0]), QImage::Format_RGB888);
    auto value = values.begin();
    for (int y = 0; y < image.height(); ++y) {
        for (int i = 0; i < 3 * image.width(); ++i)
            image.scanLine(y)[i] = static_cast<uchar>(*value++);
    }
    return image;
}

bool isNear(QRgb one, QRgb other, int distance)
{
    return std::abs(qRed(one) - qRed(other)) <= distance && std::abs(qGreen(one) - qGreen(other)) <= distance
        && std::abs(qBlue(one) - qBlue(other)) <= distance;
}

// A copy of a case's model, with its own file of settings for pictures; empty: none.
QString modelWith(const QTemporaryDir& folder, const QString& name, const QByteArray& preprocessor)
{
    const QString model = folder.filePath(name);
    QDir().mkpath(model);
    const QDir stored(pictureFolder(name));
    for (const QString& file : {QStringLiteral("config.json"), QStringLiteral("model.safetensors")})
        QFile::copy(stored.filePath(file), model + QLatin1Char('/') + file);
    if (!preprocessor.isEmpty())
        write(model + QStringLiteral("/preprocessor_config.json"), preprocessor);
    return model;
}

// One of the two halves of clip-gelu as a model of its own.
QString halfOfClip(const QTemporaryDir& folder, const QString& half)
{
    const QDir whole(pictureFolder(QStringLiteral("clip-gelu")));
    const QString model = folder.filePath(half);
    QDir().mkpath(model);
    QFile::copy(whole.filePath(QStringLiteral("preprocessor_config.json")),
                model + QStringLiteral("/preprocessor_config.json"));
    const QJsonObject config = QJsonDocument::fromJson(read(whole.filePath(QStringLiteral("config.json")))).object();
    write(model + QStringLiteral("/config.json"),
          QJsonDocument(config[half + QStringLiteral("_config")].toObject()).toJson());
    const QByteArray stored = read(whole.filePath(QStringLiteral("model.safetensors")));
    constexpr qsizetype lengthSize = 8;
    const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(stored.data()));
    const QJsonObject tensors = QJsonDocument::fromJson(stored.mid(lengthSize, length)).object();
    QJsonObject kept;
    QByteArray data;
    for (const QString& name : tensors.keys()) {
        if (!name.startsWith(half == QLatin1String("vision") ? QStringLiteral("vis") : QStringLiteral("text")))
            continue; // vision_model., visual_projection.
        QJsonObject tensor = tensors[name].toObject();
        const QJsonArray offsets = tensor[QStringLiteral("data_offsets")].toArray();
        const auto begin = static_cast<qsizetype>(offsets[0].toDouble());
        const auto size = static_cast<qsizetype>(offsets[1].toDouble()) - begin;
        tensor[QStringLiteral("data_offsets")] = QJsonArray{qint64{data.size()}, qint64{data.size() + size}};
        data += stored.mid(lengthSize + length + begin, size);
        kept[name] = tensor;
    }
    const QByteArray header = QJsonDocument(kept).toJson(QJsonDocument::Compact);
    QByteArray bytes(lengthSize, '\0');
    qToLittleEndian(static_cast<quint64>(header.size()), bytes.data());
    write(model + QStringLiteral("/model.safetensors"), bytes + header + data);
    return model;
}

} // namespace

// Every case below tests/data/pictures against what another implementation computed with PyTorch and Pillow, and
// pictures that are not read.
class TestCliPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyArrayIsAsExpected_data()
    {
        MediaCase::addRuns(QStringLiteral("pictures"));
        QVERIFY(MediaCase::names(QStringLiteral("pictures")).size() >= 30);
    }
    void everyArrayIsAsExpected()
    {
        QFETCH(QString, name);
        QFETCH(QString, run);
        MediaCase(QStringLiteral("pictures"), name).compareRun(run);
    }

    void anArchiveSaysWhichPictureItIsOf()
    {
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const QString name = QStringLiteral("vit-pairs");
        QCOMPARE(runProgram(pictureArguments(name, QStringLiteral("forced"), output)).status, 0);
        const NpzReader found(output.toStdString());
        const auto metadata = QByteArray::fromStdString(found.find("metadata")->texts().front());
        const QJsonObject image = QJsonDocument::fromJson(metadata)[QStringLiteral("image")].toObject();
        const QImage picture(pictureFolder(name) + QStringLiteral("/picture.png"));
        QCOMPARE(image[QStringLiteral("width")].toInt(), picture.width());
        QCOMPARE(image[QStringLiteral("file")].toString(), QStringLiteral("picture.png"));
        QCOMPARE(image[QStringLiteral("sha256")].toString().size(), 64);
        QCOMPARE(image[QStringLiteral("crop")].toArray().size(), 4);
        QCOMPARE(found.find("source_image")->shape(), (NpyArray::Shape{picture.height(), picture.width(), 3}));
    }

    // The status, and whether one line says so; nothing is written.
    void picturesThatAreNotReadAreNamed_data()
    {
        addColumns<QByteArray, QByteArray>("bytes", "said");
        for (const BadPicture& one : badPictures())
            QTest::newRow(one.name) << one.bytes << QByteArray(one.said);
        if (!QImageReader::supportedImageFormats().contains("webp"))
            QTest::newRow("WebP without its reader")
                << read(unusualPicture(QStringLiteral("two-frames.webp"))) << QByteArray("qt6-image-formats-plugins");
    }
    void picturesThatAreNotReadAreNamed()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, said);
        const QTemporaryDir folder;
        const QString picture = folder.filePath(QStringLiteral("picture.png"));
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        write(picture, bytes);
        const CommandResult result =
            runProgram({QStringLiteral("trace"), pictureFolder(QStringLiteral("vit-bare")), QStringLiteral("--image"),
                        picture, QStringLiteral("--output"), output});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine(), result.errors);
        QVERIFY2(result.errors.contains(said), result.errors);
        QVERIFY(!QFile::exists(output));
    }

    void theOptionThatIsMeantIsNamed()
    {
        const QString vit = pictureFolder(QStringLiteral("vit-bare"));
        const QString picture = vit + QStringLiteral("/picture.png");
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const auto run = [&](const QStringList& arguments) {
            return runProgram(QStringList{QStringLiteral("trace")} + arguments
                              + QStringList{QStringLiteral("--output"), output});
        };
        const CommandResult text = run({vit, QStringLiteral("--text"), QStringLiteral("a dog")});
        QCOMPARE(text.status, 2);
        QVERIFY2(text.errors.contains("--image"), text.errors);
        const CommandResult image = run({caseFolder("bert-tiny"), QStringLiteral("--image"), picture});
        QVERIFY2(image.status != 0 && image.hasOneErrorLine(), image.errors);
        for (const char* edit : {"source:0=grey", "source:3=token:5", "source:3=word:dog", "source:99=grey"}) {
            const CommandResult edited =
                run({vit, QStringLiteral("--image"), picture, QStringLiteral("--edit"), QString::fromLatin1(edit)});
            QVERIFY2(edited.status == 2, edited.errors);
        }
    }

    void whatIsUnusualIsReadRight_data()
    {
        QTest::addColumn<QImage>("image");
        QTest::addColumn<QList<int>>("pixel"); // at 0, 0
        QImage wide(3, 2, QImage::Format_RGBA64);
        wide.fill(Qt::black);
        wide.setPixelColor(0, 0, QColor::fromRgba64(32768, 128, 129, 65535));
        QTest::newRow("16 bits") << wide << QList<int>{128, 0, 1};
        QImage palette(2, 2, QImage::Format_Indexed8);
        palette.setColorTable({qRgba(10, 20, 30, 0), qRgba(10, 20, 30, 128)});
        palette.fill(1);
        QTest::newRow("a palette with transparency") << palette << QList<int>{132, 137, 142};
        QImage one(1, 1, QImage::Format_RGB32);
        one.fill(qRgb(1, 2, 3));
        QTest::newRow("one pixel") << one << QList<int>{1, 2, 3};
    }
    void whatIsUnusualIsReadRight()
    {
        QFETCH(QImage, image);
        QFETCH(QList<int>, pixel);
        const QTemporaryDir folder;
        const QString picture = folder.filePath(QStringLiteral("picture.png"));
        QVERIFY(image.save(picture));
        const QRgb found = keptPicture(picture).pixel(0, 0);
        QCOMPARE((QList<int>{qRed(found), qGreen(found), qBlue(found)}), pixel);
    }

    // Files that Pillow has written.
    void otherFilesAreReadRight_data()
    {
        addColumns<QString, QRgb>("file", "colour");
        QTest::newRow("animated GIF: the first frame") << QStringLiteral("two-frames.gif") << qRgb(255, 0, 0);
        if (QImageReader::supportedImageFormats().contains("webp"))
            QTest::newRow("animated WebP: the first frame") << QStringLiteral("two-frames.webp") << qRgb(255, 0, 0);
        if (QImageReader::supportedImageFormats().contains("webp"))
            QTest::newRow("WebP that stands on its side") << QStringLiteral("turned.webp") << qRgb(0, 0, 255);
        QTest::newRow("CMYK") << QStringLiteral("cmyk.jpg") << qRgb(46, 190, 131);
    }
    void otherFilesAreReadRight()
    {
        QFETCH(QString, file);
        QFETCH(QRgb, colour);
        const QImage kept = keptPicture(unusualPicture(file));
        QCOMPARE(kept.size(), QSize(16, 16));
        QVERIFY(isNear(kept.pixel(5, 5), colour, 1)); // Qt rounds CMYK down
    }

    // Places of the quadrants red, green, blue and white of a stored picture when it is upright.
    void picturesAreUpright_data()
    {
        QTest::addColumn<char>("orientation");
        QTest::addColumn<QByteArray>("quadrants"); // row by row
        QTest::addRow("1") << char(1) << QByteArray("rgbw");
        QTest::addRow("2") << char(2) << QByteArray("grwb");
        QTest::addRow("3") << char(3) << QByteArray("wbgr");
        QTest::addRow("4") << char(4) << QByteArray("bwrg");
        QTest::addRow("5") << char(5) << QByteArray("rbgw");
        QTest::addRow("6") << char(6) << QByteArray("brwg");
        QTest::addRow("7") << char(7) << QByteArray("wgbr");
        QTest::addRow("8") << char(8) << QByteArray("gwrb");
    }
    void picturesAreUpright()
    {
        QFETCH(char, orientation);
        QFETCH(QByteArray, quadrants);
        const QTemporaryDir folder;
        const QString picture = folder.filePath(QStringLiteral("turned.jpg"));
        write(picture, turned(read(unusualPicture(QStringLiteral("quadrants.jpg"))), orientation));
        const QImage kept = keptPicture(picture);
        QCOMPARE(kept.size(), orientation < 5 ? QSize(32, 16) : QSize(16, 32));
        const QMap<char, QRgb> colours{
            {'r', qRgb(255, 0, 0)}, {'g', qRgb(0, 255, 0)}, {'b', qRgb(0, 0, 255)}, {'w', qRgb(255, 255, 255)}};
        for (int i = 0; i < 4; ++i) {
            const QRgb pixel = kept.pixel(kept.width() / 4 * (1 + i % 2 * 2), kept.height() / 4 * (1 + i / 2 * 2));
            QVERIFY(isNear(pixel, colours[quadrants[i]], 12));
        }
    }

    void whatIsAssumedWithoutAPreprocessorIsSaid()
    {
        const QTemporaryDir folder;
        const QString model = modelWith(folder, QStringLiteral("vit-bare"), {});
        const CommandResult info = runProgram({QStringLiteral("info"), model});
        QCOMPARE(info.status, 0);
        QVERIFY2(info.output.contains("assumed"), info.output);
        const CommandResult trace =
            runProgram({QStringLiteral("trace"), model, QStringLiteral("--image"),
                        pictureFolder(QStringLiteral("vit-bare")) + QStringLiteral("/picture.png"),
                        QStringLiteral("--output"), folder.filePath(QStringLiteral("out.npz"))});
        QVERIFY2(trace.status == 0, trace.errors);
    }

    void gridsThatDoNotFitAreRefused_data()
    {
        addColumns<QString, QByteArray>("model", "preprocessor");
        QTest::newRow("smaller than a patch")
            << QStringLiteral("vit-bare") << QByteArray(R"({"size": {"height": 2, "width": 2}})");
        QTest::newRow("other positions") << QStringLiteral("vit-pairs")
                                         << QByteArray(R"({"size": {"height": 64, "width": 64}})");
        QTest::newRow("other cells") << QStringLiteral("captioner-soft")
                                     << QByteArray(R"({"size": {"height": 90, "width": 20}})");
        QTest::newRow("any size") << QStringLiteral("captioner-soft") << QByteArray(R"({"do_resize": false})");
    }
    void gridsThatDoNotFitAreRefused()
    {
        QFETCH(QString, model);
        QFETCH(QByteArray, preprocessor);
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const CommandResult result =
            runProgram({QStringLiteral("trace"), modelWith(folder, model, preprocessor), QStringLiteral("--image"),
                        pictureFolder(model) + QStringLiteral("/picture.png"), QStringLiteral("--output"), output});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine(), result.errors);
        QVERIFY(!QFile::exists(output));
    }

    void aPictureThatIsHiddenWholeGivesZeros()
    {
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const QStringList arguments =
            pictureArguments(QStringLiteral("captioner-soft"), QStringLiteral("forced"), output)
            + QStringList{QStringLiteral("--edit"), QStringLiteral("cross:0:0=hide")};
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors);
        const NpzReader found(output.toStdString());
        for (const float weight : found.find("cross_attentions")->floats())
            QCOMPARE(weight, 0.0F);
        for (const float value : found.find("logprobs")->floats())
            QVERIFY(std::isfinite(value));
        for (const float gate : found.find("context_gates")->floats())
            QVERIFY(gate > 0 && gate < 1);
    }

    void halvesOfClipAreTheWhole()
    {
        const QTemporaryDir folder;
        const auto run = [&](const QString& model, const QStringList& input) {
            const QString output = folder.filePath(QStringLiteral("out.npz"));
            const CommandResult result =
                runProgram(QStringList{QStringLiteral("trace"), model, QStringLiteral("--hidden"),
                                       QStringLiteral("--output"), output}
                           + input);
            if (result.status != 0)
                qWarning() << result.errors;
            return NpzReader(output.toStdString());
        };
        const QString whole = pictureFolder(QStringLiteral("clip-gelu"));
        const QStringList picture{QStringLiteral("--image"), whole + QStringLiteral("/picture.png")};
        const QString ids = QStringLiteral("0,5,6,7,59");
        const NpzReader both = run(whole, picture + QStringList{QStringLiteral("--target-ids"), ids});
        const NpzReader seen = run(halfOfClip(folder, QStringLiteral("vision")), picture);
        const NpzReader read = run(halfOfClip(folder, QStringLiteral("text")), {QStringLiteral("--source-ids"), ids});
        QCOMPARE(seen.find("encoder_attentions")->floats(), both.find("encoder_attentions")->floats());
        QCOMPARE(seen.find("hidden_states")->floats(), both.find("encoder_hidden_states")->floats());
        QCOMPARE(read.find("decoder_attentions")->floats(), both.find("decoder_attentions")->floats());
        QCOMPARE(read.find("hidden_states")->floats(), both.find("hidden_states")->floats());
    }

    // Readings of what a picture and a text are alike by.
    void readingsOfASimilarityAreAboutIt()
    {
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        for (const char* const name : {"clip-gelu", "siglip-both"}) {
            QStringList arguments = pictureArguments(QString::fromLatin1(name), QStringLiteral("forced"), output);
            arguments[0] = QStringLiteral("readings");
            arguments << QStringLiteral("--method") << QStringLiteral("all") << QStringLiteral("--steps")
                      << QStringLiteral("256");
            const CommandResult result = runProgram(arguments);
            QVERIFY2(result.status == 0, result.errors);
            const NpzReader found(output.toStdString());
            const auto metadata = QByteArray::fromStdString(found.find("metadata")->texts().front());
            const QJsonObject json = QJsonDocument::fromJson(metadata).object();
            QVERIFY2(json[QStringLiteral("completeness")][QStringLiteral("settled")].toBool(), metadata);
            QCOMPARE(found.find("source_gradients")->shape(), found.find("source_ids")->shape());
            QVERIFY(found.contains("encoder_gradients") && found.contains("decoder_gradients")
                    && found.contains("encoder_value_zeroing") && found.contains("source_erasure"));
        }
    }

    void headsAreDescribedByDistanceBetweenPatches_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"vit-classes", "captioner-soft"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void headsAreDescribedByDistanceBetweenPatches()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.json"));
        const QStringList arguments = pictureArguments(name, QStringLiteral("heads"), output);
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors);
        const QJsonArray found = QJsonDocument::fromJson(read(output)).array();
        const QJsonArray expected =
            QJsonDocument::fromJson(read(pictureFolder(name) + QStringLiteral("/heads.json"))).array();
        QCOMPARE(found.size(), expected.size());
        for (qsizetype row = 0; row < expected.size(); ++row) {
            const QJsonObject wanted = expected[row].toObject();
            for (auto value = wanted.begin(); value != wanted.end(); ++value) {
                const QJsonValue got = found[row][value.key()];
                const double close = 2e-5 + 2e-4 * std::abs(value->toDouble());
                const bool same = value->isDouble()
                    ? got.isDouble() && std::abs(got.toDouble() - value->toDouble()) <= close
                    : got == *value;
                QVERIFY2(same, qPrintable(value.key()));
            }
        }
    }

    void listsOfPicturesAndScenesAreRun()
    {
        const QTemporaryDir folder;
        const QString model = folder.filePath(QStringLiteral("model"));
        QVERIFY(QDir().mkdir(model));
        const QDir stored(pictureFolder(QStringLiteral("captioner-soft")));
        for (const QString& file : stored.entryList(QDir::Files))
            QVERIFY(QFile::copy(stored.filePath(file), model + QLatin1Char('/') + file));
        QByteArray vocabulary = "<pad>\n<unk>\n<s>\n</s>\n";
        for (int id = 4; id < 40; ++id)
            vocabulary += "w" + QByteArray::number(id) + '\n';
        write(model + QStringLiteral("/target.vocab"), vocabulary);
        write(folder.filePath(QStringLiteral("list.txt")), "model/picture.png\nmissing.png\n");
        const QString lines = folder.filePath(QStringLiteral("out.jsonl"));
        const CommandResult batch =
            runProgram({QStringLiteral("batch"), model, QStringLiteral("--images"),
                        folder.filePath(QStringLiteral("list.txt")), QStringLiteral("--output"), lines});
        QCOMPARE(batch.status, 1);
        const QList<QByteArray> written = read(lines).split('\n');
        const QJsonObject first = QJsonDocument::fromJson(written[0]).object();
        QCOMPARE(first[QStringLiteral("image")].toString(), QStringLiteral("model/picture.png"));
        QVERIFY(!first.contains(QStringLiteral("source_tokens")) && !first.contains(QStringLiteral("error")));
        QVERIFY(QJsonDocument::fromJson(written[1]).object().contains(QStringLiteral("error")));

        write(folder.filePath(QStringLiteral("scenes.jsonl")),
              R"({"image": "model/picture.png", "caption": "W5 w6", "objects": [{"box": [0, 0, 100000, 100000]}],)"
              R"( "words": [[0], [-1]]})"
              "\n{\"image\": 3}\n");
        const CommandResult ground =
            runProgram({QStringLiteral("ground"), model, QStringLiteral("--scenes"),
                        folder.filePath(QStringLiteral("scenes.jsonl")), QStringLiteral("--all")});
        QCOMPARE(ground.status, 1); // the second line
        const QList<QByteArray> table = ground.output.split('\n');
        QCOMPARE(table[0], QByteArray("site\twords\tinside\tuniform\thit\tspecial"));
        QCOMPARE(table[1], QByteArray("cross:0:0\t1\t1.000000\t1.000000\t1.000000\t0.000000"));
        QVERIFY2(ground.errors.contains("line 2"), ground.errors);
    }

    void erasureIsWhatIsLostWithAGreyPatch()
    {
        const QTemporaryDir folder;
        const auto run = [&](const QString& command, const QStringList& more) {
            const QString output = folder.filePath(QStringLiteral("out.npz"));
            const QString vit = pictureFolder(QStringLiteral("vit-classes"));
            const CommandResult result =
                runProgram(QStringList{command, vit, QStringLiteral("--image"), vit + QStringLiteral("/picture.png"),
                                       QStringLiteral("--output"), output}
                           + more);
            if (result.status != 0)
                qWarning() << result.errors;
            return NpzReader(output.toStdString());
        };
        const auto logProbability = [](const NpzReader& archive, std::size_t label) {
            const std::vector<float> logits = archive.find("class_logits")->floats();
            double sum = 0;
            for (const float logit : logits)
                sum += std::exp(double{logit});
            return logits[label] - std::log(sum);
        };
        const QString trace = QStringLiteral("trace");
        const NpzReader whole = run(trace, {});
        const NpzReader grey = run(trace, {QStringLiteral("--edit"), QStringLiteral("source:3=grey")});
        const NpzReader read =
            run(QStringLiteral("readings"),
                {QStringLiteral("--method"), QStringLiteral("erasure,input_gradients"), QStringLiteral("--of"),
                 QStringLiteral("1"), QStringLiteral("--steps"), QStringLiteral("256")});
        const std::vector<float> erasure = read.find("source_erasure")->floats();
        QCOMPARE(erasure.size(), whole.find("source_ids")->integers().size());
        QCOMPARE(erasure[0], 0.0F); // the class token has no patch
        QVERIFY(std::abs(erasure[3] - (logProbability(whole, 1) - logProbability(grey, 1))) < 1e-5);
        QVERIFY(std::abs(erasure[3]) > 1e-4);
        const auto metadata = QByteArray::fromStdString(read.find("metadata")->texts().front());
        const QJsonObject json = QJsonDocument::fromJson(metadata).object();
        QCOMPARE(json[QStringLiteral("readings")][QStringLiteral("source_erasure")][QStringLiteral("erase")].toString(),
                 QStringLiteral("grey"));
        QVERIFY(json[QStringLiteral("completeness")][QStringLiteral("settled")].toBool());
        const std::vector<float> integrated = read.find("source_integrated_gradients")->floats();
        QCOMPARE(integrated[0], 0.0F); // it begins at the class token itself
    }

    // ||beta_i w_ij a_j|| divided by w_ij and beta_i is the length of a_j, the same at each step.
    void normsOfACaptionerHaveItsGate()
    {
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const QString name = QStringLiteral("captioner-soft");
        QStringList arguments = pictureArguments(name, QStringLiteral("forced"), output);
        arguments[0] = QStringLiteral("readings");
        arguments << QStringLiteral("--method") << QStringLiteral("all");
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors);
        const NpzReader found(output.toStdString());
        const std::vector<float> norms = found.find("cross_norms")->floats();
        const std::vector<float> weights = found.find("cross_attentions")->floats();
        const std::vector<float> gates = found.find("context_gates")->floats();
        const std::size_t cells = norms.size() / gates.size();
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double length = norms[cell] / (double{weights[cell]} * gates[0]);
            for (std::size_t step = 1; step < gates.size(); ++step) {
                const std::size_t at = step * cells + cell;
                QVERIFY(std::abs(norms[at] / (double{weights[at]} * gates[step]) / length - 1) < 1e-3);
            }
        }
        QVERIFY(found.contains("source_erasure") && found.contains("source_gradients"));
    }

    void mapsOfTheEncoderAreLeftOut()
    {
        const QTemporaryDir folder;
        const QString output = folder.filePath(QStringLiteral("out.npz"));
        const QStringList arguments = pictureArguments(QStringLiteral("ved-trocr"), QStringLiteral("forced"), output)
            + QStringList{QStringLiteral("--encoder-maps"), QStringLiteral("off"), QStringLiteral("--no-source")};
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors);
        const NpzReader found(output.toStdString());
        QVERIFY(!found.contains("encoder_attentions") && !found.contains("encoder_scores"));
        QVERIFY(found.contains("cross_attentions") && !found.contains("source_image"));
        QVERIFY(found.find("metadata")->texts().front().find("encoder_maps") != std::string::npos);
        const CommandResult again = runProgram({QStringLiteral("trace"), output, QStringLiteral("--output"),
                                                folder.filePath(QStringLiteral("again.npz"))});
        QVERIFY2(again.status == 0, again.errors);
    }
};

ATTN_TEST(TestCliPictures)

#include "tst_cli_pictures.moc"
