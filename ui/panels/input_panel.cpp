// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/input_panel.h"

#include "decoding/options.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "panels/controls.h"
#include "state/model_summary.h"
#include "state/run_words.h"
#include "state/strings.h"
#include "text/tokenizer.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::ui {

// An input that is a file, and how it is asked for.
struct FileInput
{
    InputKind kind;
    std::optional<std::string> Question::*path;
    const char* name;
    const char* hint;
    const char* run;
};

namespace {

constexpr FileInput fileInputs[] = {
    {InputKind::Picture, &Question::image, QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Picture to read"),
     QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Drop a picture here, paste one (Ctrl+V) or open one (Ctrl+O)"),
     QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Read the picture (Ctrl+R)")},
    {InputKind::Sound, &Question::audio, QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Sound to hear"),
     QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Drop a sound here, or open one (Ctrl+O)"),
     QT_TRANSLATE_NOOP("attn::ui::InputPanel", "Hear the sound (Ctrl+R)")}};

constexpr int historyLength = 200;
constexpr int longestRemembered = 32'767; // characters
constexpr int leastText = 28; // characters that are seen

template<class Button = QPushButton>
Button* button(const char* name, const QString& text, const QString& tip)
{
    auto* made = new Button;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setToolTip(tip);
    return made;
}

QToolButton* toolButton(const char* name, const QString& text, const QString& icon, const QString& tip)
{
    auto* made = button<QToolButton>(name, text, tip);
    made->setIcon(themedIcon(icon));
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setAutoRaise(true);
    return made;
}

// Controls beside each other, whose tool buttons lose their texts, the last ones first, where there is no room.
class FoldingRow final : public QWidget
{
public:
    using QWidget::QWidget;

    QSize sizeHint() const override { return {wide(), QWidget::sizeHint().height()}; }
    QSize minimumSizeHint() const override
    {
        QSize least = QWidget::minimumSizeHint();
        for (const QToolButton* each : buttons())
            least.rwidth() -= each->toolButtonStyle() == Qt::ToolButtonIconOnly ? 0 : textWidth(*each);
        return least;
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        int width = wide();
        const QList<QToolButton*> all = buttons();
        for (auto each = all.rbegin(); each != all.rend(); ++each) {
            const bool folds = width > this->width();
            (*each)->setToolButtonStyle(folds ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
            width -= folds ? textWidth(**each) : 0;
        }
        QWidget::resizeEvent(event);
    }

private:
    QList<QToolButton*> buttons() const
    {
        QList<QToolButton*> all = findChildren<QToolButton*>(Qt::FindDirectChildrenOnly);
        all.removeIf([](const QToolButton* each) { return each->text().isEmpty(); });
        return all;
    }

    static int textWidth(const QToolButton& button)
    {
        constexpr int gap = 4;
        return button.fontMetrics().horizontalAdvance(button.text()) + gap;
    }

    int wide() const
    {
        int width = QWidget::sizeHint().width();
        for (const QToolButton* each : buttons())
            width += each->toolButtonStyle() == Qt::ToolButtonIconOnly ? textWidth(*each) : 0;
        return width;
    }
};

QHBoxLayout* rowOf(QWidget* row)
{
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

// "fr – French"; the code alone where the language has no other name.
QString nameOf(const QString& code)
{
    const QString name = QString::fromStdString(languageName(code.toStdString(), inWords));
    return name == code ? code : QStringLiteral("%1 – %2").arg(code, name);
}

void fill(QComboBox& box, const QStringList& codes, const std::optional<std::string>& chosen)
{
    box.clear();
    for (const QString& code : codes)
        box.addItem(nameOf(code), code);
    box.setCurrentIndex(chosen ? box.findData(QString::fromStdString(*chosen)) : -1);
}

std::optional<std::string> chosen(const QComboBox& box)
{
    return box.currentIndex() < 0 ? std::nullopt : std::optional(box.currentData().toString().toStdString());
}

std::optional<std::string> secondText(const QString& text)
{
    return text.trimmed().isEmpty() ? std::nullopt : std::optional(text.toStdString());
}

// Texts, one a line: a line high, so that the picture has the room, and higher while they are written.
class LabelTexts final : public QPlainTextEdit
{
public:
    LabelTexts() { showLines(1); }

protected:
    void focusInEvent(QFocusEvent* event) override
    {
        showLines(3);
        QPlainTextEdit::focusInEvent(event);
    }

    void focusOutEvent(QFocusEvent* event) override
    {
        QPlainTextEdit::focusOutEvent(event);
        if (event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason)
            return; // it comes back
        showLines(1);
        verticalScrollBar()->setValue(0);
    }

    void changeEvent(QEvent* event) override
    {
        QPlainTextEdit::changeEvent(event);
        if (event->type() == QEvent::FontChange)
            showLines(m_lines);
    }

private:
    void showLines(int lines)
    {
        m_lines = lines;
        setVerticalScrollBarPolicy(lines > 1 ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
        setFixedHeight(lines * fontMetrics().lineSpacing() + 2 * frameWidth()
                       + static_cast<int>(2 * document()->documentMargin()));
    }

    int m_lines = 1;
};

// Without blank ones.
std::vector<std::string> writtenLines(const QPlainTextEdit& edit)
{
    std::vector<std::string> lines;
    for (const QString& line : edit.toPlainText().split(QLatin1Char('\n'))) {
        if (const QString text = line.trimmed(); !text.isEmpty())
            lines.push_back(text.toStdString());
    }
    return lines;
}

QString asLines(const std::vector<std::string>& texts)
{
    QStringList lines;
    for (const std::string& text : texts)
        lines << QString::fromStdString(text);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

// Up and down walk through what was run.
class TextEditLine final : public TextLine
{
public:
    const QStringList& history() const { return m_history; } // most recent last

    void setHistory(const QStringList& history)
    {
        m_history = history.mid(std::max<qsizetype>(0, history.size() - historyLength));
        m_recalled.reset();
    }

    void remember(const QString& text)
    {
        if (text.size() > longestRemembered)
            return;
        m_history.removeAll(text);
        setHistory(m_history + QStringList(text));
    }

    std::function<bool()> pastesPicture; // takes one from the clipboard, if that is what it holds

    QSize minimumSizeHint() const override
    {
        return {fontMetrics().averageCharWidth() * leastText, TextLine::minimumSizeHint().height()};
    }

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->matches(QKeySequence::Paste) && pastesPicture())
            return;
        if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
            recall(event->key() == Qt::Key_Up ? -1 : 1);
        else
            TextLine::keyPressEvent(event);
    }

private:
    void recall(int direction)
    {
        if (m_history.isEmpty() || !isWhole())
            return;
        if (!m_recalled)
            m_draft = text();
        qsizetype next = m_recalled.value_or(m_history.size()) + direction;
        // The newest entry is usually what stands in the box already.
        if (!m_recalled && next == m_history.size() - 1 && m_history[next] == m_draft)
            next += direction;
        if (next < 0)
            return;
        m_recalled = next < m_history.size() ? std::optional(next) : std::nullopt;
        setText(m_recalled ? m_history[next] : m_draft);
    }

    QStringList m_history;
    std::optional<qsizetype> m_recalled; // index in the history; none: the draft
    QString m_draft;
};

InputPanel::InputPanel(Study& study, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_model(new ModelPicker)
    , m_text(new TextEditLine)
    , m_second(new TextLine)
    , m_changed(m_text)
    , m_count(new QSpinBox)
    , m_source(new QComboBox)
    , m_target(new QComboBox)
{
    m_mask = toolButton("maskButton", tr("Mask word"), QStringLiteral("mask"),
                        tr("Put a mask in place of the chosen word and run (Ctrl+K)"));
    m_menuRow = makeMenuRow();
    m_editor = makeEditor();
    m_opener = new QToolButton(this);
    m_opener->setObjectName(QStringLiteral("editButton"));
    m_opener->setAutoRaise(true);
    m_opener->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_opener->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    m_missing = plainLabel();
    m_missing->setObjectName(QStringLiteral("missingCharacters"));
    m_missing->setWordWrap(true);
    m_missing->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_continueRow = makeContinueRow();
    m_languageRow = languageRow();
    layout->addWidget(m_languageRow);
    layout->addWidget(labelBox());
    layout->addWidget(m_missing);
    const Question& edited = m_study.edited();
    m_text->replaceText(QString::fromStdString(edited.text));
    m_second->replaceText(QString::fromStdString(edited.secondText.value_or(std::string())));
    m_text->pastesPicture = [this] { return pastePicture(); };
    for (TextLine* box : {static_cast<TextLine*>(m_text), m_second}) {
        box->installEventFilter(this);
        connect(box, &QLineEdit::returnPressed, this, [this] {
            m_open = false;
            Q_EMIT runRequested();
            showEditor();
        });
        connect(box, &TextLine::edited, this, [this, box](const QString& text) {
            m_changed = box;
            m_study.edit([&](Question& question) {
                if (box == m_second)
                    question.secondText = secondText(text);
                else if (!m_study.showsArchive() && fileInput() == nullptr) // which show a text of their own
                    question.text = text.toStdString();
            });
            showMissing();
            Q_EMIT textEdited();
        });
        connect(box, &TextLine::wholeChanged, this, &InputPanel::showMissing);
        connect(box, &TextLine::tooLong, this, &InputPanel::tooLong);
    }
    connect(m_count, &QSpinBox::valueChanged, this, [this](int tokens) {
        m_study.edit([tokens](Question& question) { question.decoding.generate = tokens; });
    });
    for (const QComboBox* box : {m_source, m_target})
        connect(box, &QComboBox::activated, this, [this] {
            m_study.edit([this](Question& question) {
                question.sourceLanguage = chosen(*m_source);
                question.targetLanguage = chosen(*m_target);
            });
            Q_EMIT runRequested();
        });
    connect(m_mask, &QToolButton::clicked, this, &InputPanel::maskRequested);
    connect(m_continue, &QToolButton::clicked, this, [this] { Q_EMIT continueRequested(m_count->value()); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT continueRequested(1); });
    connect(m_opener, &QToolButton::clicked, this, [this] {
        if (fileInput() != nullptr)
            Q_EMIT openRequested();
        else
            edit(m_text->text().size());
    });
    connect(qApp, &QApplication::focusChanged, this, &InputPanel::followFocus);
    connect(&m_study, &Study::modelChanged, this, &InputPanel::fit);
    connect(&m_study, &Study::recentChanged, this, &InputPanel::listModels);
    connect(&m_study, &Study::questionChanged, this, &InputPanel::showQuestion);
    connect(&m_study, &Study::traceChanged, this, [this] { m_study.showsArchive() ? fit() : showAbilities(); });
    connect(&m_study, &Study::runBegan, this, [this] {
        if (const auto& asked = m_study.going(); asked && !QString::fromStdString(asked->text).trimmed().isEmpty())
            m_text->remember(QString::fromStdString(asked->text));
        showEditor();
    });
    connect(&m_study, &Study::runEnded, this, &InputPanel::showEditor);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::StepField)
            showAbilities();
    });
    fit();
    listModels();
}

// The model and its buttons stand beside the menus.
QWidget* InputPanel::makeMenuRow()
{
    m_openButton = toolButton("openButton", tr("Open…"), QStringLiteral("open"),
                              tr("Open a checkpoint, an archive, a session, a text, a picture or a sound (Ctrl+O)"));
    m_run = button<PrimaryButton>("runButton", tr("Run"), {});
    m_examples = new QToolButton;
    m_examples->setObjectName(QStringLiteral("examplesButton"));
    m_examples->setIcon(themedIcon(QStringLiteral("examples")));
    m_examples->setToolTip(tr("Examples for this model"));
    m_examples->setAccessibleName(tr("Examples"));
    m_examples->setPopupMode(QToolButton::InstantPopup);
    m_examples->setFocusPolicy(Qt::StrongFocus);
    m_examples->setAutoRaise(true);
    auto* row = new FoldingRow(this);
    QHBoxLayout* layout = rowOf(row);
    for (QWidget* each : {static_cast<QWidget*>(m_model), static_cast<QWidget*>(m_examples),
                          static_cast<QWidget*>(m_run), static_cast<QWidget*>(m_openButton)})
        layout->addWidget(each);
    connect(m_model, &ModelPicker::chosenByUser, this, &InputPanel::modelChosen);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_busy)
            Q_EMIT cancelRequested();
        else
            Q_EMIT runRequested();
    });
    connect(m_openButton, &QToolButton::clicked, this, &InputPanel::openRequested);
    return row;
}

