// Explains the outcome of a message: its decision log as sentences.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { DecisionLog as DecisionLogData } from '@yagura/core/alerthub/decision-log';
import { explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { message } from '@yagura/core/alerthub/message';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { DecisionLog } from '../../messages/decision-log.tsx';
import { resolveLineLinks } from '../../messages/decision-log-links.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [why, t] = await Promise.all([
      api.client(message).call<DecisionLogData>('why', { id: args.params.messageId! }),
      loadTranslator(preferencesOf(args.request).language),
    ]);
    const lines = explainDecisions(why, t);
    const hrefs = await resolveLineLinks(api, lines);
    return { lines, hrefs, watches: ['message', 'event', 'action-record'] };
  });
}

export default function MessageDecisionLog() {
  const { lines, hrefs } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Panel title={t('alerthub.why')} padded>
      <DecisionLog lines={lines} hrefOf={(link) => hrefs[link.id]} />
    </Panel>
  );
}
