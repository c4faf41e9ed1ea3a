// Questions of a live session: host keys, a gateway's changed key, links and pasted lines.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { SessionController, SessionState } from './session-controller.ts';

/** Lines of pasted text that are shown. */
const shownLines = 12;

function Question(props: {
  open: boolean;
  title: string;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm(): void;
  onCancel(): void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={props.open}
      onClose={props.onCancel}
      title={props.title}
      footer={
        <>
          <Button data-first="" onClick={props.onCancel}>
            {props.cancelLabel ?? t('verb.cancel')}
          </Button>
          <Button variant="primary" onClick={props.onConfirm}>
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">{props.children}</div>
    </Dialog>
  );
}

function LabeledValue({ label, value }: { label: string; value: string }) {
  return (
    <dl>
      <dt className="text-muted">{label}</dt>
      <dd className="font-mono break-all">{value}</dd>
    </dl>
  );
}

export function HostKeyDialog({
  controller,
  state,
  isCertificate = false,
}: {
  controller: SessionController;
  state: SessionState;
  isCertificate?: boolean;
}) {
  const { t } = useTranslation();
  const { hostKey } = state;
  return (
    <Question
      open={hostKey !== null}
      title={t('terminal.host-key-title')}
      confirmLabel={t('terminal.accept')}
      cancelLabel={t('terminal.reject')}
      onConfirm={() => controller.decideHostKey(true)}
      onCancel={() => controller.decideHostKey(false)}
    >
      <p>{t(isCertificate ? 'terminal.certificate-text' : 'terminal.host-key-text')}</p>
      <LabeledValue
        label={t('terminal.fingerprint', { algorithm: hostKey?.algorithm })}
        value={hostKey?.fingerprint ?? ''}
      />
    </Question>
  );
}

export function GatewayKeyDialog({
  controller,
  state,
}: {
  controller: SessionController;
  state: SessionState;
}) {
  const { t } = useTranslation();
  const changed = state.changedGateway;
  return (
    <Question
      open={changed !== null}
      title={t('terminal.gateway-title')}
      confirmLabel={t('terminal.accept')}
      cancelLabel={t('terminal.reject')}
      onConfirm={() => controller.decideChangedGateway(true)}
      onCancel={() => controller.decideChangedGateway(false)}
    >
      <p>{t('terminal.gateway-text')}</p>
      <LabeledValue label={t('terminal.known-thumbprint')} value={changed?.known ?? ''} />
      <LabeledValue label={t('terminal.new-thumbprint')} value={changed?.thumbprint ?? ''} />
    </Question>
  );
}

export function LinkDialog({ address, onClose }: { address: string | null; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Question
      open={address !== null}
      title={t('terminal.link-title')}
      confirmLabel={t('terminal.open')}
      onConfirm={() => {
        window.open(address!, '_blank', 'noopener,noreferrer');
        onClose();
      }}
      onCancel={onClose}
    >
      <p>{t('terminal.link-text')}</p>
      <p className="font-mono break-all">{address}</p>
    </Question>
  );
}

export function PasteDialog(props: { lines: readonly string[] | null; onPaste(): void; onClose(): void }) {
  const { t } = useTranslation();
  const lines = props.lines ?? [];
  const hidden = lines.length - shownLines;
  return (
    <Question
      open={props.lines !== null}
      title={t('terminal.paste-title')}
      confirmLabel={t('terminal.paste')}
      onConfirm={props.onPaste}
      onCancel={props.onClose}
    >
      <p>{t('terminal.paste-text', { count: lines.length })}</p>
      <ScrollableText className="max-h-60 border border-line p-2">
        {lines.slice(0, shownLines).join('\n')}
      </ScrollableText>
      {hidden > 0 && <p className="text-muted">{t('terminal.paste-more', { count: hidden })}</p>}
    </Question>
  );
}
