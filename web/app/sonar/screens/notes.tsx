// Notes on a managed node with author and time, newest first.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { formatDateTime } from '@yagura/core/format/date-time';
import type { Item } from '@yagura/core/resource/define-resource';
import type { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import { useState } from 'react';
import { listData } from '../../resource/list/list-data.server.ts';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { removeFromListAction } from '../../resource/write/write.server.ts';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { IconButton, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { CliCommand } from '../../ui/text/cli-command.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { usePageLinks } from '../use-page-links.ts';

type Note = Item<typeof managedNodeNote>;

const sizes = [5, 10, 25, 50, 100];

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const match = matchResource(pathname);
  return withApi(args, (api) => listData(api, { ...match, searchParams }));
}

export const action = removeFromListAction;

export default function Notes() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const { hrefOf, sizeTo } = usePageLinks();
  const notes = data.rows as unknown as Note[];
  const { page, size } = data.state;
  return (
    <>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">{formatNoun(data.meta.noun, language, 'many')}</h2>
        <div className="flex items-center gap-2">
          <CliCommand command={data.command} />
          {data.permissions.create && (
            <LinkButton to={`${data.screen}/new`} variant="primary" icon="plus">
              {t('sonar.note.write')}
            </LinkButton>
          )}
        </div>
      </div>
      {notes.length === 0 ? (
        <Placeholder kind="empty" title={t('sonar.note.none')} detail={t('sonar.note.none-detail')} />
      ) : (
        <ol className="grid gap-3">
          {notes.map((note) => (
            <li key={note.noteId}>
              <NoteCard note={note} screen={data.screen} permissions={data.permissions} />
            </li>
          ))}
        </ol>
      )}
      {(data.total > size || page > 1) && (
        <div className="mt-3">
          <Pager total={data.total} page={page} size={size} sizes={sizes} hrefOf={hrefOf} onSize={sizeTo} />
        </div>
      )}
    </>
  );
}

function NoteCard(props: { note: Note; screen: string; permissions: { edit: boolean; remove: boolean } }) {
  const { note, screen: list, permissions } = props;
  const { t, language, timeZone } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<typeof action>();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  return (
    <article className="rounded-lg border border-line bg-surface px-4 py-3 wrap-anywhere shadow-raised">
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">{note.title}</h3>
          <p className="text-xs text-muted">
            {note.createdBy} · <Time value={note.createdAt} />
          </p>
        </div>
        {permissions.edit && (
          <LinkButton
            to={`${list}/${note.noteId}/edit`}
            variant="quiet"
            size="small"
            icon="edit"
            aria-label={`${t('verb.edit')}: ${note.title}`}
            title={t('verb.edit')}
          />
        )}
        {permissions.remove && (
          <IconButton
            icon="trash"
            label={`${t('verb.delete')}: ${note.title}`}
            onClick={() => setIsConfirming(true)}
          />
        )}
      </header>
      {note.body && <p className="mt-2 max-w-prose text-sm whitespace-pre-wrap">{note.body}</p>}
      {note.updatedAt !== note.createdAt && (
        <p className="mt-2 text-xs text-muted">
          {t('sonar.note.changed', {
            by: note.updatedBy,
            at: formatDateTime(note.updatedAt, { language, timeZone }),
          })}
        </p>
      )}
      <ConfirmDialog
        open={isConfirming}
        title={t('web.delete-title', { name: note.title })}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ id: note.noteId }, { method: 'post' })}
        onCancel={() => setIsConfirming(false)}
      />
    </article>
  );
}
