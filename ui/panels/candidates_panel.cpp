// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"

#include "base/index.h"
#include "figures/figure.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"
#include "panels/message_bar.h"
#include "state/strings.h"
#include "text/word_pieces.h"

#include <QEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace attn::ui {

extern const FigureKind labelsKind;

namespace {

constexpr int fewestBars = 5;
constexpr double share = 0.99; // of the probability that the tokens that matter hold together
constexpr double unlikely = 0.0005; // what is written as "<0.001" does not matter
constexpr double leastPitch = 1.35; // of a line of text
constexpr int highestPitch = 30; // pixels
constexpr int barsFrame = 18; // margins around the bars
constexpr int longestWord = 200; // characters
constexpr auto drawPause = std::chrono::milliseconds(60);

// Whether the numbers are no probabilities.
bool readsValues(const Trace& trace)
{
    const auto& classes = trace.classification();
    const auto& labelled = trace.tokenPredictions();
    return (classes && classes->reading == ClassReading::Value)
        || (labelled && labelled->reading == ClassReading::Value);
}

} // namespace

CandidatesPanel::CandidatesPanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_title(plainLabel())
    , m_bars(new FigureCanvas)
    , m_scroll(new QScrollArea)
    , m_text(new FigureCanvas(FigureCanvas::Height::Natural))
    , m_textScroll(new QScrollArea)
    , m_all(new QToolButton)
    , m_drawnNote(plainLabel())
    , m_word(new QLineEdit)
    , m_pieces(plainLabel())
{
    setObjectName(QStringLiteral("candidatesPanel"));
    m_title->setObjectName(QStringLiteral("candidatesTitle"));
    m_title->setWordWrap(true);
    m_bars->setObjectName(QStringLiteral("candidatesChart"));
    m_scroll->setWidget(m_bars);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setMinimumSize(100, 28);
    m_text->setObjectName(QStringLiteral("labelledText"));
    m_text->setAccessibleName(tr("The text with what is predicted of it"));
    m_text->setCursor(Qt::PointingHandCursor);
    m_textScroll->setWidget(m_text);
    m_textScroll->setWidgetResizable(true);
    m_textScroll->setFrameShape(QFrame::NoFrame);
    m_textScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_textScroll->setFocusPolicy(Qt::NoFocus);
    m_all->setObjectName(QStringLiteral("allCandidates"));
    m_all->setCheckable(true);
    m_all->setAutoRaise(true);
    m_drawnNote->setObjectName(QStringLiteral("drawnNote"));
    m_drawnNote->setText(tr("Solid: what is drawn from. Pale: the model's."));
    m_drawnNote->setToolTip(tr("The probabilities that sampling draws by as it is set up now, over the model's own"));
    m_drawnNote->hide();
    m_word->setObjectName(QStringLiteral("anotherWord"));
    m_word->setPlaceholderText(tr("Another word…"));
    m_word->setAccessibleName(tr("Another word to go on with"));
    m_word->setToolTip(tr("Type a word and press Enter: the output goes on from it (Ctrl+B)"));
    m_word->setMaxLength(longestWord);
    m_pieces->setObjectName(QStringLiteral("wordPieces"));
    m_pieces->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->setSpacing(4);
    layout->addWidget(m_textScroll);
    layout->addWidget(m_title);
    layout->addWidget(m_drawnNote);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_all, 0, Qt::AlignLeft);
    layout->addWidget(m_word);
    layout->addWidget(m_pieces);
    layout->addStretch(); // few bars need no tall chart
    m_all->hide();
    m_later.setSingleShot(true);
    m_later.setInterval(drawPause);
    connect(&m_later, &QTimer::timeout, this, &CandidatesPanel::draw);
    connect(m_all, &QToolButton::toggled, this, &CandidatesPanel::draw);
    connect(&m_study, &Study::traceChanged, this, &CandidatesPanel::later);
    connect(m_bars, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        if (hit.isCell())
            take(*hit.row);
    });
    m_bars->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_bars, &QWidget::customContextMenuRequested, this, &CandidatesPanel::showMenu);
    connect(m_text, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        if (hit.rowToken)
            m_selection.setStep(hit.rowToken);
    });
    connect(m_word, &QLineEdit::textChanged, this, &CandidatesPanel::showWord);
    connect(m_word, &QLineEdit::returnPressed, this, &CandidatesPanel::takeWord);
    connect(&m_appearance, &Appearance::changed, this, &CandidatesPanel::draw);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        const bool comes = std::exchange(m_comes, m_selection.moment().has_value()) != m_selection.moment().has_value();
        if (comes || (fields & (Selection::StepField | Selection::LeafField)))
            later();
    });
    draw();
}

