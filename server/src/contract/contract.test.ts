import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createDataFolder } from '../../test/support/data-folder.ts';
import { readContract } from './contract.ts';

const { folder, remove } = createDataFolder();
afterAll(() => remove());

function fileWith(text: string): string {
  const path = join(folder, 'contract.json');
  writeFileSync(path, text);
  return path;
}

describe('readContract', () => {
  test('has everything on without a file', () => {
    const contract = readContract(undefined);
    for (const feature of ['webhook-on-premises', 'pigeon-transfer', 'ip-restriction'] as const)
      expect(contract.allowsFeature(feature), feature).toBe(true);
    expect(contract.maxUsers).toBeNull();
  });

  test('has what the file names and no more', () => {
    const pricePlan = { pricePlanId: 'small', displayName: 'Small', maxUsers: 3 };
    const tickets = [{ ticketId: 'ipRestriction202507', displayName: 'IP' }];
    const contract = readContract(fileWith(JSON.stringify({ subscription: { pricePlan, tickets } })));
    expect(contract.allowsFeature('ip-restriction')).toBe(true);
    expect(contract.allowsFeature('pigeon-transfer')).toBe(false);
    expect(contract.hasTicket('alerthubOnPremises')).toBe(false);
    expect(contract.maxUsers).toBe(3);
  });

  test('has nothing when nothing is subscribed', () => {
    const contract = readContract(fileWith('{"subscription":null}'));
    expect(contract.subscription).toBeNull();
    expect(contract.ticketIds).toEqual([]);
  });

  test.each([
    ['{', /JSON/],
    ['{}', /subscription/],
    [
      '{"subscription":{"pricePlan":{"pricePlanId":"a","displayName":""},"tickets":[]}}',
      /pricePlan\.displayName/,
    ],
    ['{"subscription":null,"more":1}', /more/],
  ])('says what is wrong with %s', (text, reason) => {
    expect(() => readContract(fileWith(text))).toThrow(reason);
  });

  test('says that the file is not there', () => {
    expect(() => readContract(join(folder, 'none.json'))).toThrow('ENOENT');
  });
});