// The editor takes the place of the words that were read, in letters as large.
QWidget* InputPanel::makeEditor()
{
    m_text->setObjectName(QStringLiteral("sentence"));
    m_text->setAcceptDrops(false); // what is dropped takes its place: the window does that
    m_text->makeClearable(tr("Clear the text"));
    m_second->setObjectName(QStringLiteral("secondSentence"));
    m_second->setAccessibleName(tr("Second sentence of a pair"));
    m_second->setPlaceholderText(tr("Second sentence, B (may stay empty)"));
    m_second->makeClearable(tr("Clear the second sentence"));
    auto* editor = new QWidget(this);
    editor->setObjectName(QStringLiteral("sentenceEditor"));
    editor->setAutoFillBackground(true);
    editor->installEventFilter(this);
    QHBoxLayout* layout = rowOf(editor);
    layout->addWidget(m_text, 3, Qt::AlignTop);
    layout->addWidget(m_second, 2, Qt::AlignTop);
    return editor;
}

QWidget* InputPanel::makeContinueRow()
{
    m_count->setObjectName(QStringLiteral("continueCount"));
    m_count->setAccessibleName(tr("Tokens to continue by"));
    m_count->setRange(1, static_cast<int>(optionRow(decodingRows(), "generate").limits.most));
    m_count->setValue(m_study.edited().decoding.generate);
    m_count->setSuffix(tr(" tokens"));
    m_count->setMaximumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("888") + m_count->suffix()) + 48);
    m_next = toolButton("nextTokenButton", tr("Next token"), QStringLiteral("forward"), {});
    m_continue = toolButton("continueButton", tr("Continue by"), QStringLiteral("last"), {});
    auto* row = new FoldingRow(this);
    QHBoxLayout* layout = rowOf(row);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addStretch();
    layout->addWidget(m_next);
    layout->addWidget(m_continue);
    layout->addWidget(m_count);
    return row;
}

