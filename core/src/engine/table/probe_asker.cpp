#include "table/probe_asker.hpp"

#include "table/untyped_table.hpp"

namespace agon {

ProbeAsker::ProbeAsker(const MatchSetup& setup) : setup_(setup) {
  if (setup.probes != nullptr && setup.record) turns_.resize(setup.probes->all().size());
}

void ProbeAsker::ask_after(AnyTable& any_table, std::string_view what, bool is_event,
                           std::uint32_t audience) {
  UntypedTable table(any_table);
  const auto probes = setup_.probes->all();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const ProbeEntry& said = probes[i].said;
    if (said.after != what || probes[i].after_event != is_event) continue;
    const std::int64_t before = turns_[i]++;
    if (before % said.every != 0 || (said.most && before / said.every >= *said.most)) continue;
    ask(table, probes[i], audience);
  }
}

void ProbeAsker::ask(UntypedTable& table, const Probes::Ready& probe, std::uint32_t audience) {
  std::vector<UntypedAsking> asking;
  bool anybody = false;
  for (int seat = 0; seat < table.seats(); ++seat) {
    if ((audience >> static_cast<unsigned>(seat) & 1U) == 0 ||
        !means_seat(probe.said.of, setup_.cards[static_cast<std::size_t>(seat)]))
      continue;
    anybody = anybody || table.answers_probes(seat);
    asking.push_back({seat, limits_of(probe, setup_.cards), Value(probe.type.get())});
    if (probe.said.answer.interval)
      asking.back().check = [&type = probe.type.get()](const void* answer) {
        return problem_of_interval(type, answer);
      };
  }
  if (anybody)
    (void)table.ask(probe.card, asking, false);
  else
    next_number_ += static_cast<std::uint32_t>(asking.size());
}

}  // namespace agon
