#include <QtTest>
#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/data/task.h"

using namespace attnscope;

namespace {

constexpr int kDraws = 2000;

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

QString usageError(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::Usage ? error.what() : "another kind of error";
  }
  return "no error";
}

std::set<int> goldOfRow(const Example& example, int row) {
  std::set<int> positions;
  for (const GoldLink& link : example.gold) {
    if (link.row == row) positions.insert(link.position);
  }
  return positions;
}

// Ids and spellings say the same, and both sides end with </s>.
void checkSpelling(const TrainingData& data, const Example& example) {
  QCOMPARE(example.source.size(), example.sourceTokens.size());
  QCOMPARE(example.target.size(), example.targetTokens.size());
  for (std::size_t i = 0; i < example.source.size(); ++i) {
    QVERIFY(example.source[i] != kUnknown);
    QCOMPARE(data.source.token(example.source[i]), example.sourceTokens[i]);
  }
  for (std::size_t i = 0; i < example.target.size(); ++i) {
    QVERIFY(example.target[i] != kUnknown);
    QCOMPARE(data.target.token(example.target[i]), example.targetTokens[i]);
  }
}

const std::map<std::string, int> kMonthNumbers = {{"jan", 1}, {"feb", 2},  {"mar", 3},  {"apr", 4},
                                                  {"may", 5}, {"jun", 6},  {"jul", 7},  {"aug", 8},
                                                  {"sep", 9}, {"oct", 10}, {"nov", 11}, {"dec", 12}};

// A date read by other means than the generator's: runs of digits and of letters, told apart by what they are.
struct ReadDate {
  int year = 0, month = 0, day = 0;
  std::set<int> yearAt, monthAt, dayAt;
  std::string weekday;
};

ReadDate readDate(const std::string& text) {
  ReadDate date;
  const bool monthFirst = text.find('/') != std::string::npos || text.find('-') != std::string::npos;
  bool monthKnown = std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c); });
  for (std::size_t begin = 0; begin < text.size();) {
    const auto kind = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return std::isdigit(c) ? 1 : std::isalpha(c) ? 2 : 0;
    };
    std::size_t end = begin + 1;
    while (end < text.size() && kind(end) == kind(begin)) ++end;
    std::set<int> at;
    for (std::size_t i = begin; i < end; ++i) at.insert(static_cast<int>(i));
    std::string run = text.substr(begin, end - begin);
    for (char& c : run) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (kind(begin) == 1 && run.size() == 4) {
      date.year = std::stoi(run), date.yearAt = at;
    } else if (kind(begin) == 1 && !monthKnown && (monthFirst || date.day > 0)) {
      date.month = std::stoi(run), date.monthAt = at, monthKnown = true;
    } else if (kind(begin) == 1) {
      date.day = std::stoi(run), date.dayAt = at;
    } else if (kind(begin) == 2 && kMonthNumbers.contains(run.substr(0, 3))) {
      date.month = kMonthNumbers.at(run.substr(0, 3)), date.monthAt = at;
    } else if (kind(begin) == 2 && run.size() >= 3) {
      date.weekday = run.substr(0, 3);
    }
    begin = end;
  }
  return date;
}

// Sakamoto's rule for the Gregorian calendar; 0 is Sunday.
int weekdayOf(int year, int month, int day) {
  const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  if (month < 3) --year;
  return (year + year / 4 - year / 100 + year / 400 + shift[month - 1] + day) % 7;
}

