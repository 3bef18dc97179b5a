// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_window.h"
#include "ui/window/window_fixture.h"

#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include <atomic>

namespace attn::test {

// The laboratory at one page, over a main window on tiny models.
class LaboratoryFixture : public WindowFixture
{
public:
    using WindowFixture::WindowFixture;

    ui::LaboratoryPage& openPage(ui::Page page)
    {
        laboratory = &window->openLaboratory(page);
        if (!QTest::qWaitForWindowExposed(laboratory))
            qFatal("the laboratory is not shown");
        return laboratory->page(page);
    }

    // A widget of the page that is in front.
    template<class Widget>
    Widget* on(const char* name) const
    {
        QWidget* front = &laboratory->page(laboratory->current());
        auto* found = front->findChild<Widget*>(QLatin1String(name));
        if (const auto* tabs = front->findChild<QTabWidget*>()) {
            if (auto* inTab = tabs->currentWidget()->findChild<Widget*>(QLatin1String(name)))
                found = inTab;
        }
        if (found == nullptr)
            qFatal("the page has no %s", name);
        return found;
    }

    // Chooses an entry of a combo box of the page with the keyboard, by its data.
    void pick(const char* name, const QVariant& data) const { choose(on<QComboBox>(name), data); }
    void pick(const char* name, const char* id) const { pick(name, QVariant(QLatin1String(id))); }
    void pick(const char* name, int data) const { pick(name, QVariant(data)); }

    // Moves the pointer inside a widget. The event is sent to it, because the window behind may lie over it here.
    static void pointTo(QWidget* widget, QPointF position, Qt::MouseButtons buttons = Qt::NoButton)
    {
        QMouseEvent move(QEvent::MouseMove, position, widget->mapToGlobal(position), Qt::NoButton, buttons,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(widget, &move);
    }

    bool busy() const { return on<QWidget>("cancelJob")->isVisible(); }

    // Everything that the inference thread was given is done or dropped, and what it said of that has arrived.
    void settle() const
    {
        std::atomic_bool reached = false;
        window->controller().thread().post([&reached](Engine&) { reached = true; });
        QTRY_VERIFY(reached);
        QCoreApplication::processEvents();
    }

    // Exports the page as a file of this name and returns its bytes.
    QByteArray exported(const QString& name)
    {
        const QString file = path(name);
        answers->choice = ui::ExportChoice{file, {}};
        if (!QTest::qWaitFor([&] { return laboratory->page(laboratory->current()).exportable().has_value(); }))
            qFatal("there is nothing to export");
        QSignalSpy written(&exporter(), &ui::Exporter::written);
        QTest::keyClick(laboratory, Qt::Key_E, Qt::ControlModifier);
        QFile output(file);
        if (!(written.count() > 0 || written.wait()) || !output.open(QIODevice::ReadOnly))
            qFatal("%s is not written", qPrintable(name));
        return output.readAll();
    }

    ui::LaboratoryWindow* laboratory = nullptr;
};

} // namespace attn::test
