// Detail page of a guidance: its text, how it sounds, and the action of each key.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { guidance, type Reaction, type Recording } from '@yagura/core/pigeon/guidance';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { RecordingPanel } from '../recording-panel.tsx';
import { SpeechPreview } from '../speech-preview.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, { languages }] = await Promise.all([
      itemData(api, match),
      api.client(guidance).call<{ languages: string[] }>('voices'),
    ]);
    return { ...data, voices: languages };
  });
}

export const action = removeItemAction;

export default function Guidance() {
  const data = useLoaderData<typeof loader>();
  const { t, choiceLabel: word } = useTranslation();
  const recording = (data.item.recording ?? null) as Recording | null;
  const reactions = Object.entries((data.item.reactions ?? {}) as Record<string, Reaction>);
  return (
    <ItemScreen
      data={data}
      fields={{
        reactions: (
          <ul className="grid gap-1">
            {reactions.map(([digit, { behavior, messageTemplate, acknowledge }]) => (
              <li key={digit} className="flex flex-wrap items-baseline gap-x-2">
                <kbd className="rounded border border-line px-1.5 font-mono text-xs">{digit}</kbd>
                <span>{word(behavior)}</span>
                {acknowledge && <span>{t('pigeon.key-acknowledges')}</span>}
                {messageTemplate && <span className="text-muted">{messageTemplate}</span>}
              </li>
            ))}
          </ul>
        ),
        recording: recording?.fileName,
      }}
    >
      <div className="mt-5 grid gap-5">
        <SpeechPreview template={String(data.item.messageTemplate)} voices={data.voices} />
        <RecordingPanel
          guidanceId={String(data.item.guidanceId)}
          recording={recording}
          mayEdit={data.permissions.edit}
        />
      </div>
    </ItemScreen>
  );
}
