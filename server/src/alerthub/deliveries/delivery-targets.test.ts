import { expect, test } from 'vitest';
import { DeliveryTargets, queueWindowMs, targetOf } from './delivery-targets.ts';

function start() {
  const clock = { now: 1_000_000 };
  return { clock, targets: new DeliveryTargets(() => clock.now) };
}

test('sixteen attempts are under way to one target, and others have their own places', () => {
  const { targets } = start();
  for (let count = 0; count < 16; count++) {
    expect(targets.hasCapacity('a')).toBe(true);
    targets.startAttempt('a');
  }
  expect(targets.hasCapacity('a')).toBe(false);
  expect(targets.hasCapacity('b')).toBe(true);
  targets.endAttempt('a', 1_000_000);
  expect(targets.hasCapacity('a')).toBe(true);
});

test('as many wait for a target as it takes in a quarter of a second, and sixteen at least', () => {
  const { clock, targets } = start();
  const took = (milliseconds: number) => {
    for (let count = 0; count < 30; count++) {
      const begun = clock.now;
      targets.startAttempt('a');
      clock.now += milliseconds;
      targets.endAttempt('a', begun);
    }
  };
  targets.startAttempt('a');
  took(10);
  expect(targets.maxWaiting('a')).toBe(400);
  took(50);
  expect(targets.maxWaiting('a')).toBeGreaterThanOrEqual(80);
  expect(targets.maxWaiting('a')).toBeLessThan(90);
  took(2000);
  expect(targets.maxWaiting('a')).toBe(16);
});

test('a new target is trusted until it has been silent for that time, and a fast one that falls silent as well', () => {
  const { clock, targets } = start();
  targets.startAttempt('new');
  expect(targets.maxWaiting('new')).toBeGreaterThan(1000);
  clock.now += queueWindowMs;
  expect(targets.maxWaiting('new')).toBe(16);
  expect(targets.isSlow('new')).toBe(true);
  targets.startAttempt('fast');
  targets.startAttempt('fast');
  clock.now += 5;
  targets.endAttempt('fast', clock.now - 5);
  expect(targets.maxWaiting('fast')).toBe(800);
  expect(targets.isSlow('fast')).toBe(false);
  clock.now += queueWindowMs;
  expect(targets.maxWaiting('fast')).toBe(16);
});

test('what is known of a target goes with its last attempt', () => {
  const { clock, targets } = start();
  targets.startAttempt('a');
  clock.now += 5000;
  targets.endAttempt('a', clock.now - 5000);
  expect(targets.maxWaiting('a')).toBe(16);
  targets.startAttempt('a');
  expect(targets.maxWaiting('a')).toBeGreaterThan(1000);
});

test.each([
  ['webhook', { url: 'https://chat.example:8443/hook?a=1' }, 'chat.example:8443'],
  ['webhook', { url: 'https://user@chat.example/other' }, 'chat.example'],
  ['webhook', { url: 'https://chat.example/', ksocketSlotId: 'agent' }, 'agent'],
  ['webhook', { url: 'not a URL' }, 'webhook'],
  ['email', { to: [], emailActionSenderSettingId: 'sender' }, 'sender'],
  ['email', { to: [] }, 'email'],
  ['pigeon', { url: 'https://chat.example/' }, 'pigeon'],
  ['email', null, 'email'],
])('the target of a %s with %j is %s', (kind, request, target) => {
  expect(targetOf({ kind, request })).toBe(target);
});
