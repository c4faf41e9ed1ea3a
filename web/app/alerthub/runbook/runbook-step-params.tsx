// Settings of the runbook steps that run an action or make an event.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { FormLine, NumberInput, ReferenceSelect } from './runbook-step-controls.tsx';

export type StepParams = RunbookStep['params'];

/** Names of the resources to choose from, by id. */
type StepOptions = Record<string, { name: string }>;

export function ActionParams({
  params,
  actions,
  set,
}: {
  params: StepParams;
  actions: StepOptions;
  set: (change: Partial<StepParams>) => void;
}) {
  const { fieldLabel } = useTranslation();
  return (
    <>
      <FormLine name="actionId">
        {(id) => (
          <ReferenceSelect
            id={id}
            value={params.actionId}
            options={actions}
            onChange={(actionId) => set({ actionId })}
          />
        )}
      </FormLine>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={params.wait ?? false}
          onChange={(event) => set({ wait: event.target.checked })}
        />
        {fieldLabel('wait')}
      </label>
      {params.wait && (
        <FormLine name="timeoutSeconds">
          {(id) => (
            <NumberInput
              id={id}
              min={1}
              max={86_400}
              value={params.timeoutSeconds ?? null}
              onChange={(value) => set({ timeoutSeconds: value ?? undefined })}
            />
          )}
        </FormLine>
      )}
      <FormLine name="maxAttempts">
        {(id) => (
          <NumberInput
            id={id}
            min={1}
            max={20}
            value={params.maxAttempts ?? null}
            onChange={(value) => set({ maxAttempts: value ?? undefined })}
          />
        )}
      </FormLine>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={params.continueOnFailure ?? false}
          onChange={(event) => set({ continueOnFailure: event.target.checked || undefined })}
        />
        {fieldLabel('continueOnFailure')}
      </label>
    </>
  );
}

export function EventParams({
  params,
  scopes,
  set,
}: {
  params: StepParams;
  scopes: StepOptions;
  set: (change: Partial<StepParams>) => void;
}) {
  const { t } = useTranslation();
  const byAttribute = params.attributes !== undefined;
  const condition = params.attributes?.[0] ?? { name: '', op: 'eq' as const, value: '' };
  const name = params.severityName;
  const read = name !== undefined && 'path' in name;
  return (
    <>
      <FormLine name="scopeId">
        {(id) => (
          <ReferenceSelect
            id={id}
            value={byAttribute ? 'attribute' : params.scopeId}
            options={{ ...scopes, attribute: { name: t('runbook.by-attribute') } }}
            onChange={(scopeId) =>
              scopeId === 'attribute'
                ? set({ scopeId: undefined, attributes: [condition] })
                : set({ scopeId, attributes: undefined })
            }
          />
        )}
      </FormLine>
      {byAttribute &&
        (params.attributes ?? []).map((one, index) => (
          <div key={index} className="grid grid-cols-2 gap-2">
            <FormLine name="name">
              {(id) => (
                <input
                  id={id}
                  className={classNames(controlClass, 'h-8')}
                  value={one.name}
                  onChange={(event) =>
                    set({
                      attributes: withItemAt(params.attributes!, index, { ...one, name: event.target.value }),
                    })
                  }
                />
              )}
            </FormLine>
            <FormLine name="value">
              {(id) => (
                <input
                  id={id}
                  className={classNames(controlClass, 'h-8')}
                  value={typeof one.value === 'string' ? one.value : one.value.path}
                  onChange={(event) => {
                    const value =
                      typeof one.value === 'string' ? event.target.value : { path: event.target.value };
                    set({ attributes: withItemAt(params.attributes!, index, { ...one, value }) });
                  }}
                />
              )}
            </FormLine>
          </div>
        ))}
      <FormLine name="severityName">
        {(id) => (
          <input
            id={id}
            className={classNames(controlClass, 'h-8')}
            value={name === undefined ? 'default' : 'path' in name ? name.path : name.literal}
            onChange={(event) =>
              set({ severityName: read ? { path: event.target.value } : { literal: event.target.value } })
            }
          />
        )}
      </FormLine>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={read}
          onChange={(event) => {
            const text = name === undefined ? '' : 'path' in name ? name.path : name.literal;
            set({ severityName: event.target.checked ? { path: text } : { literal: text || 'default' } });
          }}
        />
        {t('runbook.name-from-path')}
      </label>
      <FormLine name="delta">
        {(id) => (
          <NumberInput
            id={id}
            min={-1000}
            max={1000}
            value={params.delta ?? null}
            onChange={(value) => set({ delta: value ?? 0 })}
          />
        )}
      </FormLine>
    </>
  );
}

function withItemAt<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((one, position) => (position === index ? value : one));
}
