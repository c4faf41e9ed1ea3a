// Writes credential files for on-site agents. What is typed stays in this page: nothing of it is sent.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { can } from '@yagura/core/access/claims';
import { Problem } from '@yagura/core/http/problem';
import {
  authFields,
  authProtocols,
  type CredentialFile,
  credentialFaults,
  credentialPorts,
  credentialProtocols,
  privProtocols,
  snmpVersions,
  sshMethods,
  writeCredentialFile,
} from '@yagura/core/ksocket/credential-file';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-id.tsx';
import { controlClass } from '../../ui/field-frame.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const { grant } = await getCurrentUser(api);
    if (!can(grant, 'ksocket:slots:list')) throw new Problem('forbidden');
    return { crumbs: [{ to: '/preference', word: 'shell.preference' }, { word: 'credential.title' }] };
  });
}

const blank: CredentialFile = {
  protocol: 'ssh',
  name: '10-default',
  includes: [],
  port: '',
  method: 'password',
  version: 'v2c',
  username: '',
  password: '',
  keyFile: '',
  passphrase: '',
  community: '',
  authProtocol: 'usmHMACSHAAuthProtocol',
  authKey: '',
  privProtocol: 'usmAesCfb128Protocol',
  privKey: '',
};
const secrets = new Set<string>(['password', 'passphrase', 'community', 'authKey', 'privKey']);
const choices: Partial<Record<keyof CredentialFile, readonly string[]>> = {
  authProtocol: authProtocols,
  privProtocol: ['', ...privProtocols],
};

export default function CredentialTool() {
  const { t } = useTranslation();
  const [file, setFile] = useState(blank);
  const [places, setPlaces] = useState('');
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const faults = credentialFaults(file);
  const ready = Object.keys(faults).length === 0;
  const change = (part: Partial<CredentialFile>) => {
    setFile({ ...file, ...part });
    setTouched(new Set([...touched, ...Object.keys(part)]));
  };
  const faultOf = (name: string) => (touched.has(name) && faults[name] ? t(faults[name]) : undefined);
  const text = (name: keyof CredentialFile, placeholder?: string) => (
    <Field key={name} label={t(`credential.${name}`)} fault={faultOf(name)}>
      {(control) =>
        choices[name] ? (
          <select
            {...control}
            value={String(file[name])}
            onChange={(event) => change({ [name]: event.target.value })}
          >
            {choices[name].map((choice) => (
              <option key={choice} value={choice}>
                {choice || t('credential.none')}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...control}
            type={secrets.has(name) ? 'password' : 'text'}
            value={String(file[name])}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ [name]: event.target.value })}
          />
        )
      }
    </Field>
  );
  const pick = <K extends 'protocol' | 'method' | 'version'>(
    name: K,
    options: readonly CredentialFile[K][],
  ) => (
    <Field label={t(`credential.${name}`)}>
      {(control) => (
        <select
          {...control}
          value={file[name]}
          onChange={(event) => change({ [name]: event.target.value } as Partial<CredentialFile>)}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {t(`credential.value.${option}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <div className="grid gap-4">
      <header>
        <h1 className="text-xl font-semibold">{t('credential.title')}</h1>
        <p className="mt-1 max-w-prose text-sm text-muted">{t('credential.intro')}</p>
      </header>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title={t('credential.account')} padded>
          <div className="grid gap-4">
            {pick('protocol', credentialProtocols)}
            {text('name')}
            <Field
              label={t('credential.includes')}
              hint={t('credential.includes-hint')}
              fault={faultOf('includes')}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  value={places}
                  placeholder={'10.0.0.0/8\n192.168.1.10'}
                  spellCheck={false}
                  className={classes(controlClass, 'py-1.5 font-mono')}
                  onChange={(event) => {
                    setPlaces(event.target.value);
                    change({ includes: event.target.value.split(/[\s,]+/).filter(Boolean) });
                  }}
                />
              )}
            </Field>
            {text('port', String(credentialPorts[file.protocol]))}
            {file.protocol === 'ssh' && pick('method', sshMethods)}
            {file.protocol === 'snmp' && pick('version', snmpVersions)}
            {authFields(file).map(({ name }) => text(name))}
          </div>
        </Panel>
        <Panel title={t('credential.file')} padded>
          {ready ? (
            <Written {...writeCredentialFile(file)} />
          ) : (
            <p className="text-sm text-muted">{t('credential.incomplete')}</p>
          )}
        </Panel>
      </div>
    </div>
  );
}

/** The file, to look at, copy or save; it holds what was typed, so it is made here and nowhere else. */
function Written({ path, text }: { path: string; text: string }) {
  const { t } = useTranslation();
  const [href, setHref] = useState<string>();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/toml' }));
    setHref(url);
    return () => URL.revokeObjectURL(url);
  }, [text]);
  const masked = text.replace(/^(password|passphrase|community|authKey|privKey) = .*$/gm, '$1 = "••••••••"');
  return (
    <div className="grid gap-3 text-sm">
      <p>
        {t('credential.where')} <code className="font-mono break-all">{path}</code>
      </p>
      <pre className="overflow-x-auto rounded-md bg-surface-sunken p-3 font-mono text-xs whitespace-pre-wrap break-all">
        {shown ? text : masked}
      </pre>
      <div className="flex flex-wrap items-center gap-3">
        <a href={href} download={path.split('/').at(-1)} className="font-medium">
          {t('credential.save')}
        </a>
        <CopyButton text={text} label={t('verb.copy')} />
        <label className="flex items-center gap-1.5">
          <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
          {t('credential.reveal')}
        </label>
      </div>
    </div>
  );
}

interface Control {
  id: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

function Field(props: {
  label: string;
  hint?: string;
  fault?: string;
  children: (control: Control) => ReactNode;
}) {
  const id = useId();
  const { hint, fault } = props;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      {props.children({
        id,
        className: classes(controlClass, 'h-8'),
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': hint || fault ? `${id}-about` : undefined,
      })}
      {(fault || hint) && (
        <p id={`${id}-about`} className={classes('text-xs', fault ? 'text-danger-fg' : 'text-muted')}>
          {fault ?? hint}
        </p>
      )}
    </div>
  );
}
