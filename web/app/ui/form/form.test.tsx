import { Link } from '@remix-run/react';
import { screen, waitFor, within } from '@testing-library/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useRef, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { controlProps, FieldFrame } from '../field/field-frame.tsx';
import { renderInRouter } from '../test/render.tsx';
import { Form } from './form.tsx';
import { useUnsavedChanges } from './unsaved-changes.tsx';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});
const fields = {
  displayName: field('text', { min: 1, max: 30 }),
  kind: field('choice', { options: ['webhook'] }),
  delta: field('integer', { min: -1000, max: 1000 }),
};

describe('Form', () => {
  it('names every refused field in the words of the page and goes to the first', async () => {
    const { user } = await renderInRouter(<Form meta={fields} submitLabel="Create" />, { language: 'ja' });
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(screen.getByRole('alert').textContent).toBe('3件の項目を確認してください');
    expect(screen.getAllByText('必須項目です')).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByLabelText(/^名前/));
    await user.keyboard('x');
    expect(screen.getByLabelText(/^名前/).getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByRole('alert').textContent).toBe('2件の項目を確認してください');
  });

  it('shows the reasons of the server at their fields', async () => {
    await renderInRouter(
      <Form
        meta={fields}
        values={{ displayName: 'a', kind: 'webhook', delta: 1 }}
        errors={{ displayName: 'An entry with this name exists' }}
      />,
    );
    const input = screen.getByLabelText(/^Name/);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(input);
    expect(screen.getByText('One field needs attention')).toBeTruthy();
  });

  it('checks the end date of a recurrence before it is posted', async () => {
    const meta = { rrule: field('rrule', { nullable: true }) };
    const { user } = await renderInRouter(<Form meta={meta} values={{ rrule: 'FREQ=DAILY' }} />);
    await user.selectOptions(screen.getByLabelText('Ends'), 'On a date');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Last day'));
    expect(screen.getByText('This field is required')).toBeTruthy();
    await user.keyboard('2999-02-30');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter a date in the form YYYY-MM-DD')).toBeTruthy();
  });

  it('leaves the label of a replaced input to that input', async () => {
    const frame = { name: 'displayName', label: 'Text', required: true };
    const { container, user } = await renderInRouter(
      <Form
        meta={fields}
        fields={{
          displayName: (
            <FieldFrame {...frame}>
              <textarea {...controlProps(frame)} />
            </FieldFrame>
          ),
        }}
      />,
    );
    await user.click(screen.getByText('Text'));
    expect(document.activeElement).toBe(container.querySelector('textarea'));
    expect(container.querySelectorAll('[id=field-displayName]')).toHaveLength(1);
  });

  it('rests while it is being worked on', async () => {
    await renderInRouter(<Form meta={fields} busy cancelHref="/back" />);
    expect(screen.getByRole('button', { name: 'Saving…' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('/back');
  });

  it('sends nothing a second time while the first is being worked on', async () => {
    await renderInRouter(<Form meta={{}} busy />);
    const form = screen.getByRole('button', { name: 'Saving…' }).closest('form')!;
    const submit = new Event('submit', { bubbles: true, cancelable: true });
    form.dispatchEvent(submit);
    expect(submit.defaultPrevented).toBe(true);
  });

  it('goes to a long list that nothing was picked from', async () => {
    const rows = Array.from({ length: 12 }, (_, number) => [`id-${number}`, { name: `Row ${number}` }]);
    const slot = { receiveSlotId: field('reference', { resource: 'receive-slot' }) };
    const references = { 'receive-slot': Object.fromEntries(rows) };
    const { user } = await renderInRouter(<Form meta={slot} references={references} />);
    await waitFor(() => expect(screen.getByRole('combobox').tagName).toBe('INPUT'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const box = screen.getByRole('combobox');
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(box);
  });

  describe('with unsaved entries', () => {
    const page = (
      <>
        <Form meta={fields} values={{ displayName: 'a', kind: 'webhook', delta: 1 }} cancelHref="/back" />
        <Link to="/elsewhere">Elsewhere</Link>
      </>
    );
    const isUnloadPrevented = () => {
      const unload = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(unload);
      return unload.defaultPrevented;
    };
    const dialog = { name: 'Leave without saving?' };

    it('asks before the page is left', async () => {
      const { user, address } = await renderInRouter(page);
      await user.type(screen.getByLabelText(/^Name/), 'b');
      expect(isUnloadPrevented()).toBe(true);
      await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
      const asked = await screen.findByRole('dialog', dialog);
      await user.click(within(asked).getByRole('button', { name: 'Cancel' }));
      expect([address(), screen.queryByRole('dialog', dialog)]).toEqual(['/', null]);
      await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
      const again = await screen.findByRole('dialog', dialog);
      await user.click(within(again).getByRole('button', { name: 'Leave' }));
      await waitFor(() => expect(address()).toBe('/elsewhere'));
    });

    it('asks nothing if there are none, or they are discarded or saved', async () => {
      const { user, address } = await renderInRouter(page);
      const input = screen.getByLabelText(/^Name/);
      await user.type(input, 'b');
      await user.type(input, '{Backspace}');
      expect(isUnloadPrevented()).toBe(false);
      await user.type(input, 'b');
      await user.click(screen.getByRole('link', { name: 'Cancel' }));
      await waitFor(() => expect(address()).toBe('/back'));
      await user.type(input, 'c');
      expect(isUnloadPrevented()).toBe(true);
      await user.click(screen.getByRole('button', { name: 'Save' }));
      expect(isUnloadPrevented()).toBe(false);
    });

    it('asks nothing for inputs that only help to fill the one that is saved', async () => {
      function Graph() {
        const form = useRef<HTMLFormElement>(null);
        const { prompt } = useUnsavedChanges(form, undefined, 'graph');
        const [graph, setGraph] = useState('{}');
        return (
          <>
            <form ref={form}>
              <input type="hidden" name="graph" value={graph} />
              <input aria-label="Step" name="step" />
              <button type="button" onClick={() => setGraph('{"steps":[]}')}>
                Change
              </button>
            </form>
            {prompt}
          </>
        );
      }
      const { user } = await renderInRouter(<Graph />);
      await user.type(screen.getByLabelText('Step'), 'b');
      expect(isUnloadPrevented()).toBe(false);
      await user.click(screen.getByRole('button', { name: 'Change' }));
      expect(isUnloadPrevented()).toBe(true);
    });

    it('asks again if the server rejects them', async () => {
      const values = { displayName: 'a', kind: 'webhook', delta: 1 };
      function Rejecting() {
        const [errors, setErrors] = useState<Record<string, string>>();
        return (
          <>
            <Form meta={fields} values={values} errors={errors} />
            <button type="button" onClick={() => setErrors({ displayName: 'is in use' })}>
              Reject
            </button>
          </>
        );
      }
      const { user } = await renderInRouter(<Rejecting />);
      await user.type(screen.getByLabelText(/^Name/), 'b');
      await user.click(screen.getByRole('button', { name: 'Save' }));
      expect(isUnloadPrevented()).toBe(false);
      await user.click(screen.getByRole('button', { name: 'Reject' }));
      expect(isUnloadPrevented()).toBe(true);
    });
  });

  it('says which range a number must be in', async () => {
    const { user } = await renderInRouter(<Form meta={{ delta: fields.delta }} values={{ delta: 5000 }} />);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter a number from -1000 to 1000')).toBeTruthy();
  });
});
