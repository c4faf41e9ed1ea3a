// Changes a note. Notes have no call that shows one, so it is found in the list.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { faceOf } from '@yagura/core/resource/face';
import { commandOf } from '../../resource/command.server.ts';
import { crumbsFor } from '../../resource/crumbs.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { leave, written } from '../../resource/write.server.ts';
import { useReply } from '../../shell/use-reply.ts';
import { screen } from '../../signin/api.server.ts';
import { mayOf, personOf } from '../../signin/grant.server.ts';

type Row = Record<string, unknown>;

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  const { resource, place } = placed;
  const id = args.params.noteId ?? '';
  return screen(args, async (api) => {
    const [person, page] = await Promise.all([
      personOf(api),
      api.client<Row, Row>(resource).list({ filter: `noteId eq ${JSON.stringify(id)}`, limit: 1 }, place),
    ]);
    if (!mayOf(person, resource).edit) throw new Problem('forbidden');
    const values = page.items[0];
    if (!values) throw new Problem('not-found');
    return {
      face: faceOf(resource),
      screen: placed.screen,
      values,
      crumbs: await crumbsFor(api, placed, undefined, 'verb.edit'),
      command: commandOf(resource, 'edit', id, place),
    };
  });
}

export const action = (args: ActionFunctionArgs) =>
  written(args, async (api, placed, values) => {
    await api.client<Row, Row>(placed.resource).edit(args.params.noteId, values, placed.place);
    return leave(placed.screen, 'saved');
  });

export default function NoteEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useReply<typeof action>();
  return (
    <FormScreen
      {...data}
      references={{}}
      hidden={{}}
      refusal={refusal}
      doing="edit"
      cancelHref={data.screen}
    />
  );
}
