import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTranslator } from '../i18n/load-translations.ts';
import type { Translate } from '../i18n/translator.ts';
import { makePlan, type Plan, type PlanStep, reversePlan } from './make-plan.ts';
import { type Fields, type PlanItem, planItemKey } from './plan-item.ts';
import { planKinds } from './plan-kinds.ts';

let t: Translate;
beforeAll(async () => {
  t = await loadTranslator('en');
});

const scope = (name: string, fields: Fields = {}): PlanItem => ({
  kind: 'scope',
  parents: [],
  name,
  number: 0,
  fields: { displayName: name, ...fields },
});
const labelOf = ({ kind, name }: PlanItem) => `${kind} ${name}`;
const whole = { remarks: '', thresholds: { warning: 1, incident: 2 }, recoveryTime: null };
const attribute = (parent: string, name: string, value: string): PlanItem => ({
  kind: 'attribute',
  parents: [parent],
  name,
  number: 0,
  fields: { value },
});

function planned(
  desired: PlanItem[],
  existing: PlanItem[],
  prune = false,
  env: Record<string, string> = {},
): Plan {
  return makePlan({
    desired,
    existing,
    unmanagedNames: new Map(),
    prune,
    labelOf,
    resolveSecret: (name) => env[name],
    t,
  });
}

/** Content of a space after the steps, applied as `apply` does. */
function taken(present: readonly PlanItem[], steps: readonly PlanStep[]): PlanItem[] {
  const items = new Map(present.map((item) => [planItemKey(item), item]));
  for (const { kind, parents, name, number, before, after } of steps) {
    const key = planItemKey({ kind, parents, name, number });
    expect(items.get(key)?.fields ?? null).toEqual(before);
    if (after === null) items.delete(key);
    else items.set(key, { kind, parents, name, number, fields: after });
    if (parents.length > 0 && after !== null) expect(items.has(planItemKey(scope(parents[0]!)))).toBe(true);
  }
  return [...items.values()];
}

const sorted = (items: readonly PlanItem[]) =>
  [...items].sort((a, b) => (planItemKey(a) < planItemKey(b) ? -1 : 1));

