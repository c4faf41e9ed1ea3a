import { describe, expect, it } from 'vitest';
import { preferencesOf } from './preferences.server.ts';

const readPreferences = (headers: Record<string, string>) =>
  preferencesOf(new Request('http://localhost/', { headers }));

describe('choiceOf', () => {
  it.each([
    [{}, 'ja'],
    [{ 'accept-language': 'fr' }, 'ja'],
    [{ 'accept-language': 'fr, en-GB;q=0.8, ja;q=0.5' }, 'en'],
    [{ 'accept-language': 'en', cookie: 'lng=ja' }, 'ja'],
    [{ 'accept-language': 'en', cookie: 'lng=xx' }, 'en'],
  ])('language of %j is %s', (headers, language) => {
    expect(readPreferences(headers as Record<string, string>).language).toBe(language);
  });

  it.each([
    ['theme=dark', 'dark'],
    ['theme=pink', 'system'],
    ['', 'system'],
  ])('theme of %j is %s', (cookie, theme) => {
    expect(readPreferences({ cookie }).theme).toBe(theme);
  });

  it.each([
    ['tz=Asia%2FTokyo', 'Asia/Tokyo'],
    ['tz=Mars%2FBase', null],
    ['tz=%E0%A4%A', null],
    [`tz=${'a'.repeat(200)}`, null],
    ['', null],
  ])('time zone of %j is %s', (cookie, zone) => {
    expect(readPreferences({ cookie }).timeZone).toBe(zone);
  });
});
