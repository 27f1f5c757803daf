const at = (bytes: Buffer, offset: number, text: string) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

const BRANDS_END = 64;

/** Whether the content, whatever its label says, begins like one of the formats that we take (D19). SVG does not. */
export function isTakenFormat(bytes: Buffer): boolean {
  return isPng(bytes) || isJpeg(bytes) || isWebp(bytes) || isGif(bytes) || isAvif(bytes);
}

const isPng = (bytes: Buffer) => at(bytes, 0, '\x89PNG\r\n\x1a\n');
const isJpeg = (bytes: Buffer) => at(bytes, 0, '\xff\xd8\xff');
const isWebp = (bytes: Buffer) => at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP');
const isGif = (bytes: Buffer) => at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a');

/** An ISO media file that names an AVIF brand; HEIC, its cousin, does not. */
function isAvif(bytes: Buffer): boolean {
  if (!at(bytes, 4, 'ftyp')) return false;
  const end = Math.min(bytes.readUInt32BE(0), BRANDS_END, bytes.length);
  return /avif|avis/.test(bytes.toString('latin1', 8, end));
}
