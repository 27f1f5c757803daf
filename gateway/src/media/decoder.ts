import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type CoverCrop, DomainError, PICTURES, type PictureKind } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { registry } from '@meetmark/platform/operations/metrics';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { SharedTurns } from '../http/shared-budgets.js';
import type { Reencoded } from './reencode.js';
import type { SetWords } from './share-picture.js';

const MEGABYTE = 1024 * 1024;
/** Bytes that the decoder may allocate. Every picture within the limits needs less (docs/adr/0008). */
const MEMORY = 176 * MEGABYTE;
/** Bytes that may be resident: that memory and its shared programs. This limit also holds on systems without the first one. */
const RESIDENT = MEMORY + 80 * MEGABYTE;
/** Resident bytes after a picture from which the next one gets a new process: memory is not always returned. */
const RESIDENT_AFTERWARDS = 112 * MEGABYTE;
/** Lower than that of the processes that answer requests. */
const PRIORITY = 5;
/** Starts in a row that may fail before the next one waits. */
const FAILED_STARTS = 3;
/** Pictures that may wait for their turn. */
const QUEUE = 20;
/** Kilobytes of stack for each thread, which count as memory asked for. */
const STACK = 2_048;
const ERRORS_KEPT = 2_000;

/** The built program, also when this file runs from its source. */
const PROGRAM = fileURLToPath(new URL('../../dist/media/decoder-process.js', import.meta.url));
/**
 * Unused threads and arenas of the allocator would take memory, too. V8's compiler would allocate 512 MB at once (Node 24), which
 * counts as allocated memory; the decoder's own script is a few lines.
 */
