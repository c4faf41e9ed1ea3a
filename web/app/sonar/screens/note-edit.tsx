// Form for editing a note. The API cannot fetch a single note, so it is looked up in the list.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { resourceCommand } from '../../resource/cli-command.server.ts';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { screenMeta } from '../../resource/screen-meta.ts';
import { handleWrite, redirectWithNotice } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';

type Row = Record<string, unknown>;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  const { resource, params } = match;
  const id = args.params.noteId ?? '';
  return withApi(args, async (api) => {
    const [user, page] = await Promise.all([
      getCurrentUser(api),
      api.client<Row, Row>(resource).list({ filter: `noteId eq ${JSON.stringify(id)}`, limit: 1 }, params),
    ]);
    if (!resourcePermissions(user, resource).edit) throw new Problem('forbidden');
    const values = page.items[0];
    if (!values) throw new Problem('not-found');
    return {
      meta: screenMeta(resource),
      screen: match.screen,
      values,
      crumbs: await buildCrumbs(api, match, undefined, 'verb.edit'),
      command: resourceCommand(resource, 'edit', id, params),
    };
  });
}

export const action = (args: ActionFunctionArgs) =>
  handleWrite(args, async (api, match, values) => {
    await api.client<Row, Row>(match.resource).edit(args.params.noteId, values, match.params);
    return redirectWithNotice(match.screen, 'saved');
  });

export default function NoteEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      {...data}
      references={{}}
      hidden={{}}
      actionData={refusal}
      mode="edit"
      cancelHref={data.screen}
    />
  );
}
