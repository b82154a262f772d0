// The window driven by the names of its controls, with the real engine behind it.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "ui/dialog_seams.h"
#include "ui/main_window.h"
#include "ui/panels/input_bar.h"
#include "ui/resources.h"
#include "ui/run_spec.h"
#include "ui/views/picture_view.h"
#include "ui/views/training_view.h"

using namespace attnscope;

class TestWindow : public QObject {
  Q_OBJECT

 private:
  template <class T>
  T& control(const char* name) {
    T* found = m_window->findChild<T*>(QLatin1String(name));
    if (!found) qFatal("no control is called %s", name);
    return *found;
  }
  Session& session() { return m_window->session(); }
  void trainSome(long steps) {
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(session().snapshot().step >= steps, 30000);
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_COMPARE(session().snapshot().state, RunState::Paused);
  }
  void choose(const char* name, const QString& value) {
    auto& box = control<QComboBox>(name);
    box.setCurrentIndex(box.findData(value));
  }

  QTemporaryDir m_folder;
  DialogSeams m_realSeams;
  int m_questions = 0;
  bool m_agree = false;
  std::unique_ptr<MainWindow> m_window;

 private Q_SLOTS:
  void initTestCase() {
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    loadResources();
    m_realSeams = dialogSeams();
  }

  void init() {
    m_questions = 0;
    m_agree = false;
    dialogSeams().confirm = [this](QWidget*, const QString&, const QString&, std::function<void()> accepted) {
      ++m_questions;
      if (m_agree) accepted();
    };
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 800);
    m_window->show();
    QTRY_VERIFY(session().info() && session().trace());
  }

  void cleanup() {
    m_window.reset();
    dialogSeams() = m_realSeams;
  }

  void opensReadyToTrain() {
    QCOMPARE(session().snapshot().state, RunState::Paused);
    QCOMPARE(session().snapshot().step, 0L);
    QCOMPARE(control<QComboBox>("task").currentData().toString(), QString("reverse"));
    QVERIFY(control<QToolButton>("trainButton").isEnabled());
    QVERIFY(control<QLabel>("cost").text().contains("parameters"));
    QVERIFY(!control<QLineEdit>("input").text().isEmpty());
  }

  void spaceTrainsAndPauses() {
    trainSome(20);
    const long step = session().snapshot().step;
    QVERIFY(control<QLabel>("progress").text().contains("loss"));
    QTest::qWait(100);
    QCOMPARE(session().snapshot().step, step);
    QCOMPARE(session().history().size(), static_cast<std::size_t>(step));
    QCOMPARE(control<TrainingView>("trainingPanel").curvePoints("loss"), static_cast<int>(step));
  }

  void spaceIsLeftToTheControlThatTakesIt() {
    auto& input = control<QLineEdit>("input");
    input.setFocus();
    QTest::keyClick(&input, Qt::Key_Space);
    QTest::qWait(50);
    QVERIFY(!session().isTraining());
  }

  void arrowsWalkTheStepsEverywhere() {
    Selection& selection = session().selection();
    selection.pin(0, -1);
    QTest::keyClick(m_window.get(), Qt::Key_Right);
    QTest::keyClick(m_window.get(), Qt::Key_Right);
    QCOMPARE(selection.step(), 2);
    QCOMPARE(control<QSlider>("stepSlider").value(), 2);
    QVERIFY(control<QLabel>("stepText").text().contains("3 of"));
    QCOMPARE(control<PictureView>("alignmentView").picture().state.step, 2);
    QCOMPARE(control<PictureView>("inspectorView").picture().state.step, 2);
    QTest::keyClick(m_window.get(), Qt::Key_Left);
    QCOMPARE(selection.step(), 1);
    control<QSlider>("stepSlider").setValue(0);
    QCOMPARE(selection.step(), 0);
    QTest::keyClick(m_window.get(), Qt::Key_Left);
    QCOMPARE(selection.step(), 0);
  }

  void aClickPinsAndEscapeReleases() {
    auto& view = control<PictureView>("alignmentView");
    const Picture picture = view.picture();
    std::optional<QPoint> cell;
    for (int y = 0; y < view.height() && !cell; y += 4)
      for (int x = 0; x < view.width() && !cell; x += 4)
        if (const auto hit = view.info().hit(view.rect(), picture, QPointF(x, y));
            hit && hit->step == 3 && hit->column == 2)
          cell = QPoint(x, y);
    QVERIFY(cell);
    QTest::mouseClick(&view, Qt::LeftButton, {}, *cell);
    QCOMPARE(session().selection().step(), 3);
    QCOMPARE(session().selection().column(), 2);
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(session().selection().step(), -1);
  }

  void typingIsTracedAndTheUnknownIsNamed() {
    auto& input = control<QLineEdit>("input");
    input.clear();
    QTest::keyClicks(&input, "a b zz c");
    const std::vector<std::string> expected = {"a", "b", "zz", "c", "</s>"};
    QTRY_VERIFY(session().traceExample() && session().traceExample()->source == expected);
    QVERIFY(control<QLabel>("inputNote").text().contains("zz"));
    control<QToolButton>("nextExample").click();
    QTRY_VERIFY(session().traceExample()->source != expected);
    QVERIFY(control<QLabel>("inputNote").text().isEmpty());
    QVERIFY(input.text() != QLatin1String("a b zz c"));
  }

  void aLongInputIsRefusedInOneLine() {
    auto& input = control<QLineEdit>("input");
    input.clear();
    QApplication::clipboard()->setText(QString("a b ").repeated(5000));
    input.paste();
    auto& note = control<QLabel>("inputNote");
    QTRY_VERIFY(note.text().contains("10000 tokens"));
    QVERIFY2(note.text().contains("2000") && !note.text().contains('\n'), qPrintable(note.text()));
    input.setText({});
    QTest::keyClicks(&input, "a");
    QTRY_VERIFY(note.text().isEmpty());
  }

  void aClassifiersStepsAreNotDecodingSteps() {
    QVERIFY(control<QLabel>("stepText").text().contains("decoding step"));
    choose("task", "difference");
    QTRY_COMPARE(QString::fromStdString(session().info()->data->name), QString("difference"));
    QTRY_VERIFY(!control<QLabel>("stepText").text().contains("decoding"));
    QVERIFY(control<QLabel>("stepText").text().contains("step"));
  }

  void aFinishedRunSaysThatItMayGoOn() {
    RunSpec spec = session().spec();
    spec.train.steps = 5;
    session().load(spec);
    QTRY_COMPARE(session().spec().train.steps, std::optional<long>(5));
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_COMPARE(session().snapshot().state, RunState::Finished);
    QVERIFY(control<QLabel>("message").isVisible());
    QVERIFY(control<QLabel>("message").text().contains("5 steps"));
    QVERIFY(control<QLabel>("message").text().contains("continue"));
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QVERIFY(!control<QLabel>("message").isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(session().snapshot().step > 5, 30000);
  }

  void aFileThatCannotBeReadLeavesTheTrainingGoing() {
    const QString file = m_folder.filePath("broken.safetensors");
    QFile broken(file);
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("\x08\0\0\0\0\0\0\0{}", 10);
    broken.close();
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(session().isTraining() && session().snapshot().step > 0, 30000);
    for (int i = 0; i < 2; ++i) {  // the same fault twice is said twice
      control<QFrame>("messageBar").hide();
      session().openModel(file.toStdString());
      QTRY_VERIFY(control<QFrame>("messageBar").isVisible());
      QVERIFY(control<QLabel>("message").text().contains("broken.safetensors"));
    }
    const long step = session().snapshot().step;
    QTRY_VERIFY_WITH_TIMEOUT(session().isTraining() && session().snapshot().step > step, 30000);
  }

  void noHintIsCutOff() {
    for (const char* task : {"reverse", "difference", "recall", "dates", "difference"}) {
      choose("task", task);
      QTRY_COMPARE(QString::fromStdString(session().info()->data->name), QString(task));
      QTest::qWait(50);
      auto& hint = control<QLabel>("taskHint");
      QVERIFY2(hint.height() >= hint.heightForWidth(hint.width()), task);
    }
  }

  void returnOpensThePairs() {
    const QString file = m_folder.filePath("pairs.tsv");
    QFile pairs(file);
    QVERIFY(pairs.open(QIODevice::WriteOnly));
    for (int i = 0; i < 40; ++i) pairs.write("a b c\tc b a\n");
    pairs.close();
    m_window->open({file});
    auto& open = control<QPushButton>("openPairsAccept");
    QTRY_VERIFY(open.isEnabled());
    QTest::keyClick(&control<QLineEdit>("sourceColumn"), Qt::Key_Return);
    QTRY_COMPARE(QString::fromStdString(session().info()->data->name), QString("pairs"));
  }

  void tokensAreFoundWhereTheyStand() {
    const auto spans = findTokens("a aa a", {"a", "aa", "a", "</s>"}, {0, 1, 1, 1});
    QCOMPARE(spans.size(), std::size_t(2));
    QCOMPARE(spans[0].start, 2);
    QCOMPARE(spans[1].start, 5);
  }

  void themesSwitchEverything() {
    m_window->findChild<QAction*>("action_themeDark")->trigger();
    QVERIFY(m_window->appStyle().theme().dark);
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 100);
    QVERIFY(control<PictureView>("alignmentView").picture().style.theme->dark);
    m_window->findChild<QAction*>("action_themeLight")->trigger();
    QVERIFY(!m_window->appStyle().theme().dark);
  }

  void anImpossibleChoiceIsSaidAndKeepsTheModel() {
    const auto generation = session().snapshot().generation;
    choose("score", "dot");  // the encoder reads in both directions: memory and query differ in size
    QVERIFY(control<QLabel>("setupError").isVisible());
    QVERIFY(control<QLabel>("setupError").text().contains("dot"));
    QVERIFY(!control<QPushButton>("apply").isEnabled());
    QTest::qWait(100);
    QCOMPARE(session().snapshot().generation, generation);
    control<QPushButton>("revert").click();
    QVERIFY(!control<QLabel>("setupError").isVisible());
    QVERIFY(control<QComboBox>("score").currentData().toString() != QLatin1String("dot"));
  }

  void anUntrainedModelIsReplacedAtOnce() {
    choose("score", "additive");
    QTRY_COMPARE(QString::fromStdString(session().info()->config["attention"]["score"].get<std::string>()),
                 QString("additive"));
    QCOMPARE(m_questions, 0);
    QVERIFY(control<QSpinBox>("units").isVisible());
  }

  void aTrainedModelIsReplacedOnlyWhenAsked() {
    trainSome(20);
    const auto generation = session().snapshot().generation;
    choose("score", "additive");
    QVERIFY(control<QPushButton>("apply").isVisible());
    control<QPushButton>("apply").click();
    QCOMPARE(m_questions, 1);
    QTest::qWait(100);
    QCOMPARE(session().snapshot().generation, generation);
    m_agree = true;
    control<QPushButton>("apply").click();
    QTRY_VERIFY(session().snapshot().generation > generation);
    QTRY_COMPARE(session().snapshot().step, 0L);
  }

  void theRateChangesWhileItTrains() {
    control<QDoubleSpinBox>("rate").setValue(0.0005);
    trainSome(10);
    QCOMPARE(session().history().back().rate, 0.0005);
    QVERIFY(!control<QPushButton>("apply").isVisible());
    const QString line = commandLine(session().spec());
    QVERIFY2(line.contains("--rate 0.0005"), qPrintable(line));
  }

  void resetAsksBeforeItDiscards() {
    trainSome(20);
    control<QToolButton>("resetButton").click();
    QCOMPARE(m_questions, 1);
    QVERIFY(session().snapshot().step >= 20);
    m_agree = true;
    control<QToolButton>("resetButton").click();
    QTRY_COMPARE(session().snapshot().step, 0L);
    QCOMPARE(control<TrainingView>("trainingPanel").curvePoints("loss"), 0);
  }

  void everyPictureExports_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("format");
    for (const char* what : {"alignment", "inspector", "training"})
      for (const char* format : {"png", "svg", "pdf", "csv"})
        QTest::newRow(qPrintable(QStringLiteral("%1.%2").arg(what, format))) << what << format;
  }

  void everyPictureExports() {
    QFETCH(QString, what);
    QFETCH(QString, format);
    const QString file = m_folder.filePath(what + '.' + format);
    dialogSeams().saveFile = [&file](QWidget*, const QString&, const QString&, const QString&) { return file; };
    m_window->findChild<QAction*>("action_export")->trigger();
    choose("exportWhat", what);
    choose("exportFormat", format);
    control<QPushButton>("exportSave").click();
    QVERIFY(QFileInfo(file).size() > 20);
    QVERIFY(control<QLabel>("message").text().contains(file));
  }

  void aFailedExportSaysWhy() {
    dialogSeams().saveFile = [](QWidget*, const QString&, const QString&, const QString&) {
      return QString("/nowhere/at/all/x.png");
    };
    m_window->findChild<QAction*>("action_export")->trigger();
    choose("exportFormat", "png");
    control<QPushButton>("exportSave").click();
    QVERIFY(control<QLabel>("message").text().contains("/nowhere/at/all"));
    QVERIFY(control<QFrame>("messageBar").property("error").toBool());
  }

  void aSavedModelOpensAgain() {
    trainSome(20);
    const QString file = m_folder.filePath("model.safetensors");
    dialogSeams().saveFile = [&file](QWidget*, const QString&, const QString&, const QString&) { return file; };
    m_window->findChild<QAction*>("action_saveModel")->trigger();
    QTRY_VERIFY(QFileInfo::exists(file));
    QTRY_VERIFY(!session().hasUnsavedTraining());
    const long step = session().snapshot().step;
    m_window->open({file});
    QTRY_VERIFY(session().info()->fromModelFile);
    QCOMPARE(session().snapshot().step, step);
    QCOMPARE(m_questions, 0);
  }

  void aMissingFileIsOneMessage() {
    m_window->open({"/no/such/model.safetensors"});
    QVERIFY(control<QLabel>("message").text().contains("/no/such/model.safetensors"));
  }

  void closesWhileTraining() {
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(session().snapshot().step > 20, 30000);
    m_window->close();
    QCOMPARE(m_questions, 1);
    QVERIFY(m_window->isVisible());
    m_agree = true;
    m_window->close();
    QTRY_VERIFY(!m_window->isVisible());
    m_window.reset();  // joins the worker
  }
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
