// The gallery of widgets, for developers: each piece by its name, alive, in the language and colours of the page.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useState } from 'react';
import { withApi } from '../signin/api.server.ts';
import { getCurrentUser } from '../signin/grant.server.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { ContributionGrid } from '../ui/contribution-grid.tsx';
import { CopyId } from '../ui/copy-id.tsx';
import { DateInput } from '../ui/date-input.tsx';
import { DateTimeInput } from '../ui/date-time-input.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { DiffView } from '../ui/diff-view.tsx';
import { controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { InlineEdit } from '../ui/inline-edit.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { KeyValuesInput } from '../ui/key-values-input.tsx';
import { Placeholder, type PlaceholderKind } from '../ui/placeholder.tsx';
import { ScheduleEditor } from '../ui/schedule-editor.tsx';
import { SeverityCurve } from '../ui/severity-curve.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { TextListInput } from '../ui/text-list-input.tsx';
import { TimeZoneSelect } from '../ui/time-zone-select.tsx';
import { useToast } from '../ui/toast.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { WeekdayGroup } from '../ui/weekday-group.tsx';
import { useTranslation } from '../ui/words.tsx';
import type { Crumb } from './crumb.ts';
import { developerModeOf } from './developer-mode.ts';
import { Piece } from './gallery-piece.tsx';
import { GalleryResource } from './gallery-resource.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    await getCurrentUser(api);
    if (!developerModeOf(args.request.headers.get('cookie'))) throw redirect('/404');
    const crumbs: Crumb[] = [
      { labelKey: 'shell.devtool' },
      { to: '/apps/devtool/gallery', labelKey: 'shell.gallery' },
    ];
    return { crumbs };
  });
}

/** The form of the gallery is sent here, and changes nothing. */
export const action = () => null;

const frame = (name: string) => ({ name, label: name, required: true });
const placeholders: PlaceholderKind[] = ['default', 'empty', 'forbidden', 'error', 'loading'];
const statuses = ['normal', 'warning', 'incident'] as const;
const tones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;
/** Ten weeks of made-up counts that show every level. */
const days = Array.from({ length: 70 }, (_, day) => ({
  date: new Date(Date.UTC(2026, 8, 1 + day)).toISOString().slice(0, 10),
  count: (day * 7) % 23,
}));
const curve = [0, 1, 3, 3, 2, 6, 4, 0].map((value, hour) => ({
  at: new Date(Date.UTC(2026, 8, 1, hour)).toISOString(),
  value,
}));

export default function Gallery() {
  const { t } = useTranslation();
  const toast = useToast();
  const [asking, setAsking] = useState<'delete' | 'name'>();
  const [name, setName] = useState('Core switch');
  return (
    <div className="grid gap-4">
      <h1 className="text-xl font-semibold">{t('shell.gallery')}</h1>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] items-start gap-4">
        <Piece name="StatusBadge">
          <div className="flex flex-wrap gap-2">
            {[...statuses, 'unknown'].map((value) => (
              <StatusBadge key={value} value={value} tones={tones} options={statuses} />
            ))}
          </div>
        </Piece>
        <Piece name="CopyId">
          <CopyId id="0199d2c1-0000-7000-8000-000000000000" />
        </Piece>
        <Piece name="InlineEdit">
          <InlineEdit
            label={t('label.displayName')}
            value={name}
            maxLength={30}
            onSave={async (text) => {
              if (text.trim() === '') return t('rule.required');
              setName(text);
              return undefined;
            }}
          />
        </Piece>
        <Piece name="Toast">
          <div className="flex flex-wrap gap-2">
            {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
              <Button key={kind} size="small" onClick={() => toast[kind](t(`ui.toast-${kind}`))}>
                {t(`ui.toast-${kind}`)}
              </Button>
            ))}
          </div>
        </Piece>
        <Piece name="ConfirmDialog">
          <Button size="small" onClick={() => setAsking('delete')}>
            {t('verb.delete')}
          </Button>
          <ConfirmDialog
            open={asking === 'delete'}
            title={t('web.delete-title', { name })}
            onConfirm={() => setAsking(undefined)}
            onCancel={() => setAsking(undefined)}
          />
        </Piece>
        <Piece name="ConfirmByName">
          <Button size="small" variant="danger" onClick={() => setAsking('name')}>
            {t('verb.delete')}
          </Button>
          <ConfirmByName
            open={asking === 'name'}
            title={t('web.delete-title', { name })}
            name={name}
            onConfirm={() => setAsking(undefined)}
            onCancel={() => setAsking(undefined)}
          />
        </Piece>
        <Piece name="Tooltip">
          <Tooltip text={t('text.error-detail')}>
            <Button size="small">{t('shell.help')}</Button>
          </Tooltip>
        </Piece>
        <Piece name="TextListInput">
          <TextListInput
            frame={frame('ports')}
            value={['22', '80', 'http']}
            limits={{ minSize: 1, maxSize: 5, pattern: '^[0-9]+$' }}
          />
        </Piece>
        <Piece name="DateInput">
          <FieldFrame {...frame('day')}>
            <DateInput control={controlProps(frame('day'))} value="2026-09-01" required />
          </FieldFrame>
        </Piece>
        <Piece name="DateTimeInput">
          <FieldFrame {...frame('moment')}>
            <DateTimeInput control={controlProps(frame('moment'))} value="2026-09-01T00:00:00Z" required />
          </FieldFrame>
        </Piece>
        <Piece name="TimeZoneSelect">
          <FieldFrame {...frame('timeZone')}>
            <TimeZoneSelect control={controlProps(frame('timeZone'))} value="Asia/Tokyo" required />
          </FieldFrame>
          <FieldFrame {...frame('timeOffset')} className="mt-2">
            <TimeZoneSelect control={controlProps(frame('timeOffset'))} value="UTC+9" required utcOnly />
          </FieldFrame>
        </Piece>
        <Piece name="WeekdayGroup">
          <WeekdayGroup frame={frame('weekDay')} value={['monday', 'friday']} />
        </Piece>
        <Piece name="ScheduleEditor">
          <ScheduleEditor
            value={{
              recurrence: {
                frequency: 'week',
                hour: 9,
                minute: 30,
                timeZone: 'Asia/Tokyo',
                weekDay: 'monday',
              },
            }}
          />
        </Piece>
        <Piece name="KeyValuesInput">
          <KeyValuesInput frame={frame('headers')} value={{ accept: 'text/plain' }} />
        </Piece>
        <Piece name="ContributionGrid">
          <ContributionGrid days={days} caption="ContributionGrid" />
        </Piece>
        <Piece name="SeverityCurve">
          <SeverityCurve points={curve} thresholds={{ warning: 2, incident: 5 }} caption="SeverityCurve" />
        </Piece>
        <Piece name="JsonView">
          <JsonView value={{ level: 3, tags: ['a', 'b'], nested: { on: true, none: null } }} />
        </Piece>
        <Piece name="DiffView">
          <DiffView before={'a: 1\nb: 2\nc: 3'} after={'a: 1\nb: 5\nc: 3\nd: 4'} caption="DiffView" />
        </Piece>
        <GalleryResource />
        {placeholders.map((kind) => (
          <Piece key={kind} name={`Placeholder ${kind}`}>
            <Placeholder kind={kind} />
          </Piece>
        ))}
      </div>
    </div>
  );
}
