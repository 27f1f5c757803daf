import { writeSync } from 'node:fs';
import { DomainError } from '@meetmark/contracts/errors';
import type { DecoderAnswer, DecoderQuestion, PictureRefusal } from './decoder.js';
import { cutCover, draw, narrow, reencode, useOnlyOurDecoders } from './reencode.js';

// Image decoder process. It has no secrets, may be killed at any time, and imports as little as possible.

/** Milliseconds between checks of memory and processor time. */
const CHECK_EVERY = 10;
/** Microseconds. On an idle machine, the slowest valid image takes one second (AVIF of 4 megapixels). */
const MOST_PROCESSOR_TIME = 5_000_000;

const [limit] = process.argv.slice(2);
const mostResident = Number(limit);

useOnlyOurDecoders();
process.on('disconnect', () => process.exit(0));
process.on('message', (question: DecoderQuestion) => void answer(question));
send('ready');

async function answer(question: DecoderQuestion): Promise<void> {
  const before = process.cpuUsage();
  // Decoding runs in another thread, so this timer isn't blocked.
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const resident = process.memoryUsage.rss();
    if (resident <= mostResident && user + system <= MOST_PROCESSOR_TIME) return;
    // Writes synchronously, because the process ends next. The gateway logs the output.
    writeSync(2, `after ${user + system} µs of processor time, with ${resident} bytes`);
    process.kill(process.pid, 'SIGKILL');
  }, CHECK_EVERY);
  try {
    const made =
      'bytes' in question ? await reencode(question.bytes, question.kind) : { drawn: await drawn(question) };
    globalThis.gc?.(); // Frees this image's memory, which must not count for the next image.
    send({ ...made, resident: process.memoryUsage.rss() });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal = error.code as PictureRefusal;
    send({ refusal, reason: error.cause instanceof Error ? error.cause.message : '' });
  } finally {
    clearInterval(watch);
  }
}

function drawn(question: Exclude<DecoderQuestion, { bytes: Buffer }>): Promise<Buffer> {
  if ('stored' in question) return narrow(question.stored, question.toWidth);
  return 'svg' in question ? draw(question) : cutCover(question);
}

function send(answer: DecoderAnswer | 'ready'): void {
  process.send?.(answer);
}
