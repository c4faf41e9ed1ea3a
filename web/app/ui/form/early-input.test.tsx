import { act, useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { EarlyInput } from './early-input.ts';

let root: Root | undefined;
beforeAll(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
});
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

/** A form whose fields have states, and a button that renders it again. */
function Fields() {
  const [slot, setSlot] = useState('');
  const [text, setText] = useState('from the server');
  const [isOn, setOn] = useState(false);
  const [color, setColor] = useState('red');
  const [renders, setRenders] = useState(0);
  return (
    <form method="post">
      <select aria-label="slot" value={slot} onChange={(event) => setSlot(event.target.value)}>
        <option value="">Select</option>
        <option value="s1">Slot 1</option>
        <option value="s2">Slot 2</option>
      </select>
      <textarea aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <input aria-label="plain" defaultValue="default" />
      <input type="checkbox" aria-label="on" checked={isOn} onChange={() => setOn(!isOn)} />
      {['red', 'green'].map((one) => (
        <input
          key={one}
          type="radio"
          name="color"
          aria-label={one}
          checked={color === one}
          onChange={() => setColor(one)}
        />
      ))}
      <input type="file" aria-label="file" />
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Render
      </button>
      <output>{[slot, text, isOn, color].join(', ')}</output>
    </form>
  );
}

const find = <E extends Element = HTMLInputElement>(label: string) =>
  document.querySelector<E>(`[aria-label=${label}]`)!;

function hydrate(enter: { before?: () => void; meanwhile?: () => void }) {
  const page = document.createElement('div');
  document.body.append(page);
  page.innerHTML = renderToString(<Fields />);
  enter.before?.();
  const early = new EarlyInput(document);
  enter.meanwhile?.();
  act(() => {
    root = hydrateRoot(page, <Fields />);
  });
  act(() => early.report());
  act(() => document.querySelector('button')!.click());
  return document.querySelector('output')!.textContent;
}

test('what was entered before the page was hydrated is kept when the form is rendered again', () => {
  const shown = hydrate({
    before() {
      find<HTMLSelectElement>('slot').value = 's2';
      find<HTMLTextAreaElement>('text').value = 'typed';
      find('plain').value = 'typed as well';
      find('on').checked = true;
      find('green').checked = true;
    },
    meanwhile() {
      find<HTMLTextAreaElement>('text').value = 'typed early';
      find('text').dispatchEvent(new Event('input', { bubbles: true }));
    },
  });
  expect(shown).toBe('s2, typed early, true, green');
  expect([find('slot').value, find('text').value, find('plain').value]).toEqual([
    's2',
    'typed early',
    'typed as well',
  ]);
  expect([find('on').checked, find('red').checked, find('green').checked]).toEqual([true, false, true]);
});

test('a form that nobody touched stays as it is', () => {
  expect(hydrate({})).toBe(', from the server, false, red');
});
