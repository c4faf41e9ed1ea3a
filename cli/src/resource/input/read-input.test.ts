import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@yagura/core/http/transport';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { afterAll, describe, expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { reportError } from '../../command-line/report-error.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { quickFetch } from '../../http/quick-fetch.ts';
import { resourceNamed } from '../meta/resource-client.ts';
import { applyInput, missingFlags, readInput } from './read-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
const file = join(folder, 'flow.json');
writeFileSync(file, '{"steps":[]}');
const text = join(folder, 'body.txt');
writeFileSync(text, 'Hello {{name}}\n');
afterAll(() => rmSync(folder, { recursive: true }));

const transport = { origin: 'http://localhost:1', fetch: quickFetch };
const id = '01a1fd7b-fe73-70c1-af34-314f919ae12b';

async function readFields(fields: Fields, options: Record<string, unknown>, input?: string) {
  const { terminal } = await testTerminal({ input });
  return applyInput({}, await readInput(fields, options, terminal, transport));
}
const read = (resource: string, options: Record<string, unknown>, input?: string) =>
  readFields(resourceNamed(resource).input!, options, input);

describe('readInput', () => {
  test.each([
    ['scope', { displayName: 'web' }, { displayName: 'web' }],
    ['scope', { displayName: 'null' }, { displayName: 'null' }],
    ['scope', { 'thresholds.warning': '3' }, { thresholds: { warning: 3 } }],
    [
      'scope',
      { thresholds: '{"warning":1,"incident":9}', 'thresholds.warning': '3' },
      { thresholds: { warning: 3, incident: 9 } },
    ],
    ['scope', { recoveryTime: '10m' }, { recoveryTime: 600 }],
    ['scope', { recoveryTime: 'null' }, { recoveryTime: null }],
    ['receive-slot', { disabled: true }, { disabled: true }],
    ['receive-slot', { disabled: false }, { disabled: false }],
    ['receive-slot', { disabled: 'true' }, { disabled: true }],
    ['rule', { flow: `@${file}` }, { flow: { steps: [] } }],
    ['rule', { flow: '{"steps":[]}' }, { flow: { steps: [] } }],
    [
      'rule',
      { 'flow.steps': ['{"operatorId":"a"}', '[{"operatorId":"b"},{"operatorId":"c"}]'] },
      { flow: { steps: [{ operatorId: 'a' }, { operatorId: 'b' }, { operatorId: 'c' }] } },
    ],
    ['rule', { receiveSlotId: id }, { receiveSlotId: id }],
    ['action', { 'parameters.headers': ['A=1', 'B=x=y'] }, { parameters: { headers: { A: '1', B: 'x=y' } } }],
    [
      'action',
      { 'parameters.headers': ['{"A":"b=c"}', 'B=2'] },
      { parameters: { headers: { A: 'b=c', B: '2' } } },
    ],
    ['action', { 'parameters.body': `@${text}` }, { parameters: { body: 'Hello {{name}}\n' } }],
    ['action', { 'parameters.body': '@@home' }, { parameters: { body: '@home' } }],
    [
      'action',
      { 'parameters.to': ['ops@example.com'] },
      { parameters: { to: [{ email: 'ops@example.com' }] } },
    ],
    [
      'action',
      { 'parameters.to': ['{"name":"Ops","email":"ops@example.com"}'] },
      { parameters: { to: [{ name: 'Ops', email: 'ops@example.com' }] } },
    ],
    [
      'api-token',
      { roles: ['sonar:viewer,alerthub:viewer', 'greac:user'] },
      { roles: ['sonar:viewer', 'alerthub:viewer', 'greac:user'] },
    ],
    ['api-token', { expiresAt: '2030-01-01T00:00:00Z' }, { expiresAt: '2030-01-01T00:00:00.000Z' }],
  ])('%s with %j', async (resource, options, body) => expect(await read(resource, options)).toEqual(body));

  test('stdin gives the whole body, and flags go over it', async () => {
    const body = await read(
      'scope',
      { input: '-', 'thresholds.incident': '9' },
      '{"displayName":"a","thresholds":{"warning":2,"incident":3}}',
    );
    expect(body).toEqual({ displayName: 'a', thresholds: { warning: 2, incident: 9 } });
  });

  test.each([
    ['scope', { 'thresholds.warning': 'three' }, 'cli.usage.not-number', '--thresholds.warning'],
    ['scope', { 'thresholds.warning': '' }, 'cli.usage.not-number', '--thresholds.warning'],
    ['scope', { recoveryTime: 'soon' }, 'cli.usage.length', '--recovery-time'],
    ['scope', { thresholds: '{' }, 'cli.usage.json', '--thresholds'],
    ['scope', { input: '/nowhere/x.json' }, 'cli.usage.file', '--input'],
    ['scope', { input: text }, 'cli.usage.json', '--input'],
    ['receive-slot', { disabled: 'maybe' }, 'cli.usage.choice', '--disabled'],
    ['action', { kind: 'fax' }, 'cli.usage.choice', '--kind'],
    ['action', { 'parameters.headers': ['novalue'] }, 'cli.usage.pair', '--parameters.headers'],
    ['api-token', { expiresAt: 'tomorrow' }, 'cli.usage.moment', '--expires-at'],
    ['rule', { flow: '@/nowhere' }, 'cli.usage.file', '--flow'],
  ])('%s with %j names the flag', async (resource, options, word, flag) => {
    const failure = await read(resource, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({ messageKey: word, params: { flag } });
  });

  test('JSON that cannot be read is not quoted, and the place is told in the language', async () => {
    const { terminal, err } = await testTerminal({ language: 'ja' });
    const failure = await read('scope', { thresholds: '{"password":"s3cret" x' }).catch((error) => error);
    reportError(terminal, failure);
    expect(err()).toBe('--thresholds のJSONを解析できません: 22文字目の "x" はこの位置に置けません\n');
  });

  test.each(['2026-02-29', '0000-01-01', 'tomorrow', '2026-01-31T00:00'])(
    'a date flag refuses %s and names the flag',
    async (day) => {
      const fields: Fields = { day: { kind: 'date', required: true, nullable: true } };
      expect(await readFields(fields, { day: '2024-02-29' })).toEqual({ day: '2024-02-29' });
      expect(await readFields(fields, { day: 'null' })).toEqual({ day: null });
      await expect(readFields(fields, { day })).rejects.toMatchObject({
        messageKey: 'cli.usage.date',
        params: { flag: '--day', text: day },
      });
    },
  );

  test('an input that is no object is refused', async () => {
    await expect(read('scope', { input: '-' }, '[1]')).rejects.toMatchObject({
      messageKey: 'cli.usage.object',
    });
  });

  test('an endless input is refused', async () => {
    await expect(read('scope', { input: '-' }, 'x'.repeat(11 * 1024 * 1024))).rejects.toMatchObject({
      messageKey: 'cli.usage.too-large',
    });
  });
});

describe('an item that lies in another', () => {
  const krokerId = id.replace('0', '1');
  const [own, files] = ['credentialId', 'fileTransfer.credentialId'];
  const asked: string[] = [];
  const space: Transport = {
    origin: 'http://space.test',
    async fetch(url) {
      asked.push(new URL(String(url)).pathname);
      return Response.json({ items: [{ credentialId: id, displayName: 'root' }], total: 1 });
    },
  };
  const { input } = resourceNamed('destination');
  const readNamed = async (options: Record<string, unknown>) => {
    asked.length = 0;
    const { terminal } = await testTerminal();
    return applyInput({}, await readInput(input!, options, terminal, space));
  };

  test.each([
    [
      { krokerId, [own]: 'root' },
      { krokerId, credentialId: id },
    ],
    [
      { [files]: 'root', krokerId },
      { krokerId, fileTransfer: { credentialId: id } },
    ],
    [
      { krokerId, fileTransfer: '{"credentialId":"root"}' },
      { krokerId, fileTransfer: { credentialId: id } },
    ],
  ])('is found by its name there: %j', async (options, body) => {
    expect(await readNamed(options)).toEqual(body);
    expect(asked).toEqual([`/api/apps/kroker/krokers/${krokerId}/credentials`]);
  });

  test('can be given by its id alone, and by its name not', async () => {
    expect(await readNamed({ [own]: id })).toEqual({ credentialId: id });
    await expect(readNamed({ [own]: 'root' })).rejects.toMatchObject({
      messageKey: 'cli.usage.missing-flag',
      params: { flag: '--kroker-id' },
    });
    expect(asked).toEqual([]);
  });
});

describe('overlay', () => {
  test('leaves the base alone and reaches through what is no object', () => {
    const base = { a: { b: 1 }, c: null };
    expect(
      applyInput(base, [
        { path: 'a.d', value: 2 },
        { path: 'c.e', value: 3 },
      ]),
    ).toEqual({ a: { b: 1, d: 2 }, c: { e: 3 } });
    expect(base).toEqual({ a: { b: 1 }, c: null });
  });

  test('cannot reach the prototype', () => {
    applyInput({}, [{ path: 'constructor.prototype.polluted', value: true }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('missingFlags', () => {
  const flags = (resource: string, body: Record<string, unknown>) =>
    missingFlags(resourceNamed(resource).input!, body);
  test.each([
    ['scope', {}, ['--display-name']],
    ['scope', { displayName: 'x' }, []],
    ['scope', { displayName: 'x', thresholds: { warning: 1 } }, ['--thresholds.incident']],
    ['trigger', { displayName: 'x' }, ['--target.id']],
    ['action', { displayName: 'x', kind: 'webhook' }, ['--parameters.url']],
    [
      'action',
      { displayName: 'x', kind: 'email', parameters: {} },
      ['--parameters.to', '--parameters.subject'],
    ],
    ['action', { displayName: 'x' }, ['--kind', '--parameters']],
  ])('%s with %j', (resource, body, missing) => expect(flags(resource, body)).toEqual(missing));

  test('what a default fills in is not missing', () => {
    expect(flags('trigger', { displayName: 'x', target: { id } })).toEqual([]);
  });
});
