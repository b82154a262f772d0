#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "tests/support/program.h"

using namespace attnscope;

namespace {

const QStringList kTiny{"--lengths",         "2-4",   "--symbols",   "4",       "--set", "encoder.hidden=12", "--set",
                        "decoder.hidden=12", "--set", "embedding=8", "--batch", "16"};

QByteArray contentOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

QList<QJsonObject> eventsOf(const QByteArray& log) {
  QList<QJsonObject> events;
  for (const QByteArray& line : log.trimmed().split('\n')) events << QJsonDocument::fromJson(line).object();
  return events;
}

// Without what depends on the clock.
QList<QJsonObject> timeless(QList<QJsonObject> events) {
  for (QJsonObject& event : events) {
    for (const char* key : {"seconds", "tokens_per_s", "out"}) event.remove(QLatin1String(key));
  }
  return events;
}

QStringList keysOf(const QJsonValue& value) {
  QStringList keys = value.toObject().keys();
  keys.sort();
  return keys;
}

}  // namespace

class TestTrain : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
  ProgramResult train(const QStringList& more) const {
    return runProgram(QStringList{"train", "--task", "copy"} + kTiny + more);
  }
  QString model() {
    const QString file = path("model.safetensors");
    if (QFile::exists(file)) return file;
    const ProgramResult result = train({"--steps", "60", "--validate-every", "30", "--out", file, "--quiet"});
    if (result.code != 0) qFatal("%s", result.errors.constData());
    return file;
  }
  QString pairs(const char* name) const {
    QFile out(path(name));
    if (!out.open(QIODevice::WriteOnly)) qFatal("the test file cannot be made");
    for (int i = 0; i < 40; ++i) {
      const QByteArray word(1, static_cast<char>('a' + i % 20));
      out.write(word + " " + QByteArray::number(i) + "\t" + QByteArray::number(i) + " " + word + "\n");
    }
    out.write("\tno source\n\n");
    return out.fileName();
  }

 private Q_SLOTS:
  void theLogHoldsTheRun() {
    const ProgramResult result =
        train({"--steps", "6", "--validate-every", "4", "--log", path("run.log"), "--out", path("log.safetensors")});
    QVERIFY2(result.code == 0, result.errors);
    const QList<QJsonObject> events = eventsOf(contentOf(path("run.log")));
    QStringList kinds;
    for (const QJsonObject& event : events) kinds << event["event"].toString().left(1);
    QCOMPARE(kinds.join(""), QStringLiteral("sssssvssve"));
    QCOMPARE(keysOf(events.front()), QStringList({"config", "data", "event", "parameters", "seed", "threads"}));
    QCOMPARE(keysOf(events[1]),
             QStringList({"epoch", "event", "gradient_norm", "loss", "rate", "seconds", "step", "tokens_per_s"}));
    const QJsonObject validation = events[5];
    QCOMPARE(keysOf(validation), QStringList({"agreement", "entropy", "event", "forced", "free", "seconds", "step"}));
    QCOMPARE(keysOf(validation["forced"]), QStringList({"loss", "sequence_accuracy", "token_accuracy"}));
    QCOMPARE(keysOf(validation["free"]), QStringList({"sequence_accuracy", "token_accuracy"}));
    QCOMPARE(keysOf(validation["agreement"]), QStringList({"-1", "0", "1"}));
    QCOMPARE(keysOf(events.back()), QStringList({"event", "out", "reason", "seconds", "step"}));
    QCOMPARE(events.back()["reason"].toString(), QStringLiteral("steps"));
    QCOMPARE(events.back()["step"].toInt(), 6);
    QVERIFY2(result.output.startsWith("6 steps in ") && result.output.contains("of sequences"), result.output);
  }

  void classesHaveOneAccuracy() {
    const ProgramResult result =
        runProgram({"train", "--task", "recall", "--steps", "2", "--batch", "8", "--log", "-", "--quiet"});
    QVERIFY2(result.code == 0, result.errors);
    const QList<QJsonObject> events = eventsOf(result.output);
    const QJsonObject validation = events[events.size() - 2];
    QVERIFY(validation["accuracy"].isDouble() && !validation.contains("free"));
    QCOMPARE(keysOf(validation["forced"]), QStringList({"loss"}));
  }

  void theSameSeedGivesTheSameBytes() {
    const auto run = [&](const char* name, const char* seed, const char* threads) {
      const QString out = path(name) + ".safetensors", log = path(name) + ".log";
      const ProgramResult result = train({"--steps", "12", "--validate-every", "5", "--seed", seed, "--threads",
                                          threads, "--teacher-forcing", "0.7", "--out", out, "--log", log});
      if (result.code != 0) qFatal("%s", result.errors.constData());
      return std::pair(contentOf(out), timeless(eventsOf(contentOf(log))));
    };
    const auto first = run("a", "7", "2");
    const auto second = run("b", "7", "2");
    QVERIFY(!first.first.isEmpty());
    QVERIFY(first.first == second.first);
    QCOMPARE(first.second, second.second);
    QVERIFY(first.first == run("c", "7", "1").first);
    QVERIFY(first.first != run("d", "8", "2").first);
  }

  void aModelOnStandardOutputIsTheModel() {
    const ProgramResult piped = train({"--steps", "3", "--out", "-"});
    QCOMPARE(piped.code, 0);
    QCOMPARE(train({"--steps", "3", "--out", path("file.safetensors")}).code, 0);
    QVERIFY(piped.output == contentOf(path("file.safetensors")));
  }

  void anAccuracyThatIsNotReachedIsNo() {
    const ProgramResult result = train({"--steps", "2", "--until-accuracy", "1", "--out", path("no.safetensors")});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.output.contains("100 % was not reached"), result.output);
    QVERIFY(QFile::exists(path("no.safetensors")));
    QCOMPARE(train({"--until-accuracy", "0", "--validate-every", "1"}).code, 0);
  }

  void aFewPairsLeaveNothingToValidateOn() {
    QFile out(path("one.tsv"));
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("a b\tb a\n") > 0);
    out.close();
    const QStringList arguments{"train", "--data", out.fileName(), "--steps", "2", "--log", "-"};
    const ProgramResult result = runProgram(arguments);
    QVERIFY2(result.code == 0 && !result.output.contains("validation\""), result.output);
    QCOMPARE(runProgram(arguments + QStringList{"--keep", "best"}).code, 3);
  }

  void divergenceKeepsTheLastGoodWeights() {
    const ProgramResult result = train({"--steps", "200", "--optimizer", "sgd", "--rate", "1e30", "--clip", "0",
                                        "--out", path("wild.safetensors"), "--log", path("wild.log"), "--quiet"});
    QCOMPARE(result.code, 5);
    QVERIFY2(
        result.errors.count('\n') == 1 && result.errors.contains("step ") && result.errors.contains("wild.safetensors"),
        result.errors);
    QCOMPARE(eventsOf(contentOf(path("wild.log"))).back()["reason"].toString(), QStringLiteral("diverged"));
    QCOMPARE(runProgram({"trace", "--model", path("wild.safetensors"), "--input", "a b"}).code, 0);
  }

  void ctrlCSavesTheModel() {
    QProcess process;
    process.start(QStringLiteral(ATTNSCOPE_BINARY),
                  QStringList{"train", "--task", "copy"} + kTiny +
                      QStringList{"--seconds", "100", "--log", "-", "--out", path("stopped.safetensors")});
    QByteArray log;
    while (!log.contains("\"event\":\"step\"") && process.waitForReadyRead(60'000))
      log += process.readAllStandardOutput();
    QVERIFY(log.contains("\"event\":\"step\""));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    log += process.readAllStandardOutput();
    const QList<QJsonObject> events = eventsOf(log);
    QCOMPARE(events.back()["reason"].toString(), QStringLiteral("interrupted"));
    const ProgramResult trace = runProgram({"trace", "--model", path("stopped.safetensors"), "--task"});
    QVERIFY2(trace.code == 0, trace.errors);
    QCOMPARE(QJsonDocument::fromJson(trace.output)["step"].toInt(), events.back()["step"].toInt());
  }

  void aReaderThatGoesAwayLosesNoModel() {
    const QByteArray model = path("unread.safetensors").toUtf8();
    QProcess process;
    process.start(QStringLiteral("sh"),
                  {"-c", "{ " ATTNSCOPE_BINARY " train --task copy " + kTiny.join(' ') +
                             " --seconds 100 --log - --out '" + model + "'; echo code $? >&2; } | head -1 >/dev/null"});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY(process.readAllStandardError().contains("code 4"));
    QCOMPARE(runProgram({"trace", "--model", model, "--task"}).code, 0);
  }

  // Names of files are bytes; a model that names its data must still be written.
  void dataOfANameThatIsNoText() {
    const QString script =
        QStringLiteral("cd '%1' && cp '%2' $(printf 'n\\377.tsv') && " ATTNSCOPE_BINARY
                       " train --data $(printf 'n\\377.tsv') %3 --steps 1 --out named.safetensors && rm n*.tsv");
    QProcess process;
    process.start(QStringLiteral("sh"),
                  {"-c", script.arg(m_folder.path(), pairs("plain.tsv"), kTiny.mid(4).join(' '))});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    QCOMPARE(runProgram({"trace", "--model", path("named.safetensors"), "--input", "a 1"}).code, 0);
  }

  void quietIsSilentAndNoEndIsSaid() {
    const ProgramResult quiet = train({"--steps", "2", "--quiet"});
    QVERIFY2(quiet.code == 0 && quiet.output.isEmpty() && quiet.errors.isEmpty(), quiet.errors + quiet.output);
    const ProgramResult loud = train({"--steps", "2"});
    QVERIFY2(loud.errors.contains("will not be saved") && !loud.errors.contains('\r'), loud.errors);
  }

  void evaluateMeasures() {
    const ProgramResult result = runProgram({"evaluate", "--model", model(), "--task", "--count", "50", "--json",
                                             "--predictions", path("predictions.tsv")});
    QVERIFY2(result.code == 0, result.errors);
    const QJsonObject object = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(keysOf(object), QStringList({"data", "examples", "forced", "free", "model", "sites", "skipped"}));
    QCOMPARE(object["examples"].toInt(), 50);
    QCOMPARE(keysOf(object["forced"]), QStringList({"loss", "perplexity", "sequence_accuracy", "token_accuracy"}));
    QCOMPARE(keysOf(object["free"]), QStringList({"bleu", "sequence_accuracy", "token_accuracy"}));
    QCOMPARE(keysOf(object["sites"]["decoder"]),
             QStringList({"aer", "agreement", "entropy", "mass_on_gold", "max_weight"}));
    const ProgramResult byRow = runProgram({"evaluate", "--model", model(), "--task", "--count", "5", "--json", "--rows"});
    const QJsonObject detailed = QJsonDocument::fromJson(byRow.output).object();
    const QJsonArray rowAgreements = detailed["sites"]["decoder"]["rows"].toArray();
    QVERIFY2(!rowAgreements.isEmpty(), byRow.errors);
    const QJsonObject firstRow = rowAgreements.first().toObject();
    QCOMPARE(firstRow["row"].toInt(), 1);
    QCOMPARE(keysOf(firstRow["agreement"]), QStringList({"-1", "0", "1"}));
    const double loss = object["forced"]["loss"].toDouble();
    QVERIFY(qAbs(object["forced"]["perplexity"].toDouble() / std::exp(loss) - 1) < 1e-9);

    const QList<QByteArray> rows = contentOf(path("predictions.tsv")).trimmed().split('\n');
    QCOMPARE(rows.size(), 51);
    int whole = 0;
    for (qsizetype i = 1; i < rows.size(); ++i) {
      const QList<QByteArray> fields = rows[i].split('\t');
      QCOMPARE(fields.size(), 3);
      QCOMPARE(fields[0], fields[2]);  // the task is to copy
      if (fields[1] == fields[2]) ++whole;
    }
    QVERIFY(qAbs(whole / 50.0 - object["free"]["sequence_accuracy"].toDouble()) < 1e-9);
  }

  void evaluateRefusesAnotherTasksWords() {
    QCOMPARE(runProgram({"evaluate", "--model", model(), "--task", "dates"}).code, 3);
    QCOMPARE(runProgram({"evaluate", "--model", model(), "--task", "recall"}).code, 3);
    QCOMPARE(runProgram({"evaluate", "--model", model(), "--task", "reverse"}).code, 3);  // 26 letters, it knows 4
    const ProgramResult four = runProgram({"evaluate", "--model", model(), "--task", "reverse", "--symbols", "4"});
    QVERIFY2(four.code == 0, four.errors);
  }

  void pairsFromAFile() {
    const QString data = pairs("pairs.tsv");
    const ProgramResult trained =
        runProgram({"train", "--data", data, "--steps", "3", "--out", path("pairs.safetensors")});
    QVERIFY2(trained.code == 0, trained.errors);
    QVERIFY2(trained.errors.contains("rows skipped: ") && trained.errors.contains("1 × empty source"), trained.errors);
    const ProgramResult result =
        runProgram({"evaluate", "--model", path("pairs.safetensors"), "--data", data, "--json"});
    QVERIFY2(result.code == 0, result.errors);
    const QJsonObject object = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(object["examples"].toInt(), 40);
    QCOMPARE(object["skipped"]["empty source"].toInt(), 1);
    QVERIFY(!object["sites"]["decoder"].toObject().contains("aer"));
    const ProgramResult trace =
        runProgram({"trace", "--model", path("pairs.safetensors"), "--data", data, "--count", "3"});
    QCOMPARE(QJsonDocument::fromJson(trace.output)["examples"].toArray().size(), 3);
  }

  void tracesAreForcedExactlyWhereATargetIsKnown() {
    const auto modeOf = [&](const QStringList& more) {
      const ProgramResult result = runProgram(QStringList{"trace", "--model", model()} + more);
      return QJsonDocument::fromJson(result.output)["examples"][0]["mode"].toString() + result.errors;
    };
    QCOMPARE(modeOf({"--input", "a b c"}), QStringLiteral("free"));
    QCOMPARE(modeOf({"--input", "a b c", "--target", "a b"}), QStringLiteral("forced"));
    QCOMPARE(modeOf({"--input", "a b c", "--target", "a b", "--free"}), QStringLiteral("free"));
    QCOMPARE(modeOf({"--task"}), QStringLiteral("forced"));
    QCOMPARE(modeOf({"--task", "copy", "--symbols", "4", "--free"}), QStringLiteral("free"));
  }

  void typedText() {
    const QStringList trace{"trace", "--model", model(), "--input"};
    const ProgramResult lines = runProgram(trace + QStringList{"-"}, "a b\r\nc c zebra\n");
    QCOMPARE(lines.code, 0);
    QCOMPARE(QJsonDocument::fromJson(lines.output)["examples"].toArray().size(), 2);
    QVERIFY2(lines.errors.contains("zebra"), lines.errors);
    for (const char* nothing : {"", "  "}) {
      const ProgramResult result = runProgram(trace + QStringList{QLatin1String(nothing)});
      QVERIFY2(result.code == 3 && result.errors.startsWith("attnscope: input: "), result.errors);
    }
    const ProgramResult blank = runProgram(trace + QStringList{"-"}, "a\n\n");
    QVERIFY2(blank.code == 3 && blank.errors.contains("standard input:2: "), blank.errors);
    const ProgramResult junk = runProgram(trace + QStringList{"-"}, QByteArray("a\xff\xfe\x80\n"));
    QVERIFY2(junk.code == 3 && junk.errors.contains("standard input:1: "), junk.errors);
    const ProgramResult endless = runProgram(trace + QStringList{"-"}, QByteArray("a ").repeated(100'000));
    QVERIFY2(endless.code == 3 && endless.errors.contains("100000 tokens"), endless.errors);
  }

  void everyViewInEveryFormat_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("extension");
    for (const char* view : {"alignment", "context", "states", "inspector"}) {
      for (const char* extension : {"png", "jpg", "svg", "pdf", "csv"}) {
        QTest::addRow("%s.%s", view, extension) << QString::fromLatin1(view) << QString::fromLatin1(extension);
      }
    }
  }

  void everyViewInEveryFormat() {
    QFETCH(QString, view);
    QFETCH(QString, extension);
    const QString trace = path("trace.json");
    QCOMPARE(runProgram({"trace", "--model", model(), "--task", "--out", trace}).code, 0);
    const QString out = path("picture.") + extension;
    QFile::remove(out);
    const QStringList none{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};
    const ProgramResult result = runProgram({"plot", trace, "--view", view, "--out", out, "--theme", "dark", "--width",
                                             "500", "--height", "400", "--step", "1"},
                                            {}, {}, none);
    QVERIFY2(result.code == 0, result.errors);
    const QByteArray bytes = contentOf(out);
    if (extension == QLatin1String("png") || extension == QLatin1String("jpg")) {
      QCOMPARE(QImage::fromData(bytes).size(), QSize(500, 400));
      QVERIFY(QImage::fromData(bytes).pixelColor(1, 1).lightness() < 100);
    } else if (extension == QLatin1String("svg")) {
      QVERIFY(bytes.contains("<svg") && bytes.contains("<text"));
    } else if (extension == QLatin1String("pdf")) {
      QVERIFY(bytes.startsWith("%PDF"));
    } else {
      QVERIFY(bytes.count('\n') > 1 && bytes.contains(','));
    }
  }

  void plotOfAModelAndItsChoices() {
    const auto plot = [&](const QStringList& more) {
      return runProgram(QStringList{"plot", model(), "--out", path("model.png")} + more);
    };
    QCOMPARE(plot({"--input", "a b c d", "--scale", "2", "--width", "300", "--height", "200"}).code, 0);
    QCOMPARE(QImage(path("model.png")).size(), QSize(600, 400));
    QCOMPARE(plot({"--task", "--count", "3", "--example", "3", "--site", "decoder", "--head", "1"}).code, 0);
    QCOMPARE(plot({"--count", "3", "--example", "4"}).code, 2);
    QCOMPARE(plot({"--task", "--site", "encoder"}).code, 2);
    QCOMPARE(plot({"--task", "--head", "2"}).code, 2);
    QCOMPARE(plot({"--task", "--step", "400"}).code, 2);
    QCOMPARE(runProgram({"plot", model(), "--out", path("nowhere/x.png")}).code, 4);
  }

  void truncatedAndMisshapenModelsAreRefused() {
    const QByteArray whole = contentOf(model());
    for (const qsizetype length : {qsizetype(0), qsizetype(7), qsizetype(100), whole.size() / 2, whole.size() - 1}) {
      QFile out(path("cut.safetensors"));
      QVERIFY(out.open(QIODevice::WriteOnly) && out.write(whole.left(length)) == length);
      out.close();
      const ProgramResult result = runProgram({"evaluate", "--task", "--model", out.fileName()});
      QVERIFY2(result.code == 3 && result.errors.startsWith("attnscope: " + out.fileName().toUtf8()), result.errors);
    }
    QByteArray other = whole;
    other.replace("\\\"embedding\\\":8", "\\\"embedding\\\":9");
    QVERIFY(other != whole);
    QFile out(path("shape.safetensors"));
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write(other) == other.size());
    out.close();
    const ProgramResult result = runProgram({"trace", "--task", "--model", out.fileName()});
    QVERIFY2(result.code == 3 && result.errors.contains("embedding.weight"), result.errors);
  }

  void theDemoSaysWhereItsPicturesAre() {
    const ProgramResult result = runProgram({"demo", "--steps", "3"}, {}, m_folder.path());
    QVERIFY2(result.code == 0, result.errors);
    for (const char* name : {"alignment-light.png", "alignment-light.svg", "alignment-dark.png", "alignment-dark.svg",
                             "reverse-trace.json", "reverse.safetensors"}) {
      const QString file = path("attnscope-demo/") + QLatin1String(name);
      QVERIFY2(QFileInfo(file).size() > 0, name);
      QVERIFY2(result.output.contains("  " + file.toUtf8() + "\n"), result.output);
    }
    QVERIFY(QImage(path("attnscope-demo/alignment-dark.png")) != QImage(path("attnscope-demo/alignment-light.png")));
  }

  void numbersAreTheSameInEveryLocale() {
    const ProgramResult result = runProgram({"plot", model(), "--task", "--out", path("german.csv"), "--scale", "1.5"},
                                            {}, {}, {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"});
    QVERIFY2(result.code == 0, result.errors);
    const ProgramResult plain = runProgram({"plot", model(), "--task", "--out", path("plain.csv")});
    QCOMPARE(plain.code, 0);
    QCOMPARE(contentOf(path("german.csv")), contentOf(path("plain.csv")));
  }
};

QTEST_GUILESS_MAIN(TestTrain)
#include "test_train.moc"
