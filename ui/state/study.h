// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "question/question.h"
#include "state/model_summary.h"
#include "state/run_tree.h"
#include "trace/kept_readings.h"
#include "trace/trace.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::ui {

// Where the result on show is older than what is chosen now.
enum class Age : std::uint8_t { Current, OlderThanChoices, OlderThanText };

// Study that the window is about: the model that is open, the question that is being edited, and the runs made. Panels
// edit the question, views show a run, and all of them listen here and do not know each other. What of a run is looked
// at is Selection's.
class Study : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // --- what is open
    const std::shared_ptr<const ModelSummary>& model() const { return m_model; } // null: an archive
    const QString& opened() const { return m_opened; } // opens it again: as ModelSummary::path, or the archive's
    bool showsArchive() const { return !m_model && !m_opened.isEmpty(); }
    ModelKind kind() const { return m_model ? m_model->info.kind : trace().kind(); }
    bool onlyReads() const { return kind() == ModelKind::EncoderOnly; }
    bool predicts() const; // tokens or classes
    void setModel(ModelSummary model);
    void setArchive(const QString& path);
    // Directories and archives, most recent first.
    const QStringList& recent() const { return m_recent; }
    void setRecent(const QStringList& recent);

    // --- the question that is being edited
    // Its model is what is being opened, its `generate` how far a text is continued at once, and an empty output to
    // follow is one that has not been typed yet.
    const Question& edited() const { return m_edited; }
    // `change` changes a Question; what is new is told. Edits and what the output was made to begin with go with the
    // text, the language and the model that they belonged to; those of the run on show come back with its sentence.
    template<class Change>
    void edit(const Change& change)
    {
        Question next = m_edited;
        change(next);
        setEdited(fresh(std::move(next)));
    }
    void setEdited(Question question); // all of it
    // To ask now: what is edited, with so many tokens written on a text.
    Question question(int generate = 0) const;
    // The same of the model that is open; its model is empty when there is none.
    Question questionToModel() const;

    // --- the runs
    const Trace& trace() const { return m_trace; } // on show
    bool running() const { return m_runCommands; } // and growing
    quint64 revision() const { return m_revision; } // another number for every state of the trace
    // Question that the run that goes on was asked with, and what that one or else the one on show.
    const std::optional<Question>& going() const { return m_going; }
    const std::optional<Question>& asked() const { return m_going ? m_going : m_asked; }
    Age age() const;
    // Continuation of a text by a decoder-only model that still stands there: by how much, and whether it came to
    // its end by itself.
    int written() const;
    bool ended() const;

    // A run is on its way; without a question a model or an archive is being opened.
    void begin(const std::optional<Question>& question);
    // Its first result takes the place of another: what views remember of the old one (hypothesis, step, zoom) ends,
    // and what it was compared with unless the sentence is the same.
    void replaceTrace(Trace trace, bool running);
    // The result on show has grown.
    void growTrace(Trace trace, bool running);
    // True where the next run was asked as the one on show, but for its edits; while traceReplaced() is told.
    bool onlyEditsDiffer() const { return m_onlyEditsDiffer; }
    // Runs that are asked between these two take the place of each other: a value that is being tried out.
    void beginTrying();
    void endTrying();
    bool trying() const { return m_trying; }
    // Nothing of the model that is open is on show.
    void clearTrace();
    // Nothing is on its way any more. What an identical question had for an answer comes back where this one has none.
    void end();

    // --- the runs that were made, the one on show among them
    const RunTree& runs() const { return m_runs; }
    std::optional<int> shown() const { return m_shown; } // its id; none: nothing is on show
    std::optional<int> against() const { return m_against; } // what it is compared with
    std::optional<int> growing() const { return m_growing; }
    int dropped() const { return m_dropped; } // the oldest ones, which did not fit
    // Nothing is run: its model, its question and its trace are what is open, edited and on show.
    void show(int id);
    // Back to what was on show before, and forth again; none: there is nothing.
    std::optional<int> earlier() const { return last(m_earlier); }
    std::optional<int> later() const { return last(m_later); }
    void showEarlier() { walk(m_earlier, m_later); }
    void showLater() { walk(m_later, m_earlier); }
    // Whether its output, or the text that it continued, can be gone on from otherwise at any step.
    bool branches() const;
    void compareAgainst(std::optional<int> run);
    // Run that the one on show is compared with; null: nothing, or itself.
    const Run* compared() const;
    // The output of a run as the question of another sees it; empty while that is not known.
    OutputScore outputUnder(int run, int other) const;
    void setOutputUnder(int run, int other, OutputScore score);
    // Links by hand that maps of their texts show; null: none.
    const std::shared_ptr<const GoldTexts>& gold() const { return m_gold; }
    void setGold(std::shared_ptr<const GoldTexts> gold);
    // Change of the output of the run on show without each head; null while that is not known.
    std::shared_ptr<const HeadChanges> withoutHeads() const;
    void setWithoutHeads(int run, HeadChanges changes);
    // Readings that a model computed of a run; they are added to its trace.
    void addReadings(int run, const KeptReadings& readings);
    // Methods of readings that somebody shows, beside the one of what is selected.
    const std::multiset<std::string>& wantedReadings() const { return m_wantedReadings; }
    void wantReadings(const std::string& method, bool wanted);
    bool computesReadings() const { return m_computesReadings; } // of what is on show
    void setComputesReadings(bool computes);
    void rename(int id, const QString& name); // empty: by what differs from its parent
    void annotate(int id, const QString& note);
    void remove(int id); // but the one that grows
    void gather() { Q_EMIT gathering(); } // before it is looked at what there is

    // --- the files that they have read
    const SessionInputs& inputs() const { return m_read.inputs; }
    void keepInput(const std::string& path, SessionInput file);
    void forgetInput(const std::string& path) { m_read.inputs.erase(path); } // it is read anew

    // --- the file that they are kept in
    const QString& file() const { return m_file; } // empty: none
    bool unsaved() const { return m_changes != m_saved; } // something of the runs is not in the file
    quint64 changes() const { return m_changes; } // another number for every state of the runs
    quint64 sessions() const { return m_sessions; } // another number once these are the runs of another session
    // Everything but where and how it is looked at. Unknown fields of the file that was opened stay.
    Session session() const;
    // In the place of all runs; with an empty `file` they are in none.
    void restore(Session session, const QString& file, const QString& opened);
    // The model that most of the runs of an opened session were made with is there.
    void setModelOfRuns(const ModelSummary& model);
    void setSaved(const QString& file, quint64 changes); // as they were then

