// What the screen of a thing with sections needs: the thing, and the lists that lie below it.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { all } from '@yagura/core/all';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { withApi } from '../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../signin/grant.server.ts';
import { itemData } from './item-data.server.ts';
import { matchResource } from './place.server.ts';
import { fillScreen } from './screen-path.ts';

export interface Section {
  to: string;
  noun: Noun;
  one: boolean;
}

/** The item that the route's parameters name, with its sections as far as the person may see them. */
export function sectionsData(args: LoaderFunctionArgs, resource: AnyResource) {
  const base = fillScreen(`${resource.screen}/:${resource.id}`, args.params)!;
  const placed = matchResource(base);
  return withApi(args, async (api) => {
    const [data, person] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    const sections = all.flatMap((below): Section[] => {
      if (!below.screen?.startsWith(`${resource.screen}/:${resource.id}/`)) return [];
      const to = fillScreen(below.screen, args.params);
      const permissions = resourcePermissions(person, below);
      if (!to || !(permissions.list || permissions.show)) return [];
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
