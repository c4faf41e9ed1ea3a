// A process of its own that is the least a receiver can be: node serve-syncing.mjs <folder>. It parses each body as JSON,
// writes it to a file in the folder, and answers after one fdatasync for all that came while the last one ran.
// Prints its address once it listens.
import { fdatasync, openSync, write } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const file = openSync(join(process.argv[2], 'messages'), 'w', 0o600);
let waiting = [];
let isWriting = false;

function flush() {
  const batch = waiting;
  waiting = [];
  const bytes = Buffer.concat(batch.map(({ body }) => body));
  const answer = (error) => {
    for (const { response } of batch) response.writeHead(error ? 503 : 202, { 'content-length': 0 }).end();
    if (waiting.length > 0) flush();
    else isWriting = false;
  };
  write(file, bytes, 0, bytes.length, null, (error) => (error ? answer(error) : fdatasync(file, answer)));
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString());
    waiting.push({ body, response });
    if (isWriting) return;
    isWriting = true;
    setImmediate(flush);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
