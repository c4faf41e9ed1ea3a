// The command of the terminal that does what a screen shows.
import { all } from '@yagura/core/all';
import type { ListQuery } from '@yagura/core/http/page';
import type { Place } from '@yagura/core/resource/client';
import { type CommandParent, itemCommand, listCommand, quoteWords } from '@yagura/core/resource/command-line';
import { type AnyResource, pathParameters } from '@yagura/core/resource/define-resource';
import { printSort, type TableState } from '../ui/table-state.ts';

/** The command of a list as its address has it. Columns are named when the address names them. */
export function commandOfList(
  resource: AnyResource,
  place: Place,
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
  return quoteWords(listCommand(resource, view, parentsOf(resource, place)));
}

/** The command of a verb on an item, or of making one. */
export function commandOf(resource: AnyResource, verb: string, id: string | undefined, place: Place): string {
  return quoteWords(
    itemCommand(resource, verb, resource.singleton ? undefined : id, parentsOf(resource, place)),
  );
}

function parentsOf(resource: AnyResource, place: Place): CommandParent[] {
  return pathParameters(resource.path).flatMap((parameter): CommandParent[] => {
    const parent = all.find((known) => known.id === parameter);
    const id = place[parameter];
    return parent && id ? [[parent.name, id]] : [];
  });
}
