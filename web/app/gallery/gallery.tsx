// Component gallery for developers, in the page's language and color scheme.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useState } from 'react';
import { SeverityHistoryChart } from '../alerthub/severity/severity-curve.tsx';
import type { Crumb } from '../shell/navigation/crumb.ts';
import { getClientSettings } from '../shell/preferences/developer-mode.server.ts';
import { withApi } from '../signin/api.server.ts';
import { getCurrentUser } from '../signin/current-user.server.ts';
import { Button } from '../ui/button.tsx';
import { ContributionGrid } from '../ui/chart/contribution-grid.tsx';
import { controlProps, FieldFrame } from '../ui/field/field-frame.tsx';
import { InlineEdit } from '../ui/form/inline-edit.tsx';
import { DateInput } from '../ui/input/date-input.tsx';
import { DateTimeInput } from '../ui/input/date-time-input.tsx';
import { KeyValuesInput } from '../ui/input/key-values-input.tsx';
import { ScheduleEditor } from '../ui/input/schedule-editor.tsx';
import { TextListInput } from '../ui/input/text-list-input.tsx';
import { TimeZoneInput } from '../ui/input/time-zone-input.tsx';
import { WeekdayGroup } from '../ui/input/weekday-group.tsx';
import { ConfirmByName } from '../ui/overlay/confirm-by-name.tsx';
import { ConfirmDialog } from '../ui/overlay/dialog.tsx';
import { useToast } from '../ui/overlay/toast.tsx';
import { Tooltip } from '../ui/overlay/tooltip.tsx';
import { Placeholder, type PlaceholderKind } from '../ui/page/placeholder.tsx';
import { CopyId } from '../ui/text/copy-id.tsx';
import { DiffView } from '../ui/text/diff-view.tsx';
import { JsonView } from '../ui/text/json-view.tsx';
import { StatusBadge } from '../ui/text/status-badge.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { GalleryResource } from './gallery-resource.tsx';
import { GallerySection } from './gallery-section.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    await getCurrentUser(api);
    const { developerMode } = await getClientSettings(api, args.request);
    if (developerMode === 'off') throw redirect('/404');
    const crumbs: Crumb[] = [
      { labelKey: 'shell.devtool' },
      { to: '/apps/devtool/gallery', labelKey: 'shell.gallery' },
    ];
    return { crumbs };
  });
}

/** Target of the sample form; changes nothing. */
export const action = () => null;

const frame = (name: string) => ({ name, label: name, required: true });
const placeholders: PlaceholderKind[] = ['default', 'empty', 'forbidden', 'error', 'loading'];
const statuses = ['normal', 'warning', 'incident'] as const;
const tones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;
/** Ten weeks of sample counts that cover every level. */
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
  const [isConfirming, setIsConfirming] = useState<'delete' | 'name'>();
  const [name, setName] = useState('Core switch');
  return (
    <div className="grid gap-4">
      <h1 className="text-xl font-semibold">{t('shell.gallery')}</h1>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] items-start gap-4">
        <GallerySection name="StatusBadge">
          <div className="flex flex-wrap gap-2">
            {[...statuses, 'unknown'].map((value) => (
              <StatusBadge key={value} value={value} tones={tones} options={statuses} />
            ))}
          </div>
        </GallerySection>
        <GallerySection name="CopyId">
          <CopyId id="0199d2c1-0000-7000-8000-000000000000" />
        </GallerySection>
        <GallerySection name="InlineEdit">
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
        </GallerySection>
        <GallerySection name="Toast">
          <div className="flex flex-wrap gap-2">
            {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
              <Button key={kind} size="small" onClick={() => toast[kind](t(`ui.toast-${kind}`))}>
                {t(`ui.toast-${kind}`)}
              </Button>
            ))}
          </div>
        </GallerySection>
        <GallerySection name="ConfirmDialog">
          <Button size="small" onClick={() => setIsConfirming('delete')}>
            {t('verb.delete')}
          </Button>
          <ConfirmDialog
            open={isConfirming === 'delete'}
            title={t('web.delete-title', { name })}
            onConfirm={() => setIsConfirming(undefined)}
            onCancel={() => setIsConfirming(undefined)}
          />
        </GallerySection>
        <GallerySection name="ConfirmByName">
          <Button size="small" variant="danger" onClick={() => setIsConfirming('name')}>
            {t('verb.delete')}
          </Button>
          <ConfirmByName
            open={isConfirming === 'name'}
            title={t('web.delete-title', { name })}
            name={name}
            onConfirm={() => setIsConfirming(undefined)}
            onCancel={() => setIsConfirming(undefined)}
          />
        </GallerySection>
        <GallerySection name="Tooltip">
          <Tooltip text={t('text.error-detail')}>
            <Button size="small">{t('shell.help')}</Button>
          </Tooltip>
        </GallerySection>
        <GallerySection name="TextListInput">
          <TextListInput
            frame={frame('ports')}
            value={['22', '80', 'http']}
            limits={{ minSize: 1, maxSize: 5, pattern: '^[0-9]+$' }}
          />
        </GallerySection>
        <GallerySection name="DateInput">
          <FieldFrame {...frame('day')}>
            <DateInput control={controlProps(frame('day'))} value="2026-09-01" required />
          </FieldFrame>
        </GallerySection>
        <GallerySection name="DateTimeInput">
          <FieldFrame {...frame('moment')}>
            <DateTimeInput control={controlProps(frame('moment'))} value="2026-09-01T00:00:00Z" required />
          </FieldFrame>
        </GallerySection>
        <GallerySection name="TimeZoneSelect">
          <FieldFrame {...frame('timeZone')}>
            <TimeZoneInput control={controlProps(frame('timeZone'))} value="Asia/Tokyo" required />
          </FieldFrame>
          <FieldFrame {...frame('timeOffset')} className="mt-2">
            <TimeZoneInput control={controlProps(frame('timeOffset'))} value="UTC+9" required utcOnly />
          </FieldFrame>
        </GallerySection>
        <GallerySection name="WeekdayGroup">
          <WeekdayGroup frame={frame('weekDay')} value={['monday', 'friday']} />
        </GallerySection>
        <GallerySection name="ScheduleEditor">
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
        </GallerySection>
        <GallerySection name="KeyValuesInput">
          <KeyValuesInput frame={frame('headers')} value={{ accept: 'text/plain' }} />
        </GallerySection>
        <GallerySection name="ContributionGrid">
          <ContributionGrid days={days} caption="ContributionGrid" />
        </GallerySection>
        <GallerySection name="SeverityCurve">
          <SeverityHistoryChart
            points={curve}
            thresholds={{ warning: 2, incident: 5 }}
            caption="SeverityCurve"
          />
        </GallerySection>
        <GallerySection name="JsonView">
          <JsonView value={{ level: 3, tags: ['a', 'b'], nested: { on: true, none: null } }} />
        </GallerySection>
        <GallerySection name="DiffView">
          <DiffView before={'a: 1\nb: 2\nc: 3'} after={'a: 1\nb: 5\nc: 3\nd: 4'} caption="DiffView" />
        </GallerySection>
        <GalleryResource />
        {placeholders.map((kind) => (
          <GallerySection key={kind} name={`Placeholder ${kind}`}>
            <Placeholder kind={kind} />
          </GallerySection>
        ))}
      </div>
    </div>
  );
}
