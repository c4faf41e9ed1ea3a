// A form on screen, for making or changing an item.
import { Link } from '@remix-run/react';
import { nounWithin } from '@yagura/core/format/noun';
import type { ResourceMeta } from '@yagura/core/resource/face';
import { type ReactNode, useRef } from 'react';
import { LinkButton } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import type { References } from '../ui/references.ts';
import { useTranslation } from '../ui/words.tsx';
import { asRefusal, useRefusalText, useRefusalToast } from './use-refusal-toast.ts';

export interface FormScreenProps {
  meta: ResourceMeta;
  references: References;
  hidden: Record<string, string>;
  mode: 'create' | 'edit';
  cancelHref: string;
  /** The terminal's command for the same, without the flags of the fields. */
  command?: string;
  /** The fields whose flags follow the command, where the form draws some by an editor of its own. */
  commandFacts?: ResourceMeta['form'];
  values?: Record<string, unknown>;
  /** What the action gave back, when it refused. */
  refusal?: unknown;
  /** What a field means, by its name. */
  hints?: Record<string, string>;
  /** Drawn instead of the generic inputs of some fields, filled with the values to show. */
  fields?: (values: Record<string, unknown>) => Record<string, ReactNode>;
  /** Stands below the fields. */
  children?: ReactNode;
}

export function FormScreen(props: FormScreenProps) {
  const { t, language } = useTranslation();
  const { meta, mode } = props;
  const refusal = asRefusal(props.refusal);
  const tell = useRefusalText();
  // Refused fields are marked; everything else is told.
  const other = refusal && Object.keys(refusal.errors).length === 0 ? refusal : undefined;
  useRefusalToast(other);
  const body = useRef<HTMLElement>(null);
  const values = refusal ? { ...props.values, ...refusal.values } : props.values;
  const noun = nounWithin(meta.noun, language);
  const title = mode === 'create' ? t('web.create-title', { noun }) : t('web.edit-title', { noun });
  return (
    <div className="max-w-3xl">
      <header className="mb-4 flex items-center gap-2">
        <LinkButton
          to={props.cancelHref}
          variant="quiet"
          size="small"
          icon="back"
          aria-label={t('verb.back')}
          title={t('verb.back')}
        />
        <h1 className="min-w-0 flex-1 text-xl font-semibold">{title}</h1>
        {props.command && (
          <CommandLine
            line={props.command}
            more={() => typedFlags(body.current, props.commandFacts ?? meta.form, mode)}
          />
        )}
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
      <section ref={body} className="rounded-lg border border-line bg-surface p-4 shadow-raised sm:p-5">
        <Form
          meta={meta.form}
          values={values}
          errors={refusal?.errors}
          references={props.references}
          hints={props.hints}
          fields={props.fields?.(values ?? {})}
          hidden={props.hidden}
          cancelHref={props.cancelHref}
          submitLabel={mode === 'create' ? t('verb.create') : t('verb.save')}
        >
          {props.children}
        </Form>
      </section>
    </div>
  );
}

/** What the form holds now as flags of the terminal; what reads it is loaded when it is wanted. */
async function typedFlags(
  body: HTMLElement | null,
  fields: ResourceMeta['form'],
  doing: FormScreenProps['mode'],
): Promise<string> {
  const form = body?.querySelector('form');
  if (!form) return '';
  const [{ readForm }, { inputFlags, quoteWords }] = await Promise.all([
    import('../ui/form-data.ts'),
    import('@yagura/core/resource/command-line'),
  ]);
  // Secrets stay where they are. An edit also says what it empties.
  const typed = readForm(new FormData(form), fields);
  return quoteWords(inputFlags(typed, fields, { whole: doing === 'edit' }));
}