const NODE = [
  '--expose-gc',
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  '--jitless',
];
/** The whole environment: no variable of the gateway, some of which are secret, reaches the decoder. */
const ENVIRONMENT = {
  ...{ UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  // no fonts but those that a picture names
  FONTCONFIG_FILE: fileURLToPath(new URL('../../dist/fonts/fonts.conf', import.meta.url)),
};
/**
 * The limits of the shell hold for node, which replaces it; an account that has lower ones keeps them. When a container runs out of memory,
 * the system kills the decoder first.
 */
const LIMITED = [
  `ulimit -d ${MEMORY / 1024} || [ "$(ulimit -d)" -le ${MEMORY / 1024} ] || exit 1`,
  `ulimit -s ${STACK} || [ "$(ulimit -s)" -le ${STACK} ] || exit 1`,
  '{ echo 1000 >/proc/$$/oom_score_adj; } 2>/dev/null',
  'exec "$0" "$@"',
].join('\n');
/** Signals of a process that could not read a file; other signals end one that took too much. */
const CRASHES: (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'];

export type PictureRefusal = 'PICTURE_TYPE' | 'PICTURE_TOO_LARGE' | 'PICTURE_BROKEN';
interface Upload {
  bytes: Buffer;
  kind: PictureKind;
}
/** What a picture of an event is made of: our own drawing, words that are set over it, and the banner, or a part of it, below both. */
export interface ShareDrawing {
  width: number;
  height: number;
  /** Empty: nothing is drawn over the cover. */
  overlay: string;
  words: SetWords[];
  cover: Buffer | null;
  /** The part of the cover; its middle where it is left out. */
  crop?: CoverCrop | null;
}
/** A drawing of ours as a PNG of so many pixels on each side. */
interface IconDrawing {
  icon: string;
  size: number;
}
/** A stored picture, to be so many pixels wide. */
interface Narrowing {
  stored: Buffer;
  toWidth: number;
}
export type DecoderQuestion = Upload | ShareDrawing | IconDrawing | Narrowing;
interface Drawn {
  drawn: Buffer;
}
/** `resident`: bytes that the decoder has resident after the picture. */
export type DecoderAnswer =
  | { refusal: PictureRefusal; reason: string }
  | ((Reencoded | Drawn) & { resident: number });

const failedStarts = new Gauge({
  name: 'picture_decoder_failed_starts',
  help: 'Starts in a row of the process that decodes pictures that have failed; 0 once it has started',
  registers: [registry],
});

/**
 * Decodes pictures one at a time in a separate process, which lives while pictures arrive. A picture that takes more memory or time
 * than the limits allow ends that process and nothing else.
 */
@Injectable()
export class PictureDecoder implements OnApplicationShutdown {
  private readonly logger = new Logger('Pictures');
  private readonly turns = new Bulkhead({ running: 1, waiting: QUEUE });
  private readonly shares = new SharedTurns('pictures');
  private running: DecoderProcess | null = null;
  private idle?: NodeJS.Timeout;
  private failures = 0;
  /** `performance.now()` before which no process is started. */
  private notBefore = 0;
  private priorityRefused = false;
  /**
   * Its program, and milliseconds: for its start; for a picture; without pictures before it ends; of the first and of the longest pause
   * between failing starts.
   */
  readonly settings = {
    program: PROGRAM,
    start: 10_000,
    picture: 4_000,
    idle: 10_000,
    firstPause: 1_000,
    longestPause: 60_000,
  };

  /** The process id of the decoder while it runs. */
  get pid(): number | undefined {
    return this.running?.pid;
  }

  /** Whether it did not start several times in a row, so that there is no picture until the cause is found. */
  get isFailing(): boolean {
    return this.failures >= FAILED_STARTS;
  }

  /**
   * @param read makes the bytes of the upload when their turn comes
   * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, SERVICE_OVERLOADED, SERVICE_UNAVAILABLE
   */
  async decode(read: () => Buffer, kind: PictureKind): Promise<Reencoded> {
    return checked(await this.inTurn(() => ({ bytes: read(), kind })));
  }

  /**
   * The JPEG of a share picture, or the PNG of an icon.
   * @param drawing makes what is drawn when its turn comes, while the decoder starts
   * @throws DomainError SERVICE_OVERLOADED, SERVICE_UNAVAILABLE
   */
  async draw(drawing: () => ShareDrawing | IconDrawing): Promise<Buffer> {
    const answer = await this.inTurn(drawing);
    if (!('drawn' in answer)) throw new DomainError('PICTURE_BROKEN');
    return answer.drawn;
  }

  /**
   * A stored picture so many pixels wide; itself where that is no smaller.
   * @throws DomainError PICTURE_BROKEN, PICTURE_TOO_LARGE, SERVICE_OVERLOADED, SERVICE_UNAVAILABLE
   */
  async narrow(stored: Buffer, toWidth: number): Promise<Buffer> {
    const answer = await this.inTurn(() => ({ stored, toWidth }));
    if (!('drawn' in answer) || !isWebp(answer.drawn)) throw new DomainError('PICTURE_BROKEN');
    return answer.drawn.length < stored.length ? answer.drawn : stored;
  }

  /** What somebody asks for, as their network's share allows. @throws DomainError SERVICE_OVERLOADED, and whatever `task` throws */
  inShare<T>(ip: string, task: () => Promise<T>): Promise<T> {
    return this.shares.run(ip, task);
  }

  /** Starts the decoder where none runs, so that it is ready when the picture is. */
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
      this.logger.error(`the decoder of pictures did not start: ${running.end}`);
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' });
    }
    this.noteStarts(0);
    const answer = await running.ask(question);
    if (answer === null) {
      this.end();
      const { length } = contentOf(question);
      this.logger.warn(`a picture of ${length} bytes ended its decoder: ${running.end}`);
      throw new DomainError(running.blame);
    }
    if ('refusal' in answer)
      throw new DomainError(answer.refusal, undefined, { cause: new Error(answer.reason) });
    if (answer.resident > RESIDENT_AFTERWARDS) this.end();
    return answer;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE while it waits after starts that failed */
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

  /** Only processes of root may raise a priority, so this one never gets a higher one than the gateway's own. */
  private lowerPriority(pid: number | undefined): void {
    if (pid === undefined) return;
    try {
      setPriority(pid, Math.max(PRIORITY, getPriority()));
    } catch (error) {
      if (!this.priorityRefused)
        this.logger.warn(`pictures are decoded at the priority of the gateway: ${String(error)}`);
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

function contentOf(question: DecoderQuestion): Buffer | string {
  if ('bytes' in question) return question.bytes;
  if ('stored' in question) return question.stored;
  return 'icon' in question ? question.icon : (question.cover ?? question.overlay);
}

/** One run of the decoder. */
class DecoderProcess {
  /** False when it ended or took too long instead. */
  readonly ready: Promise<boolean>;
  /** How it ended. */
  end: string;
  /** The refusal of its last picture. Processor time has its own limit, so a timeout means a busy machine. */
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
    // `next` notices the end of the process
    this.child.send(question, () => undefined);
    return answer;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Its next message; null when it ends before, or after `ms`. */
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

/** A decoder that a picture has taken over could send anything. */
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
