#include "core/io/delimited.h"

#include "core/base/text.h"

namespace attnscope {

namespace {

constexpr int kRowsLookedAt = 50;
constexpr std::size_t kBytesLookedAt = 1 << 16;

void checkEncoding(std::string_view bytes, DelimitedRow& row) {
  if (const auto fault = textFault(bytes)) {
    row.fault = "encoding";
    row.problem = *fault;
  }
}

// How many of the first rows have as many fields as the first, and that number.
struct Fit {
  int rows = 0;
  std::size_t fields = 0;
};

Fit fitOf(std::string_view text, char delimiter) {
  DelimitedReader reader(text, delimiter, Quotes::Interpreted);
  DelimitedRow row;
  Fit fit;
  for (int i = 0; i < kRowsLookedAt && reader.next(row); ++i) {
    if (row.isBlank()) continue;
    if (fit.fields == 0) fit.fields = row.fields.size();
    if (row.fields.size() == fit.fields && row.fault != "quotes") ++fit.rows;
  }
  return fit;
}

}  // namespace

LineReader::LineReader(std::string_view text)
    : m_rest(text), m_end(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

bool LineReader::next(std::string_view& line) {
  if (m_rest.empty()) return false;
  const std::size_t end = m_rest.find(m_end);
  line = m_rest.substr(0, end);
  m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
  if (m_end == '\n' && line.ends_with('\r')) line.remove_suffix(1);
  ++m_line;
  return true;
}

DelimitedReader::DelimitedReader(std::string_view text, char delimiter, Quotes quotes)
    : m_lines(text), m_text(text), m_delimiter(delimiter), m_quotes(quotes) {}

bool DelimitedReader::next(DelimitedRow& row) {
  row = DelimitedRow{};
  if (m_quotes == Quotes::Text) {
    std::string_view line;
    if (!m_lines.next(line)) return false;
    row.line = m_lines.line();
    readLine(line, row);
    return true;
  }
  if (m_position == m_text.size()) return false;
  readQuotedRow(row);
  return true;
}

void DelimitedReader::readLine(std::string_view line, DelimitedRow& row) const {
  checkEncoding(line, row);
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = line.find(m_delimiter, begin);
    row.fields.emplace_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return;
    begin = end + 1;
  }
}

void DelimitedReader::readQuotedRow(DelimitedRow& row) {
  row.line = m_line;
  const std::size_t begin = m_position;
  for (;;) {
    std::string& field = row.fields.emplace_back();
    if (!readField(field, row)) {
      // The quote may be a stray one that has swallowed good rows.
      m_position = begin;
      m_line = row.line;
      passLine();
      return;
    }
    if (atLineEnd()) break;
    ++m_position;
  }
  checkEncoding(m_text.substr(begin, m_position - begin), row);
  passLineEnd();
}

// Stops at the delimiter or line end behind the field; false where its quotes are malformed.
bool DelimitedReader::readField(std::string& field, DelimitedRow& row) {
  std::size_t quote = m_position;
  while (quote < m_text.size() && m_text[quote] == ' ') ++quote;
  if (quote < m_text.size() && m_text[quote] == '"') {
    m_position = quote + 1;
    return readQuotedField(field, row);
  }
  const std::size_t begin = m_position;
  while (!atLineEnd() && m_text[m_position] != m_delimiter) ++m_position;
  field = m_text.substr(begin, m_position - begin);
  return true;
}

bool DelimitedReader::readQuotedField(std::string& field, DelimitedRow& row) {
  for (;;) {
    if (m_position == m_text.size()) {
      row.fault = "quotes";
      row.problem = "a quote opened in this row is never closed; close it, or double a quote that is text";
      return false;
    }
    const char c = m_text[m_position];
    if (c == '"') {
      if (m_text.substr(m_position + 1).starts_with('"')) {
        ++m_position;
      } else {
        break;
      }
    }
    if (c == '\n' || c == '\r') {
      const std::size_t begin = m_position;
      passLineEnd();
      field += m_text.substr(begin, m_position - begin);
    } else {
      field += c;
      ++m_position;
    }
  }
  ++m_position;
  while (!atLineEnd() && m_text[m_position] == ' ') ++m_position;
  if (atLineEnd() || m_text[m_position] == m_delimiter) return true;
  row.fault = "quotes";
  row.problem = "text follows a closing quote in this row; double the quotes that are text";
  return false;
}

void DelimitedReader::passLineEnd() {
  if (m_position == m_text.size()) return;
  const bool both = m_text.substr(m_position).starts_with("\r\n");
  m_position += both ? 2 : 1;
  ++m_line;
}

void DelimitedReader::passLine() {
  while (!atLineEnd()) ++m_position;
  passLineEnd();
}

char findDelimiter(std::string_view text) {
  if (text.size() > kBytesLookedAt) {
    // A row cut in the middle would count as misfit.
    const std::size_t end = text.find_last_of("\r\n", kBytesLookedAt);
    text = text.substr(0, end == std::string_view::npos ? kBytesLookedAt : end);
  }
  char best = ',';
  Fit bestFit;
  for (const char candidate : {',', ';', '\t'}) {
    const Fit fit = fitOf(text, candidate);
    if (fit.fields < 2) continue;
    if (fit.rows > bestFit.rows || (fit.rows == bestFit.rows && fit.fields > bestFit.fields)) {
      best = candidate;
      bestFit = fit;
    }
  }
  return best;
}

}  // namespace attnscope
