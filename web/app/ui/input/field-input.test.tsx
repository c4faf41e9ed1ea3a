import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { FieldMeta } from '@yagura/core/resource/field';
import { describe, expect, it } from 'vitest';
import { readForm } from '../field/form-data.ts';
import { FormErrorsContext } from '../field/form-errors.ts';
import { validationMessage } from '../field/validation-messages.ts';
import { formDataOf, renderInRouter } from '../test/render.tsx';
import { FieldInput } from './field-input.tsx';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});

/** Renders one field in a form and returns what the form would post. */
async function renderField(
  field: FieldMeta,
  value?: unknown,
  more: Partial<Parameters<typeof FieldInput>[0]> = {},
  language: 'en' | 'ja' = 'en',
) {
  const view = await renderInRouter(
    <form>
      <FieldInput name="a" label="Field" meta={field} value={value} {...more} />
    </form>,
    { language },
  );
  return { ...view, read: () => readForm(formDataOf(view.container), { a: field }).a };
}

const mailbox = field('object', {
  fields: { name: field('text', { required: false, default: '' }), email: field('email') },
});

const roles = field('list', {
  nullable: true,
  nullChoice: 'same-as-owner',
  min: 1,
  item: field('choice', { options: ['viewer', 'operator'] }),
});

const kept: [name: string, fact: FieldMeta, value: unknown][] = [
  ['text', field('text'), 'x'],
  ['long-text', field('long-text'), 'a\nb'],
  ['template', field('template'), '{{event.severity}}'],
  ['email', field('email'), 'a@example.com'],
  ['url', field('url'), 'https://example.com/'],
  ['rrule', field('rrule', { nullable: true }), 'FREQ=MONTHLY;COUNT=3;BYDAY=-1SU'],
  ['a rule that says more than the form can', field('rrule', { nullable: true }), 'FREQ=YEARLY;BYMONTH=2'],
  ['no rule', field('rrule', { nullable: true }), null],
  ['time-zone', field('time-zone'), 'Asia/Tokyo'],
  ['no time zone', field('time-zone', { nullable: true, required: false }), null],
  ['integer', field('integer'), -3],
  ['one of the allowed integers', field('integer', { options: ['8', '96'] }), 96],
  ['an integer that is no longer allowed', field('integer', { options: ['8', '96'] }), 13],
  ['number', field('number'), 1.5],
  ['true', field('boolean'), true],
  ['false', field('boolean'), false],
  ['choice', field('choice', { options: ['eq', 'ne'] }), 'ne'],
  ['date', field('date'), '2028-02-29'],
  ['no date', field('date', { nullable: true, required: false }), null],
  ['date-time', field('date-time'), '2026-11-21T00:00:00.000Z'],
  ['seconds that are whole hours', field('seconds', { min: 300, max: 86_400 }), 7200],
  ['seconds that are no whole minutes', field('seconds'), 61],
  ['no seconds', field('seconds', { nullable: true, min: 300 }), null],
  ['reference', field('reference', { resource: 'scope' }), 's2'],
  ['a reference to something gone', field('reference', { resource: 'scope' }), 'gone'],
  ['what null stands for', roles, null],
  ['values instead of what null stands for', roles, ['viewer']],
  ['list of text', field('list', { item: field('text') }), ['x', 'y']],
  ['empty list', field('list', { item: field('text') }), []],
  ['list of objects', field('list', { item: mailbox }), [{ name: 'A', email: 'a@example.com' }]],
  ['key-values', field('key-values'), { 'X-A': '1', 'X-B': '' }],
  ['object', field('object', { fields: { b: field('integer') } }), { b: 2 }],
  ['json', field('json'), { deep: [1, null] }],
];

