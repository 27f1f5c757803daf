import { DomainError } from '@meetmark/contracts/errors';
import { setPriority } from 'node:os';
import type { DecoderAnswer, DecoderQuestion, PictureRefusal } from './decoder.js';
import { reencode, useOnlyOurDecoders } from './reencode.js';

// The process in which pictures are unpacked: it knows no secret and may be ended at any moment. Loads what it needs and no more.

/** Below that of the processes that answer people. */
const PRIORITY = 5;
/** Milliseconds between two looks at what has been taken. */
const LOOK_EVERY = 10;
/** Microseconds of a processor that a picture may take: several times what one within the limits needs. */
const MOST_PROCESSOR_TIME = 3_000_000;

const [limit] = process.argv.slice(2);
const mostResident = Number(limit);

setPriority(PRIORITY);
useOnlyOurDecoders();
process.on('disconnect', () => process.exit(0));
process.on('message', (question: DecoderQuestion) => void answer(question));
send('ready');

async function answer({ bytes, kind }: DecoderQuestion): Promise<void> {
  const before = process.cpuUsage();
  // decoding has a thread of its own, so this one is free to look
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (process.memoryUsage.rss() > mostResident || user + system > MOST_PROCESSOR_TIME)
      process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY);
  try {
    const { webp, width, height } = await reencode(bytes, kind);
    globalThis.gc?.(); // what is left of this picture must not be held against the next
    send({ webp, width, height, resident: process.memoryUsage.rss() });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal = error.code as PictureRefusal; // reencode knows no other
    send({ refusal, reason: error.cause instanceof Error ? error.cause.message : '' });
  } finally {
    clearInterval(watch);
  }
}

function send(answer: DecoderAnswer | 'ready'): void {
  process.send?.(answer);
}
