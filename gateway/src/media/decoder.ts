import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DomainError, PICTURES, type PictureKind } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { registry } from '@meetmark/platform/operations/metrics';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { SharedTurns } from '../http/shared-budgets.js';
import type { CoverPart, Drawing, Reencoded } from './reencode.js';

const MEGABYTE = 1024 * 1024;
/** Bytes that the decoder may allocate. Valid images need less (docs/adr/0008). */
const MEMORY = 176 * MEGABYTE;
/** Maximum resident bytes, including shared code. Enforced even on systems that can't limit allocation. */
const RESIDENT = MEMORY + 80 * MEGABYTE;
/** Resident bytes after which the decoder restarts, because freed memory isn't always returned. */
const RESIDENT_AFTERWARDS = 112 * MEGABYTE;
/** Operating system priority, lower than that of the processes that answer requests. */
const PRIORITY = 5;
const FAILED_STARTS = 3;
const QUEUE = 20;
/** Kilobytes of stack per thread. Stacks count as allocated memory. */
const STACK = 2_048;
const ERRORS_KEPT = 2_000;

/** Path of the built program, even if this file runs from source. */
const PROGRAM = fileURLToPath(new URL('../../dist/media/decoder-process.js', import.meta.url));
/** Options that save memory. Without `--jitless`, V8 would allocate 512 MB at start (Node 24). */
const NODE = [
  '--expose-gc',
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  '--jitless',
];
/** Environment of the decoder. The gateway's own variables aren't passed on, because some are secret. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };
/**
 * Lowers the limits, unless they are already lower. The `oom_score_adj` makes the system kill the decoder
 * first if a container runs out of memory.
 */
const LIMITED = [
  `ulimit -d ${MEMORY / 1024} || [ "$(ulimit -d)" -le ${MEMORY / 1024} ] || exit 1`,
  `ulimit -s ${STACK} || [ "$(ulimit -s)" -le ${STACK} ] || exit 1`,
  '{ echo 1000 >/proc/$$/oom_score_adj; } 2>/dev/null',
  'exec "$0" "$@"',
].join('\n');
/** Signals after a crash caused by a broken image. Other signals mean that the process exceeded a limit. */
const CRASHES: (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'];

export type PictureRefusal = 'PICTURE_TYPE' | 'PICTURE_TOO_LARGE' | 'PICTURE_BROKEN';
interface Upload {
  bytes: Buffer;
  kind: PictureKind;
}
interface Narrowing {
  stored: Buffer;
  toWidth: number;
}
export type DecoderQuestion = Upload | CoverPart | Drawing | Narrowing;
interface Drawn {
  drawn: Buffer;
}
export type DecoderAnswer =
  | { refusal: PictureRefusal; reason: string }
  | ((Reencoded | Drawn) & { resident: number });

const failedStarts = new Gauge({
  name: 'picture_decoder_failed_starts',
  help: 'Consecutive failed starts of the image decoder; 0 once it has started',
  registers: [registry],
});

/**
 * Decodes images one at a time in a separate process. If an image needs too much memory or time, only that
 * process is killed.
 */
@Injectable()
export class PictureDecoder implements OnApplicationShutdown {
  private readonly logger = new Logger('Pictures');
  private readonly turns = new Bulkhead({ running: 1, waiting: QUEUE });
  private readonly shares = new SharedTurns('pictures');
  private running: DecoderProcess | null = null;
  private idle?: NodeJS.Timeout;
  private failures = 0;
  /** Time from `performance.now()` before which the decoder must not start again. */
  private notBefore = 0;
  private priorityRefused = false;
  /** Timeouts in milliseconds. Pauses after failed starts grow from `firstPause` to `longestPause`. */
  readonly settings = {
    program: PROGRAM,
    start: 10_000,
    picture: 4_000,
    idle: 10_000,
    firstPause: 1_000,
    longestPause: 60_000,
  };

  get pid(): number | undefined {
    return this.running?.pid;
  }

  get isFailing(): boolean {
    return this.failures >= FAILED_STARTS;
  }

  /**
   * @param read returns the image, and is called only when the decoder is free
   * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, SERVICE_OVERLOADED,
   * SERVICE_UNAVAILABLE
   */
  async decode(read: () => Buffer, kind: PictureKind): Promise<Reencoded> {
    return checked(await this.inTurn(() => ({ bytes: read(), kind })));
  }

  /** @throws DomainError PICTURE_BROKEN, PICTURE_TOO_LARGE, SERVICE_OVERLOADED, SERVICE_UNAVAILABLE */
  async draw(image: CoverPart | Drawing): Promise<Buffer> {
    const answer = await this.inTurn(() => image);
    if (!('drawn' in answer)) throw new DomainError('PICTURE_BROKEN');
    return answer.drawn;
  }

  /**
   * Returns `stored` itself if the narrower image isn't smaller in bytes.
   * @throws DomainError PICTURE_BROKEN, PICTURE_TOO_LARGE, SERVICE_OVERLOADED, SERVICE_UNAVAILABLE
   */
  async narrow(stored: Buffer, toWidth: number): Promise<Buffer> {
    const answer = await this.inTurn(() => ({ stored, toWidth }));
    if (!('drawn' in answer) || !isWebp(answer.drawn)) throw new DomainError('PICTURE_BROKEN');
    return answer.drawn.length < stored.length ? answer.drawn : stored;
  }

  /** @throws DomainError SERVICE_OVERLOADED, and errors of `task` */
  inShare<T>(ip: string, task: () => Promise<T>): Promise<T> {
    return this.shares.run(ip, task);
  }

  /** Starts the decoder early, so that it is ready when the image has been loaded. */
  prepare(): void {
    if (this.running !== null || performance.now() < this.notBefore) return;
    this.running = this.start();
    this.endWhenIdle();
  }

  private inTurn(question: () => DecoderQuestion): Promise<Reencoded | Drawn> {
    return this.turns.run(async () => {
      clearTimeout(this.idle);
      const running = (this.running ??= this.start());
      try {
        return await this.ask(running, question());
      } finally {
        this.endWhenIdle();
      }
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.idle);
    this.end();
  }

  private async ask(running: DecoderProcess, question: DecoderQuestion): Promise<Reencoded | Drawn> {
    if (!(await running.ready)) {
      this.end();
      this.noteStarts(this.failures + 1);
      this.logger.error(`The image decoder did not start: ${running.end}`);
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' });
    }
    this.noteStarts(0);
    const answer = await running.ask(question);
    if (answer === null) {
      this.end();
      const { length } = getContent(question);
      this.logger.warn(`An image of ${length} bytes crashed the image decoder: ${running.end}`);
      throw new DomainError(running.blame);
    }
    if ('refusal' in answer)
      throw new DomainError(answer.refusal, undefined, { cause: new Error(answer.reason) });
    if (answer.resident > RESIDENT_AFTERWARDS) this.end();
    return answer;
  }

  private start(): DecoderProcess {
    const wait = this.notBefore - performance.now();
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1_000);
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started', retryAfter });
    }
    const started = new DecoderProcess(this.settings);
    this.lowerPriority(started.pid);
    return started;
  }

  /** Keeps the gateway's own priority if that is lower, because only root could raise it. */
  private lowerPriority(pid: number | undefined): void {
    if (pid === undefined) return;
    try {
      setPriority(pid, Math.max(PRIORITY, getPriority()));
    } catch (error) {
      if (!this.priorityRefused)
        this.logger.warn(`Could not lower the priority of the image decoder: ${String(error)}`);
      this.priorityRefused = true;
    }
  }

  private noteStarts(failures: number): void {
    const { firstPause, longestPause } = this.settings;
    this.failures = failures;
    failedStarts.set(failures);
    if (this.isFailing)
      this.notBefore =
        performance.now() + Math.min(longestPause, firstPause * 2 ** (failures - FAILED_STARTS));
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), this.settings.idle).unref();
  }

  private end(): void {
    this.running?.kill();
    this.running = null;
  }
}

