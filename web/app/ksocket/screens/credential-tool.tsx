// Generates credential files for on-site agents in the browser; nothing typed is sent to the server.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { can } from '@yagura/core/access/permissions';
import { Problem } from '@yagura/core/http/problem';
import {
  authFields,
  authProtocols,
  type CredentialFile,
  credentialPorts,
  credentialProtocols,
  privProtocols,
  snmpVersions,
  sshMethods,
  validateCredentialFile,
  writeCredentialFile,
} from '@yagura/core/ksocket/credential-file';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const { permissions } = await getCurrentUser(api);
    if (!can(permissions, 'ksocket:slots:list')) throw new Problem('forbidden');
    return {
      crumbs: [
        { to: '/preference', labelKey: 'shell.preference' },
        { labelKey: 'credential.title' },
      ] satisfies Crumb[],
    };
  });
}

/** Fields with a short list of values. */
type ChoiceField = 'protocol' | 'method' | 'version';

const emptyCredentialFile: CredentialFile = {
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
  authProtocol: ['', ...authProtocols],
  privProtocol: ['', ...privProtocols],
};

export default function CredentialTool() {
  const { t } = useTranslation();
  const [file, setFile] = useState(emptyCredentialFile);
  const [includesText, setIncludesText] = useState('');
  const [touchedFields, setTouched] = useState<ReadonlySet<string>>(new Set());
  const errors = validateCredentialFile(file);
  const ready = Object.keys(errors).length === 0;
  const change = (part: Partial<CredentialFile>) => {
    setFile({ ...file, ...part });
    setTouched(new Set([...touchedFields, ...Object.keys(part)]));
  };
  const errorOf = (name: string) => (touchedFields.has(name) && errors[name] ? t(errors[name]) : undefined);
  const text = (name: keyof CredentialFile, placeholder?: string) => (
    <ToolField key={name} label={t(`credential.${name}`)} error={errorOf(name)}>
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
    </ToolField>
  );
  const pick = <K extends ChoiceField>(name: K, options: readonly CredentialFile[K][]) => (
    <ToolField label={t(`credential.${name as ChoiceField}`)}>
      {(control) => (
        <select
          {...control}
          value={file[name]}
          onChange={(event) => change({ [name]: event.target.value } as Partial<CredentialFile>)}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {t(`credential.value.${option as CredentialFile[ChoiceField]}`)}
            </option>
          ))}
        </select>
      )}
    </ToolField>
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
            <ToolField
              label={t('credential.includes')}
              hint={t('credential.includes-hint')}
              error={errorOf('includes')}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  value={includesText}
                  placeholder={'10.0.0.0/8\n192.168.1.10'}
                  spellCheck={false}
                  className={classNames(controlClass, 'py-1.5 font-mono')}
                  onChange={(event) => {
                    setIncludesText(event.target.value);
                    change({ includes: event.target.value.split(/[\s,]+/).filter(Boolean) });
                  }}
                />
              )}
            </ToolField>
            {text('port', String(credentialPorts[file.protocol]))}
            {file.protocol === 'ssh' && pick('method', sshMethods)}
            {file.protocol === 'snmp' && pick('version', snmpVersions)}
            {authFields(file).map(({ name }) => text(name))}
          </div>
        </Panel>
        <Panel title={t('credential.file')} padded>
          {ready ? (
            <GeneratedFile {...writeCredentialFile(file)} />
          ) : (
            <p className="text-sm text-muted">{t('credential.incomplete')}</p>
          )}
        </Panel>
      </div>
    </div>
  );
}

/** The file to view, copy or save; it contains secrets and is therefore generated in the browser only. */
function GeneratedFile({ path, text }: { path: string; text: string }) {
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
      <ScrollableText className="p-3 whitespace-pre-wrap break-all">{shown ? text : masked}</ScrollableText>
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

interface InputAttributes {
  id: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

function ToolField(props: {
  label: string;
  hint?: string;
  error?: string;
  children: (control: InputAttributes) => ReactNode;
}) {
  const id = useId();
  const { hint, error } = props;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      {props.children({
        id,
        className: classNames(controlClass, 'h-8'),
        'aria-invalid': error ? true : undefined,
        'aria-describedby': hint || error ? `${id}-about` : undefined,
      })}
      {(error || hint) && (
        <p id={`${id}-about`} className={classNames('text-xs', error ? 'text-danger-fg' : 'text-muted')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
