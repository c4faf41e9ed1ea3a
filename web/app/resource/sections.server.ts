// What the screen of a thing with sections needs: the thing, and the lists that lie below it.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { all } from '@yagura/core/all';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { screen } from '../signin/api.server.ts';
import { mayOf, personOf } from '../signin/grant.server.ts';
import { itemData } from './item-data.server.ts';
import { resourceAt } from './place.server.ts';
import { fillScreen } from './screen-path.ts';

export interface Section {
  to: string;
  noun: Noun;
  one: boolean;
}

/** The item that the route's parameters name, with its sections as far as the person may see them. */
export function sectionsData(args: LoaderFunctionArgs, resource: AnyResource) {
  const base = fillScreen(`${resource.screen}/:${resource.id}`, args.params)!;
  const placed = resourceAt(base);
  return screen(args, async (api) => {
    const [data, person] = await Promise.all([itemData(api, placed), personOf(api)]);
    const sections = all.flatMap((below): Section[] => {
      if (!below.screen?.startsWith(`${resource.screen}/:${resource.id}/`)) return [];
      const to = fillScreen(below.screen, args.params);
      const may = mayOf(person, below);
      if (!to || !(may.list || may.show)) return [];
      return [{ to, noun: below.noun, one: below.singleton }];
    });
    return {
      ...data,
      base,
      sections,
      watches: [resource.name, ...(resource.name === 'network' ? ['snapshot'] : [])],
    };
  });
}
