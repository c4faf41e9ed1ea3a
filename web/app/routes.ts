// The site map: every URL of the console, its screen and its layout. Screens of `resource/` serve any resource and are listed once per URL.
import type { UNSAFE_RouteConfig, UNSAFE_RouteConfigEntry } from '@remix-run/dev';

type Entry = UNSAFE_RouteConfigEntry;

const at = (path: string, file: string, children?: Entry[]): Entry => ({ id: path, path, file, children });
const layout = (file: string, children: Entry[]): Entry => ({ id: file, file, children });

/** List, form and item of one resource below a URL; `parts` are the tabs of the item. */
function resource(url: string, id: string, forms: { create?: string; edit?: string; item?: string } = {}) {
  return [
    at(url, 'resource/list.tsx'),
    at(`${url}/new`, forms.create ?? 'resource/create.tsx'),
    at(`${url}/:${id}`, forms.item ?? 'resource/item.tsx'),
    at(`${url}/:${id}/edit`, forms.edit ?? 'resource/edit.tsx'),
  ];
}

export default [
  layout('shell/default-layout.tsx', [
    { id: '/', index: true, file: 'home/home.tsx' },

    at('preference', 'shell/redirect.ts'),
    at('preference/space', 'resource/item.tsx'),
    at('preference/space/edit', 'resource/edit.tsx'),
    at('preference/profile', 'resource/item.tsx'),
    at('preference/profile/edit', 'resource/edit.tsx'),
    at('preference/api-token', 'resource/list.tsx'),
    at('preference/api-token/new', 'space/api-token-create.tsx'),

    at('apps/alerthub', 'shell/redirect.ts'),
    ...resource('apps/alerthub/receive-slots', 'receiveSlotId'),
    ...resource('apps/alerthub/rules', 'ruleId'),
    ...resource('apps/alerthub/actions', 'actionId'),
  ]),
  layout('shell/card-layout.tsx', [
    at('authorize', 'signin/authorize.tsx'),
    at('signed-out', 'signin/signed-out.tsx'),
    at('403', 'shell/forbidden.tsx'),
    at('404', 'shell/not-found.tsx'),
    at('error', 'shell/error-page.tsx'),
    at('*', 'shell/not-found.tsx'),
  ]),
  at('sign-out', 'signin/sign-out.ts'),
  at('choices', 'shell/choices.ts'),
  at('changes', 'shell/changes.ts'),
] satisfies UNSAFE_RouteConfig;
