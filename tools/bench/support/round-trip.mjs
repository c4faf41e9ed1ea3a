// A process of its own that is both ends: posts one alert, waits until its webhook arrives, then posts the next.
// Prints its sink's address as the first line, reads plans as JSON lines, and answers each with one JSON line.
import { Agent, createServer, request } from 'node:http';
import { createInterface } from 'node:readline';
import { alertBody } from './alert-body.mjs';
import { quantile } from './statistics.mjs';

/** Milliseconds after which a webhook counts as lost. */
const timeoutMs = 10_000;
const arrivals = new Map();

const sink = createServer((incoming, reply) => {
  let body = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (part) => {
    body += part;
  });
  incoming.on('end', () => {
    const at = performance.now();
    reply.writeHead(200).end();
    for (const title of body.match(/trip-[\w-]+-end/g) ?? []) arrivals.get(title)?.(at);
  });
});
await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve));
console.log(`http://127.0.0.1:${sink.address().port}/`);

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await measure(JSON.parse(line))));
process.exit(0);

/** {url, prefix, count, list}: milliseconds from the first byte of the post to the whole webhook. */
async function measure(plan) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const samples = [];
  for (let index = 0; index < plan.count; index++) {
    const title = `trip-${plan.prefix}-${index}-end`;
    const arrived = arrivalOf(title);
    const since = performance.now();
    await Promise.all([
      post(plan.url, alertBody(title, plan), agent),
      arrived.then((at) => samples.push(at - since)),
    ]);
  }
  agent.destroy();
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), samples: samples.length };
}

function arrivalOf(title) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no webhook for ${title}`)), timeoutMs);
    arrivals.set(title, (at) => {
      clearTimeout(late);
      arrivals.delete(title);
      resolve(at);
    });
  });
}

function post(url, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request(url, { method: 'POST', agent, headers }, (reply) => {
      reply.resume();
      reply.on('end', () =>
        reply.statusCode < 300 ? resolve() : reject(new Error(`answered with ${reply.statusCode}`)),
      );
    })
      .on('error', reject)
      .end(body);
  });
}
