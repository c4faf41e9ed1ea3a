// @vitest-environment happy-dom
// A gateway whose key has changed is not connected to before the user has accepted it.

import type { SessionAttachment } from '@yagura/core/greac/session';
import { TestGateway } from '@yagura/core/greac/stream/test-gateway';
import { beforeEach, expect, it } from 'vitest';
import { knownThumbprint, rememberThumbprint } from './known-gateways.ts';
import { SessionController } from './session-controller.ts';

let gateway: TestGateway;

beforeEach(() => {
  localStorage.clear();
  gateway = new TestGateway(() => 1_800_000_000_000);
});

function start(): SessionController {
  const controller = new SessionController({
    sessionId: gateway.sessionId,
    mode: 'control',
    attach: async () => ({ ...(await gateway.attach()), parameters: {} }) as SessionAttachment,
    closeReason: async () => '',
    openSocket: gateway.openSocket,
    now: gateway.clock,
    random: () => 0.5,
    timers: { set: () => 0, clear: () => undefined },
  });
  controller.start({ write: () => undefined, clear: () => undefined, resize: () => undefined });
  return controller;
}

function until(controller: SessionController, isMet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => isMet() && resolve();
    controller.subscribe(check);
    check();
  });
}

it('remembers the key of a new gateway', async () => {
  const controller = start();
  while (gateway.sockets.length === 0) await new Promise((resolve) => setTimeout(resolve));
  expect(knownThumbprint(gateway.krokerId)).toMatch(/^[\w-]{43}$/);
  expect(controller.getState().changedGateway).toBeNull();
});

it('asks when the key has changed, and opens no stream if it is rejected', async () => {
  rememberThumbprint(gateway.krokerId, 'other');
  const controller = start();
  await until(controller, () => controller.getState().changedGateway !== null);
  expect(controller.getState().changedGateway).toMatchObject({ known: 'other' });
  controller.decideChangedGateway(false);
  await until(controller, () => controller.getState().status.state === 'failed');
  expect(controller.getState().status).toMatchObject({ code: 'UNTRUSTED' });
  expect([gateway.sockets, knownThumbprint(gateway.krokerId)]).toEqual([[], 'other']);
});

it('connects and remembers a changed key that is accepted', async () => {
  rememberThumbprint(gateway.krokerId, 'other');
  const controller = start();
  await until(controller, () => controller.getState().changedGateway !== null);
  const { thumbprint } = controller.getState().changedGateway!;
  controller.decideChangedGateway(true);
  while (gateway.sockets.length === 0) await new Promise((resolve) => setTimeout(resolve));
  expect(knownThumbprint(gateway.krokerId)).toBe(thumbprint);
});
