// Remote sessions through the built server and gateway against ssh, sftp and a bare ssh client, on loopback.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';
import { desktopFirstPictureRows, desktopLateViewerRows } from './desktop-picture.mjs';
import { desktopSeekRow } from './desktop-seek.mjs';
import { openSessionSite, whyNoSessionSite } from './support/session-site.mjs';
import { median, quantile, spread } from './support/statistics.mjs';

const turns = 3;
const keys = 200;
const floodTurns = 5;
/** Half a second and more of it, so that a rate is not that of the first moments. */
const floodBytes = 30_000_000;
/** Output in which a viewer disappears. */
const longFloodBytes = 50_000_000;
const line = '0123456789abcdef0123456789abcd';
const fileBytes = 64 * 1024 * 1024;
const rawEcho = 'stty raw -echo; echo raw-$((6*7)); cat';

/** The rows in their order; what comes after `record` is recorded. */
const rows = {
  flood: (site) => floodRow(site, 'not recorded'),
  record: (site) => site.record().then(() => []),
  echo: echoRow,
  ready: readyRow,
  'recorded-flood': (site) => floodRow(site, 'recorded'),
  'killed-viewer': killedViewerRows,
  viewers: viewersRow,
  download: downloadRow,
  stall: stallRow,
  seek: seekRow,
  'desktop-first-picture': desktopFirstPictureRows,
  'desktop-late-viewer': desktopLateViewerRows,
  'desktop-seek': desktopSeekRow,
};

/** What `--row` names. */
export const sessionRows = Object.keys(rows).filter((name) => name !== 'record');

export async function benchSessions({ say, rows: wanted = sessionRows }) {
  const missing = whyNoSessionSite();
  if (missing) return [{ name: 'sessions', skipped: missing }];
  say(
    `sessions: ${keys} keys, ${floodTurns} floods of ${floodBytes / 1e6} MB and other rows in turn with their peers`,
  );
  const site = await openSessionSite();
  const figures = [];
  try {
    for (const [name, measure] of Object.entries(rows)) {
      if (name !== 'record' && !wanted.includes(name)) continue;
      say(`  ${name} after ${Math.round(performance.now() / 1000)} s`);
      figures.push(await measure(site));
    }
    return figures.flat();
  } finally {
    await site.stop();
  }
}

/** Opens a session whose shell shows nothing but the output of commands. */
async function quietSession(site) {
  const sessionId = await site.open();
  const viewer = site.view(sessionId);
  await viewer.until(() => viewer.received > 0);
  viewer.type('stty -echo; PS1=; echo quiet-$((6*7))\r');
  await viewer.sees('quiet-42');
  return { sessionId, viewer };
}

async function echoRow(site) {
  const sessionId = await site.open();
  const viewer = site.view(sessionId);
  await viewer.until(() => viewer.received > 0);
  viewer.type(`${rawEcho}\r`);
  await viewer.sees('raw-42');
  const ssh = spawn('ssh', ['-tt', ...site.sshOptions, '-p', site.sshd.port, '127.0.0.1', rawEcho]);
  let text = '';
  ssh.stdout.on('data', (bytes) => {
    text += bytes;
  });
  while (!text.includes('raw-42')) await once(ssh.stdout, 'data');
  const ours = [];
  const peer = [];
  for (let key = 0; key < keys; key++) {
    const { received } = viewer;
    let since = performance.now();
    viewer.type('x');
    await viewer.until(() => viewer.received > received);
    ours.push(performance.now() - since);
    since = performance.now();
    const shown = once(ssh.stdout, 'data');
    ssh.stdin.write('x');
    await shown;
    peer.push(performance.now() - since);
  }
  ssh.kill();
  viewer.leave();
  await site.close(sessionId);
  return added('echo of a key, p50', median(ours), 'ssh -tt', median(peer), 1, {
    spread: `p99 ${quantile(ours, 0.99).toFixed(1)}, ssh ${quantile(peer, 0.99).toFixed(1)}`,
  });
}

/** From the request to the first output of the shell. */
async function readyRow(site) {
  const ours = [];
  const peer = [];
  for (let turn = 0; turn < turns * 3; turn++) {
    let since = performance.now();
    const sessionId = await site.open();
    const viewer = site.view(sessionId);
    await viewer.until(() => viewer.received > 0);
    ours.push(performance.now() - since);
    viewer.leave();
    await site.close(sessionId);
    since = performance.now();
    const ssh = spawn('ssh', ['-tt', ...site.sshOptions, '-p', site.sshd.port, '127.0.0.1']);
    await once(ssh.stdout, 'data');
    peer.push(performance.now() - since);
    ssh.kill();
  }
  return added('a session is ready', median(ours), 'ssh', median(peer), 150, { spread: spread(ours, 0) });
}

