// Text of an input method: typed or pasted, and in its place among the keys.
import { afterEach, expect, test } from 'vitest';
import { DesktopKeyboard } from './desktop-keyboard.ts';

const keyboards: DesktopKeyboard[] = [];
afterEach(() => {
  for (const keyboard of keyboards.splice(0)) keyboard.dispose();
});

function create({ pastes }: { pastes: boolean }) {
  const field = document.createElement('textarea');
  const entered: string[] = [];
  const given: { text: string; answer(isGiven: boolean): void }[] = [];
  const give = (text: string) =>
    new Promise<boolean>((answer) => {
      given.push({ text, answer });
    });
  const target = {
    keys: (codes: readonly number[], isPressed: boolean) =>
      void entered.push(`${isPressed ? '+' : '-'}${codes.map((code) => code.toString(16)).join()}`),
    text: (text: string) => void entered.push(text),
    releaseAll: () => void entered.push('released'),
  };
  const keyboard = new DesktopKeyboard(field, {
    target: () => target,
    offer: () => null,
    give: () => (pastes ? give : null),
    onTyped: (text) => void entered.push(`typed ${text}`),
    onEscape: () => undefined,
  });
  keyboards.push(keyboard);
  const compose = (text: string) => {
    field.value = text;
    field.dispatchEvent(new CompositionEvent('compositionend'));
  };
  const press = (code: string) => {
    for (const type of ['keydown', 'keyup'])
      field.dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
  };
  return { entered, given, compose, press };
}

test('text is typed line by line', () => {
  const { entered, compose, press } = create({ pastes: false });
  compose('日本\n東京');
  press('Enter');
  expect(entered).toEqual(['日本', '+1c', '-1c', '東京', 'typed 日本\n東京', '+1c', '-1c']);
});

test('what is entered after a text waits until it was pasted', async () => {
  const { entered, given, compose, press } = create({ pastes: true });
  compose('日本');
  press('Enter');
  compose('東京');
  press('KeyA');
  expect(entered).toEqual([]);
  expect(given.map(({ text }) => text)).toEqual(['日本']);
  given[0]!.answer(true);
  await expect.poll(() => given.length).toBe(2);
  expect(entered).toEqual(['+1d,2f', '-2f,1d', '+1c', '-1c']);
  // What the desktop does not take is not pasted: something else would be.
  given[1]!.answer(false);
  await expect.poll(() => entered.slice(4)).toEqual(['+1e', '-1e']);
  press('KeyB');
  expect(entered.slice(6)).toEqual(['+30', '-30']);
});
