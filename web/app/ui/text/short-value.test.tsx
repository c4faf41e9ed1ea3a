import { trigger } from '@yagura/core/alerthub/trigger';
import { destination } from '@yagura/core/greac/destination';
import { callflow } from '@yagura/core/pigeon/callflow';
import { contact } from '@yagura/core/pigeon/contact';
import { itemFields } from '@yagura/core/resource/define-resource';
import { apiToken } from '@yagura/core/space/api-token';
import { describe, expect, it } from 'vitest';
import type { References } from '../references.ts';
import { renderInRouter } from '../test/render.tsx';
import { ShortValue } from './short-value.tsx';

it('names a thing of the kind that stands beside its id', async () => {
  const { container } = await renderInRouter(
    <ShortValue
      name="target"
      meta={itemFields(trigger).target!}
      value={{ kind: 'runbook', id: 'r1' }}
      references={{ action: { r1: { name: 'Mail' } }, runbook: { r1: { name: 'Fail over' } } }}
    />,
  );
  expect(container.textContent).toContain('Fail over');
  expect(container.textContent).not.toContain('Mail');
});

it.each([
  ['en', '1/31/2026'],
  ['ja', '2026/01/31'],
] as const)('shows a date in %s as that day, not as midnight somewhere', async (language, text) => {
  const { container } = await renderInRouter(
    <ShortValue name="date" meta={{ kind: 'date', required: true, nullable: false }} value="2026-01-31" />,
    { language },
  );
  expect(container.textContent).toBe(text);
  expect(container.querySelector('time')?.dateTime).toBe('2026-01-31');
});

it.each([
  ['roles', 'Same as the owner'],
  ['expiresAt', 'Never'],
])('says what null stands for in the %s of an API token', async (name, text) => {
  const { container } = await renderInRouter(
    <ShortValue name={name} meta={itemFields(apiToken)[name]!} value={null} />,
  );
  expect(container.textContent).toBe(text);
});

it('shows members in the order of their declaration, whatever the order of the value', async () => {
  const { container } = await renderInRouter(
    <ShortValue
      name="transferTo"
      meta={itemFields(callflow).transferTo!}
      value={{ phone: 2, contactId: 'c1' }}
      references={{ contact: { c1: { name: 'Sato' } } }}
    />,
  );
  expect(container.textContent).toBe('Contact Sato · Phone 2');
});

it('does not repeat the name of the only member in each item of a list', async () => {
  const { container } = await renderInRouter(
    <ShortValue
      name="phones"
      meta={itemFields(contact).phones!}
      value={[{ phoneNumber: '0312340001' }, { phoneNumber: '05000000002' }]}
    />,
  );
  expect(container.textContent).toBe('0312340001, 05000000002');
});

it('groups the digits of a quantity, but not of a number that names something', async () => {
  const integer = { kind: 'integer', required: true, nullable: false } as const;
  const quantity = await renderInRouter(<ShortValue name="total" meta={integer} value={1234567} />);
  expect(quantity.container.textContent).toBe('1,234,567');
  const port = await renderInRouter(
    <ShortValue name="port" meta={itemFields(destination).port!} value={33389} />,
  );
  expect(port.container.textContent).toBe('33389');
});

describe('a reference', () => {
  const meta = { kind: 'reference', resource: 'runbook-record', required: true, nullable: false } as const;
  const at = '2028-03-01T10:00:00Z';
  it.each([
    ['without a name of its own', { name: 'q', at, href: '/q' }, '3/1/2028, 19:00', '/q'],
    ['that is deleted', null, 'Deleted', undefined],
    ['that the user may not read', undefined, 'q', undefined],
  ])('to an item %s', async (_what, reference, text, href) => {
    const known: References[string] = reference === undefined ? {} : { q: reference };
    const references = { 'runbook-record': known };
    const { container } = await renderInRouter(
      <ShortValue name="rerunOf" meta={meta} value="q" references={references} />,
    );
    expect(container.textContent).toBe(text);
    expect(container.querySelector('a')?.getAttribute('href')).toBe(href);
  });
});
