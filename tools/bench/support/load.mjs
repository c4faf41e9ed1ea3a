// A process of its own that posts distinct alerts over keep-alive connections as fast as they are answered, and prints
// one JSON line. Plain sockets: the less it computes, the more of the machine is left to what it measures.
import { connect } from 'node:net';
import { alertBody } from './alert-body.mjs';
import { quantile } from './statistics.mjs';

/**
 * {url, requests, connections, prefix, list, expect}: `expect` is the status that counts as taken. With `seconds` it ends
 * after so long, whatever it has posted.
 */
const plan = JSON.parse(process.argv[2]);
const { hostname, port, pathname, host } = new URL(plan.url);
const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: `;
const status = `HTTP/1.1 ${plan.expect} `;
const milliseconds = [];
let next = 0;
let end = Number.POSITIVE_INFINITY;

function nextRequest() {
  const body = alertBody(`${plan.prefix}-${next++}`, plan);
  return `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Posts one after the other on one connection until all are given out. */
function work() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let got = '';
    let since = 0;
    const send = () => {
      if (next >= plan.requests || performance.now() >= end) {
        socket.destroy();
        return resolve();
      }
      since = performance.now();
      socket.write(nextRequest());
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (part) => {
      got += part;
      const last = replyEnd(got);
      if (last === undefined) return;
      if (!got.startsWith(status)) return reject(new Error(got.slice(0, 300)));
      milliseconds.push(performance.now() - since);
      got = got.slice(last);
      send();
    });
  });
}

/** Where the reply ends; undefined while it is not whole. */
function replyEnd(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2));
  if (!length) throw new Error('a reply without a length');
  const end = headEnd + 4 + Number(length[1]);
  return text.length >= end ? end : undefined;
}

const begun = performance.now();
if (plan.seconds) end = begun + plan.seconds * 1000;
await Promise.all(Array.from({ length: plan.connections }, work));
const seconds = (performance.now() - begun) / 1000;
console.log(
  JSON.stringify({
    requests: milliseconds.length,
    perSecond: milliseconds.length / seconds,
    seconds,
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
  }),
);
