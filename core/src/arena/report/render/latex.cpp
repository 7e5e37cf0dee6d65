#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/render/render.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// How LaTeX prints characters, with any font encoding; others are as they are.
constexpr std::pair<char, std::string_view> kSigns[] = {{'&', "\\&"},
                                                        {'%', "\\%"},
                                                        {'$', "\\$"},
                                                        {'#', "\\#"},
                                                        {'_', "\\_"},
                                                        {'{', "\\{"},
                                                        {'}', "\\}"},
                                                        {'~', "\\textasciitilde{}"},
                                                        {'^', "\\textasciicircum{}"},
                                                        {'\\', "\\textbackslash{}"},
                                                        {'<', "\\textless{}"},
                                                        {'>', "\\textgreater{}"},
                                                        {'|', "\\textbar{}"},
                                                        {'`', "\\textasciigrave{}"},
                                                        {'"', "\\char34{}"}};

std::string latex_words(std::string_view text) {
  // Two of these in a row are another sign, in some encoding.
  constexpr std::string_view joining = "-',";
  std::string out;
  char before = '\0';
  for (const char c : text::printable(text)) {
    if (c == before && joining.find(c) != std::string_view::npos) out += "{}";
    const auto sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                   [&](const auto& known) { return known.first == c; });
    out += sign == std::end(kSigns) ? std::string_view(&c, 1) : sign->second;
    before = c;
  }
  // No font of pdfLaTeX has the minus sign outside of mathematics.
  constexpr std::string_view minus = "\u2212";
  for (std::size_t at = 0; (at = out.find(minus, at)) != std::string::npos;)
    out.replace(at, minus.size(), "$-$");
  return out;
}

/// A name, or other words: spaces at their beginning set a row in under another.
std::string latex_label(const std::string& text) {
  return (text.starts_with(' ') ? "\\quad " : "") +
         latex_words(
             std::string_view(text).substr(std::min(text.find_first_not_of(' '), text.size())));
}

bool is_number_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The first number, and every one with a sign, as mathematics: a hyphen is no minus.
std::string latex_figure(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool sign = (text[at] == '-' || text[at] == '+') && at + 1 < text.size() &&
                      is_number_digit(text[at + 1]);
    if (!sign && !is_number_digit(text[at])) {
      const std::size_t end = text.find_first_of("+-0123456789", at + 1);
      out += latex_words(text.substr(at, end - at));
      at = std::min(end, text.size());
      continue;
    }
    std::size_t end = std::min(text.find_first_not_of("0123456789.", at + 1), text.size());
    std::string number = text.substr(at, end - at);
    if (text.compare(end, 2, "e+") == 0) {
      const std::size_t power = end + 2;
      end = std::min(text.find_first_not_of("0123456789", power), text.size());
      number = "$" + number + "\\times 10^{" + text.substr(power, end - power) + "}$";
    } else if (at == 0 || sign) {
      number = "$" + number + "$";
    }
    out += number;
    at = end;
  }
  return out;
}

/// Behind the end of a row, or a rule, a bracket or a star would be read as its argument.
std::string first_of_row(std::string cell) {
  if (!cell.empty() && (cell.front() == '[' || cell.front() == '*' || cell.front() == '('))
    cell = "{" + cell.substr(0, 1) + "}" + cell.substr(1);
  return cell;
}

class Latex {
 public:
  explicit Latex(const Document& document) : document_(document) {}

