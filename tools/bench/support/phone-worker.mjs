// Plays 50 calls to 50 other parties in this thread until asked to stop, then tells how late the packets were.
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { tsImport } from 'tsx/esm/api';

const load = (file) => tsImport(`../../../server/src/pigeon/${file}.ts`, import.meta.url);
const { createMediaSession } = await load('media/create-media-session');
const { raiseThreadPriority } = await load('thread/raise-priority');
const refusal = raiseThreadPriority();
if (refusal !== null) console.error(`the thread of the calls keeps its normal priority: ${refusal}`);

const options = { bindAddress: '127.0.0.1', publicAddress: '127.0.0.1', security: workerData.security };
/** Noise, so that no packet is like another: the work for silence would be the same. */
const speech = Int16Array.from({ length: 8000 * 60 }, () => (Math.random() - 0.5) * 8000);
const pairs = [];
let heard = 0;
for (let count = 0; count < workerData.calls; count++) {
  const caller = await createMediaSession({ ...options, events: { key: () => undefined } });
  const callee = await createMediaSession({
    ...options,
    events: {
      key: () => undefined,
      audio: () => {
        heard++;
      },
    },
  });
  caller.accept(callee.answer(caller.offer()));
  void caller.play(speech);
  pairs.push({ caller, callee });
  // Calls are answered one by one, not in the same turn of the loop.
  await turn();
}
parentPort.once('message', () => {
  const sessions = pairs.flatMap(({ caller, callee }) => [caller, callee]);
  const statistics = sessions.map((session) => session.statistics());
  for (const session of sessions) session.close();
  parentPort.postMessage({
    heard,
    sent: statistics.reduce((sum, { sent }) => sum + sent, 0),
    missing: statistics.reduce((sum, { sent, received }) => sum + sent - received, 0),
    worst: Math.max(...statistics.map(({ worstLatenessMs }) => worstLatenessMs)),
  });
});
parentPort.postMessage('started');
