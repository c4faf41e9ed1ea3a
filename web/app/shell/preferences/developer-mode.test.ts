import { expect, it } from 'vitest';
import { isDeveloperMode } from './developer-mode.ts';

it.each([
  [null, false],
  ['', false],
  ['yagura.developer-mode=true', true],
  ['lng=en; yagura.developer-mode=true; theme=dark', true],
  ['yagura.developer-mode=false', false],
  ['yagura.developer-mode=1', false],
  ['yagura.developer-mode=trueish', false],
  ['other-yagura.developer-mode=true', false],
  ['yaguraXdeveloper-mode=true', false],
])('the cookies %j mean %s', (cookies, on) => {
  expect(isDeveloperMode(cookies)).toBe(on);
});
