// Lines and rows of delimited text (.csv, .tsv), each with its line number for messages. Time and memory are linear in
// the text, whatever it holds. `text` is decodeText() of a file and must outlive the reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

// Lines end at LF or CRLF; at CR where the text holds no LF at all. Text after the last line end is a line when there
// is any.
class LineReader {
 public:
  explicit LineReader(std::string_view text);
  bool next(std::string_view& line);    // without its end; false at the end of the text
  long line() const { return m_line; }  // number of the line last given, from 1

 private:
  std::string_view m_rest;
  char m_end;
  long m_line = 0;
};

struct DelimitedRow {
  long line = 0;                    // where the row begins, from 1
  std::vector<std::string> fields;  // at least one; unusable where `fault` is set
  std::string fault;                // empty, or what is malformed: "quotes" or "encoding"
  std::string problem;              // and the message: what is wrong and what to do

  // A line without any character.
  bool isBlank() const { return fault.empty() && fields.size() == 1 && fields[0].empty(); }
};

enum class Quotes { Text, Interpreted };

// Quotes::Text: a row is a line, a quote is a character like any other.
// Quotes::Interpreted (RFC 4180, leniently): a field may be in double quotes and then hold delimiters, line ends (LF,
// CRLF and CR all end a line) and doubled quotes; spaces around the quotes are dropped; a quote inside an unquoted
// field is text. A quote that never closes, or text behind a closing one, makes a malformed row that is said to be one
// line long: reading goes on at the next line.
class DelimitedReader {
 public:
  DelimitedReader(std::string_view text, char delimiter, Quotes quotes);
  bool next(DelimitedRow& row);  // false at the end of the text

 private:
  void readLine(std::string_view line, DelimitedRow& row) const;
  void readQuotedRow(DelimitedRow& row);
  bool readField(std::string& field, DelimitedRow& row);
  bool readQuotedField(std::string& field, DelimitedRow& row);
  void passLineEnd();
  void passLine();
  bool atLineEnd() const {
    return m_position == m_text.size() || m_text[m_position] == '\n' || m_text[m_position] == '\r';
  }

  LineReader m_lines;
  std::string_view m_text;
  char m_delimiter;
  Quotes m_quotes;
  std::size_t m_position = 0;
  long m_line = 1;
};

// The delimiter of a .csv file: of `,` `;` and tab the one that cuts most of the first rows into as many fields (at
// least two) as the first one that is not blank; of equals the one with more fields, then the first of these three.
char findDelimiter(std::string_view text);

}  // namespace attnscope
