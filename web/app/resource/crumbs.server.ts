// Builds the breadcrumbs of a resource's pages: app, parents, list, item, verb.

import { resources } from '@yagura/core/all';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { appSections } from '../shell/navigation/app-sections.ts';
import type { Crumb } from '../shell/navigation/crumb.ts';
import type { Api } from '../signin/api.server.ts';
import { ifPermitted } from './if-permitted.server.ts';
import type { ResourceMatch } from './match-resource.server.ts';
import { fillScreenPath } from './screen-path.ts';

type Row = Record<string, unknown>;

/**
 * Returns the breadcrumbs of a list, or of an item if given; the last parameter is the message key of the
 * verb.
 */
export async function buildCrumbs(
  api: Api,
  { resource, screen, params }: Pick<ResourceMatch, 'resource' | 'screen' | 'params'>,
  item?: Row,
  actionKey?: MessageKey,
): Promise<Crumb[]> {
  const crumbs: Crumb[] = [appSections[resource.app]];
  const parent = resources.find((known) => known.name === resource.parent);
  const parentId = parent && params[parent.id];
  if (parent?.screen && parentId) {
    const parentScreen = fillScreenPath(parent.screen, params)!;
    const load = () => api.client<Row, unknown>(parent).find(parentId, params);
    const found = await ifPermitted(api, parent, 'show', load, null).catch((): null => null);
    crumbs.push(
      { to: parentScreen, noun: parent.noun },
      {
        to: `${parentScreen}/${encodeURIComponent(parentId)}`,
        ...itemCrumb(parent, found ?? { [parent.id]: parentId }),
      },
    );
  }
  crumbs.push(
    resource.listPage === 'none'
      ? { noun: resource.noun }
      : { to: screen, noun: resource.noun, one: resource.singleton },
  );
  if (item && !resource.singleton) {
    crumbs.push({
      to: `${screen}/${encodeURIComponent(String(item[resource.id]))}`,
      ...itemCrumb(resource, item),
    });
  }
  if (actionKey) crumbs.push({ to: `${screen}/${actionKey}`, labelKey: actionKey });
  return crumbs;
}

/** Labels an entity with its name and a record with its timestamp. */
function itemCrumb(resource: AnyResource, item: Row): Pick<Crumb, 'text' | 'at'> {
  const title = item[resource.title];
  if (resource.title !== resource.id && typeof title === 'string') return { text: title };
  const at = resource.time ? item[resource.time] : undefined;
  return typeof at === 'string' ? { at } : { text: String(item[resource.id]) };
}
