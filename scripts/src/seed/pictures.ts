import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** A picture as it is stored: named by the SHA-256 of its bytes. */
export interface Picture {
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
}

/** Paints drawings to WebP, several at a time in sharp's own threads. */
export async function paint(drawings: string[]): Promise<Picture[]> {
  return Promise.all(
    drawings.map(async (svg) => {
      const painted = sharp(Buffer.from(svg)).webp({ quality: 82, effort: 2 });
      const { data, info } = await painted.toBuffer({ resolveWithObject: true });
      return {
        hash: createHash('sha256').update(data).digest('hex'),
        bytes: data,
        width: info.width,
        height: info.height,
      };
    }),
  );
}