// The most probable ones that hold nearly everything together, some more where these are few, and the one that was
// taken; at most as many as have room.
std::vector<BarListContent::Entry> CandidatesPanel::thoseThatMatter(int room) const
{
    std::vector<BarListContent::Entry> listed;
    double sum = 0;
    bool taken = false;
    for (const BarListContent::Entry& candidate : m_candidates) {
        const bool matters = sum < share && candidate.value >= unlikely;
        const bool fits = indexSize(listed) < room - (taken ? 0 : 1); // a line is kept for the one that was taken
        if (((matters || indexSize(listed) < fewestBars) && fits) || candidate.taken)
            listed.push_back(candidate);
        sum += candidate.value;
        taken = taken || candidate.taken;
    }
    return listed;
}

// Lines that the bars have room for.
int CandidatesPanel::room() const
{
    const QMargins margins = layout()->contentsMargins();
    int others = m_title->heightForWidth(width() - margins.left() - margins.right()) + m_all->sizeHint().height()
        + 2 * layout()->spacing() + margins.top() + margins.bottom();
    for (const QWidget* below : {static_cast<QWidget*>(m_textScroll), static_cast<QWidget*>(m_drawnNote),
                                 static_cast<QWidget*>(m_word), static_cast<QWidget*>(m_pieces)}) {
        if (!below->isHidden())
            others += below->sizeHint().height() + layout()->spacing();
    }
    if (!m_textScroll->isHidden())
        others += m_textScroll->height() + layout()->spacing();
    return std::max(1, static_cast<int>((height() - others - barsFrame) / leastLine()));
}

double CandidatesPanel::leastLine() const
{
    return fontMetrics().height() * leastPitch;
}

void CandidatesPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        draw(); // the panel's own colours come later than the figures'
    QWidget::changeEvent(event);
}

void CandidatesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    later();
}

void CandidatesPanel::later()
{
    if (!m_later.isActive())
        m_later.start();
}

void CandidatesPanel::setDrawn(const std::map<TokenId, double>& drawn)
{
    m_drawn = drawn;
    draw();
}

// --- what is taken instead ---

bool CandidatesPanel::canTake() const
{
    const auto step = m_selection.step();
    const Trace& trace = m_study.trace();
    return m_study.branches() && step && *step < trace.rowCount(m_selection.leaf())
        && (step != trace.unwrittenRow(m_selection.leaf()) || !m_study.ended());
}

// False for a token that was taken already, unless the rest is searched for or drawn anew.
bool CandidatesPanel::offers(const BarListContent::Entry& candidate) const
{
    const bool greedy = m_study.edited().decoding.search == Search::Greedy;
    return candidate.id >= 0 && !m_study.model()->info.ends(candidate.id) && !(candidate.taken && greedy);
}

void CandidatesPanel::take(int line)
{
    const auto& listed = m_listed->entries;
    if (line < indexSize(listed) && canTake() && offers(listed[line]))
        Q_EMIT taken(*m_selection.step(), {listed[line].id});
}

// Menu of the candidate that was pointed at, or that the keyboard is at.
void CandidatesPanel::showMenu(QPoint at)
{
    const FigureHit hit = m_bars->place();
    const auto& listed = m_listed->entries;
    const auto taken = std::ranges::find_if(m_candidates, &BarListContent::Entry::taken);
    if (!hit.isCell() || *hit.row >= indexSize(listed) || taken == m_candidates.end())
        return;
    const BarListContent::Entry& other = listed[static_cast<std::size_t>(*hit.row)];
    if (other.id < 0 || other.taken)
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("candidateMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Why \u201C%1\u201D and not \u201C%2\u201D?").arg(menuText(taken->label), menuText(other.label)),
                    this, [this, id = other.id] { Q_EMIT whyNotAsked(id); })
        ->setObjectName(QStringLiteral("whyNot"));
    menu->popup(m_bars->mapToGlobal(at));
}

void CandidatesPanel::takeWord()
{
    const TypedWord word = typedWord();
    if (word.tokens.empty() || !canTake())
        return;
    const int step = *m_selection.step();
    m_word->clear();
    Q_EMIT taken(step, word.tokens);
}

CandidatesPanel::TypedWord CandidatesPanel::typedWord() const
{
    TypedWord typed;
    if (const auto error = caught([&] { typed = readWord(); }))
        return {.said = sentences(userMessage(*error))};
    return typed;
}

