// What to enter at the sender of a slot made from a recipe, until its first message arrives.

import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { anything } from '@yagura/core/alerthub/recipes/anything';
import { fillSnippet } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { recipeTitle } from '@yagura/core/alerthub/recipes/recipe-title';
import { dataKey } from '@yagura/core/i18n/message-key';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { CopyButton } from '../../../ui/text/copy-id.tsx';
import { ScrollableText } from '../../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { recipeCrumbs, requireRecipe } from './recipe-pages.server.ts';

/** Maximum number of events shown. */
const maxEvents = 20;

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const recipe = requireRecipe(new URL(args.request.url).searchParams.get('recipe') ?? anything.name);
    const slot = await api.client(receiveSlot).show(args.params.receiveSlotId!);
    const filter = `receiveSlotId eq ${JSON.stringify(slot.receiveSlotId)}`;
    const { items } = await api.client(message).list({ filter, sort: 'receivedAt', limit: 1 });
    const { receiveSlotId, displayName } = slot;
    const first = items[0] && { messageId: items[0].messageId, summary: items[0].summary };
    return {
      recipe: { name: recipe.name, product: recipe.product },
      slot: { receiveSlotId, displayName },
      snippet: fillSnippet(recipe, slot),
      first: first ?? null,
      events:
        first &&
        (await miniData(api, event, {}, {}, () =>
          api.client(message).call('events', { id: first.messageId, query: { limit: maxEvents } }),
        )),
      watches: ['message', 'event'],
      crumbs: recipeCrumbs({ text: displayName }),
    };
  });
}

export default function SlotSetup() {
  const { recipe, slot, snippet, first, events } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const slotPage = `/apps/alerthub/receive-slots/${slot.receiveSlotId}`;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      <ResourceHeader
        title={slot.displayName}
        kind={recipeTitle(recipe, t)}
        backHref={slotPage}
        actions={<LinkButton to={slotPage}>{t('recipe.open-slot')}</LinkButton>}
      />
      <Panel
        title={t('recipe.setup')}
        actions={<CopyButton text={snippet} label={t('ui.copy-of', { name: t('recipe.snippet') })} />}
        padded
      >
        <p className="mb-2 text-sm">{t(dataKey(`recipe.${recipe.name}.setup`))}</p>
        <ScrollableText className="border border-line p-2 max-sm:break-all max-sm:whitespace-pre-wrap">
          {snippet}
        </ScrollableText>
      </Panel>
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
        {first ? (
          <>
            <Icon name="check" size={14} className="text-success-fg" />
            {t('recipe.arrived')}
            <Link
              to={`/apps/alerthub/messages/${first.messageId}`}
              className="min-w-0 break-words text-primary hover:underline"
            >
              {first.summary || first.messageId}
            </Link>
          </>
        ) : (
          <span className="text-muted">{t('recipe.waiting')}</span>
        )}
      </p>
      {events && (
        <Panel title={t('page.events')}>
          <MiniTable
            data={events}
            caption={t('page.events')}
            columns={['status', 'scopeId', 'severityName', 'severity']}
            hiddenOnMobile={['severity']}
            empty={<Placeholder title={t('page.no-message-events')} />}
          />
        </Panel>
      )}
    </div>
  );
}
