#include "core/data/pair_reader.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/io/delimited.h"
#include "core/io/file.h"

namespace attnscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSide[2] = {"source", "target"};

struct LoadedFile {
  std::string place;
  std::string text;
  Json record;
};

LoadedFile loadFile(const fs::path& file) {
  const bool isStandardInput = file == "-";
  LoadedFile loaded;
  loaded.place = isStandardInput ? "standard input" : file.string();
  std::string bytes = readFile(file);
  loaded.record = {{"name", isStandardInput ? loaded.place : file.filename().string()}, {"digest", sha256(bytes)}};
  loaded.text = decodeText(std::move(bytes));
  if (loaded.text.empty()) throw Error(ErrorKind::BadInput, loaded.place, "the file is empty");
  return loaded;
}

std::string placeOf(const std::string& file, long line) { return file + ":" + std::to_string(line); }

void markMalformed(PairRow& row, std::string fault, std::string problem) {
  row.fault = std::move(fault);
  row.problem = std::move(problem);
}

void setTexts(PairRow& row, std::string_view source, std::string_view target) {
  row.source = trimmed(source);
  row.target = trimmed(target);
}

struct Column {
  std::size_t index = 0;
  std::string name;  // as recorded: a header's name or a number
};

std::optional<std::size_t> columnNumber(const std::string& name) {
  const auto number = parseInteger(name);
  if (!number || *number < 1 || *number > 100'000) return std::nullopt;
  return static_cast<std::size_t>(*number - 1);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 12; ++i) text += (i > 0 ? ", " : "") + excerpt(names[i]);
  return names.size() > 12 ? text + ", …" : text;
}

Column findColumn(const std::string& wanted, const std::vector<std::string>& header, const std::string& place) {
  const auto found = std::find(header.begin(), header.end(), wanted);
  if (found != header.end()) return {static_cast<std::size_t>(found - header.begin()), wanted};
  const auto number = columnNumber(wanted);
  if (number && *number < header.size()) return {*number, wanted};
  throw Error(ErrorKind::BadInput, place,
              "there is no column \"" + excerpt(wanted) + "\"; the columns are " + listed(header));
}

// The columns of a header where none is asked for: those named so, else the first two, never the same one twice.
std::pair<Column, Column> pickColumns(const std::string& sourceColumn, const std::string& targetColumn,
                                      const std::vector<std::string>& header, const std::string& place) {
  std::optional<Column> picked[2];
  const std::string* wanted[2] = {&sourceColumn, &targetColumn};
  for (int side = 0; side < 2; ++side) {
    if (!wanted[side]->empty()) {
      picked[side] = findColumn(*wanted[side], header, place);
    } else if (const auto named = std::find(header.begin(), header.end(), kSide[side]); named != header.end()) {
      picked[side] = Column{static_cast<std::size_t>(named - header.begin()), *named};
    }
  }
  for (int side = 0; side < 2; ++side) {
    if (picked[side]) continue;
    const std::optional<Column>& other = picked[1 - side];
    std::size_t index = static_cast<std::size_t>(side);
    if (other && other->index == index) index = 1 - index;
    if (index >= header.size()) {
      throw Error(ErrorKind::BadInput, place, "one column where two are needed: source and target, each with a name");
    }
    picked[side] = Column{index, header[index]};
  }
  if (picked[0]->index == picked[1]->index) {
    throw Error(ErrorKind::Usage, place, "source and target are the same column, \"" + excerpt(picked[0]->name) + "\"");
  }
  return {*picked[0], *picked[1]};
}

class TableReader {
 public:
  TableReader(const LoadedFile& file, bool isCsv)
      : m_file(file),
        m_isCsv(isCsv),
        m_rows(file.text, isCsv ? findDelimiter(file.text) : '\t', isCsv ? Quotes::Interpreted : Quotes::Text) {}

