// Page with the form that creates or edits an item.
import { resourceNoun, resourceNounWithArticle } from '@yagura/core/resource/resource-noun';
import { type ReactNode, useId, useRef } from 'react';
import { LinkButton } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { lastListView } from '../../ui/page/list-view.ts';
import type { ReferenceOptions } from '../../ui/references.ts';
import { CliCommand } from '../../ui/text/cli-command.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { ScreenMeta } from '../screen-meta.ts';
import { toActionProblem, useProblemToast } from '../write/use-problem-toast.ts';
import { WriteAlert } from '../write/write-alert.tsx';

/** Something that the form requires and of which there is nothing yet. */
export interface MissingReference {
  noun: ScreenMeta['noun'];
  /** Form that creates the first one. */
  href: string;
}

export interface FormScreenProps {
  meta: ScreenMeta;
  references: ReferenceOptions;
  missing?: readonly MissingReference[];
  hidden: Record<string, string>;
  mode: 'create' | 'edit';
  cancelHref: string;
  /** Equivalent CLI command without the flags of the fields. */
  command?: string;
  /** Fields whose flags are added to the command, if the form renders some of them with its own editors. */
  commandFields?: ScreenMeta['form'];
  values?: Record<string, unknown>;
  /** Action data of a rejected submission. */
  actionData?: unknown;
  /** Help text of a field, by field name. */
  hints?: Record<string, string>;
  /** Replaces the generic inputs of some fields; gets the values to show. */
  fields?: (values: Record<string, unknown>) => Record<string, ReactNode>;
  /** Rendered below the fields. */
  children?: ReactNode;
}

export function FormScreen(props: FormScreenProps) {
  const { t, language } = useTranslation();
  const { meta, mode } = props;
  const actionProblem = toActionProblem(props.actionData);
  // Field errors are shown next to their fields; all other errors appear in a toast.
  const other = actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined;
  useProblemToast(other);
  const cancelHref = lastListView(props.cancelHref);
  const body = useRef<HTMLElement>(null);
  const formId = useId();
  const values = actionProblem ? { ...props.values, ...actionProblem.values } : props.values;
  const noun = resourceNoun(meta.noun, language);
  const title = mode === 'create' ? t('web.create-title', { noun }) : t('web.edit-title', { noun });
  return (
    <div className="max-w-3xl">
      <header className="mb-4 flex items-center gap-2">
        <LinkButton
          to={cancelHref}
          variant="quiet"
          size="small"
          icon="back"
          aria-label={t('verb.back')}
          title={t('verb.back')}
        />
        <h1 className="min-w-0 flex-1 text-xl font-semibold">{title}</h1>
        {props.command && (
          <CliCommand
            command={props.command}
            loadFlags={() => flagsFromForm(body.current, props.commandFields ?? meta.form, mode)}
          />
        )}
      </header>
      {props.missing?.map(({ noun, href }) => (
        <p
          key={href}
          className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg"
        >
          {t('web.create-first', { noun: resourceNounWithArticle(noun, language) })}
          <LinkButton to={href} size="small">
            {t('web.create-title', { noun: resourceNoun(noun, language) })}
          </LinkButton>
        </p>
      ))}
      {other && <WriteAlert actionProblem={other} formId={formId} />}
      <section ref={body} className="rounded-lg border border-line bg-surface p-4 shadow-raised sm:p-5">
        <Form
          id={formId}
          meta={meta.form}
          values={values}
          errors={actionProblem?.errors}
          references={props.references}
          hints={props.hints}
          fields={props.fields?.(values ?? {})}
          hidden={props.hidden}
          cancelHref={cancelHref}
          submitLabel={mode === 'create' ? t('verb.create') : t('verb.save')}
        >
          {props.children}
        </Form>
      </section>
    </div>
  );
}

/** Returns the form's current values as CLI flags; the code that reads them is loaded on demand. */
async function flagsFromForm(
  body: HTMLElement | null,
  fields: ScreenMeta['form'],
  mode: FormScreenProps['mode'],
): Promise<string> {
  const form = body?.querySelector('form');
  if (!form) return '';
  const [{ readForm }, { inputFlags, quoteShellWords }] = await Promise.all([
    import('../../ui/field/form-data.ts'),
    import('@yagura/core/resource/command-line'),
  ]);
  // Secrets are left out. An edit also includes the fields that it clears.
  const inputValue = readForm(new FormData(form), fields);
  return quoteShellWords(inputFlags(inputValue, fields, { whole: mode === 'edit' }));
}
