// Player of a recorded screen.
import { defaultTerminalSettings } from '@yagura/core/greac/session-parameters';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { withAdoptedStyles } from '../connect/adopt-styles.ts';
import { createTerminal } from '../connect/create-terminal.ts';
import { DesktopScreen } from './desktop-screen.ts';
import { initialPlayerState, LogPlayer } from './log-player.ts';
import { parseClipboard, type RecordedEvent, type Recording, searchRecording } from './recording.ts';

const speeds = [0.5, 1, 2, 4, 8, 16];
/** Frames of the player, in milliseconds. */
const frameMs = 50;

const clock = {
  now: () => performance.now(),
  soon(callback: () => void) {
    const timer = setTimeout(callback, frameMs);
    return () => clearTimeout(timer);
  },
};

export function VideoLog({ recording }: { recording: Recording }) {
  return recording.isDesktop ? (
    <DesktopVideo recording={recording} />
  ) : (
    <TerminalVideo recording={recording} />
  );
}

function DesktopVideo({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<LogPlayer | null>(null);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const screen = new DesktopScreen(box.current!, () => setFailed(true));
    const created = new LogPlayer(recording, screen, clock);
    setPlayer(created);
    return () => {
      created.dispose();
      screen.dispose();
    };
  }, [recording]);
  return (
    <div className="grid gap-3">
      {player && <Controls player={player} recording={recording} />}
      {isFailed && <p role="alert">{t('recording.failed')}</p>}
      <div
        ref={box}
        role="img"
        aria-label={t('recording.screen')}
        className="grid max-h-[75vh] place-items-center overflow-auto rounded-md bg-black p-1"
      />
    </div>
  );
}

function TerminalVideo({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<LogPlayer | null>(null);
  useEffect(() => {
    const terminal = createTerminal({ ...defaultTerminalSettings, scrollback: 0 });
    withAdoptedStyles(() => terminal.open(box.current!));
    terminal.textarea?.setAttribute('aria-label', t('recording.screen'));
    const created = new LogPlayer(recording, terminal, clock);
    setPlayer(created);
    return () => {
      created.dispose();
      terminal.dispose();
    };
  }, [recording, t]);
  return (
    <div className="grid gap-3">
      {player && <Controls player={player} recording={recording} />}
      <div className="max-h-[75vh] overflow-auto rounded-md bg-black p-1">
        <div ref={box} className="w-max min-w-full" />
      </div>
      {player && <RecordingSearch player={player} recording={recording} />}
    </div>
  );
}

function Controls({ player, recording }: { player: LogPlayer; recording: Recording }) {
  const { t } = useTranslation();
  const { position, isPlaying, speed } = useSyncExternalStore(
    player.subscribe,
    player.getState,
    () => initialPlayerState,
  );
  const markers = useMemo(
    () => recording.events.filter(({ kind }) => kind === 'marker' || kind === 'clipboard'),
    [recording],
  );
  const describe = ({ kind, time, data }: RecordedEvent) => {
    const at = formatPosition(time);
    const passed = kind === 'clipboard' ? parseClipboard(data) : null;
    if (!passed) return t('recording.typed', { name: data, time: at });
    const { direction, ...values } = passed;
    return t(`recording.${direction}`, { ...values, time: at });
  };
  const before = markers.findLast(({ time }) => time < position - 1);
  const after = markers.find(({ time }) => time > position);
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <Button variant="primary" onClick={() => (isPlaying ? player.pause() : player.play())}>
        {t(isPlaying ? 'recording.pause' : 'recording.play')}
      </Button>
      <input
        type="range"
        aria-label={t('recording.position')}
        aria-valuetext={formatPosition(position)}
        // In tenths of a second: with fractions, some ends are no step, and the End key would stop before them.
        min={0}
        max={Math.max(Math.ceil(recording.duration * 10), 10)}
        value={Math.round(position * 10)}
        onChange={(event) => player.seek(Number(event.target.value) / 10)}
        className="min-w-40 flex-1"
      />
      <span className="tabular-nums">
        {formatPosition(position)} / {formatPosition(recording.duration)}
      </span>
      <select
        aria-label={t('recording.speed')}
        value={speed}
        onChange={(event) => player.setSpeed(Number(event.target.value))}
        className={`${controlClass} h-8 w-auto!`}
      >
        {speeds.map((factor) => (
          <option key={factor} value={factor}>
            {factor}×
          </option>
        ))}
      </select>
      {markers.length > 0 && (
        <>
          <IconButton
            icon="back"
            label={t('recording.previous-marker')}
            disabled={!before}
            onClick={() => player.seek(before!.time)}
          />
          <IconButton
            icon="right"
            label={t('recording.next-marker')}
            disabled={!after}
            onClick={() => player.seek(after!.time)}
          />
        </>
      )}
      {markers.length > 0 && (
        <details className="basis-full">
          <summary>{t('recording.markers')}</summary>
          <ul className="grid max-h-40 gap-1 overflow-auto py-1 text-xs">
            {markers.map((marker, index) => (
              <li key={`${marker.time} ${index}`}>
                <button type="button" className="underline" onClick={() => player.seek(marker.time)}>
                  {describe(marker)}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function RecordingSearch({ player, recording }: { player: LogPlayer; recording: Recording }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const found = useMemo(
    () => (query.length < 2 ? null : searchRecording(recording, query)),
    [recording, query],
  );
  return (
    <search className="grid gap-1 text-sm">
      <input
        type="search"
        aria-label={t('recording.search')}
        placeholder={t('recording.search')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className={`${controlClass} h-8`}
      />
      <span role="status" className="text-xs text-muted">
        {found && t('recording.matches', { count: found.length })}
      </span>
      <ul className="grid max-h-60 gap-0.5 overflow-auto text-xs">
        {found?.map(({ time, text }, index) => (
          <li key={`${time} ${index}`}>
            <button
              type="button"
              className="flex w-full gap-2 rounded-md px-1 text-left hover:bg-hover"
              onClick={() => player.seek(time)}
            >
              <span className="tabular-nums text-muted">{formatPosition(time)}</span>
              <span className="min-w-0 flex-1 font-mono break-all">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </search>
  );
}

/** `1:02:03` or `2:03`. */
function formatPosition(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
