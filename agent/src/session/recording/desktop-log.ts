// Frames of a desktop with their times, as lines of JSON like those of a terminal's recording. Each part can be played
// alone: its first line has the frames that a client needs to begin.

import { TypingMarks } from './typing-marks.ts';
import type { VideoLog } from './video-log.ts';

export class DesktopLog
  implements Pick<VideoLog, 'onEvent' | 'begin' | 'output' | 'resize' | 'typed' | 'end'>
{
  onEvent: VideoLog['onEvent'] = () => undefined;
  private readonly opening: () => Uint8Array[];
  private readonly marks = new TypingMarks();
  private lastAt = 0;

  constructor(opening: () => Uint8Array[]) {
    this.opening = opening;
  }

  begin(_size: unknown, at: number): string {
    this.lastAt = at;
    const opening = Buffer.concat(this.opening()).toString('base64');
    return `${JSON.stringify({ version: 1, format: 'rdp', timestamp: Math.floor(at / 1000), opening })}\n`;
  }

  output(frame: Uint8Array, at: number): string {
    return this.event('o', Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString('base64'), at);
  }

  /**
   * A player can begin here with these frames of a client's beginning, and knows the picture from where null follows:
   * all of the screen was painted in between.
   */
  keyFrame(opening: readonly Uint8Array[] | null, at: number): string {
    return this.event('k', opening ? `begun ${Buffer.concat(opening).toString('base64')}` : 'completed', at);
  }

  /** The size of a desktop is in its frames. */
  resize(): string {
    return '';
  }

  typed(label: string, at: number): string {
    return this.marks.isNew(label, at) ? this.event('m', label, at) : '';
  }

  clipboard(direction: 'copied' | 'pasted', length: number, label: string, at: number): string {
    return this.event('c', `${direction} ${length} ${label}`, at);
  }

  end(): string {
    return '';
  }

  /** Times are differences of whole milliseconds, so that they do not drift. */
  private event(code: 'o' | 'k' | 'm' | 'c', data: string, at: number): string {
    this.onEvent(at);
    const interval = Math.max(0, at - this.lastAt) / 1000;
    this.lastAt = Math.max(at, this.lastAt);
    return `${JSON.stringify([interval, code, data])}\n`;
  }
}
