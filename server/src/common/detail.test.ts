import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { describe, expect, test } from 'vitest';
import { DetailedError, detailOfError, detailText, limitDetail, maxDetailLength } from './detail.ts';
import { translatable } from './translatable-text.ts';

const japanese = await loadTranslator('ja');

describe('a detail', () => {
  const hungUp = translatable('pigeon.detail.ended-by-us', { detail: 'BYE' });
  const whole = translatable('pigeon.detail.transfer', {
    detail: hungUp,
    transfer: translatable('pigeon.detail.reason', {
      reason: { word: 'value.busy' },
      detail: '486 Busy Here',
    }),
  });

  test('has its texts in the language of the reader, and those of the protocol as they are', () => {
    expect(detailText(whole)).toBe('BYE (hung up by the server); transfer: Busy: 486 Busy Here');
    expect(detailText(whole, japanese)).toBe('BYE（サーバーが切断）、転送: 話し中: 486 Busy Here');
    expect(detailText('486 Busy Here', japanese)).toBe('486 Busy Here');
  });

  test('is the same after it was stored, and bounded with the texts of a peer', () => {
    expect(JSON.parse(JSON.stringify(limitDetail(whole)))).toEqual(whole);
    const bare = translatable('pigeon.detail.no-response');
    expect(limitDetail(bare)).toEqual({ word: 'pigeon.detail.no-response' });
    const long = '\u{1f4de}'.repeat(300);
    expect(JSON.stringify(limitDetail({ ...hungUp, params: { detail: long } })).length).toBeLessThan(300);
    expect(detailText({ ...hungUp, params: { detail: long } })).toHaveLength(maxDetailLength);
    expect(limitDetail(`${'a'.repeat(maxDetailLength - 1)}\u{1f4de}`)).toBe(`${'a'.repeat(199)}\ufffd`);
  });

  test('of an error is that of the fault, or what the system says', () => {
    const fault = new DetailedError(
      translatable('pigeon.detail.no-address', { host: 'sip.test', family: 4 }),
    );
    expect(fault.message).toBe('sip.test has no IPv4 address');
    expect(detailText(detailOfError(fault), japanese)).toBe('sip.testにIPv4アドレスがありません');
    expect(detailOfError(new Error('connect ECONNREFUSED'))).toBe('connect ECONNREFUSED');
  });
});
