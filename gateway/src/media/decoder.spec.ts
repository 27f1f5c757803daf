import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { PICTURES, type DomainError } from '@meetmark/contracts';
import { registry } from '@meetmark/platform/operations/metrics';
import { tally } from '@meetmark/testing';
import { canReach } from '@meetmark/testing/embedded/postgres-binaries';
import { createPng } from '@meetmark/testing/factories/pictures';
import sharp from 'sharp';
import { PictureDecoder } from './decoder.js';

const HAS_LIMITS = process.platform === 'linux';
const GATEWAY = fileURLToPath(new URL('../..', import.meta.url));

describe('the image decoder', () => {
  const decoder = new PictureDecoder();
  decoder.settings.picture = 60_000;
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => decoder.onApplicationShutdown());

  const png = (width = 30, height = 20) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  const decode = async (bytes: Buffer) => decoder.decode(() => bytes, 'avatars');
  const getResultCode = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: DomainError) => error.code,
    );
  const about = (file: string) => readFileSync(`/proc/${decoder.pid}/${file}`, 'utf8');

  it('decodes several images with the process that was started in advance', async () => {
    decoder.prepare();
    const { pid } = decoder;
    expect(pid).toEqual(expect.any(Number));
    const { webp, width, height } = await decode(await png());
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width, height });
    expect([width, height]).toEqual([PICTURES.avatarSize, PICTURES.avatarSize]);
    await decode(await png(40));
    expect(decoder.pid).toBe(pid);
  });

  it('reports what is wrong with an image and keeps working', async () => {
    const { pid } = decoder;
    expect(await getResultCode(decode(Buffer.from('<svg/>')))).toBe('PICTURE_TYPE');
    expect(await getResultCode(decode((await png()).subarray(0, 60)))).toBe('PICTURE_BROKEN');
    expect(await getResultCode(decode(createPng(4_001, 4_000)))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(decode(await png()))).toBe('taken');
    expect(decoder.pid).toBe(pid);
  });

  it('decodes one image while twenty wait, and refuses more', async () => {
    const picture = await png();
    const codes = await Promise.all(Array.from({ length: 25 }, () => getResultCode(decode(picture))));
    expect(tally(codes)).toEqual({ SERVICE_OVERLOADED: 4, taken: 21 });
  });

  it('refuses an image that exceeds the timeout but accepts it with a longer timeout', async () => {
    const { picture } = decoder.settings;
    const large = await png(2_000, 2_000);
    decoder.settings.picture = 1;
    expect(await getResultCode(decode(large))).toBe('SERVICE_OVERLOADED');
    decoder.settings.picture = picture;
    expect(await getResultCode(decode(large))).toBe('taken');
  });

  it('restarts after it was killed while decoding an image', async () => {
    await decode(await png());
    const running = getResultCode(decode(await png(2_000, 2_000)));
    await pause(0);
    process.kill(decoder.pid!, 'SIGKILL');
    expect(await running).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(decode(await png()))).toBe('taken');
  });

  it('exits when idle, even if it never received an image', async () => {
    const unused = new PictureDecoder();
    const { idle } = decoder.settings;
    for (const { settings } of [decoder, unused]) settings.idle = 50;
    unused.prepare();
    const unusedPid = unused.pid;
    await decode(await png());
    const pids = [decoder.pid, unusedPid];
    expect(pids).toEqual([expect.any(Number), expect.any(Number)]);
    while (decoder.pid !== undefined || unused.pid !== undefined) await pause(20);
    while (pids.some((pid) => isRunning(pid!))) await pause(10);
    decoder.settings.idle = idle;
  });

  it('works for an unprivileged user with a lowered priority and stack limit', () => {
    if (process.platform === 'win32') return;
    const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
    const { uid, gid } =
      process.getuid?.() === 0 && canReach(nobody, GATEWAY) ? nobody : { uid: undefined, gid: undefined };
    const script = `
      import { getPriority } from 'node:os';
      import sharp from 'sharp';
      import { PictureDecoder } from './dist/media/decoder.js';
      const decoder = new PictureDecoder();
      const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).png().toBuffer();
      const { width } = await decoder.decode(() => picture, 'avatars');
      console.log(width, getPriority(), getPriority(decoder.pid));
      decoder.onApplicationShutdown();`;
    const lowered = 'ulimit -s 2000; exec nice -n 10 "$0" "$@"';
    const node = ['-c', lowered, process.execPath, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync('/bin/sh', node, { cwd: GATEWAY, uid, gid, encoding: 'utf8' });
    const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 10);
    expect([stdout, stderr]).toEqual([`${PICTURES.avatarSize} ${lower} ${lower}\n`, '']);
  });

  it('pauses longer after each failed start, and counts failed starts in a metric', async () => {
    const failedStarts = async () =>
      (await registry.getSingleMetric('picture_decoder_failed_starts')!.get()).values[0]?.value;
    const { program } = decoder.settings;
    decoder.onApplicationShutdown();
    Object.assign(decoder.settings, { program: 'nowhere.js', firstPause: 50, longestPause: 150 });
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const picture = await png();
    const refusal = async () =>
      decode(picture).then(
        () => ({ code: 'taken' }),
        ({ code, details }: DomainError) => ({ code, details }),
      );
    for (let start = 1; start <= 3; start += 1) {
      expect(decoder.isFailing).toBe(false);
      const details = { outcome: 'not-started' };
      expect(await refusal()).toEqual({ code: 'SERVICE_UNAVAILABLE', details });
    }
    expect(decoder.isFailing).toBe(true);
    for (const length of [50, 100, 150]) {
      expect(await refusal()).toMatchObject({ details: { retryAfter: 1 } });
      now += length - 1;
      decoder.prepare();
      expect(decoder.pid).toBeUndefined();
      now += 1;
      decoder.prepare();
      expect(decoder.pid).toBeDefined();
      expect(await refusal()).not.toHaveProperty('details.retryAfter');
    }
    expect(await failedStarts()).toBe(6);
    decoder.settings.program = program;
    now += 150;
    expect(await getResultCode(decode(picture))).toBe('taken');
    expect([decoder.isFailing, await failedStarts()]).toEqual([false, 0]);
  });

  it('runs with a minimal environment and a memory limit', async () => {
    if (!HAS_LIMITS) return;
    await decode(await png());
    const variables = about('environ').split('\0').filter(Boolean);
    expect(variables.map((line) => line.split('=')[0]).sort()).toEqual([
      ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'NODE_CHANNEL_FD'],
      ...['NODE_CHANNEL_SERIALIZATION_MODE', 'PWD', 'UV_THREADPOOL_SIZE'],
    ]);
    expect(about('limits')).toMatch(new RegExp(`^Max data size +${176 * 1024 * 1024} `, 'm'));
    expect(about('oom_score_adj').trim()).toBe('1000');
  });

  it('maps executable memory only from files', async () => {
    if (!HAS_LIMITS) return;
    await decode(await png());
    const executable = about('maps')
      .split('\n')
      .filter((line) => /^\S+ ..x/.test(line));
    expect(executable.length).toBeGreaterThan(0);
    expect(executable.filter((line) => !/ (\/|\[v)/.test(line))).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