  std::string write() {
    comment("Made by 'agon report --format latex'. Needs \\usepackage{booktabs}.");
    for (const ReportAlert& alert : document_.warnings) {
      comment(alert.words);
      if (!alert.command.empty()) comment(alert.command);
    }
    std::map<std::string, int> of_id;
    for (const ReportSection& section : document_.sections) {
      if (section.where == Where::data) continue;
      std::vector<std::pair<const ReportTable*, Grid>> shown;
      for (const ReportTable& table : section.tables)
        if (Grid grid = grid_of(table); !grid.rows.empty())
          shown.emplace_back(&table, std::move(grid));
      for (std::size_t t = 0; t < shown.size(); ++t) {
        const ReportTable& table = *shown[t].first;
        const std::string title =
            shown.size() > 1 && !table.title.empty() ? ": " + table.title : "";
        add(section, section.title + title, shown[t].second, ++of_id[section.id],
            note(section, table, t + 1 == shown.size()));
      }
      if (!shown.empty()) continue;
      out_ += '\n';
      comment(section.title + (section.explanation.empty() ? "" : ": " + section.explanation));
      for (const std::string& remark : section.remarks) comment(remark);
      for (const auto& [words, below] : section.points) {
        comment("- " + words);
        for (const std::string& item : below) comment("  - " + item);
      }
    }
    return std::move(out_);
  }

 private:
  void comment(const std::string& line) { out_ += "% " + text::printable(line) + '\n'; }

  void add(const ReportSection& section, const std::string& title, const Grid& grid, int number,
           const std::string& below) {
    out_ += "\n\\begin{table}\n\\centering\n\\caption{" + latex_words(title) + "}\n";
    out_ += "\\label{tab:" + section.id + (number > 1 ? "-" + std::to_string(number) : "") + "}\n";
    out_ += "\\begin{tabular}{@{}";
    for (const text::Column& column : grid.columns)
      out_ += column.align == text::Align::left ? 'l' : 'r';
    out_ += "@{}}\n\\toprule\n";
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const std::string head = latex_words(grid.columns[c].header);
      out_ += c == 0 ? first_of_row(head) : " & " + head;
    }
    out_ += " \\\\\n\\midrule\n";
    for (const Grid::Row& row : grid.rows) add(row);
    out_ += "\\bottomrule\n\\end{tabular}\n";
    if (!below.empty())
      out_ += "\n\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\n" + below +
              "\n\\end{minipage}\n";
    out_ += "\\end{table}\n";
  }

  void add(const Grid::Row& row) {
    if (row.heading) {
      out_ += fmt::format("\\multicolumn{{{}}}{{@{{}}l@{{}}}}{{{}}} \\\\\n", row.cells.size(),
                          latex_words(row.cells.front().words));
      return;
    }
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const Grid::Cell& cell = row.cells[c];
      const std::string shown = cell.figure ? latex_figure(cell.words) : latex_label(cell.words);
      out_ += c == 0 ? first_of_row(shown) : " & " + shown;
    }
    out_ += " \\\\\n";
  }

  /// What stands under a table, a sentence a line for who shortens it: what it is, level and method
  /// of its intervals, remarks; under the last one what the section lists.
  [[nodiscard]] std::string note(const ReportSection& section, const ReportTable& table,
                                 bool last) const {
    std::string all = latex_words(section.explanation);
    const auto say = [&](const std::string& sentence) {
      all += (all.empty() ? "" : "\n") + latex_words(sentence);
    };
    const bool estimated = std::ranges::any_of(table.rows, [](const ReportRow& row) {
      return std::ranges::any_of(row.cells, [](const ReportCell& cell) {
        const auto* figure = std::get_if<Estimated>(&cell);
        return figure != nullptr && figure->estimate.interval.has_value();
      });
    });
    if (estimated && !section.method.empty())
      say(fmt::format("Intervals at {}: {}.",
                      text::percent(section.level.value_or(document_.made.level)), section.method));
    for (const std::string& remark : section.remarks) say(remark);
    if (last)
      for (const ListedRemark& point : section.points) say(in_a_line(point));
    for (const ReportAlert& alert : document_.warnings) say(alert.words);
    return all;
  }

  const Document& document_;
  std::string out_;
};

}  // namespace

std::string render_latex(const Document& document) {
  return Latex(document).write();
}

}  // namespace agon::report
