// Detail page of an event: its fields, what raised it and what it caused.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { explainEvent } from '@yagura/core/alerthub/engine/explain/explain-event';
import { message } from '@yagura/core/alerthub/message';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { callStandalone } from '@yagura/core/standalone-calls';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { ifPermitted } from '../../../resource/if-permitted.server.ts';
import { DestinationButtons } from '../../../resource/item/destination-buttons.tsx';
import { messageDestinationLinks } from '../../../resource/item/destination-links.server.ts';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { type Api, withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { DecisionLog } from '../../messages/decision-log.tsx';
import { resolveLineLinks } from '../../messages/decision-log-links.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const eventId = args.params.eventId!;
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const [why, t] = await Promise.all([
      callStandalone(api.transport, 'event-why', { params: { eventId } }),
      loadTranslator(preferencesOf(args.request).language),
    ]);
    // The API nests events below their scope, which the page's address need not name.
    const scopeId = url.searchParams.get('scopeId') ?? why.event.scopeId;
    const lines = explainEvent(why, t);
    const [data, hrefs] = await Promise.all([
      itemData(api, { ...match, params: { scopeId } }, eventId),
      resolveLineLinks(api, lines),
    ]);
    const destinations = await messageDestinations(api, data.item.messageId as string | null);
    return { ...data, lines, hrefs, destinations, watches: [...data.watches, 'message', 'action-record'] };
  });
}

/** Destinations of the hosts that the event's message names. */
async function messageDestinations(api: Api, messageId: string | null) {
  if (!messageId) return [];
  const found = await ifPermitted(api, message, 'show', () => api.client(message).find(messageId), null);
  return found ? messageDestinationLinks(api, found) : [];
}

export default function EventItem() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <>
      <ItemHeader
        data={data}
        backHref={`/apps/alerthub/scopes/${String(data.item.scopeId)}`}
        actions={
          <DestinationButtons
            destinations={data.destinations}
            labelOf={(name) => t('alerthub.connect', { name })}
          />
        }
      />
      <ItemInfo data={data} />
      <Panel title={t('alerthub.why')} padded>
        <DecisionLog lines={data.lines} hrefOf={(link) => data.hrefs[link.id]} />
      </Panel>
    </>
  );
}
