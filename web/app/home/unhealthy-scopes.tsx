// Scopes of the home page that are not normal, each with a button that acknowledges it.
import { useRef, useState } from 'react';
import { MutedNote } from '../alerthub/mutes/muted-note.tsx';
import { MiniTable } from '../resource/list/mini-table.tsx';
import { Button } from '../ui/button.tsx';
import { deferDialog } from '../ui/deferred/defer-dialog.tsx';
import { useFocusAfterRemoval } from '../ui/overlay/use-focus-after-removal.ts';
import { Placeholder } from '../ui/page/placeholder.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { homeColumns } from './home-columns.ts';
import type { UnhealthyScopesData } from './home-data.server.ts';

const AcknowledgeDialog = deferDialog(
  'acknowledge-dialog',
  () => import('../alerthub/acknowledge-dialog.tsx'),
);

export function UnhealthyScopes({ data, caption }: { data: UnhealthyScopesData; caption: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const { acknowledgeFields, scopes } = data;
  return (
    <>
      <MiniTable
        data={data}
        caption={caption}
        columns={homeColumns.unhealthyScopes}
        hiddenOnMobile={['severity', 'lastEventAt']}
        notes={{
          displayName: ({ scopeId }) => <MutedNote until={scopes[String(scopeId)]?.mutedUntil} />,
          acknowledgedBy: ({ scopeId, acknowledgedBy }) =>
            acknowledgeFields &&
            acknowledgedBy === null && (
              <AcknowledgeButton
                name={scopes[String(scopeId)]?.displayName}
                onClick={() => setChosen(String(scopeId))}
              />
            ),
        }}
        empty={<Placeholder title={t('page.all-normal')} />}
      />
      {chosen && acknowledgeFields && (
        <AcknowledgeDialog
          item={{ ...scopes[chosen], scopeId: chosen }}
          meta={acknowledgeFields}
          action="/?index"
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

function AcknowledgeButton({ name, onClick }: { name: string | undefined; onClick: () => void }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterRemoval(button);
  const label = t('acknowledge.button');
  return (
    <Button
      ref={button}
      size="small"
      className="relative z-1"
      aria-label={`${label}: ${name}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
