// Legend of a diagram's icons, borders and lines.
import { dataKey } from '@yagura/core/i18n/message-key';
import { useTranslation } from '../../ui/translation.tsx';
import { DeviceIcon } from './device-icon.tsx';

const types = [
  'subnet',
  'router',
  'switch',
  'access-point',
  'firewall',
  'server',
  'computer',
  'printer',
  'unknown',
];
const states = [
  ['new', 'stroke-line-strong', undefined],
  ['stable', 'stroke-line-strong', undefined],
  ['outdated', 'stroke-warning-fg', '4 3'],
] as const;
const edgeKinds = [
  ['confirmed', 2.5, undefined],
  ['measured', 1.5, undefined],
  ['inferred', 1.5, '5 4'],
] as const;

export function Legend() {
  const { t } = useTranslation();
  return (
    <details className="rounded-lg border border-line bg-surface text-xs">
      <summary className="cursor-pointer px-3 py-2 font-medium">{t('diagram.legend')}</summary>
      <ul className="flex flex-wrap gap-x-5 gap-y-2 border-t border-line px-3 py-2 text-muted">
        {types.map((type) => (
          <li key={type} className="flex items-center gap-1.5">
            <DeviceIcon type={type} size={16} />
            {t(dataKey(`diagram.type.${type}`))}
          </li>
        ))}
        {states.map(([state, stroke, dash]) => (
          <li key={state} className="flex items-center gap-1.5">
            <svg width={26} height={14} aria-hidden="true">
              <rect
                x={1}
                y={1}
                width={24}
                height={12}
                rx={3}
                fill="none"
                strokeWidth={1.5}
                strokeDasharray={dash}
                className={stroke}
              />
              {state === 'new' && <path d="M17 1H22A3 3 0 0125 4V9Z" className="fill-info-fg" />}
            </svg>
            {t(`value.${state}`)}
          </li>
        ))}
        {edgeKinds.map(([evidence, width, dash]) => (
          <li key={evidence} className="flex items-center gap-1.5">
            <svg width={26} height={14} aria-hidden="true">
              <path d="M1 7H25" strokeWidth={width} strokeDasharray={dash} className="stroke-line-strong" />
            </svg>
            {t(`diagram.evidence.${evidence}`)}
          </li>
        ))}
        <li className="flex items-center gap-1.5">
          <svg width={10} height={10} aria-hidden="true">
            <circle cx={5} cy={5} r={3} className="fill-primary" />
          </svg>
          {t('diagram.moved')}
        </li>
      </ul>
    </details>
  );
}
