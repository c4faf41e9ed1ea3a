// What importing a file of 100,000 rows costs: the memory that the server needs beside what it holds at rest, and time.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { callApi, startServer } from './testbed.mjs';

const rows = 100_000;
const limit = 256;
const scopes = '/api/apps/alerthub/bulk-operations/scopes';

export async function benchImport({ say }) {
  if (process.platform !== 'linux')
    return [{ name: 'import', skipped: 'the most memory of a process is told by Linux only' }];
  say(
    `import: a file of ${rows} scopes, planned and executed; the most memory of the whole server process (VmHWM), embedded`,
  );
  say('  store included, less what it held before');
  const server = await startServer();
  try {
    await importRows(server, 1000, 'warm');
    const rest = memoryOf(server.pid, 'VmRSS');
    // Lets the most memory be counted from here on.
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const { plan, execute } = await importRows(server, rows, 'row');
    const most = memoryOf(server.pid, 'VmHWM');
    const used = most - rest;
    say(
      `  at rest ${rest.toFixed(0)} MB, at most ${most.toFixed(0)} MB; planned in ${plan.toFixed(1)} s, executed in ` +
        `${execute.toFixed(1)} s, load ${loadavg()[0].toFixed(1)}`,
    );
    return [
      {
        name: `import of ${rows} rows, memory`,
        unit: ' MB',
        ours: used,
        peer: limit,
        peerName: 'limit',
        ratio: used / limit,
        aim: '<= 1',
        met: used <= limit,
      },
      {
        name: `import of ${rows} rows`,
        unit: ' rows/s',
        ours: rows / (plan + execute),
        peer: rows / plan,
        peerName: 'planning alone',
        ratio: plan / (plan + execute),
      },
    ];
  } finally {
    await server.stop();
  }
}

/** Megabytes. */
function memoryOf(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]) / 1024;
}

/** Seconds of both steps. */
async function importRows(server, count, name) {
  const lines = Array.from(
    { length: count },
    (_, at) => `,${name} ${at},監視対象の${at}番目のサーバー,${at % 2 === 0 ? '' : 600}`,
  );
  const form = new FormData();
  form.set(
    'file',
    new Blob([['$key,displayName,remarks,recoveryTime', ...lines, ''].join('\n')]),
    'scopes.csv',
  );
  const begun = performance.now();
  const reply = await fetch(`${server.origin}${scopes}/imports`, {
    method: 'POST',
    headers: { 'x-authorization': `Token ${server.token}` },
    body: form,
  });
  const made = await reply.json();
  if (reply.status !== 201 || made.creates !== count)
    throw new Error(`planning was answered with ${reply.status}: ${JSON.stringify(made).slice(0, 500)}`);
  const planned = performance.now();
  const done = await fetch(`${server.origin}${scopes}/imports/${made.importId}/exec`, {
    method: 'POST',
    headers: { 'x-authorization': `Token ${server.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!done.ok) throw new Error(`executing was answered with ${done.status}: ${await done.text()}`);
  const executed = performance.now();
  const { total } = await callApi(server, 'GET', '/api/apps/alerthub/scopes?limit=1');
  if (total < count) throw new Error(`${total} scopes after importing ${count}`);
  return { plan: (planned - begun) / 1000, execute: (executed - planned) / 1000 };
}
