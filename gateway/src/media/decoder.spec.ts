import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PICTURES, type DomainError } from '@meetmark/contracts';
import sharp from 'sharp';
import { PictureDecoder } from './decoder.js';

/** Elsewhere the system has no such limit, and nothing to look it up in. */
const HAS_LIMITS = process.platform === 'linux';
const GATEWAY = fileURLToPath(new URL('../..', import.meta.url));

describe('the decoder of pictures', () => {
  const decoder = new PictureDecoder();
  afterEach(() => decoder.onApplicationShutdown());

  const png = (width = 30, height = 20) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  const decode = async (bytes: Buffer) => decoder.decode(() => bytes, 'avatars');
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: DomainError) => error.code,
    );
  const about = (file: string) => readFileSync(`/proc/${decoder.pid}/${file}`, 'utf8');

  it('runs from the first picture on, for all that come', async () => {
    expect(decoder.pid).toBeUndefined();
    const { webp, width, height } = await decode(await png());
    expect([width, height, (await sharp(webp).metadata()).format]).toEqual([
      PICTURES.avatarSize,
      PICTURES.avatarSize,
      'webp',
    ]);
    const { pid } = decoder;
    await decode(await png(40));
    expect(decoder.pid).toBe(pid);
  });

  it('that was prepared takes the picture', async () => {
    decoder.prepare();
    const { pid } = decoder;
    expect(pid).toEqual(expect.any(Number));
    await decode(await png());
    expect(decoder.pid).toBe(pid);
  });

  it('says what is wrong with a picture, and goes on', async () => {
    expect(await codeOf(decode(Buffer.from('<svg/>')))).toBe('PICTURE_TYPE');
    expect(await codeOf(decode((await png()).subarray(0, 60)))).toBe('PICTURE_BROKEN');
    expect(await codeOf(decode(await png(4_001, 4_000)))).toBe('PICTURE_TOO_LARGE');
    expect(await codeOf(decode(await png()))).toBe('taken');
  });

  it('takes one picture at a time, lets twenty wait and refuses more', async () => {
    const picture = await png(2_000, 2_000);
    const codes = await Promise.all(Array.from({ length: 25 }, () => codeOf(decode(picture))));
    expect(codes.filter((code) => code === 'SERVICE_OVERLOADED')).toHaveLength(4);
    expect(codes.filter((code) => code === 'taken')).toHaveLength(21);
  });

  it('is started anew when a picture ended it', async () => {
    await decode(await png());
    const running = codeOf(decode(await png(4_000, 4_000)));
    await pause(0);
    process.kill(decoder.pid!, 'SIGKILL');
    expect(await running).toBe('PICTURE_TOO_LARGE');
    expect(await codeOf(decode(await png()))).toBe('taken');
  });

  it('ends soon after the last picture, and when none comes', async () => {
    await decode(await png());
    const unused = new PictureDecoder();
    unused.prepare();
    const pids = [decoder.pid, unused.pid];
    expect(pids).toEqual([expect.any(Number), expect.any(Number)]);
    while (decoder.pid !== undefined || unused.pid !== undefined) await pause(100);
    while (pids.some((pid) => isRunning(pid!))) await pause(10);
  });

  it('knows none of our variables, and may not have more memory', async () => {
    if (!HAS_LIMITS) return;
    await decode(await png());
    const variables = about('environ').split('\0').filter(Boolean);
    expect(variables.map((line) => line.split('=')[0]).sort()).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'PWD',
      'UV_THREADPOOL_SIZE',
    ]);
    expect(about('limits')).toMatch(new RegExp(`^Max data size +${176 * 1024 * 1024} `, 'm'));
    expect(about('oom_score_adj').trim()).toBe('1000');
  });

  it('has no memory that a program was written into while it runs', async () => {
    if (!HAS_LIMITS) return;
    await decode(await png());
    const executable = about('maps')
      .split('\n')
      .filter((line) => /^\S+ ..x/.test(line));
    expect(executable.length).toBeGreaterThan(0);
    // the code of files, and what the system itself puts there
    expect(executable.filter((line) => !/ (\/|\[v)/.test(line))).toEqual([]);
  });

  it('has a limit that holds for the memory of the library too', () => {
    if (!HAS_LIMITS) return;
    const script = (megapixels: number) => `
      import sharp from 'sharp';
      const picture = { width: 1_000, height: ${megapixels} * 1_000, channels: 3, background: 'red' };
      await sharp({ create: picture, limitInputPixels: false }).raw().toBuffer();`;
    const unpack = (megapixels: number) => {
      const node = [process.execPath, '--jitless', '--input-type=module', '-e', script(megapixels)];
      const args = ['-c', `ulimit -d ${176 * 1024}; exec "$0" "$@"`, ...node];
      return spawnSync('/bin/sh', args, { cwd: GATEWAY }).status;
    };
    expect(unpack(1)).toBe(0);
    expect(unpack(200)).not.toBe(0);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
