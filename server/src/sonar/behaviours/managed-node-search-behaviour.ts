// Searches managed nodes in all networks of the space.
import { invalidField } from '@yagura/core/http/problem';
import { describeQueryError, QueryError } from '@yagura/core/query/query-error';
import { parseSearch } from '@yagura/core/query/search';
import { type Search, searchFields } from '@yagura/core/query/search-tree';
import { managedNode } from '@yagura/core/sonar/managed-node';
import {
  managedNodeSearch,
  managedNodeSearchPage,
  searchLimit,
} from '@yagura/core/sonar/managed-node-search';
import { isSearchField, packageField, rowFields, storedFields } from '@yagura/core/sonar/search-values';
import { isStorable } from '../../http/input/storable-text.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { searchSql } from '../search-sql.ts';
import { managedNodeTable } from './managed-node-behaviour.ts';

const everyNetwork = { ...managedNodeTable, where: 'm.space_id = {space}' };

export const managedNodeSearchBehaviour: Behaviour<typeof managedNodeSearch> = {
  resource: managedNodeSearch,
  calls: {
    search: (context, body) => search(context, body, searchLimit),
  },
};

export const managedNodeSearchPageBehaviour: Behaviour<typeof managedNodeSearchPage> = {
  resource: managedNodeSearchPage,
  calls: {
    search: (context, body) => search(context, body, 1000),
  },
};

async function search(context: RequestContext, body: unknown, max: number) {
  const { query } = body as { query: string };
  const tree = read(query, context);
  const request = readListQuery(
    managedNode,
    { limit: String(max === searchLimit ? max : 10), ...context.query },
    context.t,
  );
  request.limit = Math.min(request.limit, max);
  return listItems(context, managedNode, everyNetwork, request, (sql) =>
    searchSql(tree, sql, context.spaceId),
  );
}

/** Throws a 400 with the position of the syntax error, or naming the unknown field. */
function read(query: string, { t }: RequestContext): Search {
  if (!isStorable(query)) throw invalidField('query', t('rule.storable'));
  try {
    const tree = parseSearch(query);
    const unknown = searchFields(tree).find((field) => !isSearchField(field));
    if (unknown === undefined) return tree;
    const fields = [...storedFields, packageField, ...rowFields, 'tag.…'].join(', ');
    throw invalidField('query', t('sonar.search.unknown-field', { field: unknown, fields }));
  } catch (error) {
    if (error instanceof QueryError) throw invalidField('query', describeQueryError(error, t));
    throw error;
  }
}
