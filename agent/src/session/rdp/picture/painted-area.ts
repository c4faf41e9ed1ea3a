// Which part of the screen an update paints, whatever was there before (MS-RDPBCGR 2.2.9.1.1.3.1.2 and 2.2.9.2,
// MS-RDPRFX 2.2.2). The pictures themselves are not decoded.
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import { ByteReader, malformed } from '../byte-reader.ts';

/** Right and bottom are the first column and row outside. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Rectangles that are worked out for one update, whatever a host sends. */
const maxPainted = 65_536;

/** Empty for an update that is no picture; throws for one with wrong lengths or too many rectangles. */
export function paintedBy(code: number, data: Buffer): Rectangle[] {
  if (code === updateCodes.bitmap) return paintedByBitmaps(new ByteReader(data));
  return code === updateCodes.surface ? paintedBySurface(new ByteReader(data)) : [];
}

const bitmapUpdate = 1;

function paintedByBitmaps(reader: ByteReader): Rectangle[] {
  if (reader.u16le('bitmap.type') !== bitmapUpdate) return [];
  const painted: Rectangle[] = [];
  for (let count = reader.u16le('bitmap.count'); count > 0; count -= 1) {
    const { left, top, right, bottom } = readCorners(reader, 'bitmap.place');
    reader.take(8, 'bitmap.format');
    reader.take(reader.u16le('bitmap.length'), 'bitmap.data');
    painted.push({ left, top, right: right + 1, bottom: bottom + 1 });
  }
  return painted;
}

const surfaceCommands = { setBits: 1, frameMarker: 4, streamBits: 6 } as const;
const extendedHeader = 1;
const extendedHeaderLength = 24;
/** The number that clients give the codec; without one the data are the pixels. */
const codecs = { none: 0, remoteFx: 3 } as const;

function paintedBySurface(reader: ByteReader): Rectangle[] {
  const painted: Rectangle[] = [];
  while (reader.left > 0) {
    const command = reader.u16le('surface.command');
    if (command === surfaceCommands.frameMarker) {
      reader.take(6, 'surface.marker');
      continue;
    }
    // What follows an unknown command cannot be told.
    if (command !== surfaceCommands.setBits && command !== surfaceCommands.streamBits) break;
    const place = readCorners(reader, 'surface.place');
    reader.take(1, 'surface.depth');
    const flags = reader.u8('surface.flags');
    reader.take(1, 'surface.reserved');
    const codec = reader.u8('surface.codec');
    reader.take(4, 'surface.size');
    const length = reader.u32le('surface.length');
    if ((flags & extendedHeader) !== 0) reader.take(extendedHeaderLength, 'surface.header');
    const data = reader.take(length, 'surface.data');
    if (codec === codecs.none) painted.push(place);
    if (codec === codecs.remoteFx) painted.push(...paintedByRemoteFx(new ByteReader(data), place));
    if (painted.length > maxPainted) throw malformed('surface.commands');
  }
  return painted;
}

const remoteFxBlocks = { region: 0xccc6, tiles: 0xccc7 } as const;
const tileLength = 64;

/** Tiles are painted within the rectangles that the message names before them. */
function paintedByRemoteFx(reader: ByteReader, place: Rectangle): Rectangle[] {
  const painted: Rectangle[] = [];
  let clips: Rectangle[] = [];
  while (reader.left > 0) {
    const type = reader.u16le('remoteFx.type');
    const length = reader.u32le('remoteFx.length');
    if (length < 6) throw malformed('remoteFx.length');
    const block = new ByteReader(reader.take(length - 6, 'remoteFx.length'));
    if (type === remoteFxBlocks.region) clips = readClips(block, place);
    if (type !== remoteFxBlocks.tiles) continue;
    const tiles = readTiles(block, place);
    if (painted.length + clips.length * tiles.length > maxPainted) throw malformed('remoteFx.tiles');
    for (const tile of tiles)
      for (const clip of clips) {
        const common = intersect(tile, clip);
        if (common) painted.push(common);
      }
  }
  return painted;
}

function readClips(block: ByteReader, place: Rectangle): Rectangle[] {
  block.take(3, 'remoteFx.region');
  const count = block.u16le('remoteFx.rectangles');
  // Without rectangles, all of the surface is meant.
  if (count === 0) return [place];
  return Array.from({ length: count }, () => {
    const left = place.left + block.u16le('remoteFx.rectangle');
    const top = place.top + block.u16le('remoteFx.rectangle');
    const width = block.u16le('remoteFx.rectangle');
    return { left, top, right: left + width, bottom: top + block.u16le('remoteFx.rectangle') };
  });
}

function readTiles(block: ByteReader, place: Rectangle): Rectangle[] {
  block.take(8, 'remoteFx.tiles');
  const quantities = block.u8('remoteFx.quantities');
  block.take(1, 'remoteFx.tileSize');
  const count = block.u16le('remoteFx.tiles');
  block.take(4 + 5 * quantities, 'remoteFx.quantities');
  return Array.from({ length: count }, () => {
    block.take(2, 'remoteFx.tile');
    const length = block.u32le('remoteFx.tileLength');
    if (length < 13) throw malformed('remoteFx.tileLength');
    const tile = new ByteReader(block.take(length - 6, 'remoteFx.tileLength'));
    tile.take(3, 'remoteFx.tile');
    const left = place.left + tile.u16le('remoteFx.tile') * tileLength;
    const top = place.top + tile.u16le('remoteFx.tile') * tileLength;
    return { left, top, right: left + tileLength, bottom: top + tileLength };
  });
}

function readCorners(reader: ByteReader, field: string): Rectangle {
  const left = reader.u16le(field);
  const top = reader.u16le(field);
  const right = reader.u16le(field);
  return { left, top, right, bottom: reader.u16le(field) };
}

export function intersect(one: Rectangle, other: Rectangle): Rectangle | null {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right);
  const bottom = Math.min(one.bottom, other.bottom);
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}
