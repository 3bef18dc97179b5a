// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "figures/kinds/shown_matrix.h"
#include "models/families/registry.h"
#include "run/effective_question.h"
#include "state/strings.h"
#include "window/main_window.h"
#include "window/opened_path.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

// Tokens of the source that a mask takes the place of together: those of one word.
struct TokenRange
{
    std::size_t first = 0;
    std::size_t last = 0;
};

std::optional<TokenRange> wordOf(const Encoding& source, int token)
{
    const auto index = static_cast<std::size_t>(token);
    const std::vector<int> words = textWords(source);
    if (token < 0 || index >= words.size() || source.spans.size() != source.size() || words[index] < 0)
        return std::nullopt;
    TokenRange range{index, index};
    const auto isSame = [&](std::size_t other) { return words[other] == words[index]; };
    while (range.first > 0 && isSame(range.first - 1))
        --range.first;
    while (range.last + 1 < source.size() && isSame(range.last + 1))
        ++range.last;
    if (source.spans[range.first].begin >= source.spans[range.last].end
        || source.spans[range.last].end > source.text.size())
        return std::nullopt;
    return range;
}

} // namespace

void MainWindow::run()
{
    start(0);
}

int MainWindow::generatedTokens() const
{
    const Trace& trace = m_document.trace();
    if (trace.kind() != ModelKind::DecoderOnly || !m_document.model() || m_model != m_shownModel
        || trace.provenance().text != m_input->text().toStdString())
        return 0;
    return std::max(0, static_cast<int>(trace.path().size() + 1) - static_cast<int>(trace.source().size()));
}

bool MainWindow::textHasEnded() const
{
    const auto& summary = m_document.trace().summary();
    return generatedTokens() > 0 && summary && !summary->hypotheses.empty() && summary->hypotheses.front().ended;
}

void MainWindow::sayWhatFollows()
{
    m_progressText->setText(!m_document.model()  ? tr("The archive ends with this token")
                                : textHasEnded() ? tr("The model has ended the text here")
                                                 : tr("Press Next token (Ctrl+T) to see what follows this token"));
}

void MainWindow::continueText(int tokens)
{
    if (m_input->canContinue())
        start(generatedTokens() + tokens);
}

void MainWindow::start(int generate)
{
    m_maskToShow.reset();
    if (m_model.isEmpty())
        return m_message->show({{}, tr("No model is open"), tr("choose one, or open a checkpoint")});
    if (isArchivePath(m_model))
        return open(m_model);
    if (!m_input->text().trimmed().isEmpty())
        m_input->remember(m_input->text());
    m_controller->ask(question(generate));
}

// All that is asked; the controller leaves out what the model cannot do.
Question MainWindow::question(int generate) const
{
    Question question;
    question.model = m_model.toStdString();
    question.text = m_input->text().toStdString();
    if (!m_input->secondText().trimmed().isEmpty())
        question.secondText = m_input->secondText().toStdString();
    if (const QString language = m_input->languages().source(); !language.isEmpty())
        question.sourceLanguage = language.toStdString();
    if (const QString language = m_input->languages().target(); !language.isEmpty())
        question.targetLanguage = language.toStdString();
    question.decoding = m_decoding->options();
    question.decoding.generate = generate;
    if (m_decoding->forces() && !m_decoding->targetText().isEmpty())
        question.targetText = m_decoding->targetText().toStdString();
    return question;
}

void MainWindow::applyChoices()
{
    const auto& asked = m_controller->asked();
    start(asked && generatedTokens() > 0 ? asked->decoding.generate : 0);
}

void MainWindow::showAge()
{
    const auto& model = m_document.model();
    const auto& asked = m_controller->asked();
    bool older = false;
    bool otherText = false;
    if (model && asked) {
        const Question then = effectiveQuestion(*asked, *model);
        const Question now = effectiveQuestion(question(asked->decoding.generate), *model);
        older = then != now;
        otherText = then.text != now.text || then.secondText != now.secondText;
    }
    m_older->setVisible(older);
    m_older->setText(otherText ? tr("Older than the text") : tr("Older than the choices"));
}