QWidget* InputPanel::languageRow()
{
    m_source->setObjectName(QStringLiteral("sourceLanguage"));
    m_target->setObjectName(QStringLiteral("targetLanguage"));
    m_source->setAccessibleName(tr("Language of the text"));
    m_target->setAccessibleName(tr("Language to translate into"));
    m_target->setPlaceholderText(tr("choose a language"));
    auto* row = new QWidget;
    QHBoxLayout* layout = rowOf(row);
    for (const auto& [name, box] : {std::pair(tr("Fro&m"), m_source), {tr("i&nto"), m_target}}) {
        auto* label = plainLabel(name);
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
    }
    layout->addStretch();
    return row;
}

QWidget* InputPanel::labelBox()
{
    m_labels = new LabelTexts;
    m_labels->setObjectName(QStringLiteral("labelTexts"));
    m_labels->setAccessibleName(tr("Texts to compare the picture with"));
    m_labels->setPlaceholderText(tr("Texts to compare the picture with, one a line; Ctrl+R compares"));
    m_labels->setTabChangesFocus(true);
    m_labels->setPlainText(asLines(m_study.edited().labelTexts));
    connect(m_labels, &QPlainTextEdit::textChanged, this, [this] {
        if (const auto texts = writtenLines(*m_labels); texts != m_study.edited().labelTexts) {
            m_study.edit([&texts](Question& question) { question.labelTexts = texts; });
            Q_EMIT textEdited();
        }
    });
    return m_labels;
}

