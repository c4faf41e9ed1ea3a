import type { PhoneLineTrunk } from '@yagura/core/pigeon/phone-line';
import { expect, test } from 'vitest';
import { judgeLine } from './line-finding.ts';

const trunk = (state: PhoneLineTrunk['state'], detail: string): PhoneLineTrunk => ({
  name: `trunk-${detail.slice(0, 3)}`,
  state,
  since: '2026-01-01T00:00:00.000Z',
  detail,
});
const lineOf = (...trunks: PhoneLineTrunk[]) => ({ line: 'sip' as const, trunks, voices: [] });

test('a line without trunks, and one whose trunks take calls, is good', () => {
  expect(judgeLine({ line: 'simulator', trunks: [], voices: [] })).toMatchObject({
    state: 'good',
    found: 'simulator',
  });
  expect(judgeLine(lineOf(trunk('registered', '200 OK'), trunk('reachable', '200 OK')))).toMatchObject({
    state: 'good',
    remedy: '',
  });
});

test('a trunk that is away needs attention, and no trunk is bad', () => {
  const away = trunk('unregistered', '403 Forbidden');
  expect(judgeLine(lineOf(trunk('registered', '200 OK'), away))).toEqual({
    state: 'attention',
    check: 'line',
    found: 'sip  trunk-200: registered (200 OK)  trunk-403: unregistered (403 Forbidden)',
    remedy: 'cli.doctor.line-remedy',
  });
  expect(judgeLine(lineOf(away))).toMatchObject({ state: 'bad', remedy: 'cli.doctor.line-remedy' });
});
