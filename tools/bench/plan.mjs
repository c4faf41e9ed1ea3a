// What a plan of 10,000 rows costs: a CSV file of scopes against a space that has all of them, a tenth changed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, spread } from './support/statistics.mjs';

const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
const turns = 5;
const count = 10_000;
/** Seconds that a plan of so many rows may take. */
const limit = 3;

const rows = Array.from({ length: count }, (_, index) => ({
  scopeId: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  displayName: `host ${index} 監視`,
  remarks: 'as it was',
  status: 'normal',
  severity: 0,
  thresholds: { warning: 1, incident: 5 },
  recoveryTime: null,
  lastEventAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}));

export async function benchPlan({ say }) {
  if (!existsSync(program))
    return [{ name: 'plan', skipped: 'cli/dist/main.js is missing: run "npm run build" first' }];
  say(`plan: ${turns} times; ${count} rows, read from a canned API and compared field by field`);
  const folder = mkdtempSync(join(tmpdir(), 'yagura-plan-'));
  const server = await cannedApi();
  try {
    const lines = rows.map(
      ({ displayName }, index) => `${displayName},${index % 10 === 0 ? 'changed' : 'as it was'}`,
    );
    writeFileSync(join(folder, 'scopes.csv'), `displayName,remarks\n${lines.join('\n')}\n`);
    const seconds = [];
    for (let turn = 0; turn < turns; turn++) {
      const { code, text, taken } = await planned(folder, server.origin);
      if (code !== 2 || !text.includes(`0 to create, ${count / 10} to change`))
        throw new Error(`the plan ended with ${code}: ${text.slice(-500)}`);
      seconds.push(taken);
    }
    const usual = median(seconds);
    return [
      {
        name: `plan of ${count} rows`,
        unit: ' rows/s',
        ours: count / usual,
        peer: count / limit,
        peerName: 'limit',
        ratio: limit / usual,
        aim: `>= 1 (${limit} s)`,
        met: usual <= limit,
        spread: spread(
          seconds.map((one) => limit / one),
          2,
        ),
      },
    ];
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function planned(folder, origin) {
  const begun = performance.now();
  const child = spawn(process.execPath, [program, 'plan', folder, '--detailed-exitcode'], {
    env: {
      PATH: process.env.PATH,
      YAGURA_URL: origin,
      YAGURA_TOKEN: 'bench',
      YAGURA_LANG: 'en',
      YAGURA_CONFIG_DIR: '/nonexistent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, text, taken: (performance.now() - begun) / 1000 })),
  );
}

/** The scopes, page by page, and nothing else. */
async function cannedApi() {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const size = Number(url.searchParams.get('limit') ?? 10);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const body = url.pathname.endsWith('/scopes')
      ? { items: rows.slice(offset, offset + size), total: count, limit: size, offset }
      : { items: [], total: 0, limit: size, offset };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://localhost:${server.address().port}`, close: () => server.close() };
}
