import { writeSync } from 'node:fs';
import { DomainError } from '@meetmark/contracts/errors';
import type { DecoderAnswer, DecoderQuestion, PictureRefusal } from './decoder.js';
import { drawIcon, drawShare, narrow, reencode, useOnlyOurDecoders } from './reencode.js';

// The process that decodes pictures: it knows no secret and can be killed at any moment. It imports only what it needs.

/** Milliseconds between two checks of its memory and processor time. */
const CHECK_EVERY = 10;
/**
 * Microseconds of processor time for one picture: five times what one within the limits needs on a quiet machine (an AVIF of 4 megapixels,
 * one second). Beside other work a processor does less in the same time.
 */
const MOST_PROCESSOR_TIME = 5_000_000;

const [limit] = process.argv.slice(2);
const mostResident = Number(limit);

useOnlyOurDecoders();
process.on('disconnect', () => process.exit(0));
process.on('message', (question: DecoderQuestion) => void answer(question));
send('ready');

async function answer(question: DecoderQuestion): Promise<void> {
  const before = process.cpuUsage();
  // decoding runs in another thread, so this one is free
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const resident = process.memoryUsage.rss();
    if (resident <= mostResident && user + system <= MOST_PROCESSOR_TIME) return;
    // the gateway logs it; at once, as the process is gone afterwards
    writeSync(2, `after ${user + system} µs of processor time, with ${resident} bytes`);
    process.kill(process.pid, 'SIGKILL');
  }, CHECK_EVERY);
  try {
    const made =
      'bytes' in question ? await reencode(question.bytes, question.kind) : { drawn: await draw(question) };
    globalThis.gc?.(); // the memory of this picture must not count for the next one
    send({ ...made, resident: process.memoryUsage.rss() });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal = error.code as PictureRefusal; // reencode throws no other
    send({ refusal, reason: error.cause instanceof Error ? error.cause.message : '' });
  } finally {
    clearInterval(watch);
  }
}

function draw(question: Exclude<DecoderQuestion, { bytes: Buffer }>): Promise<Buffer> {
  if ('stored' in question) return narrow(question.stored, question.toWidth);
  return 'icon' in question ? drawIcon(question) : drawShare(question);
}

function send(answer: DecoderAnswer | 'ready'): void {
  process.send?.(answer);
}
