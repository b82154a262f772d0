// dates: a date as English writes it, character by character, to YYYY-MM-DD.
#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "core/data/tasks/tasks.h"

namespace attnscope::tasks {
namespace {

// %Y year; %m %n month with and without leading zero; %b %B its short and long name; %d %e day with and without
// leading zero; %o the day's ordinal ending; %a %A short and long weekday. Slashes always mean month/day, dots
// day.month, so that no spelling has two readings.
constexpr std::array<std::string_view, 16> kPatterns = {
    "%m/%d/%Y",     "%n/%e/%Y",    "%d.%m.%Y",      "%e.%n.%Y",    "%Y-%m-%d",    "%e %b %Y",
    "%b %e, %Y",    "%d %b %Y",    "%e %B %Y",      "%B %e, %Y",   "%B %e%o, %Y", "%e%o of %B %Y",
    "%a, %e %b %Y", "%a %b %e %Y", "%A, %B %e, %Y", "%A %e %B %Y",
};

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};

enum class Letters { AsWritten, Upper, Lower };

enum class Part { Other, Year, Month, Day };

struct Spelling {
  std::string text;
  std::vector<Part> parts;  // of each character
};

struct Date {
  int year = 0, month = 0, day = 0, weekday = 0;  // weekday 0: Sunday
};

Date dateOf(std::chrono::sys_days days) {
  const std::chrono::year_month_day date(days);
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(std::chrono::weekday(days).c_encoding())};
}

std::string twoDigits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string ordinalEnding(int day) {
  if (day >= 11 && day <= 13) return "th";
  if (day % 10 == 1) return "st";
  if (day % 10 == 2) return "nd";
  return day % 10 == 3 ? "rd" : "th";
}

void append(Spelling& spelling, std::string_view text, Part part) {
  spelling.text += text;
  spelling.parts.resize(spelling.text.size(), part);
}

void appendField(Spelling& spelling, char field, const Date& date) {
  const std::string_view month = kMonths[date.month - 1];
  const std::string_view weekday = kWeekdays[date.weekday];
  switch (field) {
    case 'Y':
      return append(spelling, std::to_string(date.year), Part::Year);
    case 'm':
      return append(spelling, twoDigits(date.month), Part::Month);
    case 'n':
      return append(spelling, std::to_string(date.month), Part::Month);
    case 'b':
      return append(spelling, month.substr(0, 3), Part::Month);
    case 'B':
      return append(spelling, month, Part::Month);
    case 'd':
      return append(spelling, twoDigits(date.day), Part::Day);
    case 'e':
      return append(spelling, std::to_string(date.day), Part::Day);
    case 'o':
      return append(spelling, ordinalEnding(date.day), Part::Other);
    case 'a':
      return append(spelling, weekday.substr(0, 3), Part::Other);
    case 'A':
      return append(spelling, weekday, Part::Other);
    default:
      ATTNSCOPE_CHECK(false, std::string("date field ") + field);
  }
}

char inLetters(char c, Letters letters) {
  if (letters == Letters::Upper && c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  if (letters == Letters::Lower && c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c;
}

Spelling spell(std::string_view pattern, const Date& date, Letters letters) {
  Spelling spelling;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%') {
      appendField(spelling, pattern[++i], date);
    } else {
      append(spelling, pattern.substr(i, 1), Part::Other);
    }
  }
  for (char& c : spelling.text) c = inLetters(c, letters);
  return spelling;
}

// Exactly the characters that a spelled date can hold, in byte order: no row of the embedding stays untrained.
Vocabulary sourceCharacters() {
  std::set<char> characters;
  for (char c = '0'; c <= '9'; ++c) characters.insert(c);
  for (Letters letters : {Letters::AsWritten, Letters::Upper, Letters::Lower}) {
    for (int i = 0; i < 12; ++i) {
      // Days 1–12 have every ordinal ending and, going round, every weekday.
      const Date date{2000, i + 1, i + 1, i % 7};
      for (std::string_view pattern : kPatterns) {
        for (char c : spell(pattern, date, letters).text) characters.insert(c);
      }
    }
  }
  std::vector<std::string> words;
  for (char c : characters) words.emplace_back(1, c);
  return Vocabulary::ofWords(words);
}

const Vocabulary& sourceVocabulary() {
  static const Vocabulary vocabulary = sourceCharacters();
  return vocabulary;
}

const Vocabulary& targetVocabulary() {
  static const Vocabulary vocabulary = Vocabulary::ofWords({"-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  return vocabulary;
}

// Which part of the date the character of YYYY-MM-DD at `row` stands for.
Part partOfRow(int row) {
  if (row < 4) return Part::Year;
  if (row == 5 || row == 6) return Part::Month;
  return row == 8 || row == 9 ? Part::Day : Part::Other;
}

void appendCharacters(std::string_view text, const Vocabulary& vocabulary, std::vector<int>& ids,
                      std::vector<std::string>& tokens) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    tokens.emplace_back(text.substr(i, 1));
    ids.push_back(vocabulary.id(tokens.back()));
  }
}

Example drawDate(Random& random) {
  using namespace std::chrono;
  constexpr sys_days first = year(1900) / January / 1;
  constexpr sys_days last = year(2099) / December / 31;
  const Date date = dateOf(first + days(random.below(static_cast<int>((last - first).count()) + 1)));
  const std::string_view pattern = kPatterns[random.below(static_cast<int>(kPatterns.size()))];
  constexpr Letters kLetters[] = {Letters::AsWritten, Letters::AsWritten, Letters::Upper, Letters::Lower};
  const Spelling spelling = spell(pattern, date, kLetters[random.below(4)]);
  const std::string target = std::to_string(date.year) + "-" + twoDigits(date.month) + "-" + twoDigits(date.day);

  Example example;
  appendCharacters(spelling.text, sourceVocabulary(), example.source, example.sourceTokens);
  appendCharacters(target, targetVocabulary(), example.target, example.targetTokens);
  closeWithEnd(example);
  for (int row = 0; row < static_cast<int>(target.size()); ++row) {
    if (partOfRow(row) == Part::Other) continue;
    for (int i = 0; i < static_cast<int>(spelling.parts.size()); ++i) {
      if (spelling.parts[i] == partOfRow(row)) example.gold.push_back({row, i});
    }
  }
  return example;
}

}  // namespace

Task dates() {
  Task task;
  task.name = "dates";
  task.title = "Dates";
  task.family = "seq2seq";
  task.gold = "per output digit the characters of its part of the date: year, month name or number, day";
  task.purpose = "A small translation: dates in sixteen spellings become one, so the network must find and convert.";
  task.lookFor = "Year, month and day digits look at their own part of the date; the weekday's name stays dark.";
  task.tokenizer = "characters";
  task.training = {{"batch", 32}, {"rate", 0.002}, {"steps", 3000}};
  task.config = [](const TaskOptions&) {
    // As Bahdanau et al. (2014): here this setting looks at the part it writes more often than the others do.
    Json config = seq2seqConfig(sourceVocabulary().size(), targetVocabulary().size());
    config["query"] = "previous";
    config["attention"]["score"] = "additive";
    config["attention"]["units"] = 64;
    return config;
  };
  task.describe = [](const TaskOptions&, TrainingData& data) {
    data.source = sourceVocabulary();
    data.target = targetVocabulary();
  };
  task.draw = [](const TaskOptions&, Random& random) { return drawDate(random); };
  return task;
}

}  // namespace attnscope::tasks
