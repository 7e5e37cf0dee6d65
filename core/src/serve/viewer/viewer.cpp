#include "viewer/viewer.hpp"

#include "report/render.hpp"
#include "report/report.hpp"

namespace agon::serve {

Viewer::Viewer(const std::string& archive, const Catalogue& plugins) {
  report::Choice choice;
  choice.rates = report::rates_of(plugins);
  choice.detail = report::Detail::full;
  report_ = report::render_html(report::document_of(archive, choice));
}

void Viewer::add_routes(Router& router, const Door& door) {
  router.get("/", door.guard([this](const Exchange& exchange) {
    // The report is one file, with its style in it.
    exchange.respond(
        {.content_type = "text/html; charset=utf-8",
         .body = report_,
         .headers = {{"Content-Security-Policy",
                      "default-src 'none'; style-src 'unsafe-inline'; "
                      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}}});
  }));
}

}  // namespace agon::serve
