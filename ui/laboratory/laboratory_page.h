// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"
#include "figures/parts/exportable.h"
#include "panels/message_bar.h"
#include "run/job_runner.h"
#include "state/appearance.h"
#include "state/kept_values.h"
#include "state/selection.h"
#include "state/study.h"
#include "views/figure_canvas.h"
#include "views/formula_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStringList>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWidget>

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

class Dialogs;
enum class OpenKind : std::uint8_t;

// Parts of the program that every page can look at and use.
struct LaboratoryContext
{
    Study& study;
    Selection& selection;
    Appearance& appearance;
    RunController& controller;
    Dialogs& dialogs;
    KeptValues& kept;

    Question question() const { return study.questionToModel(); }
};

// Place in a view that is asked about.
struct Place
{
    struct Token
    {
        Stage side = Stage::Encoder; // of the source's table, or of the target's (Decoder)
        TokenId id = 0;
        QString name = {};
    };

    std::optional<FigureCell> cell = {}; // of the selected attention, in tokens
    std::optional<Token> token = {};
};

// The sentence that is typed in the window; of an archive, its own.
QString sentenceOnShow(const LaboratoryContext& context);

// The inference thread's engine and models, with the words for how far the work has come.
Workbench workbench(JobTools& tools);

// Carries an experiment out on the inference thread. `show` is called here with it, a shared pointer, after its last
// piece; of a cancelled or failed one never.
template<class Experiment, class Show>
void carryOut(JobRunner& jobs, Experiment experiment, Show show)
{
    const auto shared = std::make_shared<Experiment>(std::move(experiment));
    jobs.start([shared](JobTools& tools) { return shared->advance(workbench(tools)); },
               [shared, show = std::move(show)] { show(std::shared_ptr<const Experiment>(shared)); });
}

// Likewise, and shows also what read(experiment) makes of it between its pieces, about ten times a second.
template<class Experiment, class Read, class Show>
void carryOut(JobRunner& jobs, Experiment experiment, Read read, Show show)
{
    jobs.start(
        [experiment = std::move(experiment), read = std::move(read), show = std::move(show),
         shown = std::chrono::steady_clock::time_point()](JobTools& tools) mutable {
            const bool more = experiment.advance(workbench(tools));
            const auto now = std::chrono::steady_clock::now();
            if (!more || now - shown >= std::chrono::milliseconds(100)) {
                shown = now;
                tools.publish([show, result = read(experiment)] { show(result); });
            }
            return more;
        },
        {});
}

// The last thing that a page asked an experiment, and the answer.
template<class Experiment, class Asked>
struct Answered
{
    std::optional<Asked> asked;
    std::shared_ptr<const Experiment> result; // null: still on its way, or cancelled
};

// Name of a control: the key of its label belongs to it.
struct ControlName
{
    const char* id; // its object's name
    QString label; // before it, on a button, beside a box to tick; empty: none
    QString accessible = {}; // else the label
    QString tip = {};
};

// Widgets beside or below each other, none of which can be closed.
struct SplitPart
{
    QWidget* widget = nullptr;
    int size = 0; // at first, pixels
    int stretch = 0;
};
constexpr int narrowPage = 700; // pixels, too few for a table beside a figure
// Widgets are below each other in any case in less than `narrow` pixels.
QSplitter* split(Qt::Orientation orientation, const std::vector<SplitPart>& parts, int narrow = 0);

// A figure of why there is none.
FigureLayout emptyFigure(const FigureSpec& spec, const QString& why);

// An experiment or a reading: a heading, a sentence or two that say what is seen, controls, the picture, and, while
// models run for it, progress with a way to cancel.
class LaboratoryPage : public QWidget
{
    Q_OBJECT

public:
    // Without a sentence about it, it is a part of another page: it has no heading either.
    LaboratoryPage(const LaboratoryContext& context, const QString& about);