// Words that became the unknown token, so that the picture can be read.
void MainWindow::sayUnknown(const std::vector<UnknownWord>& words)
{
    constexpr std::size_t most = 4;
    QStringList said;
    for (const UnknownWord& word : words) {
        if (said.size() == most)
            break;
        QStringList pieces;
        for (const std::string& piece : word.pieces)
            pieces << pieceText(piece);
        // Joined rather than filled in: words may contain "%1".
        said << tr("“") + QString::fromStdString(word.text) + tr("” is read as ") + pieces.join(QLatin1Char(' '));
    }
    const auto left = static_cast<int>(words.size() - static_cast<std::size_t>(said.size()));
    const QString more = left > 0 ? tr(", and %n more", nullptr, left) : QString();
    m_message->showNote(tr("Not in the model's vocabulary: ") + said.join(tr("; ")) + more + tr("."));
}

void MainWindow::maskWord()
{
    const Trace& trace = m_document.trace();
    const Encoding& source = trace.source();
    const auto range = wordOf(source, m_selection.step());
    const QString mask = m_input->mode().mask;
    if (!range || mask.isEmpty())
        return;
    // Spans of a pair lie in both texts with a line feed between.
    const std::string& first = trace.provenance().text;
    const bool inSecond = range->first < source.segments.size() && source.segments[range->first] > 0;
    const std::size_t begin = inSecond ? first.size() + 1 : 0;
    const std::size_t end = inSecond || source.segments.empty() ? source.text.size() : first.size();
    std::string text = source.text.substr(begin, end - begin);
    const ByteSpan span{source.spans[range->first].begin - begin, source.spans[range->last].end - begin};
    text.replace(span.begin, span.end - span.begin, mask.toStdString());
    if (inSecond)
        m_input->retypeSecondText(QString::fromStdString(text));
    else
        m_input->retypeText(QString::fromStdString(text));
    const auto before =
        source.tokens.begin() + static_cast<std::ptrdiff_t>(std::min(range->first, source.tokens.size()));
    const auto masks = static_cast<int>(std::count_if(source.tokens.begin(), before, isMaskPiece));
    run();
    m_maskToShow = masks;
}

// The mask that was just put into the text.
void MainWindow::showMask()
{
    const auto& tokens = m_document.trace().source().tokens;
    if (!m_maskToShow || tokens.empty())
        return;
    int before = *std::exchange(m_maskToShow, std::nullopt);
    const auto found = std::ranges::find_if(
        tokens, [&before](const std::string& piece) { return isMaskPiece(piece) && before-- == 0; });
    if (found != tokens.end())
        m_selection.setStep(static_cast<int>(found - tokens.begin()));
}

// --- what fits the model and the result ---

void MainWindow::fitToModel()
{
    InputMode mode;
    if (const auto& model = m_document.model()) {
        mode.kind = model->info.kind;
        mode.pairs = model->info.kind == ModelKind::EncoderOnly && model->info.segments >= 2 && model->readsText;
        mode.mask = model->maskToken;
        mode.language = QString::fromStdString(model->info.sourceLanguage);
        mode.ids = !model->readsText;
        mode.languages = model->languages;
        mode.sourceLanguage = model->sourceLanguage;
        mode.targetLanguage = model->targetLanguage;
    } else {
        mode.runs = false;
    }
    m_input->setMode(mode);
    m_decoding->setKind(mode.kind);
    m_decoding->setHardAttention(m_document.model() && m_document.model()->info.hardAttention);
    fitToTrace();
    showAge();
}

