import type { PlanStep } from '@yagura/core/plan/make-plan';
import { expect, test } from 'vitest';
import { runSteps } from './run-steps.ts';

const signal = new AbortController().signal;

function step(
  operation: PlanStep['operation'],
  kind: string,
  name: string,
  parents: string[] = [],
): PlanStep {
  return { operation, kind, name, parents, number: 0, before: null, after: null, changes: [] };
}

const scopes = (count: number) => Array.from({ length: count }, (_, at) => step('create', 'scope', `s${at}`));

/** Runs the steps, and lists what was running when each started. */
async function runningAtStart(steps: readonly PlanStep[]): Promise<Map<string, string[]>> {
  const running = new Set<string>();
  const atStart = new Map<string, string[]>();
  await runSteps(steps, signal, async ({ operation, kind, name }) => {
    const label = `${operation} ${kind} ${name}`;
    atStart.set(label, [...running]);
    running.add(label);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(label);
  });
  return atStart;
}

test('ten steps of a kind run at the same time', async () => {
  const atStart = await runningAtStart(scopes(30));
  expect(atStart.size).toBe(30);
  expect(Math.max(...[...atStart.values()].map(({ length }) => length))).toBe(9);
});

test('a kind waits for those before it, and updates and deletions for creates', async () => {
  const steps = [
    ...scopes(3),
    step('update', 'scope', 'changed'),
    step('create', 'rule', 'r'),
    step('delete', 'scope', 'gone'),
  ];
  const atStart = await runningAtStart(steps);
  for (const label of ['update scope changed', 'create rule r', 'delete scope gone'])
    expect(atStart.get(label), label).toEqual([]);
});

test('email senders follow one another, since the oldest is tried first', async () => {
  const senders = ['a', 'b', 'c'].map((name) => step('create', 'email-action-sender-setting', name));
  expect([...(await runningAtStart(senders)).values()]).toEqual([[], [], []]);
});

test('items below the same parent, or of the same name, follow one another', async () => {
  const below = await runningAtStart([
    step('create', 'trigger', 'a', ['Shop']),
    step('create', 'trigger', 'b', ['Shop']),
    step('create', 'trigger', 'c', ['Office']),
  ]);
  expect(below.get('create trigger b')).not.toContain('create trigger a');
  expect(below.get('create trigger c')).toEqual(['create trigger a']);
  let running = 0;
  await runSteps([step('create', 'rule', 'r'), step('create', 'rule', 'r')], signal, async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
});

test('after a failure nothing starts, and what runs ends', async () => {
  const ended: string[] = [];
  const failing = runSteps(scopes(30), signal, async ({ name }) => {
    if (name === 's3') throw new Error('refused');
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(name);
  });
  await expect(failing).rejects.toThrow('refused');
  expect(ended).toEqual(['s0', 's1', 's2', 's4', 's5', 's6', 's7', 's8', 's9']);
});

test('an interruption starts nothing more', async () => {
  const interrupt = new AbortController();
  const started: string[] = [];
  const running = runSteps(scopes(30), interrupt.signal, async ({ name }) => {
    started.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    interrupt.abort(new Error('interrupted'));
  });
  await expect(running).rejects.toThrow('interrupted');
  expect(started).toHaveLength(10);
});
