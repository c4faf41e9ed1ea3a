/** A process that tries to take a folder's lock, prints the result, and keeps running. */
import { systemClock } from '../../../src/db/clock.ts';
import { lockFolder } from '../../../src/db/pglite/folder-lock.ts';

const word = await lockFolder(process.argv[2] ?? '', { clock: systemClock }).then(
  () => 'won',
  (error: Error) => error.name,
);
console.log(word);
setInterval(() => {}, 1_000);
