// Loader data of an item with sections: the item and its nested lists.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { resources } from '@yagura/core/all';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { matchResource } from '../match-resource.server.ts';
import { fillScreenPath } from '../screen-path.ts';
import { itemData } from './item-data.server.ts';

export interface Section {
  to: string;
  noun: Noun;
  one: boolean;
}

/** Returns the item named by the route parameters and the sections that the user may see. */
export function sectionsData(args: LoaderFunctionArgs, resource: AnyResource) {
  const base = fillScreenPath(`${resource.screen}/:${resource.id}`, args.params)!;
  const match = matchResource(base);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const sections = resources.flatMap((below): Section[] => {
      if (!below.screen?.startsWith(`${resource.screen}/:${resource.id}/`)) return [];
      const to = fillScreenPath(below.screen, args.params);
      const permissions = resourcePermissions(user, below);
      if (!to || !(permissions.list || permissions.show)) return [];
      return [{ to, noun: below.noun, one: below.singleton }];
    });
    return {
      ...data,
      base,
      sections,
      watches: [resource.name, ...resource.watches],
    };
  });
}
