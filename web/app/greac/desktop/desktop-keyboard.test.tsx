// Text of an input method: typed or pasted, and in its place among the keys.
import { afterEach, expect, test } from 'vitest';
import { DesktopKeyboard } from './desktop-keyboard.ts';
import { InputOrder } from './input-order.ts';

const keyboards: DesktopKeyboard[] = [];
afterEach(() => {
  for (const keyboard of keyboards.splice(0)) keyboard.dispose();
});

function create({ pastes = false, offers = false }) {
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
  const offered: { text: string; taken(): void }[] = [];
  const offer = (text: string) =>
    new Promise<void>((taken) => {
      offered.push({ text, taken });
    });
  const soon: (() => void)[] = [];
  const order = new InputOrder();
  const keyboard = new DesktopKeyboard(field, {
    order,
    soon(callback) {
      soon.push(callback);
      return () => void soon.splice(soon.indexOf(callback), 1);
    },
    target: () => target,
    offer: () => (offers ? offer : null),
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
  const key = (type: 'keydown' | 'keyup', code: string, modifiers: KeyboardEventInit = {}) =>
    field.dispatchEvent(new KeyboardEvent(type, { code, cancelable: true, ...modifiers }));
  /** What the browser does after the key that pastes. */
  const paste = (text: string) => {
    const event = new Event('paste', { cancelable: true });
    field.dispatchEvent(Object.assign(event, { clipboardData: { getData: () => text } }));
  };
  const click = () => order.enter(() => void entered.push('click'));
  return { keyboard, entered, given, offered, soon, compose, press, key, paste, click };
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

const ctrl = { ctrlKey: true };

test('what is entered between a key that pastes and its text comes after it', async () => {
  const { entered, offered, soon, key, press, paste, click } = create({ offers: true });
  key('keydown', 'ControlLeft', ctrl);
  key('keydown', 'KeyV', ctrl);
  // The browser has not said what is pasted.
  press('KeyA');
  click();
  key('keyup', 'ControlLeft');
  paste('text');
  expect(soon).toEqual([]);
  press('KeyB');
  await expect.poll(() => offered.map(({ text }) => text)).toEqual(['text']);
  expect(entered).toEqual(['+1d']);
  offered[0]!.taken();
  await expect.poll(() => entered.at(-1)).toBe('-30');
  expect(entered).toEqual(['+1d', '+2f', '-2f', '+1e', '-1e', 'click', '-1d', '+30', '-30']);
});

test('a key that pastes nothing in the browser pastes what the desktop has, in its place', async () => {
  const { entered, offered, soon, key, press } = create({ offers: true });
  key('keydown', 'ShiftLeft', { shiftKey: true });
  key('keydown', 'Insert', { shiftKey: true });
  press('KeyA');
  expect(entered).toEqual(['+2a']);
  soon[0]!();
  await expect.poll(() => offered.map(({ text }) => text)).toEqual(['']);
  offered[0]!.taken();
  await expect.poll(() => entered).toEqual(['+2a', '+e052', '-e052', '+1e', '-1e']);
});

test('keys of the menu, a second paste and the release of all keys keep their places, too', async () => {
  const { keyboard, entered, offered, key, paste } = create({ offers: true });
  key('keydown', 'ControlLeft', ctrl);
  key('keydown', 'KeyV', ctrl);
  key('keydown', 'KeyV', ctrl);
  paste('second');
  keyboard.press(['Delete']);
  keyboard.release();
  for (const index of [0, 1]) {
    await expect.poll(() => offered.length).toBe(index + 1);
    offered[index]!.taken();
  }
  await expect.poll(() => entered.at(-1)).toBe('released');
  expect(offered.map(({ text }) => text)).toEqual(['', 'second']);
  expect(entered).toEqual(['+1d', '+2f', '-2f', '+2f', '-2f', '+e053', '-e053', 'released']);
});