const floodCommand = (bytes, number = 42) =>
  `yes ${line} | head -c ${bytes}; echo; echo end-$((${number} + 0))`;

let floods = 0;

async function flood(viewer) {
  const number = 1000 + floods++;
  const since = performance.now();
  viewer.type(`${floodCommand(floodBytes, number)}\r`);
  await viewer.sees(`end-${number}`);
  return floodBytes / 1000 / (performance.now() - since);
}

async function floodRow(site, how) {
  const { sessionId, viewer } = await quietSession(site);
  const ours = [];
  const peer = [];
  for (let turn = 0; turn < floodTurns; turn++) {
    ours.push(await flood(viewer));
    await site.uploaded();
    peer.push(await bareFlood(site));
  }
  viewer.leave();
  await site.close(sessionId);
  return atLeast(`output of a flood, ${how}`, ' MB/s', { ours, peer }, 'ssh2 client', 0.8);
}

/** The same output by the library that the gateway uses, in a process of its own. */
async function bareFlood(site) {
  const { Client } = createRequire(new URL('../../agent/package.json', import.meta.url))('ssh2');
  const client = new Client();
  const { username } = site.sshd.credential;
  client.connect({
    ...{ host: '127.0.0.1', port: site.sshd.port, username, privateKey: readFileSync(site.userKey) },
  });
  await once(client, 'ready');
  const channel = await new Promise((resolve, reject) =>
    client.exec(floodCommand(floodBytes), { pty: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const since = performance.now();
  channel.resume();
  await once(channel, 'end');
  const rate = floodBytes / 1000 / (performance.now() - since);
  client.end();
  return rate;
}

/** A viewer that disappears in a flood, and another that comes. */
async function killedViewerRows(site) {
  const other = await quietSession(site);
  const { sessionId, viewer } = await quietSession(site);
  const before = site.gatewayMegabytes();
  viewer.type(`${floodCommand(longFloodBytes)}\r`);
  await viewer.until(() => viewer.received > longFloodBytes / 10);
  viewer.kill();
  const echoes = [];
  let isOver = false;
  const typing = (async () => {
    for (let count = 0; !isOver; count++) {
      const since = performance.now();
      other.viewer.type(`echo key-$((${count}+1000))\r`);
      await other.viewer.sees(`key-${count + 1000}`);
      echoes.push(performance.now() - since);
      await sleep(20);
    }
  })();
  await sleep(200);
  const since = performance.now();
  const next = site.view(sessionId, 'watch');
  await next.sees(line);
  const tail = performance.now() - since;
  await next.sees('end-42');
  isOver = true;
  await typing;
  const memory = site.gatewayMegabytes();
  next.leave();
  await site.close(sessionId);
  other.viewer.leave();
  await site.close(other.sessionId);
  return [
    limited('a viewer killed in a flood: tail for the next', ' ms', tail, 300),
    limited('a viewer killed in a flood: slowest command elsewhere', ' ms', Math.max(...echoes), 300),
    limited(
      `a viewer killed in a flood: memory added to ${before.toFixed(0)} MB`,
      ' MB',
      memory - before,
      150,
    ),
  ];
}

async function viewersRow(site) {
  const seconds = async (watchers) => {
    const { sessionId, viewer } = await quietSession(site);
    const others = Array.from({ length: watchers }, () => site.view(sessionId, 'watch'));
    for (const other of others) await other.until(() => other.received > 0);
    await site.uploaded();
    const before = site.gatewaySeconds();
    await flood(viewer);
    await site.uploaded();
    const used = site.gatewaySeconds() - before;
    for (const one of [viewer, ...others]) one.leave();
    await site.close(sessionId);
    return used;
  };
  const ours = [];
  const peer = [];
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await seconds(4));
    peer.push(await seconds(0));
  }
  const ratio = median(ours) / median(peer);
  return {
    ...{
      name: 'gateway processor time with five viewers',
      unit: ' s',
      ours: median(ours),
      peer: median(peer),
    },
    ...{ peerName: 'one viewer', ratio, aim: '<= 1.3', met: ratio <= 1.3, spread: spread(ours, 2) },
  };
}

const makeLargeFile = (site) => writeFile(join(site.sshd.folder, 'large'), Buffer.alloc(fileBytes, 'yagura'));

async function downloadRow(site) {
  await makeLargeFile(site);
  const sessionId = await site.open();
  const viewer = site.view(sessionId);
  await viewer.until(() => viewer.received > 0);
  const ours = [];
  const peer = [];
  for (let turn = 0; turn < turns; turn++) {
    let since = performance.now();
    if ((await viewer.files.download('/large', () => undefined)) !== fileBytes)
      throw new Error('the download is not complete');
    ours.push(fileBytes / 1000 / (performance.now() - since));
    since = performance.now();
    const source = `127.0.0.1:${join(site.sshd.folder, 'large')}`;
    const { status } = spawnSync('sftp', [
      ...['-q', ...site.sshOptions, '-P', String(site.sshd.port), source, join(site.folder, 'copy')],
    ]);
    if (status !== 0) throw new Error(`sftp ended with ${status}`);
    peer.push(fileBytes / 1000 / (performance.now() - since));
  }
  viewer.leave();
  await site.close(sessionId);
  return atLeast('download of a file', ' MB/s', { ours, peer }, 'sftp', 0.6);
}

/** Ten sessions type while a file is downloaded on the same connection of the gateway. */
async function stallRow(site) {
  await makeLargeFile(site);
  const sessions = await Promise.all(Array.from({ length: 10 }, () => quietSession(site)));
  for (const { viewer } of sessions) {
    viewer.type(`${rawEcho}\r`);
    await viewer.sees('raw-42');
  }
  const { sessionId, viewer: loader } = await quietSession(site);
  let isOver = false;
  const echoes = [];
  const typing = sessions.map(async ({ viewer }) => {
    while (!isOver) {
      const { received } = viewer;
      const since = performance.now();
      viewer.type('x');
      await viewer.until(() => viewer.received > received);
      echoes.push(performance.now() - since);
      await sleep(50);
    }
  });
  await loader.files.download('/large', () => undefined);
  isOver = true;
  await Promise.all(typing);
  for (const one of [...sessions, { sessionId, viewer: loader }]) {
    one.viewer.leave();
    await site.close(one.sessionId);
  }
  const row = limited('ten sessions beside a download: slowest echo', ' ms', Math.max(...echoes), 100);
  return { ...row, spread: `${echoes.length} keys, p99 ${quantile(echoes, 0.99).toFixed(0)}` };
}

/** The player of the console on a terminal without a window, in an hour of work at a shell and in a full-screen program. */
async function seekRow() {
  const load = (path) => tsImport(`../../${path}`, import.meta.url);
  const { parseRecording } = await load('web/app/greac/logs/recording.ts');
  const { LogPlayer } = await load('web/app/greac/logs/log-player.ts');
  const { default: headless } = await import('@xterm/headless');
  const events = [{ version: 3, term: { cols: 120, rows: 40 }, timestamp: 0 }];
  for (let count = 1; count <= 36_000; count++) {
    const drawn = `\x1b[${(count % 40) + 1};1H\x1b[1;3${count % 8}m line ${count} that is drawn again\x1b[0m\x1b[K`;
    events.push([
      0.1,
      'o',
      count % 3 === 0 ? drawn : `host service[${count}]: ${'word '.repeat(count % 12)}\r\n`,
    ]);
  }
  const recording = parseRecording([events.map((event) => JSON.stringify(event)).join('\n')]);
  const terminal = new headless.Terminal({ cols: 120, rows: 40, scrollback: 0, allowProposedApi: true });
  const player = new LogPlayer(recording, terminal, { now: () => 0, soon: () => () => undefined });
  const times = [];
  for (const seconds of [3600, 3500, 1800, 3000, 60, 3590]) {
    const since = performance.now();
    player.seek(seconds);
    await new Promise((resolve) => terminal.write('', resolve));
    times.push(performance.now() - since);
  }
  return {
    ...limited('seek in the log of an hour, slowest', ' ms', Math.max(...times), 1000),
    spread: spread(times, 0),
  };
}

function added(name, ours, peerName, peer, most, rest) {
  const met = ours - peer <= most;
  return { name, unit: ' ms', ours, peer, peerName, ratio: ours / peer, aim: `<= +${most} ms`, met, ...rest };
}

function atLeast(name, unit, { ours, peer }, peerName, least) {
  const ratio = median(ours) / median(peer);
  return {
    ...{ name, unit, ours: median(ours), peer: median(peer), peerName, ratio },
    ...{ aim: `>= ${least}`, met: ratio >= least, spread: spread(ours, 1) },
  };
}

function limited(name, unit, ours, limit) {
  return {
    name,
    unit,
    ours,
    peer: limit,
    peerName: 'limit',
    ratio: ours / limit,
    aim: '<= 1',
    met: ours <= limit,
  };
}