int daysIn(int year, int month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace

class TestTasks : public QObject {
  Q_OBJECT
 private slots:
  void symbolTasksFollowTheirDefinition_data();
  void symbolTasksFollowTheirDefinition();
  void datesAreRealAndWellLinked();
  void datesHaveManySpellings();
  void differenceIsTheSign();
  void recallAnswersTheQuery();
  void everyTaskIsComplete();
  void configurationsHaveTheDataSizes();
  void firstExamplesArePinned_data();
  void firstExamplesArePinned();
  void heldOutPartsAreDisjoint();
  void tinySpacesEnd();
  void originNamesTheTask();
  void badOptionsAreRefused();
};

void TestTasks::symbolTasksFollowTheirDefinition_data() {
  QTest::addColumn<std::string>("name");
  for (const char* name : {"reverse", "copy", "sort"}) QTest::newRow(name) << std::string(name);
}

void TestTasks::symbolTasksFollowTheirDefinition() {
  QFETCH(std::string, name);
  const Task& task = findTask(name);
  const TaskOptions options{3, 9, 5};  // few symbols: many ties
  const TrainingData data = taskData(task, options, 1, 0);
  Random random(1, "train");
  std::set<std::size_t> lengths;
  std::set<std::string> symbols;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Example example = data.draw(random);
    checkSpelling(data, example);
    const std::size_t n = example.source.size() - 1;
    lengths.insert(n);
    QCOMPARE(example.source.back(), kEnd);
    std::vector<std::string> source(example.sourceTokens.begin(), example.sourceTokens.end() - 1);
    symbols.insert(source.begin(), source.end());
    std::vector<std::string> expected = source;
    if (name == "reverse") std::reverse(expected.begin(), expected.end());
    if (name == "sort") std::sort(expected.begin(), expected.end());
    expected.emplace_back("</s>");
    QCOMPARE(example.targetTokens, expected);
    QCOMPARE(example.gold.size(), n);  // one link for each symbol, none for </s>
    for (std::size_t row = 0; row < n; ++row) {
      const GoldLink link = example.gold[row];
      QCOMPARE(link.row, static_cast<int>(row));
      QCOMPARE(example.sourceTokens.at(static_cast<std::size_t>(link.position)), example.targetTokens[row]);
      const bool tie = row > 0 && example.targetTokens[row] == example.targetTokens[row - 1];
      if (name == "sort" && tie) QVERIFY(link.position > example.gold[row - 1].position);
      if (name == "copy") QCOMPARE(link.position, static_cast<int>(row));
      if (name == "reverse" && row < n) QCOMPARE(link.position, static_cast<int>(n - 1 - row));
    }
  }
  QCOMPARE(lengths, (std::set<std::size_t>{3, 4, 5, 6, 7, 8, 9}));
  QCOMPARE(symbols, (std::set<std::string>{"a", "b", "c", "d", "e"}));
}

void TestTasks::datesAreRealAndWellLinked() {
  const Task& task = findTask("dates");
  const TrainingData data = taskData(task, task.defaults, 1, 0);
  const std::string weekdays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
  Random random(1, "train");
  int withWeekday = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Example example = data.draw(random);
    checkSpelling(data, example);
    std::string text = joined(example.sourceTokens);
    text.resize(text.size() - 4);  // </s>
    const ReadDate date = readDate(text);
    char target[16];
    std::snprintf(target, sizeof target, "%04d-%02d-%02d", date.year, date.month, date.day);
    QCOMPARE(joined(example.targetTokens), std::string(target) + "</s>");
    QVERIFY(date.year >= 1900 && date.year <= 2099);
    QVERIFY(date.day >= 1 && date.day <= daysIn(date.year, date.month));
    if (!date.weekday.empty()) {
      ++withWeekday;
      QCOMPARE(date.weekday, weekdays[weekdayOf(date.year, date.month, date.day)]);
    }
    for (int row = 0; row < 11; ++row) {
      const std::set<int> expected = row < 4                ? date.yearAt
                                     : row == 5 || row == 6 ? date.monthAt
                                     : row == 8 || row == 9 ? date.dayAt
                                                            : std::set<int>();
      QCOMPARE(goldOfRow(example, row), expected);
    }
  }
  QVERIFY(withWeekday > kDraws / 8 && withWeekday < kDraws / 2);
}

void TestTasks::datesHaveManySpellings() {
  const TrainingData data = taskData(findTask("dates"), {}, 1, 0);
  Random random(2, "train");
  std::set<std::string> shapes;
  std::set<std::string> characters;
  int upper = 0, lower = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Example example = data.draw(random);
    std::string shape;
    bool hasUpper = false, hasLower = false;
    for (std::size_t i = 0; i + 1 < example.sourceTokens.size(); ++i) {
      const char c = example.sourceTokens[i][0];
      characters.insert(example.sourceTokens[i]);
      hasUpper = hasUpper || (c >= 'A' && c <= 'Z');
      hasLower = hasLower || (c >= 'a' && c <= 'z');
      // Runs of digits and of letters fold to one sign.
      const char kind = std::isdigit(static_cast<unsigned char>(c))   ? '0'
                        : std::isalpha(static_cast<unsigned char>(c)) ? 'a'
                                                                      : c;
      if (shape.empty() || shape.back() != kind) shape += kind;
    }
    shapes.insert(shape);
    upper += hasUpper && !hasLower;
    lower += hasLower && !hasUpper;
  }
  QVERIFY(shapes.size() >= 8);  // folded: long and short names, padded and bare numbers are one
  QVERIFY(upper > kDraws / 10 && lower > kDraws / 10);
  QCOMPARE(static_cast<int>(characters.size()) + 4, data.source.size());  // no character that never comes
}

