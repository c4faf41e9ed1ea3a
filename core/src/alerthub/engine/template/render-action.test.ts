import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { checkAction, renderAction } from './render-action.ts';

const context = { a: 'x"y', line: 'one\r\nBcc: me', n: 5 };
const url = 'https://example.com/hook?a={{a}}';

describe('webhook', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['JSON by its look', { body: '{"a":"{{a}}"}' }, { 'content-type': 'application/json' }, '{"a":"x\\"y"}'],
    ['JSON list', { body: ' ["{{a}}"]' }, { 'content-type': 'application/json' }, ' ["x\\"y"]'],
    [
      'JSON by its header',
      { body: '"{{a}}"', headers: { 'Content-Type': 'application/vnd.x+json; charset=utf-8' } },
      { 'Content-Type': 'application/vnd.x+json; charset=utf-8' },
      '"x\\"y"',
    ],
    [
      'text by its header',
      { body: '{"a":"{{a}}"}', headers: { 'content-type': 'text/plain' } },
      { 'content-type': 'text/plain' },
      '{"a":"x"y"}',
    ],
    ['a template at the start', { body: '{{a}}' }, {}, 'x"y'],
    ['no body', { body: '' }, {}, ''],
    ['a method without body', { method: 'GET', body: '{"a":1}' }, {}, ''],
    [
      'headers of one line',
      { headers: { 'x-a': '{{line}}', 'x-n': '{{n}}' } },
      { 'x-a': 'one Bcc: me', 'x-n': '5' },
      '',
    ],
  ])('%s', (_name, parameters, headers, body) => {
    const { request, missing } = renderAction(
      { kind: 'webhook', parameters: { url, method: 'POST', ...parameters } },
      context,
    );
    expect(request).toEqual({ url, method: parameters.method ?? 'POST', headers, body });
    expect(missing).toEqual([]);
  });
});

describe('email', () => {
  it('renders subject and text', () => {
    const to = [{ name: '', email: 'a@example.com' }];
    const parameters = {
      to,
      cc: [],
      bcc: [],
      subject: 'S {{line}} {{gone}}',
      text: '{{a}}\n{{gone}} {{other}}',
    };
    expect(renderAction({ kind: 'email', parameters }, context)).toEqual({
      request: { to, cc: [], bcc: [], subject: 'S one Bcc: me', text: 'x"y\n ' },
      missing: ['gone', 'other'],
    });
  });
});

describe('refusals', () => {
  it('names the parameter', () => {
    const parameters = { url, headers: { 'x-a': '{{#a}}' }, body: '{{' };
    expect(checkAction({ kind: 'webhook', parameters }).map((error) => error.path)).toEqual([
      'parameters.body',
      'parameters.headers.x-a',
    ]);
    expect(checkAction({ kind: 'email', parameters: { subject: '{{a}}', text: '{{/a}}' } })[0]!.path).toBe(
      'parameters.text',
    );
    expect(() => renderAction({ kind: 'webhook', parameters }, context)).toThrow(/^parameters\.headers\.x-a/);
  });
  it('refuses other kinds', () => {
    expect(() => renderAction({ kind: 'telegraph', parameters: {} }, context)).toThrow(FlowError);
  });
});