describe('makePlan', () => {
  test('what is there with the same fields is no step, whatever the file leaves out', () => {
    const { steps, unchanged } = planned(
      [scope('A', { thresholds: { warning: 1, incident: 2 } })],
      [scope('A', whole)],
    );
    expect({ steps, unchanged }).toEqual({ steps: [], unchanged: 1 });
  });

  test('a change is told field by field, objects opened', () => {
    const { steps } = planned([scope('A', { thresholds: { warning: 1, incident: 9 } })], [scope('A', whole)]);
    expect(steps).toMatchObject([
      { operation: 'update', changes: [{ path: 'thresholds.incident', before: 2, after: 9 }] },
    ]);
  });

  test('what the files do not have stays, or goes when asked', () => {
    const present = [scope('A', whole), scope('B', whole)];
    expect(planned([scope('A')], present)).toMatchObject({ steps: [], leftAlone: 1 });
    expect(planned([scope('A')], present, true).steps).toMatchObject([{ operation: 'delete', name: 'B' }]);
  });

  test.each([
    ['an unknown field', scope('A', { colour: 'red' }), { path: 'colour' }],
    [
      'a wrong value',
      scope('A', { thresholds: { warning: 'x', incident: 2 } }),
      { path: 'thresholds.warning' },
    ],
    [
      'a missing parent',
      attribute('Nowhere', 'team', 'x'),
      { path: '', reason: 'there is no parent Nowhere' },
    ],
    [
      'a missing reference',
      {
        kind: 'callflow',
        parents: [],
        name: 'N',
        number: 0,
        fields: { displayName: 'N', contacts: [{ contactId: 'Sato', phone: 1 }] },
      },
      { path: 'contacts.0.contactId', reason: 'there is no contact named Sato' },
    ],
  ] as const)('%s is a fault', (_name, item, fault) => {
    expect(planned([item as unknown as PlanItem], []).issues).toMatchObject([{ item: 0, ...fault }]);
  });

  const named = (kind: string, name: string, fields: Fields, parents: string[] = []): PlanItem => ({
    ...{ kind, parents, name, number: 0 },
    fields: { displayName: name, ...fields },
  });
  const hook = named('action', 'Hook', {
    kind: 'webhook',
    parameters: { url: 'https://example.invalid/', body: '{{#open}}' },
  });
  const toHook = { target: { kind: 'action', id: 'Hook' } };
  const wrongStep = { operatorId: 'regex-match', params: { source: 'message', pattern: '(' } };
  test.each([
    [
      'of a trigger',
      'conditions.0.params.direction',
      [
        named(
          'trigger',
          'T',
          { ...toHook, conditions: [{ conditionId: 'severity-changed', params: { direction: 'x' } }] },
          ['A'],
        ),
      ],
    ],
    [
      'of a rule',
      'flow.steps.0.params.pattern',
      [
        named('receive-slot', 'S', {}),
        named('rule', 'R', { receiveSlotId: 'S', flow: { steps: [wrongStep] } }),
      ],
    ],
    ['of a runbook', 'startStepId', [named('runbook', 'B', { startStepId: 'nowhere', steps: [] })]],
    ['of an action', 'parameters.body', []],
  ] as const)('what the server would refuse in the content %s is a fault', (_name, path, items) => {
    const action =
      path === 'parameters.body'
        ? hook
        : { ...hook, fields: { ...hook.fields, parameters: { url: 'https://example.invalid/' } } };
    const { issues } = planned([scope('A'), action, ...items], []);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(issues[0]!.reason).not.toMatch(/^why\./);
  });

  test('content that is there already and stays is no fault', () => {
    const fields = { displayName: 'B', startStepId: 'nowhere', steps: [] };
    const present = { ...named('runbook', 'B', fields), fields: { remarks: '', ...fields } };
    expect(planned([named('runbook', 'B', fields)], [present])).toMatchObject({ issues: [], unchanged: 1 });
  });

  test('every fault is told at once', () => {
    expect(planned([scope('A', { x: 1, y: 2 }), scope('B', { z: 3 })], []).issues).toHaveLength(3);
  });

  describe('secrets', () => {
    const sender = (apiKey: unknown): PlanItem => ({
      kind: 'email-action-sender-setting',
      parents: [],
      name: 'Relay',
      number: 0,
      fields: {
        displayName: 'Relay',
        from: { name: '', email: 'a@example.invalid' },
        provider: 'sendgrid',
        parameters: apiKey === undefined ? {} : { apiKey },
      },
    });

    test('come from the environment, and the plan names the variable only', () => {
      const plan = planned([sender({ $env: 'KEY' })], [], false, { KEY: 'very secret' });
      expect(plan.issues).toEqual([]);
      expect(JSON.stringify(plan)).not.toContain('very secret');
      expect(plan.steps[0]!.after).toMatchObject({ parameters: { apiKey: { $env: 'KEY' } } });
    });

    test.each([
      ['written out', 'very secret', 'parameters.apiKey'],
      ['in a variable that is not set', { $env: 'KEY' }, 'parameters.apiKey'],
    ])('%s is a fault of a new item', (_name, value, path) => {
      const { issues } = planned([sender(value)], []);
      expect(issues).toMatchObject([{ path }]);
      expect(JSON.stringify(issues)).not.toContain('very secret');
    });

    test('that is not given stays as it is', () => {
      const present = sender(undefined);
      expect(planned([sender({ $env: 'KEY' })], [present])).toMatchObject({
        steps: [],
        issues: [],
        unchanged: 1,
      });
    });
  });

  describe('what comes with what holds it', () => {
    const network: PlanItem = {
      kind: 'network',
      parents: [],
      name: 'Office',
      number: 0,
      fields: { displayName: 'Office', configuration: { newDays: 7, outdatedDays: 30 } },
    };
    const settings = (seeds: string[]): PlanItem => ({
      kind: 'scan-settings',
      parents: ['Office'],
      name: 'Office',
      number: 0,
      fields: { enabled: true, seeds, allowed: [], forbidden: [], perKsocket: [] },
    });

    test('is changed, and goes only with it', () => {
      const present = [network, settings(['192.0.2.1'])];
      expect(planned([settings(['192.0.2.2'])], present, true).steps).toMatchObject([
        { operation: 'update', kind: 'scan-settings' },
      ]);
      const other = { ...settings([]), parents: ['Lab'], name: 'Lab' };
      const lab = { ...network, name: 'Lab', fields: { ...network.fields, displayName: 'Lab' } };
      const plan = planned([lab, other], [...present, lab, other], true);
      expect(plan.steps.map(({ operation, kind, name }) => `${operation} ${kind} ${name}`)).toEqual([
        'delete scan-settings Office',
        'delete network Office',
      ]);
      expect(planned([other], [...present, lab, other], true)).toMatchObject({ steps: [], leftAlone: 0 });
    });

    test('cannot stand there twice', () => {
      const twice = [settings([]), { ...settings([]), number: 1 }];
      expect(planned(twice, [network, settings([])]).issues).toMatchObject([
        { item: 1, reason: 'is in the files more than once' },
      ]);
    });
  });

  test('what cannot be deleted stays, with its reason; what must not be done is a fault', () => {
    const person = (name: string, disabled = false): PlanItem => ({
      kind: 'user',
      parents: [],
      name,
      number: 0,
      fields: { displayName: name, email: name, roles: [], disabled },
    });
    const [me, other] = [person('me@example.invalid'), person('other@example.invalid')];
    const plan = makePlan({
      desired: [person(me.name, true)],
      existing: [me, other, person('third@example.invalid')],
      unmanagedNames: new Map(),
      prune: true,
      labelOf,
      resolveSecret: () => undefined,
      keepReason: ({ name }) => (name === other.name ? 'is needed' : undefined),
      rejectStep: (step) => (step.after?.disabled ? { path: 'disabled', reason: 'not yourself' } : undefined),
      t,
    });
    expect(plan.issues).toEqual([{ item: 0, path: 'disabled', reason: 'not yourself' }]);
    expect(plan.kept).toMatchObject([{ name: other.name, reason: 'is needed' }]);
    expect(plan.steps.filter(({ operation }) => operation === 'delete')).toMatchObject([
      { name: 'third@example.invalid' },
    ]);
  });

  test('what an item that stays refers to stays as well, and what that refers to', () => {
    const item = (kind: string, name: string, fields: Fields = {}): PlanItem => ({
      ...{ kind, parents: [], name, number: 0 },
      fields: { displayName: name, ...fields },
    });
    const calling = (contact: string) => ({ contacts: [{ contactId: contact, phone: 1 }] });
    const existing = [
      ...['Sato', 'Ito', 'Mori'].map((name) => item('contact', name)),
      item('callflow', 'Night', calling('Sato')),
      item('callflow', 'Day', calling('Ito')),
      item('action', 'Call', { parameters: { callflowId: 'Night' }, kind: 'pigeon' }),
    ];
    const plan = makePlan({
      desired: [],
      describedKinds: new Set(['contact', 'callflow']),
      ...{ existing, unmanagedNames: new Map(), prune: true, labelOf, resolveSecret: () => undefined, t },
    });
    expect(plan.steps.map(({ operation, name }) => [operation, name])).toEqual([
      ['delete', 'Day'],
      ['delete', 'Ito'],
      ['delete', 'Mori'],
    ]);
    expect(plan.kept).toMatchObject([
      { name: 'Night', reason: 'used by action Call' },
      { name: 'Sato', reason: 'used by callflow Night' },
    ]);
  });

  test('users are deleted although others refer to them', () => {
    const user = { kind: 'user', parents: [], name: 'a@example.invalid', number: 0, fields: {} };
    const door: PlanItem = {
      ...{ kind: 'destination', parents: [], name: 'Door', number: 0 },
      fields: { displayName: 'Door', members: { userIds: [user.name], userGroupIds: [] } },
    };
    const plan = makePlan({
      desired: [],
      describedKinds: new Set(['user']),
      ...{ existing: [user, door], unmanagedNames: new Map(), prune: true, labelOf },
      ...{ resolveSecret: () => undefined, t },
    });
    expect(plan).toMatchObject({ steps: [{ operation: 'delete', name: user.name }], kept: [] });
  });

  test('what is below a deleted item goes with it, of kinds that the files do not have as well', () => {
    const network = (name: string): PlanItem => ({
      ...{ kind: 'network', parents: [], name, number: 0 },
      fields: { displayName: name },
    });
    const part = (kind: string, parent: string, name: string): PlanItem => ({
      ...{ kind, parents: [parent], name, number: 0 },
      fields: {},
    });
    const existing = [
      scope('A', whole),
      scope('B', whole),
      network('A'),
      part('trigger', 'A', 'page'),
      part('trigger', 'B', 'page'),
      part('scan-settings', 'A', 'A'),
    ];
    const { steps } = planned([scope('B', whole)], existing, true);
    expect(steps.map(({ operation, kind, parents }) => [operation, kind, ...parents])).toEqual([
      ['delete', 'trigger', 'A'],
      ['delete', 'scope'],
    ]);
    expect(reversePlan(steps).map(({ operation, kind }) => [operation, kind])).toEqual([
      ['create', 'scope'],
      ['create', 'trigger'],
    ]);
  });

  const name = fc.constantFrom('A', 'B', 'C', 'D');
  const world = fc
    .uniqueArray(
      fc.tuple(
        name,
        fc.integer({ min: 3, max: 9 }),
        fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 3 })), { selector: ([one]) => one }),
      ),
      {
        selector: ([one]) => one,
      },
    )
    .map((scopes) =>
      scopes.flatMap(([one, incident, attributes]) => [
        scope(one, { ...whole, thresholds: { warning: 1, incident } }),
        ...attributes.map(([key, value]) => attribute(one, key, value)),
      ]),
    );

  test('taken, it makes the space what the files say; planned again there is nothing; reversed it leads back', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(world, world, (wanted, present) => {
        const plan = planned(wanted, present, true);
        expect(plan.issues).toEqual([]);
        const after = taken(present, plan.steps);
        const spoken = new Set(wanted.map(({ kind }) => kind));
        expect(sorted(after.filter(({ kind }) => spoken.has(kind)))).toEqual(sorted(wanted));
        expect(planned(wanted, after, true).steps).toEqual([]);
        expect(sorted(taken(after, reversePlan(plan.steps)))).toEqual(sorted(present));
      }),
    );
  });
});

test('every kind comes after what it refers to or lies in', () => {
  const at = (kind: string) => planKinds.findIndex(({ name }) => name === kind);
  expect(planKinds.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'scope',
      'attribute',
      'trigger',
      'rule',
      'runbook',
      'action',
      'callflow',
      'destination',
      'network',
    ]),
  );
  for (const [first, then] of [
    ['scope', 'trigger'],
    ['action', 'runbook'],
    ['runbook', 'receive-slot'],
    ['receive-slot', 'rule'],
    ['runbook', 'trigger'],
    ['guidance', 'action'],
    ['email-action-sender-setting', 'action'],
    ['contact', 'callflow'],
    ['user', 'user-group-member'],
    ['user', 'destination'],
    ['network', 'scan-settings'],
  ] as const)
    expect(at(first), `${first} before ${then}`).toBeLessThan(at(then));
});
