import { Zip, ZipDeflate } from 'fflate';

export interface ZippedFile {
  name: string;
  content: AsyncIterable<string | Uint8Array>;
  /** Set for images, which don't get smaller. */
  isCompressed?: true;
}

/** Yields the bytes of a ZIP file while it reads the content. */
export async function* zipFiles(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    written.push(bytes);
  });
  for await (const { name, content, isCompressed } of files) {
    const file = new ZipDeflate(name, isCompressed ? { level: 0 } : {});
    zip.add(file);
    for await (const piece of content) {
      file.push(Buffer.from(piece));
      yield* written.splice(0);
    }
    file.push(new Uint8Array(0), true);
    yield* written.splice(0);
  }
  zip.end();
  yield* written.splice(0);
}

/** Yields the same bytes in parts of `size` bytes. The last part may be shorter. */
export async function* splitBytes(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const some of bytes) {
    rest = Buffer.concat([rest, some]);
    for (; rest.length >= size; rest = rest.subarray(size)) yield rest.subarray(0, size);
  }
  if (rest.length > 0) yield rest;
}
