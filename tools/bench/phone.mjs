// 50 calls in a thread of their own: how late the latest packet is, quiet and while messages come in at full load,
// against a timer in another thread that does nothing else. Then how soon chains call and speak, and how true previews are.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { load } from './intake.mjs';
import { measureLine, measurePreview } from './support/line-timing.mjs';
import { makeAlertPath, startServer } from './testbed.mjs';

const calls = 50;
const seconds = 10;
const maxLateness = 30;
const maxInviteMs = 100;
/** Speech begins after a pause of 500 ms; speech that was not ready takes seconds. */
const maxSpokenMs = 700;
const maxPreviewSeconds = 1;

export async function benchPhone({ say }) {
  say(
    `phone: ${calls} calls in a thread, both parties of each, ${seconds} s quiet and twice ${seconds} s with intake,`,
  );
  say('  against a bare timer in another thread at the same time.');
  const quiet = await measure('never', () => sleep(seconds * 1000));
  const server = await startServer({ env: { YAGURA_SLOT_RATE: '0' } });
  try {
    const path = await makeAlertPath(server);
    const plan = { url: path.receiveUrl, list: false, expect: 202 };
    await load({ ...plan, prefix: 'warm', requests: 1000 });
    const rates = [];
    const intake = async () => {
      const { perSecond } = await load({ ...plan, prefix: 'burst', requests: 10_000_000, seconds });
      rates.push(`${perSecond.toFixed(0)}/s`);
    };
    const plain = await measure('never', intake);
    const encrypted = await measure('required', intake);
    say(
      `  ${plain.sent} packets, ${plain.missing} not arrived; encrypted ${encrypted.sent} and ${encrypted.missing}; ` +
        `intake ${rates.join(' and ')}`,
    );
    return [
      rowOf('packet lateness, quiet', quiet),
      rowOf('packet lateness during intake', plain),
      rowOf('packet lateness during intake, encrypted', encrypted),
      ...(await measureChains(say)),
    ];
  } finally {
    await server.stop();
  }
}

async function measureChains(say) {
  const { late, spoken } = await measureLine();
  const at = (part) => late[Math.min(late.length - 1, Math.floor(late.length * part))];
  say(
    `  INVITE after the step, ${late.length} calls: p50 ${at(0.5).toFixed(1)} ms, worst ${at(1).toFixed(1)} ms`,
  );
  return [
    boundedRow('INVITE after the step, p99', ' ms', at(0.99), maxInviteMs),
    boundedRow('speech of 3,000 characters after the answer', ' ms', spoken, maxSpokenMs),
    boundedRow('simulated run against its preview', ' s', await measurePreview(), maxPreviewSeconds),
  ];
}

/** Calls, and a bare timer, while the work runs. */
async function measure(security, work) {
  const phone = start('phone-worker.mjs', { calls, security });
  const timer = start('timer-worker.mjs', {});
  try {
    await Promise.all([once(phone, 'message'), once(timer, 'message')]);
    await work();
    const [figures, bare] = await Promise.all([phone, timer].map(resultOf));
    if (figures.heard === 0) throw new Error('the other parties heard nothing');
    return { ...figures, bare: bare.worst };
  } finally {
    await Promise.all([phone.terminate(), timer.terminate()]);
  }
}

function start(file, workerData) {
  return new Worker(new URL(`./support/${file}`, import.meta.url), { workerData });
}

async function resultOf(worker) {
  const result = once(worker, 'message');
  worker.postMessage('stop');
  const [figures] = await result;
  return figures;
}

function rowOf(name, { worst, bare }) {
  return {
    name,
    unit: ' ms',
    ours: worst,
    peer: bare,
    peerName: 'bare timer',
    ratio: worst / bare,
    aim: `< ${maxLateness} ms`,
    met: worst < maxLateness,
  };
}

function boundedRow(name, unit, ours, most) {
  return {
    ...{ name, unit, ours, peer: most, peerName: 'most allowed' },
    ...{ ratio: ours / most, aim: `< ${most}${unit}`, met: ours < most },
  };
}