describe('FieldInput', () => {
  it.each(kept)('posts %s as it was', async (_name, field, value) => {
    const { read } = await renderField(field, value, {
      references: { scope: { s1: { name: 'One' }, s2: { name: 'Two' } } },
    });
    expect(read()).toEqual(value);
  });

  it('ties label, hint and reason to the control', async () => {
    await renderField(field('text', { min: 1 }), '', { hint: 'Up to you', error: 'This field is required' });
    const input = screen.getByLabelText(/^Field/);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(input.getAttribute('aria-required')).toBe('true');
    const about = input
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
    expect(about).toEqual(['This field is required', 'Up to you']);
  });

  it('offers the placeholder while nothing is chosen', async () => {
    const { read } = await renderField(field('choice', { options: ['eq', 'ne'] }));
    expect(screen.getByRole('option', { name: 'Please select an option' })).toHaveProperty('selected', true);
    expect(read()).toBeUndefined();
  });

  it('offers the integers that are allowed', async () => {
    const sizes = field('integer', { options: ['8', '12', '96'], default: 12, required: false });
    const { user, read } = await renderField(sizes);
    expect(read()).toBe(12);
    await user.selectOptions(screen.getByRole('combobox'), '96');
    expect(read()).toBe(96);
  });

  it('starts from the default', async () => {
    const { read } = await renderField(
      field('choice', { options: ['POST', 'GET'], default: 'GET', required: false }),
    );
    expect(read()).toBe('GET');
  });

  it('lists values only if what null stands for is not chosen', async () => {
    const { user, read } = await renderField(roles, undefined);
    expect(read()).toBeNull();
    expect(screen.queryByRole('combobox')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Only these' }));
    // The server refuses the empty row, and names it.
    expect(read()).toEqual(['']);
    await user.selectOptions(screen.getByRole('combobox'), 'operator');
    expect(read()).toEqual(['operator']);
    await user.click(screen.getByRole('radio', { name: 'Same as the owner' }));
    expect(read()).toBeNull();
  });

  it('says what is wrong with a time while it is typed', async () => {
    const { user } = await renderField(field('date-time'));
    const input = screen.getByLabelText(/^Field/) as HTMLInputElement;
    await user.type(input, '2026/02/30 10:00');
    expect(input.validationMessage).toBe('Enter the time as yyyy/MM/dd HH:mm');
    await user.clear(input);
    await user.type(input, '2026/02/28 10:00');
    expect(input.validationMessage).toBe('');
  });

  it('counts seconds in the unit that is picked', async () => {
    const { user, read } = await renderField(field('seconds', { min: 300, max: 86_400 }), 300);
    expect(screen.getByLabelText('Unit')).toHaveProperty('value', '60');
    await user.selectOptions(screen.getByLabelText('Unit'), 'hours');
    expect(read()).toBe(5 * 3600);
    expect(screen.getByText('5 minutes to 1 day')).toBeTruthy();
  });

  it('starts in seconds if nothing suggests a larger unit, and offers none above the maximum', async () => {
    await renderField(field('seconds', { min: 0, max: 3600 }), 0);
    const unit = screen.getByLabelText('Unit');
    expect(unit).toHaveProperty('value', '1');
    expect(
      within(unit)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['hours', 'minutes', 'seconds']);
  });

  it('says the range of a duration in units of time', async () => {
    const { user } = await renderField(field('seconds', { min: 0, max: 5400 }), 5400);
    const input = screen.getByLabelText(/^Field/) as HTMLInputElement;
    await user.clear(input);
    await user.type(input, '91');
    expect(validationMessage(input, await loadTranslator('en'))).toBe(
      'Enter a duration from 0 seconds to 1 hour 30 minutes',
    );
  });

  it('puts a recurrence rule together, and says when it comes', async () => {
    const view = await renderInRouter(
      <form>
        <input name="beginAt" defaultValue="2999/01/08 22:00" />
        <input name="endAt" defaultValue="2999/01/09 02:00" />
        <input name="timeZone" defaultValue="Asia/Tokyo" />
        <FieldInput name="a" label="Field" meta={field('rrule', { nullable: true })} />
      </form>,
    );
    const { user } = view;
    const read = () => readForm(formDataOf(view.container), { a: field('rrule', { nullable: true }) }).a;
    expect(read()).toBeNull();
    await user.selectOptions(screen.getByLabelText('Field'), 'Every week');
    expect(screen.getByRole('checkbox', { name: 'Tuesday' })).toHaveProperty('checked', true);
    await user.click(screen.getByRole('checkbox', { name: 'Friday' }));
    expect(read()).toBe('FREQ=WEEKLY;BYDAY=TU,FR');
    await user.selectOptions(screen.getByLabelText('Field'), 'Every month');
    const interval = screen.getByLabelText('Interval');
    await user.clear(interval);
    await user.type(interval, '5');
    expect(read()).toContain('INTERVAL=5');
    await user.clear(interval);
    await user.tab();
    expect(interval).toHaveProperty('value', '5');
    await user.type(interval, '{Backspace}1');
    await user.selectOptions(screen.getByLabelText('Day'), 'Day of the week in the month');
    await user.selectOptions(screen.getByLabelText('Position in the month'), 'second');
    await user.selectOptions(screen.getByLabelText('Day of the week'), 'Tuesday');
    expect(read()).toBe('FREQ=MONTHLY;BYDAY=2TU');
    expect(screen.getByRole('status').textContent).toContain('Every month on the second Tuesday at');
    expect(screen.getByRole('status').textContent).toMatch(/Next: .+ \(Asia\/Tokyo\)$/);
    await user.selectOptions(screen.getByLabelText('Field'), 'Custom rule (RFC 5545)');
    expect(screen.getByLabelText('Rule')).toHaveProperty('value', 'FREQ=MONTHLY;BYDAY=2TU');
    await user.clear(screen.getByLabelText('Rule'));
    await user.type(screen.getByLabelText('Rule'), 'every now and then');
    expect(screen.getByRole('status').textContent).toContain('The recurrence is not valid');
  });

  describe.each(['en', 'ja'] as const)('a long list of references in %s', (language) => {
    const scope = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`s${i}`, { name: `Scope ${i}` }]));
    const renderLong = async (value: unknown, references = { scope }) => {
      const drawn = await renderField(
        field('reference', { resource: 'scope' }),
        value,
        { references },
        language,
      );
      await waitFor(() => expect(screen.getByRole('combobox').tagName).toBe('INPUT'));
      return { ...drawn, box: screen.getByRole<HTMLInputElement>('combobox') };
    };
    const shown = () => screen.queryAllByRole('option').map((option) => option.textContent);

    it('narrows by typing and picks by key', async () => {
      const { user, read, box } = await renderLong('s3');
      expect(box.value).toBe('Scope 3');
      expect(read()).toBe('s3');
      await user.clear(box);
      await user.type(box, 'scope 2');
      expect(shown()).toEqual(['Scope 2', ...Array.from({ length: 10 }, (_, i) => `Scope 2${i}`)]);
      await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
      expect(box.value).toBe('Scope 21');
      expect(read()).toBe('s21');
    });

    it('picks by pointer, and says when nothing matches', async () => {
      const { user, read, box } = await renderLong(undefined);
      expect(box.validity.valueMissing).toBe(true);
      await user.type(box, 'nowhere');
      expect(shown()).toEqual([]);
      expect(screen.getByText(language === 'en' ? 'No matches' : '一致する項目がありません')).toBeTruthy();
      await user.clear(box);
      await user.type(box, '29');
      await user.click(screen.getByRole('option', { name: 'Scope 29' }));
      expect(read()).toBe('s29');
    });

    it('keeps what was picked when left with other text, and names something gone', async () => {
      const { user, read, box } = await renderLong('gone');
      expect(box.value).toContain('gone');
      await user.click(box);
      await user.keyboard('scope 4{Escape}');
      await user.tab();
      expect(box.value).toContain('gone');
      expect(read()).toBe('gone');
    });
  });
});