void TestTasks::differenceIsTheSign() {
  const Task& task = findTask("difference");
  const TrainingData data = taskData(task, task.defaults, 1, 0);
  QCOMPARE(data.labels, (std::vector<std::string>{"≤ 0", "> 0"}));
  QCOMPARE(data.vectorSize, 1);
  Random random(1, "train");
  double sum = 0, squares = 0;
  long count = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Example example = data.draw(random);
    const std::vector<float>& x = example.vectors;
    QVERIFY(x.size() >= 8 && x.size() <= 16);
    QCOMPARE(example.labels.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float difference = i < 2 ? x[i] : x[i] - x[i - 2];
      QCOMPARE(example.labels[i], difference > 0 ? 1 : 0);
      const std::set<int> expected = i < 2 ? std::set<int>() : std::set<int>{static_cast<int>(i) - 2};
      QCOMPARE(goldOfRow(example, static_cast<int>(i)), expected);
      sum += x[i], squares += x[i] * x[i], ++count;
    }
  }
  QVERIFY(std::abs(sum / static_cast<double>(count)) < 0.03);
  QVERIFY(std::abs(squares / static_cast<double>(count) - 1) < 0.05);
}

void TestTasks::recallAnswersTheQuery() {
  const Task& task = findTask("recall");
  const TaskOptions options{2, 6, 10};
  const TrainingData data = taskData(task, options, 1, 0);
  QCOMPARE(data.source.size(), 4 + 10 + 6);
  Random random(1, "train");
  std::set<std::string> queries;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Example example = data.draw(random);
    checkSpelling(data, example);
    const int length = static_cast<int>(example.source.size()) - 1;
    QVERIFY(length >= 2 && length <= 6);
    const std::string query = example.sourceTokens.back();
    queries.insert(query);
    const int asked = std::stoi(query) - 1;
    QVERIFY(asked >= 0 && asked < length);
    QCOMPARE(example.labels.size(), std::size_t{1});
    QCOMPARE(data.labels.at(static_cast<std::size_t>(example.labels[0])),
             example.sourceTokens[static_cast<std::size_t>(asked)]);
    QCOMPARE(example.gold, (std::vector<GoldLink>{{length, asked}}));
  }
  QCOMPARE(queries.size(), std::size_t{6});
}

void TestTasks::everyTaskIsComplete() {
  std::set<std::string> names;
  for (const Task& task : taskTable()) {
    QVERIFY(names.insert(task.name).second);
    QCOMPARE(&findTask(task.name), &task);
    for (const std::string& text : {task.title, task.gold, task.purpose, task.lookFor}) QVERIFY(!text.empty());
    QVERIFY(task.family == "seq2seq" || task.family == "recurrent");
    const TrainingData data = taskData(task, task.defaults, 1, 3);
    QCOMPARE(data.family, task.family);
    QCOMPARE(data.name, task.name);
    QCOMPARE(data.validation.size(), std::size_t{3});
    QVERIFY(data.train.empty());
  }
  QCOMPARE(names, (std::set<std::string>{"copy", "dates", "difference", "recall", "reverse", "sort"}));
}

void TestTasks::configurationsHaveTheDataSizes() {
  for (const Task& task : taskTable()) {
    TaskOptions options = task.defaults;
    if (task.options.size() == 2) options.symbols = 7;
    const TrainingData data = taskData(task, options, 1, 1);
    const Json config = task.config(options);
    QCOMPARE(config.at("family").get<std::string>(), task.family);
    if (task.family == "seq2seq") {
      QCOMPARE(config.at("source_vocabulary").get<int>(), data.source.size());
      QCOMPARE(config.at("target_vocabulary").get<int>(), data.target.size());
      continue;
    }
    QCOMPARE(config.at("output").at("size").get<std::size_t>(), data.labels.size());
    const Json& input = config.at("input");
    if (input.at("kind") == "token") {
      QCOMPARE(input.at("vocabulary").get<int>(), data.source.size());
    } else {
      QCOMPARE(input.at("size").get<int>(), data.vectorSize);
    }
  }
}

void TestTasks::firstExamplesArePinned_data() {
  QTest::addColumn<std::string>("name");
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("target");
  const auto row = [](const char* name, const char* source, const char* target) {
    QTest::newRow(name) << std::string(name) << QString(source) << QString(target);
  };
  row("reverse", "zqub</s>", "buqz</s>");
  row("copy", "zqub</s>", "zqub</s>");
  row("sort", "zqubkw</s>", "bkquwz</s>");
  row("dates", "12 JAN 1997</s>", "1997-01-12</s>");
  row("difference", "0.424 -0.766 -0.425 -0.257 -0.638 -0.243 0.829 -0.155 ", "> 0 ≤ 0 ≤ 0 > 0 ≤ 0 > 0 > 0 > 0 ");
  row("recall", "hcgjcc1", "h ");
}

