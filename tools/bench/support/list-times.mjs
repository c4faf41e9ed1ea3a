// Times of a list while something else is going on.
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../testbed.mjs';

const list = '/api/apps/alerthub/scopes?limit=10';

/** Milliseconds between the end of a call and the next, so that asking takes little from what is measured beside it. */
const intervalMs = 50;

/** Milliseconds of each call, one after the other for as long as `goesOn` says. */
export async function listTimes(server, goesOn) {
  const times = [];
  while (goesOn(times.length)) {
    const begun = performance.now();
    await callApi(server, 'GET', list);
    times.push(performance.now() - begun);
    await sleep(intervalMs);
  }
  return times;
}
