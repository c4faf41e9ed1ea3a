// Builds the CLI command equivalent to a page.
import { resources } from '@yagura/core/all';
import type { ListQuery } from '@yagura/core/http/page';
import { printSort } from '@yagura/core/query/sort';
import type { PathParams } from '@yagura/core/resource/client';
import {
  type CommandParent,
  itemCommand,
  listCommand,
  quoteShellWords,
} from '@yagura/core/resource/command-line';
import { type AnyResource, pathParameters } from '@yagura/core/resource/define-resource';
import type { TableState } from '../ui/table/table-state.ts';

/**
 * Returns the CLI command of a list with its URL parameters. Columns are included only if the URL selects
 * them.
 */
export function resourceListCommand(
  resource: AnyResource,
  pathParams: PathParams,
  state: TableState,
  params: URLSearchParams,
  { filter, search }: Pick<ListQuery, 'filter' | 'search'>,
): string {
  const view = {
    page: state.page,
    size: state.size,
    sort: params.has('sort') ? printSort(state.sort) : undefined,
    columns: params.has('columns') ? state.columns : undefined,
    filter,
    search,
  };
  return quoteShellWords(listCommand(resource, view, commandParents(resource, pathParams)));
}

/** Returns the CLI command of a verb on an item, or of creating one. */
export function resourceCommand(
  resource: AnyResource,
  verb: string,
  id: string | undefined,
  pathParams: PathParams,
): string {
  return quoteShellWords(
    itemCommand(resource, verb, resource.singleton ? undefined : id, commandParents(resource, pathParams)),
  );
}

function commandParents(resource: AnyResource, pathParams: PathParams): CommandParent[] {
  return pathParameters(resource.path).flatMap((parameter): CommandParent[] => {
    const parent = resources.find((known) => known.id === parameter);
    const id = pathParams[parameter];
    return parent && id ? [[parent.name, id]] : [];
  });
}
