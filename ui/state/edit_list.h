// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit_check.h"
#include "state/study.h"

#include <QAbstractListModel>
#include <QJsonArray>
#include <QStringList>
#include <QUndoStack>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attn::ui {

// The edits of the question that is being edited, in order, and between them those that are only kept: unticked, or
// wrong. What the user does here can be undone, as long as the sentence is the same; when another run is shown, its
// edits are the ticked ones.
class EditList final : public QAbstractListModel
{
    Q_OBJECT

public:
    struct Entry
    {
        std::string text;
        bool on = true; // ticked
        QString problem = {}; // why it is not applied; empty: nothing is wrong

        bool applies() const { return on && problem.isEmpty(); }
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    using Entries = std::vector<Entry>;

    static constexpr int ProblemRole = Qt::UserRole;

    explicit EditList(Study& study, QObject* parent = nullptr);

    const Entries& entries() const { return m_entries; }
    // Edits that a run is asked with.
    std::vector<std::string> applied() const;
    bool applies(const std::vector<std::string>& texts) const; // all of them

    // Each is one step to undo.
    void add(const std::vector<std::string>& texts, std::optional<int> before = {}); // none: at the end
    void toggle(const std::vector<std::string>& texts); // takes them away where all of them apply
    void removeAll(std::vector<int> rows);
    void move(int from, int to); // `to`: where it is then
    void setText(int row, const QString& text);
    void setOn(int row, bool on);
    // All changes with one number are one step: a value that follows the mouse. Puts a text in the place of `instead`,
    // or at the end where that is not there.
    void slide(int number, const std::string& instead, const std::string& text);
    QUndoStack& history() { return m_history; }

    // One edit a line, also with "--edit" before it, as it is copied from a command line.
    static std::vector<std::string> textsIn(const QString& lines);
    QString text(bool onlyApplied) const; // one a line

    // Some of those that were asked do not fit the sentence or the model: they are not applied until retry().
    void refuse(const std::vector<std::string>& asked, const std::vector<EditProblem>& problems);
    void retry();

    // With what is not in the question.
    QJsonArray kept() const;
    void restore(const QJsonArray& kept);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;

Q_SIGNALS:
    void appliedChanged(); // by the user: what is on show was asked otherwise

private:
    class Change;

    void change(Entries next, const QString& what, int number = 0);
    void put(Entries next, bool byUser = true); // and tells the question
    void show(Entries next); // tells the views
    void followQuestion();
    void follow(const std::vector<std::string>& edits); // of another question
    void name(const std::string& text);
    QString words(const std::string& text) const;

    Study& m_study;
    Question m_sentence; // that they were made for
    Entries m_entries;
    std::map<std::string, QString> m_words; // by text: what people call it
    QUndoStack m_history;
    bool m_telling = false;
};

} // namespace attn::ui