QWidget* InputPanel::line() const
{
    return m_text;
}

const QStringList& InputPanel::history() const
{
    return m_text->history();
}

void InputPanel::setHistory(const QStringList& history)
{
    m_text->setHistory(history);
}

void InputPanel::listModels()
{
    QStringList others = m_study.recent();
    const QString opening = QString::fromStdString(m_study.edited().model);
    if (opening.contains(QLatin1Char('/')) && !others.contains(opening)) // no bundled one
        others.prepend(opening);
    m_model->setModels(bundledModels(), others);
    m_model->setChosen(opening);
}

void InputPanel::fit()
{
    const auto& model = m_study.model();
    const bool archive = m_study.showsArchive();
    const bool continues = model && model->info.kind == ModelKind::DecoderOnly;
    const bool reads = model && model->info.kind == ModelKind::EncoderOnly;
    if (archive || fileInput() != nullptr || !m_text->isEnabled()) // what was run, in place of what is typed
        m_text->replaceText(shownText());
    m_second->setVisible(model && model->readsPairs());
    m_continueRow->setVisible(continues);
    m_languageRow->setVisible(model && !model->languages.isEmpty());
    const bool compares = model && model->info.input == InputKind::PictureAndText;
    m_labels->setVisible(compares && !archive);
    if (model) {
        const Question effective = effectiveQuestion(m_study.edited(), *model);
        fill(*m_source, model->languages, effective.sourceLanguage);
        fill(*m_target, model->languages, effective.targetLanguage);
    }
    m_text->setEnabled(!archive && fileInput() == nullptr);
    const FileInput* const file = fileInput();
    m_text->setPlaceholderText(placeholder());
    m_text->setAccessibleName(file != nullptr ? tr(file->name)
                                  : compares  ? tr("Text beside the picture")
                                  : continues ? tr("Prompt")
                                  : reads     ? tr("Text to read")
                                              : tr("Sentence to translate"));
    m_run->setToolTip(m_busy                ? tr("Stop the run (Esc)")
                          : file != nullptr ? tr(file->run)
                          : continues       ? tr("Read the prompt (Ctrl+R)")
                          : reads           ? tr("Read the text (Ctrl+R)")
                                            : tr("Run the model on the text (Ctrl+R)"));
    showAbilities();
    showMissing();
}

