// Asks for a list and the readiness again and again from a thread of its own, and tells how long each answer took.
import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { origin, token } = workerData;
const pause = 20;
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const samples = { list: [], ready: [] };
let stopped = false;

function ask(path) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const request = http.get(
      origin + path,
      { agent, headers: { 'x-authorization': `Token ${token}` } },
      (reply) => {
        reply.resume();
        reply.once('end', () => resolve({ time: performance.now() - begun, status: reply.statusCode }));
      },
    );
    request.once('error', () => resolve({ time: performance.now() - begun, status: 0 }));
  });
}

async function probe(name, path) {
  while (!stopped) {
    const { time, status } = await ask(path);
    samples[name].push({ time, status });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const running = Promise.all([
  probe('list', '/api/apps/alerthub/message/list?limit=25'),
  probe('ready', '/readyz'),
]);
parentPort.once('message', async () => {
  stopped = true;
  await running;
  parentPort.postMessage(samples);
  agent.destroy();
});
