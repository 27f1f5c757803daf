import type { Fingerprints } from './fingerprints.js';

/** First line of a backup; after it the tables as COPY writes them, each ended by TABLE_END; last the fingerprints. */
export interface BackupHeader {
  format: 'meetmark-backup-1';
  madeAt: string;
  migrations: Record<string, string[]>;
}

export interface BackupFooter {
  fingerprints: Fingerprints;
}

export interface TableHeader {
  table: string;
  columns: string[];
}

export const FORMAT = 'meetmark-backup-1';
/** COPY escapes backslashes, so no row looks like this. */
export const TABLE_END = '\\.';

const NEWLINE = 0x0a;

/** The lines of a stream as bytes. Not node:readline: it also ends lines at characters that texts may hold. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) throw new Error('The backup ends in the middle of a line');
}