const FileInput* InputPanel::fileInput() const
{
    const auto& model = m_study.model();
    const auto* const found =
        model ? std::ranges::find(fileInputs, model->info.input, &FileInput::kind) : std::end(fileInputs);
    return found == std::end(fileInputs) ? nullptr : found;
}

QString InputPanel::shownText() const
{
    const Question& edited = m_study.edited();
    if (m_study.showsArchive())
        return QString::fromStdString(m_study.trace().provenance().text);
    if (const FileInput* const file = fileInput())
        return QFileInfo(QString::fromStdString((edited.*file->path).value_or(std::string()))).fileName();
    return QString::fromStdString(edited.text);
}

QString InputPanel::placeholder() const
{
    const auto& model = m_study.model();
    if (const FileInput* const file = fileInput())
        return tr(file->hint);
    if (m_study.showsArchive())
        return tr("An archive: nothing can be run");
    if (model && !model->readsText)
        return tr("This model has no tokenizer: type ids, such as 5 9 2, and press Enter");
    if (model && model->info.kind == ModelKind::DecoderOnly)
        return tr("Type the beginning of a text and press Enter to read it");
    if (model && model->readsPairs())
        return tr("Type a sentence, A, and press Enter");
    if (model && model->info.input == InputKind::PictureAndText)
        return tr("Drop a picture here, or open one; type a text to see where its words look (may stay empty)");
    const QString language = model ? QString::fromStdString(model->info.sourceLanguage) : QString();
    return language.isEmpty() ? tr("Type a text and press Enter")
                              : tr("Type a text (%1) and press Enter").arg(language);
}

void InputPanel::showQuestion()
{
    const Question& edited = m_study.edited();
    if (fileInput() != nullptr)
        m_text->replaceText(shownText());
    else if (!m_study.showsArchive())
        m_text->showText(shownText());
    if (secondText(m_second->wholeText()) != edited.secondText)
        m_second->showText(QString::fromStdString(edited.secondText.value_or(std::string())));
    if (writtenLines(*m_labels) != edited.labelTexts)
        m_labels->setPlainText(asLines(edited.labelTexts));
    m_count->setValue(edited.decoding.generate);
    if (m_model->chosen() != QString::fromStdString(edited.model))
        listModels();
    showAbilities();
}

