// Gives speech the same loudness whatever voice said it, without silence at its ends.
import { sampleRate } from '../media/media-session.ts';

const frameLength = sampleRate / 100;
/** Silence kept before and after speech, in frames of 10 ms. */
const marginFrames = 5;
/** Loudness of speech: 20 dB below full scale. */
const speechLevel = 3277;
const maxGain = 10;
const maxPeak = 30_000;
/** Frames quieter than this part of the loudest one are pauses (-40 dB); below the floor all is silence. */
const pauseRatio = 0.01;
const silenceFloor = 20;

/** Empty if all of it is silence. */
export function levelSpeech(samples: Int16Array): Int16Array {
  const levels = frameLevels(samples);
  const loudest = levels.reduce((max, level) => Math.max(max, level), 0);
  const floor = Math.max(loudest * pauseRatio, silenceFloor);
  const first = levels.findIndex((level) => level > floor);
  if (first === -1) return new Int16Array(0);
  const last = levels.findLastIndex((level) => level > floor);
  const kept = samples.subarray(
    Math.max(0, first - marginFrames) * frameLength,
    (last + 1 + marginFrames) * frameLength,
  );
  const spoken = levels.filter((level) => level > floor);
  const loudness = Math.sqrt(spoken.reduce((sum, level) => sum + level * level, 0) / spoken.length);
  let peak = 0;
  for (const sample of kept) peak = Math.max(peak, Math.abs(sample));
  const gain = Math.min(speechLevel / loudness, maxGain, maxPeak / peak);
  const leveled = new Int16Array(kept.length);
  for (let at = 0; at < kept.length; at++) leveled[at] = Math.round(kept[at]! * gain);
  return leveled;
}

/** Effective value of each frame of 10 ms. */
function frameLevels(samples: Int16Array): Float64Array {
  return Float64Array.from({ length: Math.ceil(samples.length / frameLength) }, (_, frame) => {
    const part = samples.subarray(frame * frameLength, (frame + 1) * frameLength);
    let sum = 0;
    for (const sample of part) sum += sample * sample;
    return Math.sqrt(sum / part.length);
  });
}