Q_SIGNALS:
    void modelChanged(); // or archive
    void recentChanged();
    void questionChanged(); // that is edited
    void traceReplaced(); // before traceChanged(), while trace() is still the old one
    void traceChanged();
    void runningChanged(bool running);
    void runBegan();
    void runEnded();
    void tried(); // and the last value stays
    void gathering(); // who holds a name or note that is being typed gives it now
    void runsChanged(); // which there are, how they are called, or what came of them
    void shownRunChanged(); // or the one that it is compared with
    void outputScored();
    void goldChanged();
    void headsSwept(); // a run was made without each of its heads
    void readingsChanged(); // those kept with a run, or whether any are being computed
    void readingsWanted();
    void fileChanged(); // or whether something is unsaved

private:
    Question fresh(Question next) const;
    std::optional<int> last(const std::vector<int>& seen) const;
    void walk(std::vector<int>& from, std::vector<int>& to);
    void setRunning(bool running);
    void put(Trace trace); // on show
    void showNothing();
    void openWhatMade(const Run& run);
    void tellReplaced(const std::optional<Question>& question); // what is on show, by what was asked so
    void changed();
    void settle();
    void setShown(std::optional<int> run);

    std::shared_ptr<const ModelSummary> m_model;
    QString m_opened;
    QStringList m_recent;
    Question m_edited;
    std::optional<Question> m_going; // asked by the run that goes on
    Trace m_trace; // on show
    std::optional<Question> m_asked; // and what was asked
    RunTree m_runs;
    std::optional<int> m_shown;
    std::vector<int> m_earlier; // on show before, the last one last
    std::vector<int> m_later;
    bool m_walking = false;
    std::optional<int> m_against;
    std::optional<int> m_growing;
    std::map<std::pair<int, int>, OutputScore> m_outputs; // of finished runs, as others see them
    std::map<int, std::shared_ptr<const HeadChanges>> m_withoutHeads; // by run
    std::multiset<std::string> m_wantedReadings; // once for each who shows them
    bool m_computesReadings = false;
    std::shared_ptr<const GoldTexts> m_gold;
    bool m_onlyEditsDiffer = false;
    quint64 m_sessions = 0;
    bool m_trying = false;
    std::optional<int> m_tried; // the run that is overwritten
    std::optional<Trace> m_before; // that the growing run had for an identical question
    int m_dropped = 0;
    QString m_file;
    Session m_read; // what was read beside the runs
    quint64 m_changes = 0;
    quint64 m_saved = 0;
    bool m_runCommands = false;
    quint64 m_revision = 0;
};

} // namespace attn::ui