void InputPanel::showAbilities()
{
    const auto& model = m_study.model();
    const FileInput* const file = fileInput();
    const bool lacksPicture = model && model->info.readsPictures() && !m_study.edited().image;
    const bool canRun = !m_study.showsArchive() && !lacksPicture && (file == nullptr || m_study.edited().*file->path);
    m_run->setEnabled(m_busy || canRun);
    m_opener->setIcon(themedIcon(file != nullptr ? QStringLiteral("open") : QStringLiteral("edit")));
    m_opener->setText(file == nullptr ? QString() : m_text->text().isEmpty() ? tr(file->hint) : m_text->text());
    const QString read = m_opener->text(); // where there is no room for it
    m_opener->setToolTip(file != nullptr && read != tr(file->hint) ? read + QLatin1Char('\n') + tr(file->hint)
                             : file != nullptr                     ? tr(file->hint)
                                                                   : tr("Edit the sentence (Ctrl+L, F2, or type)"));
    m_opener->setAccessibleName(file != nullptr ? tr(file->name) : m_opener->toolTip());
    m_mask->setVisible(maskedWord(m_study, m_selection.step()).has_value());
    const bool ended = m_study.ended();
    if (ended && (m_continue->hasFocus() || m_next->hasFocus()))
        Q_EMIT left();
    m_continue->setEnabled(!ended);
    m_next->setEnabled(!ended);
    const QString end = tr("The model has ended the text");
    m_continue->setToolTip(ended ? end : tr("Let the model write on (Ctrl+Return)"));
    m_next->setToolTip(ended ? end : tr("Let the model write one token (Ctrl+T)"));
    showEditor();
}

bool InputPanel::canEdit() const
{
    return !m_study.showsArchive() && fileInput() == nullptr;
}

// It stays while what it holds was not run, and is there where nothing was read.
void InputPanel::showEditor()
{
    const bool readsNothing = !m_busy && !m_study.going() && m_study.trace().source().tokens.empty();
    const bool shows = canEdit() && (m_open || readsNothing || m_study.age() == Age::OlderThanText);
    if (!shows && m_editor->isAncestorOf(QApplication::focusWidget()))
        Q_EMIT left();
    m_editor->setVisible(shows);
    m_opener->setVisible(!shows && !m_study.showsArchive());
}

void InputPanel::setBusy(bool busy)
{
    m_busy = busy;
    m_run->setText(busy ? tr("Cancel") : tr("Run"));
    m_run->setIcon(themedIcon(busy ? QStringLiteral("cancel") : QStringLiteral("run"), QPalette::HighlightedText));
    fit();
}

// Whoever goes elsewhere has done; another window and a menu are no other place.
void InputPanel::followFocus(const QWidget* before, const QWidget* now)
{
    if (now == nullptr || !m_editor->isAncestorOf(before) || m_editor->isAncestorOf(now)
        || now->window() != m_editor->window())
        return;
    m_open = false;
    showEditor();
}

// Escape brings back what was run. No key that the lines leave goes on to the words below them.
bool InputPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor)
        return event->type() == QEvent::KeyPress;
    const bool escapes =
        event->type() == QEvent::KeyPress && static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!escapes || (watched != m_text && watched != m_second))
        return QWidget::eventFilter(watched, event);
    m_open = false;
    if (const auto& asked = m_study.asked(); asked && m_study.age() == Age::OlderThanText)
        m_study.edit([asked = *asked](Question& question) {
            question.text = asked.text;
            question.secondText = asked.secondText;
        });
    showEditor();
    return true;
}

void InputPanel::showMissing()
{
    QStringList said(missingFonts(m_text->text() + (m_second->isHidden() ? QString() : m_second->text())));
    if (!m_study.showsArchive() && (!m_text->isWhole() || !m_second->isWhole()))
        said << tr("This text is too long to be edited in a line: only its beginning is shown, all of it is run.");
    said.removeAll(QString());
    m_missing->setText(said.join(QLatin1Char('\n')));
    m_missing->setVisible(!said.isEmpty());
}

void InputPanel::setExamples(QMenu* menu)
{
    m_examples->setMenu(menu);
    const auto follow = [this, menu] { m_examples->setEnabled(menu->isEnabled()); };
    connect(menu->menuAction(), &QAction::changed, m_examples, follow);
    follow();
}

