// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/opening.h"

#include "base/error.h"
#include "dumps/attention_file.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "loading/model_loader.h"
#include "loading/model_places.h"
#include "models/families/family.h"
#include "panels/model_picker.h"
#include "pictures/picture_file.h"
#include "question/question.h"
#include "run/latest_request.h"
#include "session/session.h"
#include "trace/archive.h"
#include "window/example_menu.h"
#include "window/run_commands.h"

#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QRubberBand>
#include <QStringDecoder>
#include <QThreadPool>

#include <algorithm>
#include <memory>
#include <vector>

namespace attn::ui {

namespace {

constexpr int recentLength = 8;
constexpr qint64 largestText = 8 << 20; // bytes

QStringList bundledNames()
{
    QStringList names;
    for (const BundledModel& model : bundledModels())
        names << QString::fromStdString(model.name);
    return names;
}

// A bundled model's name has no place in the list of what was opened lately.
bool isBundled(const QString& path)
{
    return !path.contains(QLatin1Char('/'));
}

bool isSession(const QString& path)
{
    return isSessionPath(path.toStdString());
}

bool isSound(const QString& path)
{
    static const QStringList suffixes{QStringLiteral("wav"),  QStringLiteral("flac"), QStringLiteral("ogg"),
                                      QStringLiteral("opus"), QStringLiteral("mp3"),  QStringLiteral("aiff"),
                                      QStringLiteral("aif")};
    return suffixes.contains(QFileInfo(path).suffix().toLower());
}

// Files that only make sense within their directory; the others are a checkpoint or an archive of their own.
bool belongsToDirectory(const QFileInfo& file)
{
    const QString suffix = file.suffix().toLower();
    if (suffix == QLatin1String("gguf") || suffix == QLatin1String("npz") || isSession(file.filePath())
        || looksLikePicture(file.filePath().toStdString()) || isSound(file.filePath()))
        return false;
    return file.dir().exists(QStringLiteral("config.json"))
        && (isArchivePath(file.filePath().toStdString()) || !isAttentionFile(file.filePath().toStdString()));
}

// A text that a model is to read.
bool isText(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return QFileInfo(path).isFile() && (suffix == QLatin1String("txt") || suffix == QLatin1String("md"))
        && !isAttentionFile(path.toStdString());
}

// Meaning of a chosen or dropped file: a file that belongs to a checkpoint directory stands for the directory, others
// for themselves. Absolute, without "..".
QString openedPath(const QString& path)
{
    const QFileInfo file(path);
    if (path.isEmpty() || (isBundled(path) && !file.exists()))
        return path;
    const QString whole = QString::fromStdString(lastingPath(path.toStdString()).string());
    return file.isFile() && belongsToDirectory(file) ? QFileInfo(whole).absolutePath() : whole;
}

} // namespace

QStringList missingFrom(const Trace& trace)
{
    QStringList missing;
    const auto lacks = [&](bool lack, const QString& what) {
        if (lack)
            missing << what;
    };
    const auto hasStage = [&trace](Stage stage) {
        return std::ranges::any_of(trace.sites(), [stage](const Site& site) { return site.stage == stage; });
    };
    const auto path = trace.path();
    const Family* const family = findFamily(trace.provenance().modelType);
    const bool selfAttends = family == nullptr || family->attendsToItself;
    lacks(trace.source().tokens.empty() || trace.source().special.empty(), Opening::tr("token texts"));
    if (trace.kind() == ModelKind::EncoderDecoder) {
        lacks(selfAttends && !hasStage(Stage::Encoder), Opening::tr("encoder attention"));
        lacks(selfAttends && !hasStage(Stage::Decoder), Opening::tr("decoder attention"));
        lacks(!hasStage(Stage::Cross), Opening::tr("encoder-decoder attention"));
    } else {
        lacks(trace.sites().empty(), Opening::tr("attention"));
    }
    if (trace.kind() == ModelKind::EncoderOnly)
        lacks(trace.predictions().empty() && predictionTitle(trace).isEmpty(), Opening::tr("masked-token predictions"));
    else
        lacks(path.empty() || path.front()->step.candidates.empty(), Opening::tr("candidates of the steps"));
    return missing;
}

Opening::Opening(const Parts& parts)
    : m_parts(parts)
    , m_dropFrame(new QRubberBand(QRubberBand::Rectangle, &parts.window))
{
    parts.window.setAcceptDrops(true);
    parts.window.installEventFilter(this);
    m_dropFrame->setObjectName(QStringLiteral("dropFrame"));
    parts.window.setWindowTitle(tr("AttnScope"));
    connect(&m_parts.study, &Study::modelChanged, this, &Opening::nameWindow);
    connect(&m_parts.study, &Study::modelChanged, this, &Opening::forgetOpeningText);
    connect(&m_parts.study, &Study::fileChanged, this, &Opening::nameWindow);
    connect(&m_parts.controller, &RunController::finished, this, &Opening::opened);
    connect(&m_parts.controller, &RunController::failed, this, &Opening::goBack);
    connect(&m_parts.controller, &RunController::cancelled, this, [this] {
        if (!m_parts.controller.busy())
            goBack();
    });
}

void Opening::nameWindow()
{
    const auto& model = m_parts.study.model();
    const QString& file = m_parts.study.file();
    const QString title = model ? cardTitle(model->path) : QString();
    QString name = !file.isEmpty() ? QFileInfo(file).completeBaseName()
        : !title.isEmpty()         ? title
        : model                    ? model->name
                                   : QFileInfo(m_parts.study.opened()).fileName();
    name.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")); // which stands for itself then
    m_parts.window.setWindowTitle(name + QStringLiteral("[*]") + tr(" – AttnScope"));
    m_parts.window.setWindowModified(!file.isEmpty() && m_parts.study.unsaved());
}

void Opening::forgetOpeningText()
{
    const auto& model = m_parts.study.model();
    if (model && model->info.input == InputKind::PictureAndText && isOpeningText(m_parts.study.edited().text))
        m_parts.study.edit([](Question& question) { question.text.clear(); });
}

void Opening::ask()
{
    if (const QString path = m_parts.dialogs.open(OpenKind::Anything, &m_parts.window, m_folder); !path.isEmpty())
        open(path);
}

void Opening::open(const QString& given)
{
    m_listing.end();
    const QString path = bundledNames().contains(given) ? given : openedPath(given);
    if (!isBundled(path) && !QFileInfo::exists(path) && !isAttentionFile(path.toStdString()))
        return missing(path);
    if (!isBundled(path))
        m_folder = QFileInfo(path).absolutePath();
    if (isSession(path)) {
        if (!m_mayReplace([this, path] { open(path); }))
            return;
        m_session = path;
        m_parts.controller.openSession(path);
        return;
    }
    if (isText(path))
        return readFile(path);
    if (const bool sound = isSound(path); QFileInfo(path).isFile() && (sound || looksLikePicture(path.toStdString()))) {
        m_parts.study.forgetInput(path.toStdString());
        return sound ? readSound(path) : readPicture(path);
    }
    const QFileInfo file(path);
    if (file.isDir() && !QDir(path).exists(QStringLiteral("config.json")))
        return list(path);
    start(path);
}

// A folder that is no model itself may hold several.
void Opening::list(const QString& folder)
{
    QThreadPool::globalInstance()->start(HandedOver([this, folder, ticket = m_listing.begin()] {
        QString held = folder; // a cache holds models below its top
        QStringList names;
        try {
            held = QString::fromStdString(modelBehind(folder.toStdString()).string());
            for (const auto& model : modelsIn(held.toStdString(), ticket.stop()))
                names << QString::fromStdString(model.filename().string());
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                return;
        } // others are said when it is opened
        ticket.report([this, folder, held, names] {
            const QString chosen =
                names.size() > 1 ? m_parts.dialogs.choose(&m_parts.window, folder, names) : QString();
            if (names.size() <= 1)
                start(folder);
            else if (!chosen.isEmpty())
                open(held + QLatin1Char('/') + chosen);
        });
    }));
}

void Opening::start(const QString& path)
{
    m_session.clear();
    const auto before = openingExample(m_parts.study.opened().toStdString());
    m_parts.study.edit([&path, &before](Question& question) {
        question.model = path.toStdString();
        const bool typed = !isOpeningText(question.text) && (!before || before->text != question.text);
        const auto example = typed ? std::nullopt : openingExample(question.model);
        if (typed || (!example && !isBundled(path)))
            return;
        question.text = example ? example->text : usualQuestion().text;
        question.secondText.reset();
    });
    const Question& edited = m_parts.study.edited();
    if (isAttentionFile(path.toStdString()) || !edited.text.empty() || edited.image || edited.audio)
        m_parts.running.runOpened();
    else
        m_parts.controller.load(path);
}

void Opening::readFile(const QString& path)
{
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (file.size() > largestText)
        return Q_EMIT failed({name,
                              tr("is too large for a text: it has %1 bytes, at most %2 are read")
                                  .arg(grouped(file.size()), grouped(largestText)),
                              tr("open a part of it")});
    if (!file.open(QIODevice::ReadOnly))
        return Q_EMIT failed({name, tr("cannot be read: %1").arg(file.errorString()), {}});
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(file.readAll());
    if (decoder.hasError())
        return Q_EMIT failed({name, tr("is no text in UTF-8"), tr("convert it first")});
    read(text);
}

void Opening::read(const QString& text)
{
    if (text.trimmed().isEmpty())
        Q_EMIT failed({{}, tr("This text is empty"), {}});
    else if (m_parts.study.showsArchive())
        Q_EMIT failed({{}, tr("An attention archive reads no text"), tr("open a model first")});
    else
        m_parts.running.runText(text.trimmed());
}

// A model that reads none is asked about it once another one is open.
void Opening::readPicture(const QString& path)
{
    m_parts.study.edit([&path](Question& question) { question.image = path.toStdString(); });
    const auto& model = m_parts.study.model();
    if (model && model->info.readsPictures())
        return m_parts.running.run();
    if (!startBundled(ModelTask::Captions))
        Q_EMIT failed({QFileInfo(path).fileName(), tr("is a picture, and this model reads none"),
                       tr("open a model of pictures: it reads this one at once")});
}

void Opening::readSound(const QString& path)
{
    m_parts.study.edit([&path](Question& question) { question.audio = path.toStdString(); });
    const auto& model = m_parts.study.model();
    if (model && model->info.input == InputKind::Sound)
        return m_parts.running.run();
    if (!startBundled(ModelTask::Speech))
        Q_EMIT failed({QFileInfo(path).fileName(), tr("is a sound, and this model hears none"),
                       tr("open a model of speech, such as Whisper: it reads this one at once")});
}

// False where none comes with the program.
bool Opening::startBundled(ModelTask task)
{
    const std::vector<BundledModel> bundled = bundledModels();
    const auto found = std::ranges::find(bundled, task, &BundledModel::task);
    if (found == bundled.end())
        return false;
    start(QString::fromStdString(found->name));
    return true;
}

// They lie in no file, so that they get one for as long as the window is there.
void Opening::readPixels(const QImage& picture)
{
    const QString path = m_pasted.filePath(tr("pasted picture %1").arg(++m_pictures) + QStringLiteral(".png"));
    QThreadPool::globalInstance()->start(HandedOver([this, picture, path, ticket = m_listing.begin()] {
        const auto problem = caught([&] { writePng(path, picture); });
        ticket.report([this, path, problem] {
            if (problem)
                Q_EMIT failed(userMessage(*problem));
            else
                readPicture(path);
        });
    }));
}

void Opening::drop(const QMimeData& dropped)
{
    const auto urls = dropped.urls();
    if (urls.isEmpty() && dropped.hasImage())
        return readPixels(qvariant_cast<QImage>(dropped.imageData()));
    if (urls.size() == 1 && urls.front().isLocalFile())
        open(urls.front().toLocalFile());
    else if (urls.isEmpty() && !dropped.text().trimmed().isEmpty())
        read(dropped.text());
    else
        Q_EMIT failed({{},
                       tr("This cannot be opened here"),
                       tr("drop one file or folder of this computer, a checkpoint, an attention archive, a session, a "
                          "text, a picture or a sound, or a selected text")});
}

void Opening::pasteClipboard()
{
    if (const QMimeData* const held = QGuiApplication::clipboard()->mimeData())
        drop(*held);
}

void Opening::missing(const QString& path)
{
    QStringList recent = m_parts.study.recent();
    const bool wasRecent = recent.removeAll(path) > 0;
    m_parts.study.setRecent(recent);
    if (m_parts.study.edited().model == path.toStdString())
        m_parts.study.edit([this](Question& question) { question.model = m_parts.study.opened().toStdString(); });
    if (wasRecent && m_parts.study.edited().model.empty() && !bundledNames().isEmpty())
        open(bundledNames().front());
    goBack();
    if (wasRecent)
        Q_EMIT failed({path, tr("is not there any more"), tr("it was taken off the list of recent models")});
    else
        Q_EMIT failed({{}, tr("There is no model or archive at ") + path, {}});
}

void Opening::goBack()
{
    if (const QString& opened = m_parts.study.opened(); !opened.isEmpty())
        m_parts.study.edit([&opened](Question& question) { question.model = opened.toStdString(); });
}

void Opening::opened()
{
    const QString& path = m_session.isEmpty() ? m_parts.study.opened() : m_session;
    const bool isKept = m_session.isEmpty() && isSession(path); // what a crash has left
    if (!isBundled(path) && !isKept) {
        QStringList recent = m_parts.study.recent();
        recent.removeAll(path);
        recent.prepend(path);
        m_parts.study.setRecent(recent.mid(0, recentLength));
    }
    if (!m_parts.study.showsArchive() || isSession(path))
        return;
    const QStringList missing = missingFrom(m_parts.study.trace());
    const QString what = tr("%1 is an attention archive: it is shown as it was saved, and nothing can be run.")
                             .arg(QFileInfo(path).fileName());
    Q_EMIT noted(missing.isEmpty() ? what : what + tr(" Not in it: %1.").arg(missing.join(tr(", "))));
}

bool Opening::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::DragLeave || event->type() == QEvent::Drop)
        m_dropFrame->hide();
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::DragEnter) {
        m_dropFrame->setGeometry(m_parts.window.rect());
        m_dropFrame->show();
        m_dropFrame->raise();
    }
    auto* dragged = static_cast<QDropEvent*>(event); // a QDragEnterEvent is one
    dragged->acceptProposedAction();
    if (event->type() == QEvent::Drop) { // the other program waits for an answer, not for what is asked here
        const auto held = std::make_shared<QMimeData>();
        held->setUrls(dragged->mimeData()->urls());
        if (dragged->mimeData()->hasText())
            held->setText(dragged->mimeData()->text());
        if (dragged->mimeData()->hasImage())
            held->setImageData(dragged->mimeData()->imageData());
        QMetaObject::invokeMethod(
            this, [this, held] { drop(*held); }, Qt::QueuedConnection);
    }
    return true;
}

} // namespace attn::ui