// A change here changes what every seed ever trained on.
void TestTasks::firstExamplesArePinned() {
  QFETCH(std::string, name);
  const Task& task = findTask(name);
  const TrainingData data = taskData(task, task.defaults, 1, 1);
  Random random(1, "train");
  const Example example = data.draw(random);
  std::string source = joined(example.sourceTokens);
  for (float value : example.vectors) source += QString::number(value, 'f', 3).toStdString() + " ";
  std::string target = joined(example.targetTokens);
  for (int label : example.labels) target += data.labels[static_cast<std::size_t>(label)] + " ";
  QTEST(QString::fromStdString(source), "source");
  QTEST(QString::fromStdString(target), "target");
  QCOMPARE(joined(taskData(task, task.defaults, 1, 1).validation[0].sourceTokens),
           joined(data.validation[0].sourceTokens));
}

void TestTasks::heldOutPartsAreDisjoint() {
  for (const Task& task : taskTable()) {
    const TrainingData data = taskData(task, task.defaults, 1, 300);
    for (const Example& example : data.validation) QVERIFY(isHeldOut(example));
    Random random(99, "train");
    for (int i = 0; i < 1000; ++i) QVERIFY(!isHeldOut(data.draw(random)));
    int heldOut = 0;
    for (int i = 0; i < 7000; ++i) heldOut += isHeldOut(task.draw(task.defaults, random));
    QVERIFY2(std::abs(heldOut - 1000) < 150, qPrintable(QString("%1 of 7000").arg(heldOut)));
    QVERIFY(heldOutExamples(task, task.defaults, 1, 5).front().source == data.validation.front().source);
    QVERIFY(heldOutExamples(task, task.defaults, 2, 5).front().sourceTokens != data.validation.front().sourceTokens ||
            task.name == "difference");
  }
}

void TestTasks::tinySpacesEnd() {
  for (const char* name : {"reverse", "copy", "sort", "recall"}) {
    const TrainingData data = taskData(findTask(name), {1, 1, 1}, 1, 20);
    QCOMPARE(data.validation.size(), std::size_t{20});
    Random random(1, "train");
    const Example example = data.draw(random);
    QCOMPARE(example.sourceTokens.front(), std::string("a"));
  }
}

void TestTasks::originNamesTheTask() {
  const Json reverse = taskData(findTask("reverse"), {4, 6, 10}, 5, 1).origin;
  QCOMPARE(reverse.dump(), std::string(R"({"task":"reverse","options":{"lengths":"4-6","symbols":10},)"
                                       R"("tokenizer":"whitespace","lowercase":false,"seed":5})"));
  const Json dates = taskData(findTask("dates"), {}, 5, 1).origin;
  QCOMPARE(dates.at("options").dump(), std::string("{}"));
  QCOMPARE(dates.at("tokenizer").get<std::string>(), std::string("characters"));
}

void TestTasks::badOptionsAreRefused() {
  const auto message = [](const char* task, TaskOptions options) {
    return usageError([&] { taskData(findTask(task), options, 1, 1); });
  };
  QCOMPARE(message("dates", {0, 0, 5}), QString("task dates takes no option symbols"));
  QCOMPARE(message("dates", {4, 5, 0}), QString("task dates takes no option lengths"));
  QCOMPARE(message("difference", {8, 16, 3}), QString("task difference takes no option symbols"));
  QCOMPARE(message("reverse", {0, 5, 26}), QString("lengths 0-5: a length is from 1 to 1000"));
  QCOMPARE(message("reverse", {4, 1001, 26}), QString("lengths 4-1001: a length is from 1 to 1000"));
  QCOMPARE(message("copy", {9, 4, 26}), QString("lengths 9-4: the shortest length comes first, as in 4-12"));
  QCOMPARE(message("sort", {4, 9, 27}), QString("symbols 27: an alphabet has from 1 to 26 symbols"));
  QCOMPARE(message("recall", {4, 9, 0}), QString("symbols 0: an alphabet has from 1 to 26 symbols"));
  const QString unknown = usageError([] { findTask("revers"); });
  QVERIFY2(unknown.contains("\"revers\"") && unknown.contains("reverse, copy, sort"), qPrintable(unknown));
}

QTEST_GUILESS_MAIN(TestTasks)
#include "test_tasks.moc"