  void read(const std::string& sourceColumn, const std::string& targetColumn, PairTable& table) {
    const auto isName = [](const std::string& column) { return !column.empty() && !columnNumber(column); };
    if (m_isCsv || isName(sourceColumn) || isName(targetColumn)) {
      readHeader(sourceColumn, targetColumn);
    } else {
      usePositions(sourceColumn, targetColumn);
    }
    table.columns = {{"source", m_source.name}, {"target", m_target.name}};
    DelimitedRow row;
    while (m_rows.next(row)) table.rows.push_back(pairOf(row));
  }

 private:
  void readHeader(const std::string& sourceColumn, const std::string& targetColumn) {
    DelimitedRow row;
    do {
      if (!m_rows.next(row)) throw Error(ErrorKind::BadInput, m_file.place, "there is no header row");
    } while (row.isBlank());
    const std::string place = placeOf(m_file.place, row.line);
    if (!row.fault.empty()) throw Error(ErrorKind::BadInput, place, row.problem);
    for (std::string& name : row.fields) name = std::string(trimmed(name));
    std::tie(m_source, m_target) = pickColumns(sourceColumn, targetColumn, row.fields, place);
    m_headerColumns = row.fields.size();
  }

  void usePositions(const std::string& sourceColumn, const std::string& targetColumn) {
    m_source =
        sourceColumn.empty() ? Column{targetColumn == "1" ? 1U : 0U, ""} : Column{*columnNumber(sourceColumn), ""};
    m_target =
        targetColumn.empty() ? Column{m_source.index == 1 ? 0U : 1U, ""} : Column{*columnNumber(targetColumn), ""};
    if (m_source.index == m_target.index) {
      throw Error(ErrorKind::Usage, m_file.place, "source and target are the same column");
    }
    m_source.name = std::to_string(m_source.index + 1);
    m_target.name = std::to_string(m_target.index + 1);
  }

  PairRow pairOf(const DelimitedRow& row) const {
    PairRow pair;
    pair.place = placeOf(m_file.place, row.line);
    if (!row.fault.empty()) {
      markMalformed(pair, row.fault, row.problem);
    } else if (row.isBlank()) {
      pair.isBlank = true;
    } else if (const std::string problem = columnProblem(row.fields.size()); !problem.empty()) {
      markMalformed(pair, "columns", problem);
    } else {
      setTexts(pair, row.fields[m_source.index], row.fields[m_target.index]);
    }
    return pair;
  }

  std::string columnProblem(std::size_t count) const {
    const std::size_t needed = std::max(m_source.index, m_target.index) + 1;
    const std::string have = count == 1 ? "one column" : std::to_string(count) + " columns";
    if (m_isCsv && count != m_headerColumns) {
      return have + " where the header has " + std::to_string(m_headerColumns) +
             "; put a field that holds the delimiter in quotes";
    }
    if (count >= needed) return "";
    if (needed == 2) return have + " where two are needed; separate source and target by a tab";
    return have + " where column " + std::to_string(needed) + " is asked for; separate columns by tabs";
  }

  const LoadedFile& m_file;
  bool m_isCsv;
  DelimitedReader m_rows;
  Column m_source, m_target;
  std::size_t m_headerColumns = 0;
};

// Why a line of JSON is no pair, or nothing: then `row` has its texts.
void readJsonLine(std::string_view line, const std::string& sourceKey, const std::string& targetKey, PairRow& row) {
  row.isBlank = trimmed(line).empty();
  if (row.isBlank) return;
  // Keys are only looked up, so a map serves better than the ordered type, which searches.
  const nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
  if (!value.is_object()) return markMalformed(row, "JSON", "the line is not a JSON object");
  for (const std::string& key : {sourceKey, targetKey}) {
    const auto found = value.find(key);
    if (found == value.end()) return markMalformed(row, "JSON", "the object has no key \"" + excerpt(key) + "\"");
    if (!found->is_string()) return markMalformed(row, "JSON", "the value of \"" + excerpt(key) + "\" is not text");
  }
  const auto& source = value[sourceKey].get_ref<const std::string&>();
  const auto& target = value[targetKey].get_ref<const std::string&>();
  if ((source + target).find('\0') != std::string::npos) return markMalformed(row, "encoding", "a text holds a NUL");
  setTexts(row, source, target);
}

