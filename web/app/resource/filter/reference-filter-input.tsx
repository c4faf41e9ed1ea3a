// Value input of a filter row for a reference: items are chosen by name, while the filter has their id.
import { useEffect, useId, useState } from 'react';
import { ReferenceInput } from '../../ui/input/reference-input.tsx';
import { type FoundReferences, referenceSearchPath } from '../../ui/references.ts';
import { useTranslation } from '../../ui/translation.tsx';

interface Props {
  label: string;
  /** Name of the resource. */
  resource: string;
  value: string;
  onChange: (id: string) => void;
}

/** Calls `onUnavailable` if the items cannot be listed, such as those of a parent or without the permission. */
export function ReferenceFilterInput(props: Props & { onUnavailable: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const { resource, onUnavailable } = props;
  const [initial] = useState(props.value);
  const [found, setFound] = useState<FoundReferences>();
  useEffect(() => {
    const controller = new AbortController();
    fetch(referenceSearchPath(resource, '', initial), { signal: controller.signal })
      .then(async (reply) => (reply.ok ? setFound((await reply.json()) as FoundReferences) : onUnavailable()))
      .catch(() => controller.signal.aborted || onUnavailable());
    return () => controller.abort();
    // A function of the parent that only changes its state.
  }, [resource, initial]);
  if (!found)
    return (
      <p role="status" className="flex h-8 items-center text-muted">
        {t('text.loading')}
      </p>
    );
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {props.label}
      </label>
      <ReferenceInput
        control={{
          id,
          name: '',
          'aria-invalid': undefined,
          'aria-describedby': undefined,
          'aria-required': true,
        }}
        options={Object.fromEntries(found.options.map(([itemId, name]) => [itemId, { name }]))}
        resource={resource}
        value={props.value}
        required
        hasMore={found.hasMore}
        label={props.label}
        onChange={props.onChange}
      />
    </div>
  );
}