CandidatesPanel::TypedWord CandidatesPanel::readWord() const
{
    const std::string word = m_word->text().trimmed().toStdString();
    if (word.empty() || !canTake() || !m_study.model()->writes)
        return {};
    const Tokenizer& tokenizer = *m_study.model()->writes;
    const Trace& trace = m_study.trace();
    std::vector<TokenId> before;
    if (trace.kind() == ModelKind::DecoderOnly && trace.source().size() > 0)
        before.push_back(trace.source().ids.front());
    const Trace::Path path = trace.path(m_selection.leaf());
    for (int step = 0; step < *m_selection.step(); ++step)
        before.push_back(path[step]->step.token);
    const Encoding output = tokenizer.describe(before);
    if (output.spans.size() != before.size()) // of pieces nobody knows whether a word begins there
        return {.said = tr("The model's tokenizer could not read the output up to here.")};
    const std::vector<TokenId> ids = wordPieces(tokenizer, word, jointOf(word, output.text.empty())).ids;
    const ModelInfo& info = m_study.model()->info;
    const auto unknown = tokenizer.namedTokens().unk;
    if (ids.empty())
        return {.said = tr("This is no token of the model.")};
    if (unknown && std::ranges::find(ids, *unknown) != ids.end())
        return {.said = tr("The model's vocabulary lacks this.")};
    if (std::ranges::any_of(ids, [&info](TokenId id) { return info.ends(id); }))
        return {.said = tr("This ends the output: nothing goes on from it.")};
    const Encoding read = tokenizer.describe(ids);
    QStringList pieces;
    for (const std::string& piece : read.labels.empty() ? read.tokens : read.labels)
        pieces << readableToken(piece);
    return {ids, tr("As ") + pieces.join(QLatin1Char(' '))};
}

void CandidatesPanel::showWord()
{
    m_word->setVisible(canTake() && m_study.model()->writes);
    const QString said = m_word->isHidden() ? QString() : typedWord().said;
    if (m_pieces->isHidden() != said.isEmpty())
        later(); // the bars have less room, or more
    m_pieces->setText(said);
    m_pieces->setVisible(!said.isEmpty());
}

// The text is given the height that it needs, so that the bars stand right below it.
void CandidatesPanel::drawText()
{
    const Trace& trace = m_study.trace();
    m_textScroll->setVisible(trace.tokenPredictions() != nullptr);
    if (m_textScroll->isHidden())
        return;
    FigureSpec spec;
    spec.kind = &labelsKind;
    spec.theme = m_appearance.theme();
    spec.baseFontPoints = m_appearance.choices().baseFontPoints;
    spec.noTitle = true;
    spec.currentStep = m_selection.step();
    const double wide = std::max(1, m_textScroll->viewport()->width());
    const double high = layoutFigure(spec, trace, {wide, 0})->size().height() + 1;
    m_textScroll->setFixedHeight(std::min(static_cast<int>(high), std::max(height() / 2, 1)));
    m_text->setFigure([spec, trace](QSizeF size) { return layoutFigure(spec, trace, size); });
}