    void setTitle(const QString& title);
    QString title() const;
    virtual bool busy() const { return m_jobs.busy(); }
    // Ends what runs for it, and takes back what it has said of that.
    void stop();
    // Figure that is seen, for exports; none while there is nothing.
    virtual std::optional<Exportable> exportable() const = 0;
    // The page has come to the front, perhaps with another model, sentence or cell than last time.
    virtual void activate() { }
    // Shows a place of the page's topic, where that is found in views.
    virtual void lookAt(const Place&) { }

Q_SIGNALS:
    void hovered(const QString& text); // for the status bar

protected:
    const LaboratoryContext& context() const { return m_context; }
    const std::shared_ptr<const ModelSummary>& model() const { return m_context.study.model(); }
    // Controls stand beside each other in rows, which are several lines where they must; what is added goes into the
    // last row, after its label.
    void addControlRow();
    // A row in one line, where some take all room that there is.
    QHBoxLayout* addFilledRow();
    template<class Control>
    Control* addControl(const ControlName& name, Control* control)
    {
        place(name, control);
        return control;
    }
    // Entries by their ids, which are their data.
    QComboBox* addChoice(const ControlName& name, const std::vector<std::pair<const char*, QString>>& entries = {});
    QSpinBox* addNumber(const ControlName& name, int least, int most, int value, int step = 1);
    QCheckBox* addTick(const ControlName& name, bool ticked);
    // With its label.
    void setShown(QWidget* control, bool shown);
    // Calls when one of these has another value.
    void onChange(std::initializer_list<QWidget*> controls, const std::function<void()>& call);
    // A canvas whose places are said in the status bar.
    FigureCanvas* makeCanvas(const char* name, const QString& accessibleName,
                             FigureCanvas::Height height = FigureCanvas::Height::Filling);
    // Under messages, the result and the progress, which are under the last controls, so that they never move these.
    void setContent(QWidget* content);
    QWidget* notes() { return m_notes; }
    // Figure that is exported, under the page's title.
    Exportable shown(FigureLayout layOut, std::function<QByteArray()> csv) const;
    // Draws once more what is on show: colours or words have changed.
    virtual void redraw() = 0;
    void changeEvent(QEvent* event) override;
    JobRunner& jobs() { return m_jobs; }
    // Carries make() out unless that is what was asked last; show() once the answer is there.
    template<class Experiment, class Asked, class Make, class Show>
    void ask(Answered<Experiment, Asked>& last, Asked asked, Make make, Show show)
    {
        if (last.asked != asked || (!last.result && !m_jobs.busy())) {
            last = {std::move(asked), nullptr};
            carryOut(m_jobs, make(), [&last, show](std::shared_ptr<const Experiment> result) {
                last.result = std::move(result);
                show();
            });
        } else if (last.result) {
            show();
        }
    }
    MessageBar& message() { return *m_message; }
    // Activates the page in front again whenever the window has another model or result, and nothing runs there.
    void activateOnChanges();
    // The folder of the last file is kept under this key.
    void keepFolder(const char* key) { m_storeFolder = m_context.kept.keep(key, m_folder); }
    const QString& folder() const { return m_folder; }
    // Asks for a file; where one is chosen, what runs ends and messages go. Empty: none was.
    QString chooseFile(OpenKind kind);
    // A result in a sentence, under the formula that it is about.
    void say(const QString& text, const Formula& formula = {});
    // A spec with the colours that the window has.
    FigureSpec look() const;

private:
    void place(const ControlName& name, QWidget* control);

    LaboratoryContext m_context;
    QLabel* m_heading = nullptr;
    QVBoxLayout* m_layout = nullptr;
    QVBoxLayout* m_rows = nullptr;
    QLayout* m_controls = nullptr; // the last row
    std::map<QWidget*, QLabel*> m_labels; // of controls
    QWidget* m_notes = nullptr;
    MessageBar* m_message = nullptr;
    FormulaLabel* m_formula = nullptr;
    QLabel* m_result = nullptr;
    QWidget* m_progressRow = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QString m_folder; // of the last file
    KeptValues::Store m_storeFolder;
    JobRunner m_jobs;
};

// A page whose parts are pages of their own, of which one is in front. Only that one works.
class TabbedPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    TabbedPage(const LaboratoryContext& context, const char* tabsName, const QString& about);

    void add(LaboratoryPage* tab, const QString& name); // which is taken

    std::optional<Exportable> exportable() const override;
    void activate() override;
    bool busy() const override;

private:
    void redraw() override { } // the tabs do
    LaboratoryPage* current() const { return static_cast<LaboratoryPage*>(m_tabs->currentWidget()); }

    QTabWidget* m_tabs = nullptr;
};

} // namespace attn::ui
