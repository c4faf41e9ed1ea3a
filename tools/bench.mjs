// Measures what Yagura promises against its peers on this machine, in turn, and prints ratios.
// Usage: node tools/bench.mjs [--only intake|latency|replay|command|screen|start|first-page|list-page|paint|plan] [--json]
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCommand } from './bench/command.mjs';
import { benchFirstPage } from './bench/first-page.mjs';
import { benchIntake } from './bench/intake.mjs';
import { benchLatency } from './bench/latency.mjs';
import { benchListPage } from './bench/list-page.mjs';
import { benchPaint } from './bench/paint.mjs';
import { benchPlan } from './bench/plan.mjs';
import { benchReplay } from './bench/replay.mjs';
import { benchScreen } from './bench/screen.mjs';
import { benchStart } from './bench/start.mjs';

const benches = {
  intake: benchIntake,
  latency: benchLatency,
  replay: benchReplay,
  command: benchCommand,
  screen: benchScreen,
  start: benchStart,
  'first-page': benchFirstPage,
  'list-page': benchListPage,
  paint: benchPaint,
  plan: benchPlan,
};

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
});
const names = values.only ?? Object.keys(benches);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  console.error(`--only: ${unknown} is none of ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

// With --json the figures alone go to the standard output.
const say = (line) => (values.json ? console.error(line) : console.log(line));
say(
  `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
say('The load generator runs on the same cores as what it measures; ratios say more than rates.');
const figures = [];
for (const name of names) {
  const found = await benches[name]({ say });
  figures.push(...found);
  for (const figure of found) {
    say(told(figure));
    if (values.json) console.log(JSON.stringify(jsonOf(figure)));
  }
}
const missed = figures.filter((figure) => figure.met === false);
say(
  `${figures.length - missed.length} of ${figures.length} figures met their aim, had none, or were skipped`,
);
process.exit(0);

function told({ name, unit, ours, peer, peerName, ratio, aim, met, spread, skipped }) {
  if (skipped) return `= ${name}: skipped, ${skipped}`;
  const digits = Math.min(ours, peer) < 1 ? 3 : ours < 100 ? 1 : 0;
  const verdict = aim ? `, aim ${aim} ${met ? 'met' : 'MISSED'}` : '';
  const between = spread ? ` (${spread})` : '';
  return `= ${name}: ours ${ours.toFixed(digits)}${unit}, ${peerName} ${peer.toFixed(digits)}${unit}, ratio ${ratio.toFixed(2)}${between}${verdict}`;
}

function jsonOf({ name, ours, peer, ratio, aim = null, unit, spread, skipped }) {
  return skipped ? { name, skipped } : { name, ours, peer, ratio, aim, unit: unit.trim(), spread };
}
