// The real thread of the line.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import { detailText } from '../../common/detail.ts';
import type { LogLine } from '../../common/log.ts';
import { parseSipSettings } from './sip-settings.ts';
import { SipThread } from './sip-thread.ts';

/** Number and nice value of each thread of this process. */
function priorities(): Map<number, number> {
  const found = new Map<number, number>();
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    try {
      found.set(thread, getPriority(thread));
    } catch {
      // The thread has ended.
    }
  }
  return found;
}

test.runIf(process.platform === 'linux')(
  'the thread of the audio goes before all others of the server, where the system permits it',
  async () => {
    // Prints the priority that it got.
    const isPermitted = spawnSync('nice', ['-n', '-20', 'nice']).stdout.toString().trim() === '-20';
    const before = priorities();
    const lines: LogLine[] = [];
    const settings = parseSipSettings(
      {
        local: { address: '127.0.0.1', port: 0 },
        trunks: [{ name: 'main', host: '127.0.0.1', port: 9, callerId: '0501234567' }],
      },
      () => '',
    );
    const thread = new SipThread({ settings, clock: systemClock, log: (line) => lines.push(line) });
    onTestFinished(() => thread.close());
    thread.start();
    await expect
      .poll(async () => detailText((await thread.trunks())[0]!.detail), { timeout: 20_000 })
      .not.toMatch('starting');
    const preferred = [...priorities()].filter(([id, nice]) => !before.has(id) && nice === -10);
    expect(preferred).toHaveLength(isPermitted ? 1 : 0);
    expect(lines.filter(({ message }) => message.includes('priority'))).toHaveLength(isPermitted ? 0 : 1);
    for (const [id, nice] of before) expect(priorities().get(id) ?? nice).toBe(nice);
  },
);