function getContent(question: DecoderQuestion): Buffer | string {
  if ('bytes' in question) return question.bytes;
  if ('stored' in question) return question.stored;
  return 'svg' in question ? question.svg : question.cover;
}

class DecoderProcess {
  /** Resolves with false if the process ended or took too long to start. */
  readonly ready: Promise<boolean>;
  end: string;
  /**
   * Error to report if there is no answer. A timeout means that the machine is busy, because a slow image
   * would exceed the limit of processor time first.
   */
  blame: PictureRefusal | 'SERVICE_OVERLOADED' = 'SERVICE_OVERLOADED';
  private readonly child: ChildProcess;
  private errors = '';

  constructor(private readonly settings: PictureDecoder['settings']) {
    this.end = `it took more than ${settings.picture} ms`;
    const node = [...NODE, settings.program, String(RESIDENT)];
    const options: SpawnOptions = {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    };
    this.child =
      process.platform === 'linux'
        ? spawn('/bin/sh', ['-c', LIMITED, process.execPath, ...node], options)
        : spawn(process.execPath, node, options);
    this.child.stderr?.on('data', (text) => (this.errors = `${this.errors}${text}`.slice(-ERRORS_KEPT)));
    this.child.on('error', (error) => (this.end = error.message));
    this.child.on('exit', (code, signal) => {
      this.blame = CRASHES.includes(signal) ? 'PICTURE_BROKEN' : 'PICTURE_TOO_LARGE';
      this.end = `${signal ?? `exit code ${code}`} ${this.errors}`.trim();
    });
    this.ready = this.next(settings.start).then((said) => said === 'ready');
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  ask(question: DecoderQuestion): Promise<DecoderAnswer | null> {
    const answer = this.next(this.settings.picture) as Promise<DecoderAnswer | null>;
    // The callback ignores errors, because `next` notices when the process ends.
    this.child.send(question, () => undefined);
    return answer;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Waits for the next message. Resolves with null if the process ends first or after `ms` milliseconds. */
  private next(ms: number): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (said: unknown) => {
        clearTimeout(timer);
        this.child.off('message', settle).off('close', gone).off('error', gone);
        resolve(said);
      };
      const gone = () => settle(null);
      const timer = setTimeout(gone, ms);
      this.child.on('message', settle).on('close', gone).on('error', gone);
      if (this.child.exitCode !== null || this.child.signalCode !== null) gone();
    });
  }
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** Checks the result, because a malicious image might control the decoder. */
function checked(answer: Reencoded | Drawn): Reencoded {
  if ('drawn' in answer) throw new DomainError('PICTURE_BROKEN');
  const { webp, width, height } = answer;
  const sizes = [width, height];
  if (
    !isWebp(webp) ||
    webp.length > PICTURES.maxStoredBytes ||
    !sizes.every((size) => Number.isInteger(size))
  )
    throw new DomainError('PICTURE_BROKEN');
  return { webp, width, height };
}
