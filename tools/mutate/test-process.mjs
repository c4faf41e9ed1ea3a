// Runs test files in a process that stays, and ends it with all that it started when a file takes too long.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';

/** For what a file imports: a process that has just started compiles all of it, which takes longer when others use the machine. */
const loadMs = 180_000;

export class TestProcess {
  #child;
  #changedBefore = [];

  constructor(copy, env = {}) {
    this.copy = copy;
    this.env = env;
  }

  /**
   * Runs the files in order, until one fails unless `all` is set. Gives of each that ended `{ test, failed, ms }`; `failed` tells
   * which test fails and why. `limitOf` gives the milliseconds that a file may take once it is loaded.
   */
  async run({ changed = [], tests, all = false, limitOf, onResult = () => undefined }) {
    const child = await this.#start();
    const results = [];
    return new Promise((resolve, reject) => {
      let timer;
      const finish = () => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(results);
      };
      const add = (result) => {
        results.push(result);
        onResult(result);
      };
      const findNext = () => tests.find((test) => !results.some((result) => result.test === test));
      const wait = (loaded) => {
        const next = findNext();
        clearTimeout(timer);
        if (next === undefined) return;
        const ms = next === loaded ? limitOf(next) : loadMs;
        timer = setTimeout(() => {
          add({ test: next, failed: 'ran too long', ms });
          this.end();
          finish();
        }, ms);
      };
      child.on('exit', () => {
        add({ test: findNext(), failed: 'ended the process of the tests', ms: 0 });
        this.#child = undefined;
        finish();
      });
      child.on('message', (message) => {
        if (message.ended) {
          if (message.error && !all && !results.some(({ failed }) => failed))
            add({ test: tests[0], failed: `unhandled error: ${message.error}`, ms: 0 });
          const missing = tests.filter((test) => !results.some((result) => result.test === test));
          if (missing.length > 0 && !results.some(({ failed }) => failed))
            reject(new Error(`did not run: ${missing.join(', ')}`));
          return finish();
        }
        if (message.loaded) return wait(relative(this.copy, message.loaded));
        const test = relative(this.copy, message.test);
        if (!results.some((result) => result.test === test)) add({ ...message, test });
        wait();
      });
      wait();
      const whole = (path) => join(this.copy, path);
      // What was changed for the run before is as it was again.
      child.send({ changed: [...this.#changedBefore, ...changed].map(whole), tests: tests.map(whole), all });
      this.#changedBefore = changed;
    });
  }

  async #start() {
    if (this.#child) return this.#child;
    this.#child = fork(join(this.copy, 'tools/mutate/run-tests.mjs'), {
      cwd: this.copy,
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A group of its own, so that its workers end with it.
      detached: true,
    });
    await once(this.#child, 'message');
    return this.#child;
  }

  end() {
    if (!this.#child) return;
    this.#child.removeAllListeners();
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    this.#child = undefined;
  }
}
