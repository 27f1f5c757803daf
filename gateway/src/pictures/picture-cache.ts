/** Bytes of pictures that one gateway keeps at hand. */
const CAPACITY = 64 * 1024 * 1024;

/** The pictures that were asked for last, by hash. They never change, so nothing ever has to be dropped but for room. */
export class PictureCache {
  private readonly pictures = new Map<string, Buffer>();
  private size = 0;

  get(hash: string): Buffer | undefined {
    const bytes = this.pictures.get(hash);
    if (bytes === undefined) return undefined;
    this.pictures.delete(hash); // to the end: the map's order is the order of use
    this.pictures.set(hash, bytes);
    return bytes;
  }

  set(hash: string, bytes: Buffer): void {
    if (this.pictures.has(hash)) return;
    this.pictures.set(hash, bytes);
    this.size += bytes.length;
    for (const [oldest, { length }] of this.pictures) {
      if (this.size <= CAPACITY) break;
      this.pictures.delete(oldest);
      this.size -= length;
    }
  }
}
