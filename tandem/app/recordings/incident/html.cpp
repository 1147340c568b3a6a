// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app::incident {

namespace {

constexpr std::string_view style = R"(
body { margin: 0 auto; padding: 24px; max-width: 1080px; font: 15px/1.5 system-ui, sans-serif; color: #20242c;
  background: #fff; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 28px 0 8px; }
.when { color: #5a6270; margin: 4px 0 12px; }
.why { padding: 10px 14px; border-left: 4px solid #c01a1a; background: #fbeeee; }
.why p { margin: 2px 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
td { padding: 3px 10px 3px 0; border-bottom: 1px solid #e4e6ea; vertical-align: top; overflow-wrap: anywhere; }
td.t { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
td.source { color: #5a6270; white-space: nowrap; }
tr.bad td.text { color: #a01515; }
tr.zero td { border-bottom: 2px solid #c01a1a; padding: 0; }
code { font: 0.85rem ui-monospace, monospace; overflow-wrap: anywhere; }
figure { margin: 0; }
svg { max-width: 100%; height: auto; }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text, 2000)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string timeline_rows(const Incident& incident) {
  std::string rows;
  bool passed = false;
  for (const Entry& entry : incident.timeline) {
    if (!passed && entry.t >= 0) rows += "<tr class=\"zero\"><td colspan=\"3\"></td></tr>\n";
    passed = passed || entry.t >= 0;
    rows +=
        fmt::format("<tr{}><td class=\"t\">{:+.3f} s</td><td class=\"source\">{}</td><td class=\"text\">{}</td></tr>\n",
                    entry.bad ? " class=\"bad\"" : "", entry.t, escaped(entry.source), escaped(entry.text));
  }
  return rows;
}

std::string number_rows(const History& history, const Incident& incident) {
  std::string rows;
  for (const auto& [name, value] : number_lines(history, incident))
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(name), escaped(value));
  return rows;
}

std::string machine_rows(const Incident& incident) {
  if (incident.machines.empty()) return "";
  std::string rows;
  for (const Beside& beside : incident.machines)
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(beside.machine), escaped(beside_text(beside)));
  return fmt::format("<h2>Machines</h2>\n<table>\n{}</table>\n", rows);
}

// Behind the declaration of XML, which has no place within a page.
Result<std::string> drawing_of(const History& history) {
  const plot::Figure figure = figure_of(history);
  if (figure.panels.empty()) return std::string("<p>The recording has nothing of this machine that can be drawn.</p>");
  auto svg = plot::bytes_of(figure, plot::Format::svg);
  if (!svg) return svg;
  const std::size_t begin = svg->find("<svg");
  if (begin == std::string::npos) return Error{Fault::invalid, "figure: expected an SVG, got other text"};
  return fmt::format("<figure role=\"img\" aria-label=\"Plots around the incident\">{}</figure>", svg->substr(begin));
}

std::string paragraphs(const std::vector<std::string>& texts, const std::string& around) {
  if (texts.empty()) return "";
  std::string out;
  for (const std::string& text : texts) out += fmt::format("<p>{}</p>\n", escaped(text));
  return fmt::format("<div class=\"{}\">\n{}</div>\n", around, out);
}

}  // namespace

Result<std::string> html_of(const History& history, const Incident& incident) {
  const auto drawing = drawing_of(history);
  if (!drawing) return drawing;
  const std::string subject = subject_text(history);
  std::string next;
  for (const Step& step : incident.next) {
    next += step.command.empty()
                ? fmt::format("<p>{}</p>\n", escaped(step.meaning))
                : fmt::format("<p><code>{}</code><br/>{}</p>\n", escaped(step.command), escaped(step.meaning));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p class=\"when\">{2}<br/>{3}{4}</p>\n{5}{6}"
      "{13}<h2>Numbers{14}</h2>\n<table>\n{7}</table>\n<h2>Plots</h2>\n{8}\n"
      "<h2>Timeline, {9:g} s before to {10:g} s "
      "after</h2>\n<table>\n{11}</table>\n<h2>Next</h2>\n{12}</body>\n</html>\n",
      escaped(incident.title), style, escaped(clocks_text(history.moment.at)),
      escaped(std::filesystem::path(history.file).filename().string()), subject.empty() ? "" : ", " + escaped(subject),
      paragraphs(incident.because, "why"), paragraphs(history.missing, "missing"), number_rows(history, incident),
      *drawing, history.before, history.after, timeline_rows(incident), next, machine_rows(incident),
      incident.machines.empty() ? "" : escaped(" of " + history.moment.machine));
}

}  // namespace tandem::app::incident