bool InputPanel::pastePicture()
{
    const QMimeData* const held = QGuiApplication::clipboard()->mimeData();
    if (held == nullptr || held->hasText() || (!held->hasImage() && !held->hasUrls()))
        return false;
    Q_EMIT picturePasted();
    return true;
}

bool InputPanel::begin(const QKeyEvent& typed)
{
    if (typed.matches(QKeySequence::Paste)) {
        if (pastePicture() || !canEdit() || !m_text->isWhole())
            return true;
        focusText();
        m_text->paste();
        return true;
    }
    if (typed.key() == Qt::Key_F2 && typed.modifiers() == Qt::NoModifier && canEdit()) {
        focusText();
        return true;
    }
    const QString text = typed.text();
    const bool commands = (typed.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
    if (commands || text.isEmpty() || !text.front().isPrint() || text.front().isSpace() || !m_text->isEnabled()
        || !m_text->isWhole())
        return false;
    if (m_editor->isHidden())
        focusText();
    else
        edit(m_text->text().size()); // which is being written
    m_text->insert(text);
    return true;
}

void InputPanel::edit(qsizetype place)
{
    if (!canEdit())
        return;
    m_open = true;
    showEditor();
    m_text->setFocus();
    m_text->setCursorPosition(static_cast<int>(place));
}

void InputPanel::editAfter(std::optional<int> token)
{
    const Encoding& read = m_study.trace().source();
    const bool stands = m_text->text() == QString::fromStdString(read.text) && token && *token < std::ssize(read.spans);
    const std::size_t end = stands ? read.spans[static_cast<std::size_t>(*token)].end : 0;
    edit(token && !stands ? m_text->text().size() : QString::fromStdString(read.text.substr(0, end)).size());
}

void InputPanel::focusText()
{
    edit(0);
    m_text->selectAll();
}

void InputPanel::focusWord(const std::string& text, ByteSpan span)
{
    focusText();
    const QByteArray whole = QByteArray::fromStdString(text);
    const QString shown = m_text->text();
    if (QString::fromUtf8(whole) != shown || span.begin >= span.end)
        return;
    qsizetype first = QString::fromUtf8(whole.left(static_cast<qsizetype>(span.end))).size() - 1;
    qsizetype end = first;
    while (first > 0 && !shown[first - 1].isSpace())
        --first;
    while (end < shown.size() && !shown[end].isSpace())
        ++end;
    m_text->setSelection(static_cast<int>(first), static_cast<int>(end - first));
}

namespace {

constexpr qsizetype mostNamed = 4;
constexpr char32_t firstPictograph = 0x1F000;

// Empty: none is known.
QString packageWith(char32_t c)
{
    if (const auto category = QChar::category(c);
        category == QChar::Other_PrivateUse || category == QChar::Other_NotAssigned)
        return {};
    switch (QChar::script(c)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Bopomofo:
    case QChar::Script_Hangul:
        return QStringLiteral("fonts-noto-cjk");
    default:
        return c >= firstPictograph && QChar::category(c) == QChar::Symbol_Other
            ? QStringLiteral("fonts-noto-color-emoji")
            : QStringLiteral("fonts-noto-core");
    }
}

} // namespace

QString missingFonts(const QString& text)
{
    const std::u32string missing = undrawable(text);
    if (missing.empty())
        return {};
    QStringList named;
    QStringList packages;
    for (const char32_t c : missing) {
        if (named.size() < mostNamed)
            named << readableToken(QString::fromUcs4(&c, 1).toStdString());
        if (const QString package = packageWith(c); !package.isEmpty() && !packages.contains(package))
            packages << package;
    }
    if (static_cast<qsizetype>(missing.size()) > mostNamed)
        named << QStringLiteral("\u2026");
    const QString said = translated("No font on this computer has %1.").arg(named.join(QLatin1Char(' ')));
    return packages.isEmpty()
        ? said
        : said + QLatin1Char(' ') + translated("Packages that help: %1").arg(packages.join(QStringLiteral(", ")));
}

} // namespace attn::ui
