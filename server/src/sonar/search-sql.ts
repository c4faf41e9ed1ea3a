// Converts a search tree to SQL over managed nodes, equivalent to core's matchesSearch.

import { parseAddress, parseDate, parseNetwork, parseNumber } from '@yagura/core/query/search-match';
import type { Search, SearchComparator, SearchTerm } from '@yagura/core/query/search-tree';
import { versionKey } from '@yagura/core/query/version-order';
import { wildcardToLike } from '@yagura/core/query/wildcard';
import { defaultFields, packageField, rowFields } from '@yagura/core/sonar/search-values';
import type { Sql } from '../resource/list/sql.ts';

const comparatorSigns = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '=' } as const;
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::double precision`;

/** Values from the node's own row as texts, and as numbers or instants where applicable. */
const rowValues: Record<(typeof rowFields)[number], { text: string; number?: string; instant?: string }> = {
  networkId: { text: 'm.network_id::text' },
  managedNodeId: { text: 'm.managed_node_id::text' },
  state: { text: 's.state' },
  addresses: { text: 'm.number_of_addresses::text', number: 'm.number_of_addresses::double precision' },
  packages: { text: 'm.number_of_packages::text', number: 'm.number_of_packages::double precision' },
  hotfixes: {
    text: 'm.number_of_windows_updates::text',
    number: 'm.number_of_windows_updates::double precision',
  },
  firstSeenAt: { text: iso('m.first_seen_at'), instant: millis('m.first_seen_at') },
  lastScanSucceededAt: { text: iso('m.last_seen_at'), instant: millis('m.last_seen_at') },
};

/**
 * A condition over `m` (managed_node) and `s` (its state). Unknown fields must have been rejected before.
 */
export function searchSql(search: Search, sql: Sql, spaceId: string): string {
  switch (search.op) {
    case 'all':
      return 'true';
    case 'and':
    case 'or':
      return `(${search.items.map((item) => searchSql(item, sql, spaceId)).join(` ${search.op} `)})`;
    case 'not':
      return `(not ${searchSql(search.item, sql, spaceId)})`;
    case 'version': {
      if (search.field !== packageField) return 'false';
      const name = sql.value(wildcardToLike(search.name.toLowerCase()), 'text');
      const key = sql.value(versionKey(search.version), 'text');
      return existsValue(
        sql.value(spaceId, 'uuid'),
        `v.folded like ${name} escape '\\' and v.version_key ${comparatorSigns[search.comparator]} ${key}`,
      );
    }
    default:
      return termSql(search, sql, spaceId);
  }
}

type PlainTerm = Exclude<SearchTerm, { op: 'version' }>;

function termSql(term: PlainTerm, sql: Sql, spaceId: string): string {
  const fields = term.field === null ? [...defaultFields] : [term.field];
  const condition = (forms: Forms) => valueSql(term, forms, sql);
  const stored = fields.filter((field) => field !== packageField && !isRowField(field));
  const parts = fields.filter(isRowField).map((field) => {
    const { text, number, instant } = rowValues[field];
    return `(${condition({
      value: text,
      folded: `lower(${text})`,
      number: number ?? 'null::double precision',
      ip: 'null::bytea',
      instant: instant ?? 'null::double precision',
    })})`;
  });
  if (stored.length > 0) {
    const named = `v.field = any(${sql.value(stored, 'text[]')})`;
    parts.push(
      `m.managed_node_id in (select v.managed_node_id from managed_node_value v where v.space_id = ${sql.value(spaceId, 'uuid')} and ${named} and ${condition(storedForms)})`,
    );
  }
  if (fields.includes(packageField))
    parts.push(existsValue(sql.value(spaceId, 'uuid'), condition({ ...storedForms, value: 'v.name' })));
  return `(${parts.join(' or ')})`;
}

/**
 * Nodes with a package that matches the condition over `v`. It references no outer row, so that the database
 * evaluates it once.
 */
function existsValue(space: string, condition: string): string {
  return `m.managed_node_id in (select l.managed_node_id from package v join managed_node_package l on l.package_id = v.package_id
    where v.space_id = ${space} and ${condition})`;
}

/** SQL of one value in every form that a comparison needs. */
interface Forms {
  value: string;
  folded: string;
  number: string;
  ip: string;
  instant: string;
}

const storedForms: Forms = {
  value: 'v.value',
  folded: 'v.folded',
  number: 'v.number',
  ip: 'v.ip',
  instant: 'v.instant',
};

function valueSql(term: PlainTerm, forms: Forms, sql: Sql): string {
  switch (term.op) {
    case 'text': {
      const operand = sql.value(term.value.toLowerCase(), 'text');
      return term.field === null
        ? `position(${operand} in ${forms.folded}) > 0`
        : `${forms.folded} = ${operand}`;
    }
    case 'like':
      return `${forms.folded} like ${sql.value(wildcardToLike(term.pattern.toLowerCase()), 'text')} escape '\\'`;
    case 'present':
      return `${forms.value} <> ''`;
    case 'cidr':
      return inNetworkSql(term.network, forms, sql);
    case 'compare':
      return orderedSql(forms, term.comparator, term.value, sql);
    case 'range': {
      const { from, to, includesFrom, includesTo } = term;
      const ends = [
        ...(from === null ? [] : [orderedSql(forms, includesFrom ? 'ge' : 'gt', from, sql)]),
        ...(to === null ? [] : [orderedSql(forms, includesTo ? 'le' : 'lt', to, sql)]),
      ];
      return ends.length === 0 ? 'true' : ends.join(' and ');
    }
  }
}

/**
 * The wanted bound selects the comparison: numbers, addresses of one family, instants, otherwise text by code
 * point.
 */
function orderedSql(forms: Forms, comparator: SearchComparator, operand: string, sql: Sql): string {
  const sign = comparatorSigns[comparator];
  const number = parseNumber(operand);
  if (number !== undefined)
    return `coalesce(${forms.number} ${sign} ${sql.value(number, 'double precision')}, false)`;
  const address = parseAddress(operand);
  if (address) {
    return `coalesce(length(${forms.ip}) = ${address.length} and ${forms.ip} ${sign} ${sql.value(Buffer.from(address), 'bytea')}, false)`;
  }
  const instant = parseDate(operand);
  if (instant !== undefined)
    return `coalesce(${forms.instant} ${sign} ${sql.value(instant, 'double precision')}, false)`;
  return `${forms.value} collate "C" ${sign} ${sql.value(operand, 'text')}`;
}

function inNetworkSql(network: string, { ip }: Forms, sql: Sql): string {
  const wanted = parseNetwork(network);
  if (!wanted) return 'false';
  const { base: first, size } = wanted;
  const last = first.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, size - index * 8));
    return byte | (0xff >> kept);
  });
  const { length } = first;
  const base = `substring(${ip} from 1 for ${length})`;
  const isInside = `${base} between ${sql.value(Buffer.from(first), 'bytea')} and ${sql.value(Buffer.from(last), 'bytea')}`;
  // The index stores a network as its address and one byte with the length of its prefix.
  return `coalesce(${isInside} and case length(${ip}) when ${length} then true
    when ${length + 1} then get_byte(${ip}, ${length}) >= ${size} else false end, false)`;
}

function isRowField(field: string): field is (typeof rowFields)[number] {
  return (rowFields as readonly string[]).includes(field);
}