void CandidatesPanel::draw()
{
    drawText();
    m_title->setText(readCandidates());
    m_title->setMinimumHeight(m_title->heightForWidth(m_title->width()));
    showWord();
    m_drawnNote->setVisible(!m_drawn.empty());
    const auto listed = std::make_shared<BarListContent>(); // once: there may be as many as the model has words
    BarListContent& content = *listed;
    content.entries = thoseThatMatter(room());
    const int rest = indexSize(m_candidates) - indexSize(content.entries);
    if (m_all->isChecked())
        content.entries = m_candidates;
    m_listed = listed;
    const bool any =
        canTake() && std::ranges::any_of(content.entries, [this](const auto& entry) { return offers(entry); });
    m_bars->setCursor(any ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_scroll->setVisible(!m_candidates.empty());
    m_all->setVisible(rest > 0);
    m_all->setText(m_all->isChecked() ? tr("Only the likely ones") : tr("%n more, less likely", nullptr, rest));
    m_all->setToolTip(m_all->isChecked() ? tr("List the tokens that hold 99 % of the probability together")
                                         : tr("List all candidates that the run has kept"));
    content.most = scaleEnd(content.entries);
    content.probabilities = !readsValues(m_study.trace());
    for (const BarListContent::Entry& entry : content.entries)
        content.least = std::min(content.least, numberOrLeast(entry.value) < 0 ? entry.value : 0);
    content.ground = palette().color(QPalette::Window);
    const int lines = indexSize(content.entries);
    m_bars->setMinimumHeight(barsFrame + static_cast<int>(lines * leastLine()));
    m_scroll->setMaximumHeight(barsFrame + lines * highestPitch);
    FigureSpec spec;
    spec.theme = m_appearance.theme();
    spec.baseFontPoints = m_appearance.choices().baseFontPoints;
    m_bars->setFigure([spec, listed](QSizeF size) { return barListFigure(spec, *listed, size); });
}

// Takes the candidates of what is looked at.
void CandidatesPanel::takeCandidates()
{
    const bool comes = m_selection.moment().has_value(); // and nothing is told of it before
    const auto read = std::tuple(m_study.revision(), m_selection.leaf(), m_selection.step(), comes);
    if (std::exchange(m_read, read) != read)
        m_candidates = comes ? std::vector<BarListContent::Entry>()
                             : candidatesAt(m_study.trace(), m_selection.leaf(), m_selection.step());
    const bool takes = canTake();
    const QString goesOn = tr("A click or Enter: goes on with it");
    const QString ends = tr("Ends the output");
    const QString space = tr("The dot stands for a space");
    for (BarListContent::Entry& candidate : m_candidates) {
        const auto drawn = m_drawn.find(candidate.id);
        candidate.drawn = drawn == m_drawn.end() ? std::nullopt : std::optional(drawn->second);
        candidate.hint = !takes                        ? QString()
            : offers(candidate)                        ? goesOn
            : m_study.model()->info.ends(candidate.id) ? ends
                                                       : QString();
        if (candidate.label.startsWith(QChar(0x00B7)))
            candidate.hint += (candidate.hint.isEmpty() ? QString() : QStringLiteral(". ")) + space;
    }
}

// Returns what they are candidates for, or why there are none.
QString CandidatesPanel::readCandidates()
{
    const Trace& trace = m_study.trace();
    const std::optional<int> step = m_selection.step();
    const bool reads = trace.kind() == ModelKind::EncoderOnly;
    takeCandidates();
    const QString prediction = predictionTitle(trace);
    m_bars->setAccessibleName(!prediction.isEmpty() ? capitalized(prediction)
                                  : reads           ? tr("Most probable tokens here")
                                                    : tr("Most probable next tokens"));
    const auto& labelled = trace.tokenPredictions();
    const bool answers = labelled && labelled->task == TaskHead::Span;
    const auto taken = std::ranges::find_if(m_candidates, &BarListContent::Entry::taken);
    if (m_selection.moment())
        return tr("The word is still to come.");
    if (!m_candidates.empty() && step == trace.unwrittenRow(m_selection.leaf()))
        return tr("What could come next. Nothing of it is written yet.");
    if (taken == m_candidates.end()) {
        if (const auto& match = trace.match())
            return match->similarity
                ? tr("Similarity of picture and text: %1").arg(shortDecimal(double{*match->similarity}, 3))
                : tr("Type texts to see how well each fits the picture.");
        if (m_study.model() && areLogitsLost(trace, m_selection.leaf(), step))
            return lostLogitsNote() + QLatin1Char('.');
        if (answers)
            return tr("No answer was found.");
        if (labelled)
            return tr("Click a token to see how probable its labels are.");
        if (reads && !trace.predictions().empty())
            return tr("Click a token to see what the model expects there.");
        if (m_study.model() && !m_study.predicts())
            return attentionOnly() + QLatin1Char('.');
        if (reads)
            return !m_study.model() ? tr("This archive holds no predictions.")
                                    : tr("No predictions were kept of this run.");
        const bool exists = step && step < trace.rowCount(m_selection.leaf());
        const Trace::Path path = trace.path(m_selection.leaf());
        const bool keptNone = exists
            && std::all_of(path.begin(), path.end(), [](const auto& one) { return one->step.candidates.empty(); });
        return !m_study.model() && exists ? tr("This archive holds no candidates.")
            : keptNone                    ? tr("No candidates were kept of this run. Run it again to see them.")
                                          : tr("No candidates for this step.");
    }
    if (const auto& classes = trace.classification())
        return classes->reading == ClassReading::Value ? tr("Predicted: %1").arg(taken->label)
                                                       : tr("Class: %1").arg(taken->label);
    if (trace.match())
        return tr("Fits best: “%1”").arg(taken->label);
    if (answers)
        return tr("Answer: “%1”").arg(taken->label);
    if (labelled)
        return tr("Label of token %1, “%2”: %3")
            .arg(QString::number(*step),
                 readableToken(tokenAxis(trace.source()).at(static_cast<std::size_t>(*step)).label), taken->label);
    if (reads)
        return tr("Expected at token %1, “%2”").arg(QString::number(*step), taken->label);
    const bool given = trace.continuesSource() && *step + trace.firstStepToken() < trace.firstGenerated();
    return given ? tr("Step %1: the prompt says “%2”, the model gave it %3")
                       .arg(QString::number(*step), taken->label, shortDecimal(taken->value, 2))
                 : tr("Step %1 took “%2”").arg(QString::number(*step), taken->label);
}

} // namespace attn::ui
