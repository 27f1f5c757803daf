import { createHash } from 'node:crypto';

const NAME_LENGTH = 12;

/**
 * Names one life of the data in a Redis: each start, promotion or change of its primary begins another. At that moment the last
 * acknowledged writes may be lost. What must not be trusted after it is stored under keys with this name, and is not found any more.
 * @param info the answer to `INFO server replication`
 * @returns undefined when it is no primary
 */
export function generationIn(info: string): string | undefined {
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  if (field('role') !== 'master') return undefined;
  const life = `${field('run_id')} ${field('master_replid')}`;
  return createHash('sha256').update(life).digest('hex').slice(0, NAME_LENGTH);
}

export const ASK_GENERATION = ['server', 'replication'] as const;

/** What is known of the generation at the other end of one connection. */
export class RedisGeneration {
  private name: string | undefined;
  /** The last known one, also after a loss of the connection. */
  private last: string | undefined;
  private connection = {};
  private learning: Promise<string> | undefined;
  /** When `name` was asked for, by performance.now(). */
  private learnt = -Infinity;

  constructor(
    private readonly ask: () => Promise<string>,
    /** Called when it differs from the last one. */
    private readonly onAnother: () => void = () => undefined,
  ) {}

  /** undefined while there is no connection, or none to a primary. */
  get known(): string | undefined {
    return this.name;
  }

  /** The connection was lost: the next one may lead to another Redis. */
  forget(): void {
    this.name = this.learning = undefined;
    this.connection = {};
  }

  /** @throws Error when there is no connection to a primary */
  async current(): Promise<string> {
    return this.name ?? (this.learning ??= this.learn());
  }

  /**
   * As it was no longer ago than `age` milliseconds.
   * @throws Error when there is no connection to a primary
   */
  async within(age: number): Promise<string> {
    if (this.name !== undefined && performance.now() - this.learnt < age) return this.name;
    return (this.learning ??= this.learn());
  }

  /**
   * As it is now, asked anew.
   * @throws Error when there is no connection to a primary
   */
  async learn(): Promise<string> {
    const { connection } = this;
    const asked = performance.now();
    const info = await this.ask().finally(() => (this.learning = undefined));
    const found = generationIn(info);
    if (connection !== this.connection) throw new Error('the connection to Redis was lost');
    this.name = found;
    this.learnt = asked;
    if (found === undefined) throw new Error('Redis is no primary');
    const { last } = this;
    this.last = found;
    if (last !== undefined && last !== found) this.onAnother();
    return found;
  }
}
