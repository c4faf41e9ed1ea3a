// Asks before entries that are not saved are lost, by navigation or with the document.
import { useBeforeUnload, useBlocker } from '@remix-run/react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { ConfirmDialog } from '../overlay/dialog.tsx';
import { Store } from '../store.ts';
import { useTranslation } from '../translation.tsx';

/** What a form would post, compared with what it posted last or contained before the first interaction. */
class FormChanges {
  private readonly form: HTMLFormElement;
  private saved: string | undefined;
  private savedBefore: string | undefined;

  private readonly saves: string | undefined;

  constructor(form: HTMLFormElement, saves: string | undefined) {
    this.form = form;
    this.saves = saves;
  }

  /** Called on interaction: inputs may still change by themselves until then, such as the time zone. */
  readonly begin = () => {
    this.saved ??= this.read();
  };

  isChanged(): boolean {
    return this.saved !== undefined && this.saved !== this.read();
  }

  markSaved(): void {
    this.savedBefore = this.saved;
    this.saved = this.read();
  }

  /** The server rejected what was marked as saved. */
  markRejected(): void {
    if (this.savedBefore !== undefined) this.saved = this.savedBefore;
  }

  private read(): string {
    const entries = [...new FormData(this.form)].filter(
      ([name]) => this.saves === undefined || name === this.saves,
    );
    return JSON.stringify(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value : [value.name, value.size]]),
    );
  }
}

/** The forms of the page. */
class OpenForms extends Store<readonly FormChanges[]> {
  add(form: FormChanges): void {
    this.setState([...this.state, form]);
  }

  remove(form: FormChanges): void {
    this.setState(this.state.filter((one) => one !== form));
  }

  isAnyChanged(): boolean {
    return this.state.some((form) => form.isChanged());
  }
}

const openForms = new OpenForms([]);

/** Lets the user leave the page without being asked, until another change. */
export function discardUnsavedChanges(): void {
  for (const form of openForms.getState()) form.markSaved();
}

/**
 * Guards the entries of a form that posts to its page. `rejection` is the server's last response, if that
 * saved nothing; `saves` names the only input that is saved, if the others just help to fill it. The prompt belongs
 * outside the form; `onSubmit` is called when the form is posted.
 */
export function useUnsavedChanges(
  form: RefObject<HTMLFormElement | null>,
  rejection: unknown,
  saves?: string,
): { prompt: ReactNode; onSubmit: () => void } {
  const [changes, setChanges] = useState<FormChanges>();
  useEffect(() => {
    const node = form.current!;
    const made = new FormChanges(node, saves);
    const interactions = ['focusin', 'pointerdown', 'keydown'];
    for (const type of interactions) node.addEventListener(type, made.begin, true);
    openForms.add(made);
    setChanges(made);
    return () => {
      for (const type of interactions) node.removeEventListener(type, made.begin, true);
      openForms.remove(made);
    };
  }, [form, saves]);
  useEffect(() => {
    if (rejection) changes?.markRejected();
  }, [rejection, changes]);
  const onSubmit = useCallback(() => changes?.markSaved(), [changes]);
  return { prompt: changes && <LeavePrompt changes={changes} />, onSubmit };
}

/** A router has one blocker at a time, so the first form of the page asks for all of them. */
function LeavePrompt({ changes }: { changes: FormChanges }) {
  const first = useSyncExternalStore(openForms.subscribe, () => openForms.getState()[0]);
  return changes === first && <PagePrompt />;
}

function PagePrompt() {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && openForms.isAnyChanged(),
  );
  useBeforeUnload(
    useCallback((event: BeforeUnloadEvent) => {
      if (openForms.isAnyChanged()) event.preventDefault();
    }, []),
  );
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('ui.leave-title')}
      text={t('ui.leave-text')}
      confirmLabel={t('ui.leave')}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
