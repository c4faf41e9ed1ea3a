// A process of its own that is the least that can post a webhook for a message: node serve-two-syncs-peer.mjs <folder> <url>.
// It parses each body as JSON, writes it to a file and answers after fdatasync; then it writes a decision, and posts the
// body to the address after a second fdatasync. Prints its address once it listens.
import { fdatasync, openSync, write } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [folder, target] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const store = (name) => {
  const file = openSync(join(folder, name), 'w', 0o600);
  return async (bytes) => {
    await promisify(write)(file, bytes, 0, bytes.length, null);
    await promisify(fdatasync)(file);
  };
};
const storeMessage = store('messages');
const storeDecision = store('decisions');

function post(body) {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  request(target, { method: 'POST', agent, headers }, (reply) => reply.resume()).end(body);
}

const server = createServer((incoming, response) => {
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', async () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString());
    await storeMessage(body);
    response.writeHead(202, { 'content-length': 0 }).end();
    await storeDecision(body);
    post(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
