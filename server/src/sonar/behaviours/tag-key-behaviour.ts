// Tags in use, in all networks or in one of them.
import { invalidField } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { tagKey, tagValue } from '@yagura/core/sonar/managed-node';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import type { Table } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';

function tableOf(column: 'key' | 'value', condition: string): Table {
  return {
    from: `(select t.${column}, count(*)::int as nodes from managed_node_tag t where t.space_id = {space}${condition} group by t.${column}) g`,
    where: 'true',
    select: `g.${column}, g.nodes`,
    id: { sql: `g.${column}`, type: 'text' },
    columns: {
      [column]: { sql: `g.${column}`, type: 'text' },
      numberOfNodes: { sql: 'g.nodes', type: 'number' },
    },
    item: (row) => ({ [column]: row[column], numberOfNodes: row.nodes }),
  };
}

function list(
  context: RequestContext,
  resource: AnyResource,
  column: 'key' | 'value',
  key: string | undefined,
) {
  const { networkId } = context.query;
  if (networkId !== undefined && networkId !== '' && (typeof networkId !== 'string' || !isUuid(networkId))) {
    throw invalidField('networkId', context.t('rule.uuid'));
  }
  const conditions = [
    // Safe to inline: a validated UUID and hexadecimal digits contain no SQL syntax.
    ...(networkId ? [` and t.network_id = '${networkId as string}'`] : []),
    ...(key === undefined
      ? []
      : [` and t.key = convert_from(decode('${Buffer.from(key).toString('hex')}', 'hex'), 'UTF8')`]),
  ];
  return listItems(
    context,
    resource,
    tableOf(column, conditions.join('')),
    readListQuery(resource, context.query, context.t),
  );
}

export const tagKeyBehaviour: Behaviour<typeof tagKey> = {
  resource: tagKey,
  list: (context) => list(context, tagKey, 'key', undefined),
};

export const tagValueBehaviour: Behaviour<typeof tagValue> = {
  resource: tagValue,
  list: (context) => list(context, tagValue, 'value', context.params.key ?? ''),
};