void MainWindow::fitToTrace()
{
    const Trace& trace = m_document.trace();
    const auto& model = m_document.model();
    const ModelKind kind = model ? model->info.kind : trace.kind();
    const bool predicts = model ? model->info.predictsMasked || !model->info.labels.empty()
                                : !trace.predictions().empty() || trace.classification() != nullptr;
    showAbilities();
    if (m_viewKind == kind && m_viewPredicts == predicts)
        return;
    m_viewKind = kind;
    m_viewPredicts = predicts;
    nameViews(kind == ModelKind::EncoderOnly);
    fitDocks();
}

void MainWindow::showAbilities()
{
    const auto word = wordOf(m_document.trace().source(), m_selection.step());
    m_input->setCanMask(word && !isMaskPiece(m_document.trace().source().tokens.at(word->first)));
    const bool ended = textHasEnded();
    m_input->setCanContinue(!ended);
    const bool continues = m_document.model() && m_input->canContinue();
    m_continue->setEnabled(continues);
    m_next->setEnabled(continues);
    m_mask->setEnabled(m_document.model() && m_input->canMask());
    m_cancel->setEnabled(m_controller->busy());
    m_undo->setEnabled(m_input->canUndo());
    m_redo->setEnabled(m_input->canRedo());
}

// Docks that have nothing to say for this kind of model are closed meanwhile.
void MainWindow::fitDocks()
{
    const bool reads = m_viewKind == ModelKind::EncoderOnly;
    const bool useful[] = {true, !reads && m_document.model().has_value(), !reads || m_viewPredicts};
    m_fittingDocks = true;
    for (int i = 0; i < m_docks.size(); ++i) {
        const bool fits = useful[i] || !m_viewKind;
        m_docks[i]->setVisible(fits && !m_closedDocks.contains(m_docks[i]->objectName()));
        m_docks[i]->toggleViewAction()->setVisible(fits);
    }
    m_fittingDocks = false;
}

void MainWindow::watchDock(QDockWidget* dock)
{
    connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool open) {
        if (m_fittingDocks || !isVisible())
            return;
        m_closedDocks.removeAll(dock->objectName());
        if (!open)
            m_closedDocks.append(dock->objectName());
    });
}

// An archive holds what its maker put in; says what the views will miss.
void MainWindow::describeArchive()
{
    const Trace& trace = m_document.trace();
    const auto path = trace.path();
    QStringList missing;
    const auto& tokens = trace.source().tokens;
    if (tokens.empty() || trace.source().special.empty())
        missing << tr("token texts");
    const auto hasStage = [&trace](Stage stage) {
        return std::ranges::any_of(trace.sites(), [stage](const Site& site) { return site.stage == stage; });
    };
    const Family* const family = findFamily(trace.provenance().modelType);
    const bool selfAttends = family == nullptr || family->attendsToItself;
    if (trace.kind() == ModelKind::EncoderDecoder) {
        if (selfAttends && !hasStage(Stage::Encoder))
            missing << tr("encoder attention");
        if (selfAttends && !hasStage(Stage::Decoder))
            missing << tr("decoder attention");
        if (!hasStage(Stage::Cross))
            missing << tr("encoder-decoder attention");
    } else if (trace.sites().empty()) {
        missing << tr("attention");
    }
    if (trace.kind() == ModelKind::EncoderOnly && trace.predictions().empty() && !trace.classification())
        missing << tr("masked-token predictions");
    if (trace.kind() != ModelKind::EncoderOnly && (path.empty() || path.front()->step.candidates.empty()))
        missing << tr("candidates of the steps");
    const QString what = tr("%1 is an attention archive: it is shown as it was saved, and nothing can be run.")
                             .arg(QFileInfo(m_model).fileName());
    m_message->showNote(missing.isEmpty() ? what : what + tr(" Not in it: %1.").arg(missing.join(tr(", "))));
    InputMode mode;
    mode.runs = false;
    mode.kind = trace.kind();
    mode.wasRun = QString::fromStdString(trace.provenance().text);
    m_input->setMode(mode);
    showAbilities();
}

} // namespace attn::ui