void readJsonLines(const LoadedFile& file, const std::string& sourceColumn, const std::string& targetColumn,
                   PairTable& table) {
  const std::string source = sourceColumn.empty() ? "source" : sourceColumn;
  const std::string target = targetColumn.empty() ? "target" : targetColumn;
  if (source == target) throw Error(ErrorKind::Usage, file.place, "source and target are the same key");
  table.columns = {{"source", source}, {"target", target}};
  LineReader lines(file.text);
  std::string_view line;
  while (lines.next(line)) {
    PairRow& row = table.rows.emplace_back();
    row.place = placeOf(file.place, lines.line());
    if (const auto fault = textFault(line)) {
      markMalformed(row, "encoding", *fault);
    } else {
      readJsonLine(line, source, target, row);
    }
  }
}

std::vector<std::string_view> linesOf(const std::string& text) {
  LineReader reader(text);
  std::vector<std::string_view> lines;
  std::string_view line;
  while (reader.next(line)) lines.push_back(line);
  return lines;
}

void readTwoFiles(const LoadedFile (&files)[2], PairTable& table) {
  std::vector<std::string_view> lines[2] = {linesOf(files[0].text), linesOf(files[1].text)};
  const std::size_t counts[2] = {lines[0].size(), lines[1].size()};
  for (int side = 0; side < 2; ++side) {
    while (lines[side].size() > lines[1 - side].size() && lines[side].back().empty()) lines[side].pop_back();
  }
  if (lines[0].size() != lines[1].size()) {
    throw Error(ErrorKind::BadInput, files[1].place,
                "has " + std::to_string(counts[1]) + " lines where " + files[0].place + " has " +
                    std::to_string(counts[0]) + "; line by line, the two must belong together");
  }
  table.columns = Json::object();
  for (std::size_t i = 0; i < lines[0].size(); ++i) {
    PairRow& row = table.rows.emplace_back();
    for (int side = 0; side < 2 && row.fault.empty(); ++side) {
      row.place = placeOf(files[side].place, static_cast<long>(i) + 1);
      if (const auto fault = textFault(lines[side][i])) markMalformed(row, "encoding", *fault);
    }
    if (!row.fault.empty()) continue;
    setTexts(row, lines[0][i], lines[1][i]);
    // An empty target alone is looked for in the target's file, everything else in the source's.
    if (row.source.empty() || !row.target.empty()) row.place = placeOf(files[0].place, static_cast<long>(i) + 1);
  }
}

std::string lowerExtension(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

}  // namespace

PairTable readPairs(const std::vector<fs::path>& files, const std::string& sourceColumn,
                    const std::string& targetColumn) {
  if (files.empty() || files.size() > 2) {
    throw Error(ErrorKind::Usage, "",
                "pairs of texts come from one table or from two plain files, not from " + std::to_string(files.size()) +
                    " files");
  }
  PairTable table;
  table.name = files[0] == "-" ? "standard input" : files[0].stem().string();
  if (files.size() == 2) {
    const LoadedFile loaded[2] = {loadFile(files[0]), loadFile(files[1])};
    table.files = Json::array({loaded[0].record, loaded[1].record});
    table.place = loaded[0].place;
    readTwoFiles(loaded, table);
    return table;
  }
  const LoadedFile loaded = loadFile(files[0]);
  table.files = Json::array({loaded.record});
  table.place = loaded.place;
  const std::string extension = lowerExtension(files[0]);
  if (extension == ".jsonl" || extension == ".ndjson") {
    readJsonLines(loaded, sourceColumn, targetColumn, table);
  } else {
    TableReader(loaded, extension == ".csv").read(sourceColumn, targetColumn, table);
  }
  while (!table.rows.empty() && table.rows.back().isBlank) table.rows.pop_back();
  return table;
}

}  // namespace attnscope
