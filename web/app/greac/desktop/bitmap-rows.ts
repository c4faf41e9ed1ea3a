// Pixels of a bitmap that a host sends (MS-RDPBCGR 2.2.9.1.1.3.1.2.2), in rows from the bottom: as they are, or in
// compressed planes of one color each (MS-RDPEGDI 2.2.2.5.1).

export interface Bitmap {
  /** In pixels; a host can fill rows up, so it can be more than what is shown. */
  width: number;
  height: number;
  bitsPerPixel: number;
  data: Uint8Array;
}

/** Bytes of a row, which is filled up to a multiple of four. */
export function rowLength(width: number, bitsPerPixel: number): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

const planes = { lossMask: 0x0f, runLengths: 0x10, noAlpha: 0x20 } as const;
const pixelBytes = 4;
/** A host names the size before any pixel has come. */
const maxPixels = 8192 * 8192;

/**
 * Pixels of blue, green, red and one unused byte. Null for colors that were reduced. Throws a RangeError for data that
 * are too short.
 */
export function decodePlanes({ width, height, data }: Bitmap): Uint8Array | null {
  const header = new DataView(data.buffer, data.byteOffset, data.length).getUint8(0);
  if ((header & planes.lossMask) !== 0) return null;
  if (width * height > maxPixels) throw new RangeError('a bitmap larger than any screen');
  const readPlane = (header & planes.runLengths) === 0 ? readPixels : readRuns;
  const pixels = new Uint8Array(width * height * pixelBytes);
  let at = 1;
  if ((header & planes.noAlpha) === 0) at = readPlane(data, at, width, height, () => undefined);
  for (const color of [2, 1, 0])
    at = readPlane(data, at, width, height, (pixel, value) => {
      pixels[pixel * pixelBytes + color] = value;
    });
  return pixels;
}

type Put = (pixel: number, value: number) => void;

/** Returns where the next plane begins, as `readRuns` does. */
function readPixels(data: Uint8Array, from: number, width: number, height: number, put: Put): number {
  for (let pixel = 0; pixel < width * height; pixel += 1) put(pixel, byteAt(data, from + pixel));
  return from + width * height;
}

/** Every row but the first has the differences to the row before it. */
function readRuns(data: Uint8Array, from: number, width: number, height: number, put: Put): number {
  let at = from;
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y += 1) {
    let value = 0;
    const add = (x: number) => {
      row[x] = y === 0 ? value : row[x]! + ((value & 1) === 0 ? value >> 1 : -((value + 1) >> 1));
      put(y * width + x, row[x]!);
    };
    for (let x = 0; x < width; ) {
      const control = byteAt(data, at++);
      let run = control & 0x0f;
      let raw = control >> 4;
      // Two of the lengths are the beginning of longer ones.
      if (run === 1 || run === 2) {
        run = run * 16 + raw;
        raw = 0;
      }
      if (run + raw === 0 || x + run + raw > width) throw new RangeError('a run that leaves its row');
      for (; raw > 0; raw -= 1) {
        value = byteAt(data, at++);
        add(x++);
      }
      for (; run > 0; run -= 1) add(x++);
    }
  }
  return at;
}

function byteAt(data: Uint8Array, at: number): number {
  const value = data[at];
  if (value === undefined) throw new RangeError('a bitmap that is too short');
  return value;
}
