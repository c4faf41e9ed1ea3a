import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../http/exact-json.ts';
import { compareDecimals, toDecimal } from './decimal.ts';

const compare = (left: unknown, right: unknown) =>
  Math.sign(compareDecimals(toDecimal(left)!, toDecimal(right)!));

describe('toDecimal', () => {
  it.each([
    '',
    '-',
    '.',
    'e5',
    '1e',
    '0x10',
    '1,000',
    '1 2',
    'Infinity',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    [],
    {},
    '1'.repeat(1001),
  ])('does not read %j', (value) => {
    expect(toDecimal(value)).toBeUndefined();
  });
});

describe('compareDecimals', () => {
  it.each<[unknown, unknown, number]>([
    [new ExactNumber('12345678901234567890'), new ExactNumber('12345678901234567891'), -1],
    [new ExactNumber('12345678901234567890'), '12345678901234567890', 0],
    ['9007199254740993', 9007199254740992, 1],
    ['0.10000000000000000001', 0.1, 1],
    [0.1, '0.1', 0],
    [' +1.50 ', '15e-1', 0],
    ['-0', 0, 0],
    ['-0.0e99', '0', 0],
    ['-2', '-10', 1],
    ['-1.5', '-15e-1', 0],
    ['.5', '5e-1', 0],
    ['5.', 5, 0],
    [new ExactNumber('1e400'), new ExactNumber('2e400'), -1],
    [`1e${'9'.repeat(900)}`, `1e-${'9'.repeat(900)}`, 1],
    [1e21, '1000000000000000000000', 0],
    [5e-324, 0, 1],
  ])('%s and %s', (left, right, expected) => {
    expect(compare(left, right)).toBe(expected);
    expect(compare(right, left)).toBe(expected === 0 ? 0 : -expected);
  });

  const scaled = fc.record({
    units: fc.oneof(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.bigInt({ min: -20n, max: 20n })),
    scale: fc.integer({ min: 0, max: 30 }),
  });
  const printed = ({ units, scale }: { units: bigint; scale: number }): string[] => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    const sign = units < 0n ? '-' : '';
    return [`${sign}${digits.slice(0, point)}.${digits.slice(point)}0`, `${units}e-${scale}`];
  };

  it('orders numbers like their integers at a common scale, however they are written', () => {
    fc.assert(
      fc.property(scaled, scaled, (left, right) => {
        const at = (one: typeof left) => one.units * 10n ** BigInt(30 - one.scale);
        const expected = at(left) < at(right) ? -1 : at(left) > at(right) ? 1 : 0;
        for (const one of printed(left))
          for (const other of printed(right)) expect(compare(one, other)).toBe(expected);
      }),
    );
  });

  it('orders doubles like the language', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (left, right) => {
        expect(compare(left, right)).toBe(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });
});
