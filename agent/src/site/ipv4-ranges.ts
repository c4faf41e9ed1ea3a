// Sets of IPv4 addresses as sorted, disjoint ranges of numbers.
import { ipv4Network, ipv4Number, ipv4Text } from '@yagura/core/sonar/ipv4-network';

/** Both ends belong to the range. */
export interface Ipv4Range {
  first: number;
  last: number;
}

/** The union of addresses and networks; each must be valid. */
export function toRanges(entries: readonly string[]): Ipv4Range[] {
  return normalize(
    entries.map((entry) => {
      const { first, size } = ipv4Network(entry)!;
      return { first, last: first + size - 1 };
    }),
  );
}

export function intersect(left: readonly Ipv4Range[], right: readonly Ipv4Range[]): Ipv4Range[] {
  const found: Ipv4Range[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i]!;
    const b = right[j]!;
    const first = Math.max(a.first, b.first);
    const last = Math.min(a.last, b.last);
    if (first <= last) found.push({ first, last });
    if (a.last < b.last) i++;
    else j++;
  }
  return found;
}

export function subtract(from: readonly Ipv4Range[], what: readonly Ipv4Range[]): Ipv4Range[] {
  const left: Ipv4Range[] = [];
  let next = 0;
  for (const { first, last } of from) {
    let start = first;
    // Both are sorted: what lies before this range lies before the others as well.
    while (next < what.length && what[next]!.last < first) next++;
    for (let index = next; index < what.length; index++) {
      const taken = what[index]!;
      if (taken.first > last) break;
      if (taken.first > start) left.push({ first: start, last: taken.first - 1 });
      start = taken.last + 1;
    }
    if (start <= last) left.push({ first: start, last });
  }
  return left;
}

export function union(left: readonly Ipv4Range[], right: readonly Ipv4Range[]): Ipv4Range[] {
  return normalize([...left, ...right]);
}

export function countAddresses(ranges: readonly Ipv4Range[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function includesAddress(ranges: readonly Ipv4Range[], address: string): boolean {
  const number = ipv4Number(address);
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last } = ranges[middle]!;
    if (number < first) high = middle - 1;
    else if (number > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** Addresses in ascending order. */
export function* addressesOf(ranges: readonly Ipv4Range[]): Generator<string> {
  for (const { first, last } of ranges)
    for (let number = first; number <= last; number++) yield ipv4Text(number);
}

/** The fewest networks that cover exactly these ranges. */
export function toNetworks(ranges: readonly Ipv4Range[]): string[] {
  const networks: string[] = [];
  for (const { first, last } of ranges) {
    for (let start = first; start <= last; ) {
      let bits = 32;
      while (bits > 0) {
        const size = 2 ** (33 - bits);
        if (start % size !== 0 || start + size - 1 > last) break;
        bits--;
      }
      networks.push(bits === 32 ? ipv4Text(start) : `${ipv4Text(start)}/${bits}`);
      start += 2 ** (32 - bits);
    }
  }
  return networks;
}

function normalize(ranges: readonly Ipv4Range[]): Ipv4Range[] {
  const sorted = ranges.map((range) => ({ ...range })).sort((a, b) => a.first - b.first);
  const merged: Ipv4Range[] = [];
  for (const range of sorted) {
    const before = merged.at(-1);
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else merged.push(range);
  }
  return merged;
}
