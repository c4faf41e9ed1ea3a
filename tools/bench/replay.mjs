// How many stored messages a what-if replay decides in a second, by the stored and by the changed settings both.
import { setTimeout as sleep } from 'node:timers/promises';
import { load, settled } from './intake.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

const requests = 20_000;
const rounds = 3;
const wanted = 20_000;
const api = '/api/apps/alerthub';

export async function benchReplay({ say }) {
  say(`replay: ${requests} stored messages through the present and a changed threshold, ${rounds} times`);
  const server = await startServer();
  const rates = [];
  try {
    const path = await makeAlertPath(server);
    await load({ url: path.receiveUrl, prefix: 'replay', requests, list: false, expect: 202 });
    await settled(server, path, requests);
    for (let round = 1; round <= rounds; round++) {
      const body = { thresholds: { warning: round, incident: 1000 } };
      const change = { kind: 'scope', id: path.scopeId, body };
      const { replayId } = await callApi(server, 'POST', `${api}/replays`, { days: 1, change });
      const result = await resultOf(server, replayId);
      if (result.messages !== requests || result.events.moved + result.events.same !== requests)
        throw new Error(`${result.messages} messages, ${JSON.stringify(result.events)}`);
      rates.push(result.messages / result.seconds);
      say(`  round ${round}: ${rates.at(-1).toFixed(0)} messages/s, ${result.events.moved} events changed`);
    }
  } finally {
    await server.stop();
  }
  const ours = median(rates);
  return [
    {
      name: 'replay',
      unit: '/s',
      ours,
      peer: wanted,
      peerName: 'wanted',
      ratio: ours / wanted,
      aim: '>= 1',
      met: ours >= wanted,
      spread: `${spread(rates, 0)}/s`,
    },
  ];
}

async function resultOf(server, replayId) {
  for (let tries = 0; tries < 1200; tries++) {
    const { status, result, errorDescriptor } = await callApi(
      server,
      'GET',
      `${api}/replays/${replayId}/state`,
    );
    if (status === 'succeeded') return result;
    if (status !== 'processing') throw new Error(`the replay ${status}: ${errorDescriptor?.detail}`);
    await sleep(50);
  }
  throw new Error('the replay did not end in time');
}
