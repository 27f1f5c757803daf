import { createHash } from 'node:crypto';
import { encode as encodePng } from 'fast-png';
import { encode as encodeQr } from 'uqr';
import type { MailPicture } from './mailer.js';

/** Modules of white on each side, as the standard asks. */
const QUIET = 4;
/** Pixels of a module. At one bit a pixel, a module of a line is one byte. */
const SCALE = 8;
const [BLACK, WHITE] = [0x00, 0xff];

/** Half a kilobyte. */
export function qrPicture(text: string): MailPicture {
  const { data: modules, size } = encodeQr(text, { ecc: 'M', border: QUIET });
  const lines = modules.flatMap((row) =>
    Array<number[]>(SCALE).fill(row.map((isDark) => (isDark ? BLACK : WHITE))),
  );
  const width = size * SCALE;
  const data = Uint8Array.from(lines.flat());
  const content = Buffer.from(encodePng({ width, height: width, data, channels: 1, depth: 1 }));
  return { cid: `${createHash('sha256').update(content).digest('hex').slice(0, 32)}@code`, content };
}
