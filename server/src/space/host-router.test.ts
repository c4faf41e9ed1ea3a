import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { HostRouter } from './host-router.ts';

const space = (host: string | null) => ({
  hosted: { spaceId: host ?? 'own', host, origin: `https://${host ?? 'alerts.example.com'}` },
});

function request(headers: Record<string, string>, remoteAddress = '192.0.2.9'): IncomingMessage {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const doorTo = (spaces: (string | null)[], publicUrl = 'https://alerts.example.com') => {
  const door = new HostRouter<ReturnType<typeof space>>(publicUrl, ['10.0.0.0/8']);
  door.setSpaces(spaces.map(space));
  return (headers: Record<string, string>, address?: string) =>
    door.route(request(headers, address))?.hosted.spaceId;
};

describe('a server of one space', () => {
  test.each([{ host: 'alerts.example.com' }, { host: '192.0.2.1:8480' }, { host: 'anything' }, {}])(
    'serves it to %j',
    (headers) => {
      expect(doorTo([null])(headers as Record<string, string>)).toBe('own');
    },
  );
});

describe('a server of several spaces', () => {
  const choose = doorTo([null, 'acme.example.com', 'beta.example.com']);
  const proxy = '10.1.2.3';
  test.each([
    ['own', { host: 'alerts.example.com' }, undefined],
    ['own', { host: 'alerts.example.com:443' }, undefined],
    ['acme.example.com', { host: 'acme.example.com' }, undefined],
    ['acme.example.com', { host: 'ACME.example.com.:8480' }, undefined],
    [undefined, { host: 'other.example.com' }, undefined],
    [undefined, { host: 'acme.example.com.evil.example' }, undefined],
    [undefined, { host: 'example.com' }, undefined],
    [undefined, { host: 'localhost' }, undefined],
    [undefined, {}, undefined],
    ['acme.example.com', { host: '10.0.0.1', 'x-forwarded-host': 'acme.example.com' }, proxy],
    [
      'beta.example.com',
      { host: '10.0.0.1', 'x-forwarded-host': 'acme.example.com, beta.example.com' },
      proxy,
    ],
    [undefined, { host: '10.0.0.1', 'x-forwarded-host': 'acme.example.com' }, '192.0.2.9'],
    ['beta.example.com', { host: 'beta.example.com', 'x-forwarded-host': 'acme.example.com' }, '192.0.2.9'],
  ])('chooses %s for %j from %s', (chosen, headers, address) => {
    expect(choose(headers as Record<string, string>, address)).toBe(chosen);
  });
});

test('a server without an address of its own is reached at every name of this machine', () => {
  const choose = doorTo([null, 'acme.localhost'], 'http://localhost:8480');
  expect(['localhost', '127.0.0.1:8480', '[::1]:8480'].map((host) => choose({ host }))).toEqual([
    'own',
    'own',
    'own',
  ]);
  expect(choose({ host: 'acme.localhost:8480' })).toBe('acme.localhost');
});

test("never gives the server's own host name to another space", () => {
  expect(doorTo([null, 'alerts.example.com'])({ host: 'alerts.example.com' })).toBe('own');
});

test('serves a last space that has a host name at that name alone', () => {
  const choose = doorTo(['acme.example.com']);
  expect(choose({ host: 'acme.example.com' })).toBe('acme.example.com');
  expect(choose({ host: 'alerts.example.com' })).toBeUndefined();
});
