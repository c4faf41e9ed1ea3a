// Measures what Yagura promises against its peers on this machine, in turn, and prints ratios.
// Usage: node tools/bench.mjs [--only NAME]... [--messages 1000000] [--database URL] [--against REVISION]
//   [--row NAME]... [--sync-ms MS] [--json]
// NAME is one of intake, burst, latency, mail, runbook, replay, scale, import, command, screen, start, first-page, list-page, paint,
// plan, decide, hostile, proxy, scan, inventory, snmp, phone and sessions. --messages is how many `scale` lays; --database
// names an empty PostgreSQL database to lay them in; --against is the revision that `decide` is compared with;
// --row names the rows of `sessions` to measure; --sync-ms delays each sync of a file, as a slower disk does.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBurst } from './bench/burst.mjs';
import { benchCommand } from './bench/command.mjs';
import { benchDecide } from './bench/decide.mjs';
import { benchFirstPage } from './bench/first-page.mjs';
import { benchHostile } from './bench/hostile.mjs';
import { benchImport } from './bench/import.mjs';
import { benchIntake } from './bench/intake.mjs';
import { benchInventory } from './bench/inventory.mjs';
import { benchLatency } from './bench/latency.mjs';
import { benchListPage } from './bench/list-page.mjs';
import { benchMail } from './bench/mail.mjs';
import { benchPaint } from './bench/paint.mjs';
import { benchPhone } from './bench/phone.mjs';
import { benchPlan } from './bench/plan.mjs';
import { benchProxy } from './bench/proxy.mjs';
import { benchReplay } from './bench/replay.mjs';
import { benchRunbook } from './bench/runbook.mjs';
import { benchScale } from './bench/scale.mjs';
import { benchScan } from './bench/scan.mjs';
import { benchScreen } from './bench/screen.mjs';
import { benchSessions, sessionRows } from './bench/sessions.mjs';
import { benchSnmp } from './bench/snmp.mjs';
import { benchStart } from './bench/start.mjs';
import { rerunWithDelayedSyncs } from './bench/support/delay-syncs.mjs';

const benches = {
  intake: benchIntake,
  burst: benchBurst,
  latency: benchLatency,
  mail: benchMail,
  runbook: benchRunbook,
  replay: benchReplay,
  scale: benchScale,
  import: benchImport,
  command: benchCommand,
  screen: benchScreen,
  start: benchStart,
  'first-page': benchFirstPage,
  'list-page': benchListPage,
  paint: benchPaint,
  plan: benchPlan,
  decide: benchDecide,
  hostile: benchHostile,
  proxy: benchProxy,
  scan: benchScan,
  inventory: benchInventory,
  snmp: benchSnmp,
  phone: benchPhone,
  sessions: benchSessions,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    messages: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    against: { type: 'string' },
    row: { type: 'string', multiple: true },
    'sync-ms': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const names = values.only ?? Object.keys(benches);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  console.error(`--only: ${unknown} is none of ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

const unknownRow = values.row?.find((name) => !sessionRows.includes(name));
if (unknownRow !== undefined) {
  console.error(`--row: ${unknownRow} is none of ${sessionRows.join(', ')}`);
  process.exit(2);
}

const messages = Number(values.messages);
if (!Number.isSafeInteger(messages) || messages < 6000) {
  console.error('--messages: give a number of at least 6000');
  process.exit(2);
}

if (values['sync-ms'] !== undefined) {
  const delay = Number(values['sync-ms']);
  if (!(delay > 0 && delay <= 1000)) {
    console.error('--sync-ms: give a number above 0 and up to 1000');
    process.exit(2);
  }
  const code = rerunWithDelayedSyncs(delay);
  if (code !== undefined) process.exit(code);
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
  const found = await benches[name]({
    say,
    messages,
    database: values.database,
    against: values.against,
    rows: values.row,
  });
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
