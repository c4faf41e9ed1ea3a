// What the full-screen terminal costs with 10,000 rows: the first frame, and a key of the filter until its frame.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { median, spread } from './support/statistics.mjs';

const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
/** Runs a command on a pseudo terminal (util-linux). */
const terminalMaker = 'script';
const turns = 7;
const count = 10_000;
/** Milliseconds after which a frame that does not come is given up. */
const timeoutMs = 60_000;

const rows = Array.from({ length: count }, (_, index) => ({
  scopeId: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  displayName: `host ${index} 監視`,
  remarks: '',
  status: ['normal', 'warning', 'incident'][index % 3],
  severity: index % 7,
  thresholds: { warning: 1, incident: 5 },
  recoveryTime: null,
  lastEventAt: '2026-01-31T09:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}));

export async function benchScreen({ say }) {
  if (!existsSync(program))
    return [{ name: 'screen', skipped: 'cli/dist/main.js is missing: run "npm run build" first' }];
  if (spawnSync(terminalMaker, ['--version']).error)
    return [{ name: 'screen', skipped: 'there is no "script" (util-linux) to make a terminal with' }];
  say(
    `screen: each ${turns} times in turn with "node -e" that fetches the first page; ${count} rows, canned API`,
  );
  const server = await cannedApi();
  try {
    const ours = [];
    const bare = [];
    const keys = [];
    for (let turn = 0; turn < turns; turn++) {
      const screen = new PseudoTerminal(server.origin);
      ours.push(await screen.until(`1/${count}`));
      if (turn === 0) {
        screen.write('G');
        await screen.until(`${count}/${count}`);
        screen.write('/');
        await screen.until(`/${count}`);
        for (const key of 'host 123') {
          keys.push(await screen.timed(key));
        }
      }
      screen.end();
      bare.push(await fetching(server.origin));
    }
    const ratio = median(ours) / median(bare);
    const usual = median(keys);
    return [
      {
        name: `screen first frame of ${count} rows`,
        unit: ' ms',
        ours: median(ours),
        peer: median(bare),
        peerName: 'node -e fetch',
        ratio,
        aim: '<= 3',
        met: ratio <= 3,
        spread: spread(
          ours.map((one, index) => one / bare[index]),
          2,
        ),
      },
      {
        name: `screen key of a filter to its frame, over ${count} rows`,
        unit: ' ms',
        ours: usual,
        peer: 50,
        peerName: 'limit',
        ratio: usual / 50,
        aim: '<= 50 ms',
        met: usual <= 50,
        spread: spread(
          keys.map((one) => one / 50),
          2,
        ),
      },
    ];
  } finally {
    server.close();
  }
}

/** Answers what the screen asks, at once. */
async function cannedApi() {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const limit = Number(url.searchParams.get('limit') ?? 10);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const body = url.pathname.endsWith('/scopes')
      ? { items: rows.slice(offset, offset + limit), total: count, limit, offset }
      : url.pathname === '/api/space'
        ? { spaceId: rows[0].scopeId, displayName: 'Bench' }
        : { items: [], total: 0, limit, offset };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://localhost:${server.address().port}`, close: () => server.close() };
}

/** The screen on a pseudo terminal of 120x40. */
class PseudoTerminal {
  #begun = performance.now();
  #child;
  #seen = '';
  #told = () => undefined;

  constructor(origin) {
    const command = `stty cols 120 rows 40; '${process.execPath}' '${program}' tui scopes`;
    const env = {
      PATH: process.env.PATH,
      TERM: 'xterm-256color',
      YAGURA_URL: origin,
      YAGURA_TOKEN: 'bench',
      YAGURA_LANG: 'en',
      YAGURA_CONFIG_DIR: '/nonexistent',
    };
    this.#child = spawn(terminalMaker, ['-qec', command, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#seen += text;
      this.#told();
    });
  }

  write(keys) {
    this.#seen = '';
    this.#child.stdin.write(keys);
  }

  /** Milliseconds from the start until the text was on the screen. */
  async until(text) {
    await this.#wait(() => this.#seen.includes(text), text);
    return performance.now() - this.#begun;
  }

  /** Milliseconds from a key until its frame has ended. */
  async timed(key) {
    this.#seen = '';
    const begun = performance.now();
    this.#child.stdin.write(key);
    await this.#wait(() => /\u001b\[\?2026l/.test(this.#seen), key);
    return performance.now() - begun;
  }

  #wait(holds, what) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no frame with ${JSON.stringify(what)}`)), timeoutMs);
      this.#told = () => {
        if (!holds()) return;
        clearTimeout(timer);
        this.#told = () => undefined;
        resolve();
      };
      this.#told();
    });
  }

  end() {
    this.#child.stdin.write('\u0003');
    this.#child.stdin.end();
  }
}

/** Milliseconds of a bare program that fetches the same first page. */
async function fetching(origin) {
  const code = `fetch('${origin}/api/apps/alerthub/scopes?limit=200').then((reply) => reply.json())`;
  const begun = performance.now();
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  return performance.now() - begun;
}
