// How many runbooks of five steps run in a second, from the message that starts each to the event that is its last step.
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { load, settled } from './intake.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, outboundToLoopback, startServer } from './testbed.mjs';

const rounds = 3;
const runbooks = 3000;
const wanted = 500;

export async function benchRunbook({ say }) {
  say(
    `runbook: ${runbooks} messages over 16 connections start one runbook each, ${rounds} rounds. Five steps: an operator that`,
  );
  say(
    '  reads the message, a branch, a webhook to a local receiver that is waited for, an operator that parses its answer, an',
  );
  say('  event. Timed from the first post until every event has been raised; all of it is on disk (fsync).');
  const receiver = await startReceiver();
  const server = await startServer({ env: { ...outboundToLoopback, YAGURA_SLOT_RATE: '0' } });
  const rates = [];
  try {
    const path = await makeRunbook(server, receiver.url);
    let ended = 200;
    await load({ url: path.receiveUrl, prefix: 'warm', requests: ended, list: false, expect: 202 });
    await settled(server, path, ended);
    for (let round = 1; round <= rounds; round++) {
      const begun = performance.now();
      await load({
        url: path.receiveUrl,
        prefix: `r${round}`,
        requests: runbooks,
        list: false,
        expect: 202,
      });
      ended += runbooks;
      await settled(server, path, ended);
      rates.push(runbooks / ((performance.now() - begun) / 1000));
      say(`  round ${round}: ${rates.at(-1).toFixed(0)} runbooks/s, load ${loadavg()[0].toFixed(1)}`);
    }
    if (receiver.count() < ended) throw new Error(`${receiver.count()} webhooks of ${ended} runbooks`);
    say(`  ${receiver.count()} webhooks arrived for ${ended} runbooks`);
  } finally {
    await server.stop();
    receiver.stop();
  }
  const ours = median(rates);
  return [
    {
      name: 'runbook of 5 steps',
      unit: '/s',
      ours,
      peer: wanted,
      peerName: 'wanted',
      ratio: ours / wanted,
      aim: '> 1',
      met: ours > wanted,
      spread: `${spread(rates, 0)}/s`,
    },
  ];
}

/** A slot whose messages start the runbook, and the scope that counts the runbooks that came to their end. */
async function makeRunbook(server, url) {
  const make = (path, body) => callApi(server, 'POST', `/api/apps/alerthub/${path}`, body);
  const { scopeId } = await make('scopes', { displayName: 'runbooks' });
  const { actionId } = await make('actions', {
    displayName: 'ask',
    kind: 'webhook',
    parameters: { url, body: '{"title":"{{message.content.data.title}}"}' },
  });
  const step = (stepId, kind, params, ways) => ({ stepId, kind, displayName: stepId, params, ...ways });
  const { runbookId } = await make('runbooks', {
    displayName: 'five steps',
    startStepId: 'read',
    steps: [
      step(
        'read',
        'operator',
        {
          operatorId: 'text-compare',
          params: { source: 'message.content.data.level', comparison: 'equals', value: 'critical' },
        },
        { next: 'choose' },
      ),
      step(
        'choose',
        'branch',
        {
          conditionId: 'regex-match',
          params: { source: 'message.content.data.labels.job', pattern: '^node$' },
        },
        { nextTrue: 'ask', nextFalse: null },
      ),
      step('ask', 'action', { actionId, wait: true }, { next: 'parse' }),
      step(
        'parse',
        'operator',
        {
          operatorId: 'json-parse',
          params: { source: 'steps.ask.output.body', destination: 'answer' },
        },
        { next: 'raise' },
      ),
      step('raise', 'event', { scopeId, delta: 1 }, {}),
    ],
  });
  const slot = await make('receive-slots', { displayName: 'runbooks', runbookId });
  const receiveUrl = new URL(new URL(slot.primary).pathname, server.origin);
  receiveUrl.hostname = '127.0.0.1';
  return { receiveUrl: receiveUrl.href, scopeId };
}

async function startReceiver() {
  let count = 0;
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      count += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"free":3}');
    });
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${receiver.address().port}/`,
    count: () => count,
    stop: () => {
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
