// A timer every 20 ms in a thread that does nothing else, until asked how late it was at worst: what the machine allows.
import { parentPort } from 'node:worker_threads';

const interval = 20;
let due = performance.now() + interval;
let worst = 0;

function fire() {
  const now = performance.now();
  worst = Math.max(worst, now - due);
  due += interval * Math.max(1, Math.ceil((now - due) / interval));
  setTimeout(fire, Math.max(0, Math.ceil(due - performance.now())));
}

setTimeout(fire, interval);
parentPort.once('message', () => {
  parentPort.postMessage({ worst });
  parentPort.close();
});
parentPort.postMessage('started');