describe('lists', () => {
  it('adds, moves and removes rows, and keeps what was typed in each', async () => {
    const { user, read } = await renderField(field('list', { item: field('text'), max: 3 }), ['one', 'two']);
    await user.click(screen.getByRole('button', { name: 'Add to Field' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Field Row 3'));
    await user.keyboard('three');
    expect(screen.getByRole('button', { name: 'Add to Field' })).toHaveProperty('disabled', true);
    expect(screen.getByText('At most 3 rows')).toBeTruthy();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(read()).toEqual(['one', 'three', 'two']);
    await user.click(screen.getByRole('button', { name: 'Move row 1 down' }));
    expect(read()).toEqual(['three', 'one', 'two']);
    await user.click(screen.getByRole('button', { name: 'Remove row 2' }));
    expect(read()).toEqual(['three', 'two']);
    expect(document.activeElement).toBe(screen.getByLabelText('Field Row 2'));
  });

  it('fills a row per entry of a pasted list and leaves out what is there', async () => {
    const { read } = await renderField(field('list', { item: field('email') }), ['a@example.com', '']);
    fireEvent.paste(screen.getByLabelText('Field Row 2'), {
      clipboardData: { getData: () => 'b@example.com, a@example.com;\nb@example.com\nc@example.com' },
    });
    expect(read()).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });

  it('shows the reason of a member beside it', async () => {
    await renderInRouter(
      <form>
        <FormErrorsContext value={{ 'to.1.email': 'Bad', to: 'Too few' }}>
          <FieldInput
            name="to"
            label="To"
            meta={field('list', { item: mailbox })}
            value={[{}, { email: 'x' }]}
          />
        </FormErrorsContext>
      </form>,
    );
    const second = screen.getByRole('group', { name: 'Row 2' });
    expect(
      within(second)
        .getByLabelText(/^Email/)
        .getAttribute('aria-invalid'),
    ).toBe('true');
    expect(within(second).getByText('Bad')).toBeTruthy();
    expect(screen.getByText('Too few')).toBeTruthy();
  });
});

describe('key-values', () => {
  it('refuses a key twice and a value without a key', async () => {
    const { user, read, container } = await renderField(field('key-values'), { 'X-A': '1' });
    await user.click(screen.getByRole('button', { name: 'Add to Field' }));
    await user.keyboard('X-A');
    expect(screen.getAllByText('An entry with the specified key already exists')).toHaveLength(2);
    expect(container.querySelector('form')!.checkValidity()).toBe(false);
    await user.keyboard('2');
    expect(container.querySelector('form')!.checkValidity()).toBe(true);
    await user.type(screen.getByLabelText('Value 2'), 'two');
    expect(read()).toEqual({ 'X-A': '1', 'X-A2': 'two' });
    await user.clear(screen.getByLabelText('Key 2'));
    expect(screen.getByText('This field is required')).toBeTruthy();
  });
});

describe('variants', () => {
  const fields = {
    kind: field('choice', { options: ['webhook', 'email'] }),
    parameters: field('variant', {
      by: 'kind',
      variants: {
        webhook: { url: field('url'), headers: field('key-values', { required: false, default: {} }) },
        email: { to: field('list', { item: mailbox, min: 1 }), subject: field('template') },
      },
    }),
  };

  async function renderBoth(values: Record<string, unknown>) {
    const view = await renderInRouter(
      <form>
        {Object.entries(fields).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            label={name}
            meta={field}
            value={values[name]}
            siblings={values}
          />
        ))}
      </form>,
    );
    return { ...view, read: () => readForm(formDataOf(view.container), fields) };
  }

  it('asks for the choice first', async () => {
    const { user } = await renderBoth({});
    expect(screen.getByText('Choose "Kind" first')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox'), 'webhook');
    expect(screen.getByLabelText(/^URL/)).toBeTruthy();
  });

  it('switches its shape with its sibling', async () => {
    const { user, read } = await renderBoth({
      kind: 'webhook',
      parameters: { url: 'https://example.com/', headers: {} },
    });
    expect(read()).toEqual({ kind: 'webhook', parameters: { url: 'https://example.com/', headers: {} } });
    await user.selectOptions(screen.getByLabelText(/^kind/), 'email');
    await user.type(screen.getByLabelText(/^Subject/), 'Hello');
    expect(read()).toEqual({ kind: 'email', parameters: { to: [], subject: 'Hello' } });
  });
});
