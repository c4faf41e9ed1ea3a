// A form on screen, for making or changing an item.
import { Link } from '@remix-run/react';
import type { ResourceFace } from '@yagura/core/resource/face';
import type { ReactNode } from 'react';
import { nounWithin } from '../shell/crumb.ts';
import { LinkButton } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import type { References } from '../ui/references.ts';
import { useWords } from '../ui/words.tsx';
import { asRefusal, useRefusalText, useRefusalToast } from './use-refusal-toast.ts';

export interface FormScreenProps {
  face: ResourceFace;
  references: References;
  hidden: Record<string, string>;
  doing: 'create' | 'edit';
  cancelHref: string;
  values?: Record<string, unknown>;
  /** What the action gave back, when it refused. */
  refusal?: unknown;
  /** Drawn instead of the generic inputs of some fields, filled with the values to show. */
  fields?: (values: Record<string, unknown>) => Record<string, ReactNode>;
  /** Stands below the fields. */
  children?: ReactNode;
}

export function FormScreen(props: FormScreenProps) {
  const { t, language } = useWords();
  const { face, doing } = props;
  const refusal = asRefusal(props.refusal);
  const tell = useRefusalText();
  // Refused fields are marked; everything else is told.
  const other = refusal && Object.keys(refusal.errors).length === 0 ? refusal : undefined;
  useRefusalToast(other);
  const values = refusal ? { ...props.values, ...refusal.values } : props.values;
  const noun = nounWithin(face.noun, language);
  const title = doing === 'create' ? t('web.create-title', { noun }) : t('web.edit-title', { noun });
  return (
    <div className="max-w-3xl">
      <header className="mb-4 flex items-center gap-2">
        <LinkButton
          to={props.cancelHref}
          look="quiet"
          size="small"
          icon="back"
          aria-label={t('verb.back')}
          title={t('verb.back')}
        />
        <h1 className="text-xl font-semibold">{title}</h1>
      </header>
      {other && (
        <p
          role="alert"
          className="mb-4 flex items-start gap-2 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg"
        >
          <Icon name="error" className="mt-0.5" />
          <span>
            {tell(other)}
            {other.problem.kind === 'changed' && (
              <>
                {' '}
                <Link to="" reloadDocument className="font-semibold underline">
                  {t('verb.reload')}
                </Link>
              </>
            )}
          </span>
        </p>
      )}
      <section className="rounded-lg border border-line bg-surface p-4 shadow-raised sm:p-5">
        <Form
          facts={face.form}
          values={values}
          errors={refusal?.errors}
          references={props.references}
          fields={props.fields?.(values ?? {})}
          hidden={props.hidden}
          cancelHref={props.cancelHref}
          submitLabel={doing === 'create' ? t('verb.create') : t('verb.save')}
        >
          {props.children}
        </Form>
      </section>
    </div>
  );
}
