import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { controlProps } from '../field/field-frame.tsx';
import { maxReferenceOptions } from '../references.ts';
import { formDataOf, renderInRouter } from '../test/render.tsx';
import { ReferenceInput } from './reference-input.tsx';

afterEach(() => vi.unstubAllGlobals());

const options = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`id-${index}`, { name: `Item ${index}` }]));

function form(count: number) {
  const control = controlProps({ name: 'scopeId', label: 'Scope', required: false });
  return (
    <form>
      <ReferenceInput
        control={control}
        resource="scope"
        options={options(count)}
        value=""
        required
        label="Scope"
      />
    </form>
  );
}

/** The combobox, which replaces the native select once it is loaded. */
const comboboxOf = (container: HTMLElement) =>
  waitFor(() => {
    const input = container.querySelector<HTMLInputElement>('input[role=combobox]');
    if (!input) throw new Error('the combobox is not loaded');
    return input;
  });
const picked = (container: HTMLElement) => formDataOf(container).get('scopeId');

it('searches on the server if there may be more items than it was given', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return Response.json({ options: [['id-far', 'Zulu 7']] });
  });
  const { user, container } = await renderInRouter(form(maxReferenceOptions));
  const input = await comboboxOf(container);
  await user.click(input);
  expect(screen.getByText(/The first 1000 items/)).toBeTruthy();
  await user.type(input, 'zulu 7');
  await user.click(await screen.findByRole('option', { name: 'Zulu 7' }));
  expect(asked.at(-1)).toBe('/reference-options/scope?text=zulu+7');
  expect(picked(container)).toBe('id-far');
  expect(input.value).toBe('Zulu 7');
});

it('says when the search fails, and offers what it has', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
  const { user, container } = await renderInRouter(form(maxReferenceOptions));
  const input = await comboboxOf(container);
  await user.type(input, 'item 999');
  expect((await screen.findByRole('alert')).textContent).toContain('The search failed');
  await user.click(screen.getByRole('option', { name: 'Item 999' }));
  expect(picked(container)).toBe('id-999');
});

it('asks nobody if it was given all items', async () => {
  const asked = vi.fn();
  vi.stubGlobal('fetch', asked);
  const { user, container } = await renderInRouter(form(maxReferenceOptions - 1));
  const input = await comboboxOf(container);
  await user.type(input, 'item 99');
  expect(screen.queryByText(/The first/)).toBeNull();
  expect(screen.getAllByRole('option').length).toBe(10);
  expect(asked).not.toHaveBeenCalled();
});

it('offers nothing that was found for an earlier text, and does not say that nothing matches too early', async () => {
  const answers = new Map<string, (reply: Response) => void>();
  vi.stubGlobal('fetch', (path: string) => new Promise<Response>((resolve) => answers.set(path, resolve)));
  const answer = async (text: string, ...names: string[]) => {
    const path = `/reference-options/scope?text=${text}`;
    await waitFor(() => expect(answers.has(path)).toBe(true));
    answers.get(path)!(Response.json({ options: names.map((name) => [`id-${name}`, name]), hasMore: false }));
  };
  const { user, container } = await renderInRouter(form(maxReferenceOptions));
  const input = await comboboxOf(container);
  await user.type(input, 'zulu');
  expect(screen.queryByText('No matches')).toBeNull();
  await answer('zulu', 'Zulu 6', 'Zulu 71');
  await screen.findByRole('option', { name: 'Zulu 6' });
  await user.type(input, ' 7');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Zulu 71']);
  await user.type(input, '9');
  expect(screen.queryByRole('option')).toBeNull();
  await answer('zulu+79');
  expect(await screen.findByText('No matches')).toBeTruthy();
});

it('says when it was not given everything that was found', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ options: [['id-far', 'Zulu 7']], hasMore: true }));
  const { user, container } = await renderInRouter(form(maxReferenceOptions));
  await user.type(await comboboxOf(container), 'zulu');
  expect(await screen.findByText(/There are more/)).toBeTruthy();
});
