// A desktop as the far side of a session. It gives and takes whole frames; the account is put in here, on the way out.
import type { Target, TargetEvents } from '../target.ts';
import { malformed } from './byte-reader.ts';
import { type DesktopSettings, rewriteClientInfo, rewriteConnectInitial } from './client-settings.ts';
import { Clipboard, type ClipboardEvents, type ClipboardRules } from './clipboard.ts';
import type { RdpConnection } from './connect-rdp.ts';
import { FrameSplitter, isTpkt } from './frames.ts';
import { parseSendData } from './mcs.ts';
import { StaticChannels } from './static-channels.ts';

export function openDesktop(
  { socket, account, securityProtocol }: RdpConnection,
  settings: Omit<DesktopSettings, 'securityProtocol'>,
  events: TargetEvents,
  { rules, events: clipboardEvents }: { rules: ClipboardRules; events: ClipboardEvents },
): Target {
  const frames = new FrameSplitter();
  let stage: 'settings' | 'account' | 'running' = 'settings';
  let isOver = false;
  const over = (reason: 'ended' | 'disconnected') => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    events.ended(reason);
  };
  const clipboard =
    rules.mayCopy || rules.mayPaste
      ? new Clipboard(rules, clipboardEvents, (message) => channels.send(clipboard!, message))
      : null;
  const channels = new StaticChannels(clipboard ? [clipboard] : [], (frame) => void socket.write(frame));
  let failed = false;
  socket.on('data', (bytes: Buffer) => {
    try {
      for (const frame of frames.add(bytes)) {
        if (isOver) return;
        const shown = channels.filter(frame);
        if (shown) events.output(shown);
      }
    } catch {
      over('disconnected');
    }
  });
  // It was read piece by piece during the sign-in.
  socket.resume();
  socket.on('drain', () => events.drained());
  socket.on('error', () => {
    failed = true;
  });
  socket.on('close', () => over(failed || stage !== 'running' ? 'disconnected' : 'ended'));
  const prepare = (frame: Buffer): Buffer => {
    if (stage === 'settings') {
      const changed = channels.request(rewriteConnectInitial(frame, { ...settings, securityProtocol }));
      stage = 'account';
      return changed;
    }
    if (stage === 'running') return frame;
    if (!isTpkt(frame)) throw malformed('clientInfo');
    // The first data that a client sends.
    const sent = parseSendData(frame);
    if (!sent) return frame;
    const changed = rewriteClientInfo(frame, account);
    channels.join(sent.initiator);
    stage = 'running';
    return changed;
  };
  return {
    write: (frame) => isOver || socket.write(prepare(Buffer.from(frame))),
    offerText: (text) => (clipboard ? clipboard.offer(text) : 'not-allowed'),
    // The size is agreed at the beginning.
    resize: () => undefined,
    setPaused(isPaused) {
      if (isPaused) socket.pause();
      else socket.resume();
    },
    close() {
      isOver = true;
      socket.destroy();
    },
  };
}
