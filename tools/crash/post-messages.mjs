// Posts messages over many connections to a server that may die at any moment, and keeps account of each answer.
import { Agent, request } from 'node:http';

/**
 * Sends `posts` ({title, key?, padding?}) in order over `connections` connections until all are answered or the server is gone.
 * Gives `answered` ({post, messageId}), `unanswered` (sent, fate unknown) and `unsent`; `onAnswer` hears how many are answered.
 */
export async function postAll(url, posts, { connections, onAnswer }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = [...posts];
  const answered = [];
  const unanswered = [];
  let gone = false;
  async function work() {
    while (!gone && waiting.length > 0) {
      const post = waiting.shift();
      try {
        const messageId = await send(url, post, agent);
        answered.push({ post, messageId });
        onAnswer?.(answered.length);
      } catch {
        gone = true;
        unanswered.push(post);
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { answered, unanswered, unsent: waiting };
}

/** `padding` is how many bytes are added to it. */
export function bodyOf({ title, padding }) {
  return JSON.stringify({ title, level: 'critical', ...(padding ? { padding: 'x'.repeat(padding) } : {}) });
}

/** Resolves with the message's id; rejects when no whole 202 comes. */
function send(url, post, agent) {
  return new Promise((resolve, reject) => {
    const body = bodyOf(post);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    if (post.key) headers['idempotency-key'] = post.key;
    const sent = request(url, { method: 'POST', agent, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (part) => {
        text += part;
      });
      reply.on('error', reject);
      reply.on('end', () => {
        if (!reply.complete) return reject(new Error('the answer broke off'));
        if (reply.statusCode !== 202) return reject(new Error(`answered with ${reply.statusCode}`));
        resolve(JSON.parse(text).messageId);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
